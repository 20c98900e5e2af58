import { hash } from 'node:crypto';
import type { EmlReport } from '@vedette/contract';
import { isActive } from './active-content.ts';
import { type ArchiveEntry, TooLarge, type Unpacked } from './archive-entry.ts';
import { CompoundFile } from './compound-file.ts';
import { isActiveText, isArchiveExtension, isDocumentExtension, isRiskyExtension } from './extensions.ts';
import { extensionOf, shownName } from './file-name.ts';
import { type FileKind, traitsOf } from './kinds.ts';
import { unpackZipEntry } from './libarchive.ts';
import { kindByMagic } from './magic.ts';
import { type Contained, judgeCompound } from './office.ts';
import { openArchive } from './open-archive.ts';
import { judgePackage } from './package.ts';
import { isPdfSealed } from './pdf.ts';
import { ArchiveBudget, type FileQuota } from './quota.ts';
import { readTnef } from './tnef.ts';
import { readZip } from './zip.ts';

type AttachedFile = EmlReport['attachments']['files'][number];
type ExtractedFile = AttachedFile['extracted_files'][number];

/** What stands in the report of a file, attached or extracted. */
export type FileFields = Omit<ExtractedFile, 'last_modified_at'>;

export interface Extracted extends ExtractedFile {
  kind: FileKind;
  /** The text of a small file of text: to look for URLs in. */
  content?: Uint8Array;
}

export interface Described extends FileFields {
  kind: FileKind;
  /** What is in it, in its order; of what is in an archive in it, the path leads through that. */
  extracted: Extracted[];
}

export interface FileToDescribe {
  /** What the message calls it; empty where it does not. */
  name: string;
  /** The media type of the message, in lower case without parameters. */
  type: string;
  content: Uint8Array;
  /** The quota of the whole message. */
  quota: FileQuota;
}

/** Archives in archives are opened, what is in them is not. */
const ARCHIVE_LEVELS = 2;
const LOOKED_AT_MAX = 16;

/** Kinds that anything may hide in, so that the name's word counts too. */
const VAGUE = new Set<FileKind>(['unknown', 'empty', 'text', 'html', 'xml', 'ole']);
const TEXTS = new Set<FileKind>(['text', 'html', 'svg', 'xml', 'calendar', 'vcard', 'eml', 'internet-shortcut', 'script']);
const KEPT_MAX_BYTES = 256 * 1024;

/** What a file is by its name and its content, and what is in it. Never throws: what cannot be read is described by its name. */
export async function describeFile({ name, type, content, quota }: FileToDescribe): Promise<Described> {
  const contained = await judge(name, content);
  const described: Described = { ...fileFields(name, content, contained, type), kind: contained.kind, extracted: [] };
  const opening: Opening = { budget: quota.archive(content.length), quota, found: described.extracted, path: '', levels: ARCHIVE_LEVELS };
  if (contained.kind === 'tnef') {
    for (const file of readTnef(content).files) await addExtracted({ ...file, unpacked: file.content, size: file.content.length }, opening);
    return described;
  }
  described.is_archive_encrypted ||= await openFile({ name, kind: contained.kind, content }, opening);
  return described;
}

interface Opening {
  budget: ArchiveBudget;
  quota: FileQuota;
  /** Where what is extracted is listed. */
  found: Extracted[];
  /** The archive within the one that is attached, with a slash; empty for that one itself. */
  path: string;
  /** Archives that may still be opened, one in the other. */
  levels: number;
}

/** Lists what is in a file that is an archive; whether any of it is encrypted. */
async function openFile(file: { name: string; kind: FileKind; content: Uint8Array }, opening: Opening): Promise<boolean> {
  const archive = await openArchive(file, opening.budget);
  if (!archive) return false;
  let encrypted = archive.sealed;
  let looked = 0;
  try {
    for (const entry of archive.entries) {
      // Of what is in the innermost one it is only asked whether it is encrypted, and a few entries tell.
      const isInnermost = opening.levels === 0;
      if (isInnermost ? ++looked > LOOKED_AT_MAX : !opening.quota.entry()) break;
      encrypted ||= entry.encrypted;
      if (isInnermost && (encrypted || archive.inSequence)) break;
      if (isInnermost || entry.directory) continue;
      const unpacked = await unpack(entry, opening.budget);
      if (!(await addExtracted({ ...entry, ...unpacked }, opening))) break;
      if (unpacked.isTooLarge && archive.inSequence) break;
    }
  } finally {
    archive.close();
  }
  return encrypted;
}

