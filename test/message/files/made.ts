import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Described, describeFile, type Extracted, type FileFields, FileQuota } from '@vedette/message/files';
import { afterAll } from 'vitest';

/** When the files that archives are made of were last changed. */
export const CHANGED = '2024-03-05T06:07:08Z';

const folders: string[] = [];
// Not by each workshop: a hook that is made within a test is never called.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder with files in it, where archives are made with the programs that people make them with; it goes away with the tests of the file. */
export class Workshop {
  readonly #folder = mkdtempSync(join(tmpdir(), 'vedette-files-'));

  constructor(files: Readonly<Record<string, string | Uint8Array>>) {
    folders.push(this.#folder);
    this.put(files);
  }

  put(files: Readonly<Record<string, string | Uint8Array>>): void {
    for (const [name, content] of Object.entries(files)) {
      const path = join(this.#folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      utimesSync(path, new Date(CHANGED), new Date(CHANGED));
    }
  }

  /** Runs a program there, and takes the file that it made. */
  make(file: string, program: string, ...parameters: string[]): Buffer {
    execFileSync(program, parameters, { cwd: this.#folder, env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C.UTF-8' }, stdio: 'pipe' });
    return readFileSync(join(this.#folder, file));
  }
}

export const describeAs = (name: string, content: string | Uint8Array, quota = new FileQuota()): Promise<Described> =>
  describeFile({
    name,
    type: 'application/octet-stream',
    content: typeof content === 'string' ? Buffer.from(content, 'latin1') : content,
    quota,
  });

/** What is said of a file beside its hashes, in words. */
export function flags(file: FileFields): string {
  const said = {
    risky: file.is_risky_extension,
    document: file.is_document,
    archive: file.is_archive,
    encrypted: file.is_archive_encrypted,
  };
  return Object.entries(said)
    .filter(([, is]) => is)
    .map(([word]) => word)
    .join(' ');
}

/** Extracted files as `name, size, first of MD5`, `-` where it could not be read. */
export const listed = (files: readonly Extracted[]): string[] =>
  files.map(({ name, size, md5_hash }) => `${name} ${size} ${md5_hash.slice(0, 8) || '-'}`);
