import type { EmlLimit } from '../../report/index.ts';
import { UnpackTime } from './unpack-time.ts';

/** Attached files and what is in them, of one message. */
export const FILES_MAX = 1_000;
/** Entries that are looked at, of all archives of one message, directories too. */
export const ENTRIES_MAX = 2_000;
/** Unpacking and hashing them takes as long as some five ordinary messages of 5 MB. */
export const EXTRACTED_BYTES_MAX = 64 * 1024 * 1024;
/** The most that a large archive may unpack to, as a multiple of its own size. Ordinary text packs at 30:1. */
export const RATIO_MAX = 200;
export const SMALL_BYTES = 1024 * 1024;
/** Bytes of extracted files that are kept to search them for URLs. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024;

/** The limits of all files of one message together. The reader goes on without a refused file; the report lists the limit in `limits`. */
export class FileQuota {
  readonly limits = new Set<EmlLimit>();
  readonly time = new UnpackTime(() => this.limits.add('archive_time'));
  #files = FILES_MAX;
  #entries = ENTRIES_MAX;
  #bytes = EXTRACTED_BYTES_MAX;
  #kept = KEPT_BYTES_MAX;

  /** Whether one more file may stand in the report; asked for what is attached before that is described. */
  file(): boolean {
    return this.#take('files', this.#files--);
  }

  /** Whether one more entry of an archive may be looked at. */
  entry(): boolean {
    return this.#take('archive_entries', this.#entries--);
  }

  /** Whether an extracted file of so many bytes may be kept beside its hashes. */
  keep(bytes: number): boolean {
    if (bytes > this.#kept) return false;
    this.#kept -= bytes;
    return true;
  }

  /** The budget for unpacking an archive of so many bytes. */
  archive(bytes: number): ArchiveBudget {
    return new ArchiveBudget(this, Math.max(SMALL_BYTES, bytes * RATIO_MAX));
  }

  /** Takes so many extracted bytes; what is over is not given back. */
  spend(bytes: number): void {
    this.#bytes -= bytes;
  }

  get bytesLeft(): number {
    return Math.max(0, this.#bytes);
  }

  #take(limit: EmlLimit, left: number): boolean {
    if (left <= 0) this.limits.add(limit);
    return left > 0;
  }
}

/** The budget for unpacking one archive, and the archives in it. */
export class ArchiveBudget {
  readonly quota: FileQuota;
  #left: number;

  constructor(quota: FileQuota, bytes: number) {
    this.quota = quota;
    this.#left = bytes;
  }

  get left(): number {
    return Math.max(0, Math.min(this.#left, this.quota.bytesLeft));
  }

  /** Takes what was extracted, in vain too: it has cost its time. */
  spend(bytes: number): void {
    this.#left -= bytes;
    this.quota.spend(bytes);
  }

  /** Says that there was more than one may take out. */
  exceeded(): void {
    this.quota.limits.add('archive_bytes');
  }
}