/** What an entry unpacks to, as far as the budget goes. */
async function unpack(entry: ArchiveEntry, budget: ArchiveBudget): Promise<{ unpacked: Unpacked; isTooLarge: boolean }> {
  const max = budget.left;
  try {
    const unpacked = await entry.unpack(max);
    budget.spend(unpacked?.length ?? 0);
    return { unpacked, isTooLarge: false };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    budget.spend(max);
    budget.exceeded();
    return { unpacked: undefined, isTooLarge: true };
  }
}

/** Lists one file out of another, and what is in it; false where no more may be listed. */
async function addExtracted(
  file: { name: string; modified: string; size: number; unpacked: Unpacked },
  opening: Opening,
): Promise<boolean> {
  const { quota, found, path, levels } = opening;
  if (!quota.file()) return false;
  const name = `${path}${file.name}`;
  const { unpacked } = file;
  const contained: Contained = unpacked ? await judge(name, unpacked) : { kind: 'unknown', encrypted: false, risky: false };
  const fields = unpacked ? fileFields(name, unpacked, contained, '') : unreadFields(name, file.size);
  const extracted: Extracted = { ...fields, last_modified_at: file.modified, kind: contained.kind };
  found.push(extracted);
  if (!unpacked) return true;
  if (TEXTS.has(contained.kind) && unpacked.length <= KEPT_MAX_BYTES && quota.keep(unpacked.length)) extracted.content = unpacked;
  const within = { ...opening, path: `${name}/`, levels: levels - 1 };
  extracted.is_archive_encrypted ||= await openFile({ name, kind: contained.kind, content: unpacked }, within);
  return true;
}

/**
 * What a file is by its content. By its name only in that programs open what is called a ZIP by the directory at its end, whatever stands before its
 * first entry; so they do with what is nothing else.
 */
async function judge(name: string, content: Uint8Array): Promise<Contained> {
  const kind = kindByMagic(content);
  if (kind === 'ole') return judgeCompound(new CompoundFile(content));
  if (kind === 'zip') return judgePackage(readZip(content, unpackZipEntry) ?? []);
  const entries = kind === 'unknown' || extensionOf(name) === 'zip' ? readZip(content, unpackZipEntry) : undefined;
  if (entries) return judgePackage(entries);
  return { kind, encrypted: kind === 'pdf' && isPdfSealed(content), risky: false };
}

function fileFields(name: string, content: Uint8Array, { kind, encrypted, risky }: Contained, type: string): FileFields {
  const traits = traitsOf(kind);
  const extension = extensionOf(name) || traits.extension;
  const mayBeActive = kind === 'html' || kind === 'svg' || isActiveText(extension) || type === 'text/html' || type === 'image/svg+xml';
  return {
    name: shownName(name),
    extension,
    md5_hash: hash('md5', content),
    sha256_hash: hash('sha256', content),
    size: content.length,
    is_risky_extension: risky || traits.risky === true || isRiskyExtension(extension) || (mayBeActive && isActive(content)),
    is_document: traits.document ?? (VAGUE.has(kind) && isDocumentExtension(extension)),
    is_archive: traits.archive ?? (kind === 'unknown' && isArchiveExtension(extension)),
    is_archive_encrypted: encrypted,
  };
}

/** What its name says of a file that cannot be read. */
function unreadFields(name: string, size: number): FileFields {
  const extension = extensionOf(name);
  return {
    name: shownName(name),
    extension,
    md5_hash: '',
    sha256_hash: '',
    size,
    is_risky_extension: isRiskyExtension(extension) || isActiveText(extension),
    is_document: isDocumentExtension(extension),
    is_archive: isArchiveExtension(extension),
    is_archive_encrypted: false,
  };
}
