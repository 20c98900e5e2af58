import { isObject, type Members, plainText } from '../report/shape.ts';
import type { Tone } from '../look/tone.ts';
import { sizeOf } from '../text/index.ts';

/** A file with the files in it. */
export interface FileNode {
  name: string;
  notes: readonly string[];
  tone: Tone;
  within: FileNode[];
}

/** More files than these are in the table alone; no message nests deeper by right. */
const FILES_MAX = 300;
const DEPTH_MAX = 20;

function nodeOf(file: Members): FileNode {
  const { name, extension, size, is_risky_extension: risky, is_archive_encrypted: sealed, content_type: type } = file;
  return {
    name: plainText(name) || `without a name (${plainText(type) || plainText(extension)})`,
    notes: [
      typeof size === 'number' ? sizeOf(size) : '',
      risky === true ? 'can run or install something' : '',
      sealed === true ? 'needs a password' : '',
    ].filter(Boolean),
    tone: risky === true ? 'bad' : sealed === true ? 'warn' : 'none',
    within: [],
  };
}

/** Attached files, each with what is in it: `depth` tells what is in what. Names in archives have the archive's before them, which the tree says. */
export function filesOf({ attachments }: Members): { files: FileNode[]; left: number } {
  const attached = isObject(attachments) && Array.isArray(attachments['files']) ? (attachments['files'] as unknown[]).filter(isObject) : [];
  const files: FileNode[] = [];
  let left = FILES_MAX;
  let all = 0;
  for (const file of attached) {
    const inner = Array.isArray(file['extracted_files']) ? (file['extracted_files'] as unknown[]).filter(isObject) : [];
    all += 1 + inner.length;
    if (left <= 0) continue;
    left--;
    const root = nodeOf(file);
    files.push(root);
    const around = [{ node: root, name: '' }];
    for (const one of inner.slice(0, left)) {
      left--;
      const depth = typeof one['depth'] === 'number' ? Math.min(Math.max(1, Math.trunc(one['depth'])), around.length, DEPTH_MAX) : 1;
      around.length = depth;
      const parent = around[depth - 1]!;
      const node = nodeOf(one);
      const whole = node.name;
      if (parent.name !== '' && whole.startsWith(`${parent.name}/`)) node.name = whole.slice(parent.name.length + 1);
      parent.node.within.push(node);
      around.push({ node, name: whole });
    }
  }
  return { files, left: Math.max(0, all - FILES_MAX) };
}
