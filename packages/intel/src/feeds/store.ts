import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { type BuiltFile, Coverage, type Digested } from './ports.ts';

/** How much is read and hashed at once: a millisecond of work. */
const PORTION_BYTES = 1_048_576;
const HOUR_MS = 3_600_000;
/** The retention of a feed that has left every catalogue. */
const FORGOTTEN_MS = 30 * 24 * HOUR_MS;

/** Validators go into request headers again: nothing but what one may have. */
const Validator = Type.String({ pattern: '^[\\x20-\\x7e]{0,300}$' });
const isValidator = Compile(Validator);
const Part = Type.Object({ digest: Type.String({ pattern: '^[0-9a-f]{64}$' }), bytes: Type.Integer({ minimum: 0 }) });
type Part = Static<typeof Part>;
const Head = Type.Object({
  url: Type.String(),
  origin: Type.Union([Type.Literal('source'), Type.Literal('imported')]),
  /** When it was last known to be what the source has, epoch ms. */
  confirmed_at: Type.Number({ minimum: 0 }),
  etag: Validator,
  last_modified: Validator,
  rows: Type.Integer({ minimum: 0 }),
  /** The coverage of a list of addresses. */
  coverage: Type.Optional(Coverage),
  /** The rules that the snapshot was made by. */
  rules: Type.String(),
  raw: Part,
  snapshot: Part,
  /** The days of its entries, where they have some. */
  days: Type.Optional(Part),
});
export type Head = Static<typeof Head>;
const isHead = Compile(Head);

const KINDS = ['raw', 'snapshot', 'days'] as const;
type Kind = (typeof KINDS)[number];
type Parts = Readonly<Pick<BuiltFile, Kind>>;
/** File names that only we use: contents of a feed, and drafts left by a process that died before the rename. */
const PART_OR_DRAFT = /^[a-z0-9-]{1,64}\.[0-9a-f]{16}\.(?:raw|snapshot|days)$|^[a-z0-9.-]{1,100}\.\d+\.new$|^lock-draft-.{1,40}\.new$/;

/**
 * Copies of feeds, in a folder that several processes may share. Each feed has a head, which names the valid files, and up to three files
 * named by their digest: the feed's file as fetched, the snapshot made of it, and the days of its entries. The head is renamed into place after they are written, so a crash
 * in between changes nothing.
 */
export class FeedStore {
  readonly #folder: string;
  readonly #diskBytes: number;
  #written: Promise<void> = Promise.resolve();

  /** `diskBytes`: what the folder may hold. */
  constructor(folder: string, diskBytes: number) {
    this.#folder = folder;
    this.#diskBytes = diskBytes;
  }

