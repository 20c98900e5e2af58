import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@vedette/process/log';

/** Four segments of PostgreSQL's log: enough for a hundred thousand charges. */
export const RESERVE_BYTES = 67_108_864;
/** Free bytes below which the reserve is given up: PostgreSQL stops when it cannot begin a segment of its log, which has 16 MB. */
const LOW_BYTES = 33_554_432;
/** Free bytes from which the reserve is made: beside it there is room for what else is written. */
const ENOUGH_BYTES = RESERVE_BYTES + 3 * LOW_BYTES;
const CHUNK_BYTES = 1_048_576;

/** Tells whether the database's disk is short of space. */
export interface Disk {
  /** Looks at the disk, and gives up the reserve or makes it again. Rejects where the disk cannot be looked at, or written. */
  check(): Promise<void>;
  /** Whether the reserve is given up: what can be left out is not written, so that there is room for charges. */
  isShort(): boolean;
}

export interface DiskReserveOptions {
  log: Log;
  /** Bytes that an unprivileged user may still write at a folder's disk. */
  freeBytes?: (folder: string) => Promise<number>;
}

/** A file that keeps room on the database's disk. When the disk is full the file goes, and charges have its room until the operator makes some. */
export class DiskReserve implements Disk {
  readonly #file: string;
  readonly #folder: string;
  readonly #log: Log;
  readonly #freeBytes: (folder: string) => Promise<number>;
  #short = false;

  constructor(folder: string, { log, freeBytes = freeBytesAt }: DiskReserveOptions) {
    this.#folder = folder;
    this.#file = join(folder, 'reserve');
    this.#log = log;
    this.#freeBytes = freeBytes;
  }

  isShort(): boolean {
    return this.#short;
  }

  async check(): Promise<void> {
    const [free, held] = await Promise.all([this.#freeBytes(this.#folder), this.#isHeld()]);
    if (free >= ENOUGH_BYTES) await this.#restore(held);
    else if (free < LOW_BYTES) await this.#giveUp(held, free);
    else if (!held) this.#short = true; // what was given up before a restart is not room
  }

  async #giveUp(held: boolean, freeBytes: number): Promise<void> {
    if (held) await rm(this.#file);
    if (held || !this.#short)
      this.#log.error(
        { folder: this.#folder, freeBytes, reserveBytes: held ? RESERVE_BYTES : 0 },
        'the disk of the database is nearly full: its reserve is given up, and answers for repetitions and passive DNS are not kept; make room',
      );
    this.#short = true;
  }

  async #restore(held: boolean): Promise<void> {
    if (!held) await this.#make();
    if (this.#short) this.#log.info({ folder: this.#folder }, 'the disk of the database has room again');
    this.#short = false;
  }

  async #isHeld(): Promise<boolean> {
    const { size } = await stat(this.#file).catch(() => ({ size: 0 }));
    return size === RESERVE_BYTES;
  }

  /** Random octets: a file system that compresses, or leaves holes, would reserve nothing for zeros. */
  async #make(): Promise<void> {
    const part = `${this.#file}.part`;
    try {
      await using file = await open(part, 'w', 0o600);
      for (let written = 0; written < RESERVE_BYTES; written += CHUNK_BYTES) await file.writeFile(randomBytes(CHUNK_BYTES));
      await rename(part, this.#file);
    } catch (cause) {
      await rm(part, { force: true });
      throw cause;
    }
  }
}

async function freeBytesAt(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
