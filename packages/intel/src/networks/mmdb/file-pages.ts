import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;
const IN_PAGE = PAGE - 1;
/** Pages of one file that are kept: 8 MB. */
const MAX_PAGES = 2048;

/**
 * Bytes of a file, read page by page as they are asked for, some megabytes of them kept. A database of a hundred megabytes so costs a
 * hundredth of it in memory of our own; the rest is the system's cache, which other processes share and which goes when memory is short.
 * Bytes that are in memory already are read as they are.
 */
export class FilePages {
  readonly size: number;
  readonly #pages: (Uint8Array | undefined)[];
  readonly #file: number;
  /** Pages that were read, in a ring: the oldest makes room. */
  readonly #ring: number[] = [];
  #oldest = 0;

  /** A path, or bytes. Throws what the file system throws. */
  constructor(source: string | Uint8Array) {
    if (typeof source === 'string') {
      this.#file = openSync(source, 'r');
      this.size = fstatSync(this.#file).size;
      this.#pages = Array.from({ length: Math.ceil(this.size / PAGE) }, () => undefined);
    } else {
      this.#file = -1;
      this.size = source.length;
      this.#pages = Array.from({ length: Math.ceil(this.size / PAGE) }, (_, page) => source.subarray(page * PAGE, (page + 1) * PAGE));
    }
  }

  /** The byte at an offset. Throws a RangeError behind the end. */
  byte(at: number): number {
    const value = (this.#pages[at >>> PAGE_BITS] ?? this.#read(at))[at & IN_PAGE];
    if (value === undefined) throw new RangeError('the file ends early');
    return value;
  }

  /** Four bytes as a number, the first the highest. Throws a RangeError behind the end. */
  word(at: number): number {
    const page = this.#pages[at >>> PAGE_BITS] ?? this.#read(at);
    const from = at & IN_PAGE;
    if (from + 4 <= page.length) return ((page[from]! << 24) | (page[from + 1]! << 16) | (page[from + 2]! << 8) | page[from + 3]!) >>> 0;
    return ((this.byte(at) << 24) | (this.byte(at + 1) << 16) | (this.byte(at + 2) << 8) | this.byte(at + 3)) >>> 0;
  }

  /** A copy of some bytes. Throws a RangeError behind the end. */
  bytes(from: number, length: number): Buffer {
    if (from + length > this.size) throw new RangeError('the file ends early');
    const copy = Buffer.alloc(length);
    for (let at = from; at < from + length;) {
      const page = this.#pages[at >>> PAGE_BITS] ?? this.#read(at);
      const part = page.subarray(at & IN_PAGE, (at & IN_PAGE) + from + length - at);
      copy.set(part, at - from);
      at += part.length;
    }
    return copy;
  }

  close(): void {
    if (this.#file >= 0) closeSync(this.#file);
  }

  #read(at: number): Uint8Array {
    const number = at >>> PAGE_BITS;
    if (at >= this.size) throw new RangeError('the file ends early');
    const page = this.#room(number);
    const length = readSync(this.#file, page, 0, PAGE, number * PAGE);
    if (length < Math.min(PAGE, this.size - number * PAGE)) throw new RangeError('the file has become shorter');
    this.#pages[number] = page;
    return page;
  }

  /** Memory for a page. */
  #room(number: number): Uint8Array {
    if (this.#ring.length < MAX_PAGES) {
      this.#ring.push(number);
      return new Uint8Array(PAGE);
    }
    const old = this.#ring[this.#oldest]!;
    this.#ring[this.#oldest] = number;
    this.#oldest = (this.#oldest + 1) % MAX_PAGES;
    const page = this.#pages[old] ?? new Uint8Array(PAGE);
    this.#pages[old] = undefined;
    return page;
  }
}