  /** Undefined for a feed without a head. Throws for one that is broken. */
  async head(name: string): Promise<Head | undefined> {
    const text = await unlessAbsent(readFile(this.#headPath(name), 'utf8'));
    if (text === undefined) return undefined;
    const head: unknown = JSON.parse(text);
    if (!isHead.Check(head)) throw new Error('its head is not ours');
    return head;
  }

  /** A file that a head names; undefined when a newer one has taken its place. Throws for one that is broken. */
  async read(name: string, kind: Kind, head: Head): Promise<Uint8Array | undefined> {
    const part = head[kind];
    if (!part) return undefined;
    const { digest, bytes } = part;
    const file = await unlessAbsent(open(this.#partPath(name, kind, digest)));
    if (!file) return undefined;
    try {
      const all = Buffer.alloc(bytes);
      const hash = createHash('sha256');
      let at = 0;
      for (;;) {
        const { bytesRead } = await file.read(all, at, Math.min(PORTION_BYTES, bytes - at), at);
        if (bytesRead === 0) break;
        hash.update(all.subarray(at, at + bytesRead));
        at += bytesRead;
      }
      if (at !== bytes || (await file.stat()).size !== bytes || hash.digest('hex') !== digest)
        throw new Error(`its ${kind} is not what was written`);
      return all;
    } finally {
      await file.close();
    }
  }

  /** Says of a copy that its source has it still. */
  async confirm(name: string, confirmed_at: number): Promise<void> {
    const head = await this.head(name);
    if (head) await this.#replace(this.#headPath(name), JSON.stringify({ ...head, confirmed_at }));
  }

  /** Whole or not at all, one at a time. Files that the head names no longer are removed; those who read them go on. */
  write(name: string, head: Omit<Head, Kind>, parts: Parts): Promise<void> {
    const written = this.#written.then(() => this.#write(name, head, parts));
    this.#written = written.catch(() => undefined); // its caller receives the error
    return written;
  }

  async #write(name: string, head: Omit<Head, Kind>, parts: Parts): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const days = parts.days && { days: partOf(parts.days) };
    const whole: Head = { ...head, raw: partOf(parts.raw), snapshot: partOf(parts.snapshot), ...days };
    await this.#assertRoom(name, whole);
    for (const kind of KINDS) {
      const part = parts[kind];
      if (!part) continue;
      const path = this.#partPath(name, kind, part.digest);
      if ((await unlessAbsent(stat(path)))?.size !== part.bytes.length) await this.#replace(path, part.bytes);
    }
    await this.#replace(this.#headPath(name), JSON.stringify(whole));
    await this.#removeOthers(name, whole);
  }

  /** Returns the size of the folder, in bytes. */
  async size(): Promise<number> {
    let size = 0;
    for (const file of await this.#files()) size += (await unlessAbsent(stat(join(this.#folder, file))))?.size ?? 0;
    return size;
  }

  /**
   * Removes unused files: contents that heads do not name, drafts of dead processes, and feeds that are no longer in any catalogue. An
   * hour-old file is not work in progress. A file with another kind of name is not ours, since the operator chooses the folder.
   */
  async sweep(names: readonly string[], now: number): Promise<void> {
    const known = new Set(names);
    const needed = new Set<string>();
    const spare = new Set<string>();
    const files = await this.#files();
    for (const file of files.filter((file) => file.endsWith('.json'))) {
      const name = file.slice(0, -'.json'.length);
      const head = await this.head(name).catch(() => undefined);
      if (head && (known.has(name) || now - head.confirmed_at <= FORGOTTEN_MS))
        for (const kept of [file, ...partNames(name, head)]) needed.add(kept);
      else if (head || known.has(name)) spare.add(file);
    }
    for (const file of files) {
      if (needed.has(file) || !(spare.has(file) || PART_OR_DRAFT.test(file))) continue;
      const there = await unlessAbsent(stat(join(this.#folder, file)));
      if (there && now - there.mtimeMs > HOUR_MS) await rm(join(this.#folder, file), { force: true });
    }
  }

  async #assertRoom(name: string, { raw, snapshot, days }: Head): Promise<void> {
    // While it is written, what was there before is there too.
    const needed = (await this.size()) + raw.bytes + snapshot.bytes + (days?.bytes ?? 0);
    if (needed > this.#diskBytes)
      throw new Error(`there is no room for ${name}: the folder may hold ${this.#diskBytes} bytes (disk_bytes)`);
  }

  async #removeOthers(name: string, head: Head): Promise<void> {
    const kept = new Set(partNames(name, head));
    const own = new RegExp(`^${name}\\.[0-9a-f]{16}\\.(raw|snapshot|days)$`);
    for (const file of await this.#files()) if (own.test(file) && !kept.has(file)) await rm(join(this.#folder, file), { force: true });
  }

  async #replace(path: string, content: Uint8Array | string): Promise<void> {
    const draft = `${path}.${process.pid}.new`;
    try {
      await writeFile(draft, content, { flush: true });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async #files(): Promise<string[]> {
    return (await unlessAbsent(readdir(this.#folder))) ?? [];
  }

  #headPath(name: string): string {
    return join(this.#folder, `${name}.json`);
  }

  #partPath(name: string, kind: Kind, digest: string): string {
    return join(this.#folder, partName(name, kind, digest));
  }
}

const partName = (name: string, kind: Kind, digest: string): string => `${name}.${digest.slice(0, 16)}.${kind}`;
const partNames = (name: string, head: Head): string[] =>
  KINDS.flatMap((kind) => (head[kind] === undefined ? [] : [partName(name, kind, head[kind].digest)]));
const partOf = ({ bytes, digest }: Digested): Part => ({ bytes: bytes.length, digest });

const unlessAbsent = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** A validator as it can be kept; empty for one that is not fit to be sent again. */
export const keptValidator = (value: string): string => (isValidator.Check(value) ? value : '');
