import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';

const NEWLINE = 10;

/** Validators go into request headers again: nothing but what one may have. */
const Validator = Type.String({ pattern: '^[\\x20-\\x7e]{0,300}$' });
const isValidator = Compile(Validator);
const Head = Type.Object({
  url: Type.String(),
  /** When it was last known to be what the source has. */
  confirmed_at: Type.Number({ minimum: 0 }),
  etag: Validator,
  last_modified: Validator,
  /** SHA-256 of the body. */
  digest: Type.String(),
});
export type Head = Static<typeof Head>;
const isHead = Compile(Head);

export interface Stored {
  head: Head;
  body: Uint8Array;
}

/**
 * Files as they were fetched, each in one file of ours: a line of JSON, and the body. What is made of them is made again at every start, by
 * the rules of the day.
 */
export class FeedStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined where there is none. Throws for one that is broken. */
  async read(name: string): Promise<Stored | undefined> {
    const bytes = await readFile(join(this.#folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (bytes === undefined) return undefined;
    const end = bytes.indexOf(NEWLINE);
    const head: unknown = JSON.parse(bytes.toString('utf8', 0, Math.max(end, 0)));
    const body = bytes.subarray(end + 1);
    if (!isHead.Check(head)) throw new Error('its first line is not ours');
    if (head.digest !== sha256(body)) throw new Error('it is not what was written');
    return { head, body };
  }

  /** Says of a copy that its source has it still. */
  async confirm(name: string, confirmed_at: number): Promise<void> {
    const stored = await this.read(name);
    if (stored) await this.write(name, { ...stored.head, confirmed_at }, stored.body);
  }

  /** Whole or not at all. */
  async write(name: string, head: Omit<Head, 'digest'>, body: Uint8Array): Promise<void> {
    const path = join(this.#folder, name);
    const line = JSON.stringify({ ...head, digest: sha256(body) } satisfies Head);
    await mkdir(this.#folder, { recursive: true });
    await writeFile(`${path}.new`, [Buffer.from(`${line}\n`), body], { flush: true });
    await rename(`${path}.new`, path);
  }
}

const sha256 = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');

/** A validator as it can be kept; empty for one that is not fit to be sent again. */
export const keptValidator = (value: string): string => (isValidator.Check(value) ? value : '');
