import type { FilePages } from './file-pages.ts';
import { Recent } from '../recent.ts';

/** A value of a database. */
export type MmdbValue = string | number | bigint | boolean | Uint8Array | MmdbValue[] | MmdbMap;
export interface MmdbMap {
  [key: string]: MmdbValue;
}

/** No real record is deeper, has more values, or longer texts; a file that exceeds these limits is rejected. */
const MAX_DEPTH = 16;
const MAX_VALUES = 4096;
const MAX_BYTES = 65_536;
const TEXTS = 1024;

const [POINTER, TEXT, DOUBLE, BYTES, UINT16, UINT32, MAP, INT32, UINT64, UINT128, ARRAY] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const [BOOLEAN, FLOAT] = [14, 15];
const POINTER_BASE = [0, 2048, 526_336, 0];

/**
 * Reads values of a section of a MaxMind DB, format 2.0 (https://maxmind.github.io/MaxMind-DB/). The file may be anything: whatever it says,
 * a value takes bounded time and memory, or a RangeError.
 */
export class MmdbValues {
  readonly #file: FilePages;
  readonly #start: number;
  readonly #end: number;
  /** Texts that pointers lead to, above all the keys of records: the same few again and again. */
  readonly #texts = new Recent<number, MmdbValue>(TEXTS);
  #at = 0;
  #left = 0;

  constructor(file: FilePages, start: number, end: number) {
    this.#file = file;
    this.#start = start;
    this.#end = end;
  }

  /** The value at an offset of the section. */
  read(offset: number): MmdbValue {
    this.#at = this.#start + offset;
    this.#left = MAX_VALUES;
    return this.#value(0);
  }

  #value(depth: number): MmdbValue {
    if (depth > MAX_DEPTH || --this.#left < 0) throw new RangeError('a record of the database is too large');
    const control = this.#byte();
    const type = control >> 5;
    if (type === POINTER) return this.#pointed(control, depth);
    return this.#ofType(type === 0 ? this.#byte() + 7 : type, this.#size(control), depth);
  }

  /** A pointer is followed once; it must not lead to another. */
  #pointed(control: number, depth: number): MmdbValue {
    const length = (control >> 3) & 3;
    const high = length === 3 ? 0 : control & 7;
    const target = this.#start + high * 256 ** (length + 1) + this.#uint(length + 1) + POINTER_BASE[length]!;
    const back = this.#at;
    this.#at = target;
    const type = this.#peek() >> 5;
    if (type === POINTER) throw new RangeError('a pointer of the database leads to a pointer');
    const value = type === TEXT ? this.#texts.get(target, () => this.#value(depth + 1)) : this.#value(depth + 1);
    this.#at = back;
    return value;
  }

  #size(control: number): number {
    const size = control & 31;
    if (size < 29) return size;
    return size === 29 ? 29 + this.#uint(1) : size === 30 ? 285 + this.#uint(2) : 65_821 + this.#uint(3);
  }

  #ofType(type: number, size: number, depth: number): MmdbValue {
    switch (type) {
      case TEXT:
        return this.#bytes(size).toString('utf8');
      case BYTES:
        return this.#bytes(size);
      case DOUBLE:
        return this.#exactly(size, 8).readDoubleBE();
      case FLOAT:
        return this.#exactly(size, 4).readFloatBE();
      case UINT16:
        return this.#uint(this.#atMost(size, 2));
      case UINT32:
        return this.#uint(this.#atMost(size, 4));
      case INT32:
        return this.#uint(this.#atMost(size, 4)) | 0;
      case UINT64:
        return this.#large(this.#atMost(size, 8));
      case UINT128:
        return this.#large(this.#atMost(size, 16));
      case BOOLEAN:
        return this.#atMost(size, 1) === 1;
      case ARRAY:
        return Array.from({ length: this.#atMost(size, this.#left) }, () => this.#value(depth + 1));
      case MAP:
        return this.#map(this.#atMost(size, this.#left), depth);
      default:
        throw new RangeError(`the database has a value of type ${type}`);
    }
  }

  #map(size: number, depth: number): MmdbMap {
    const entries: [string, MmdbValue][] = [];
    for (let entry = 0; entry < size; entry++) {
      const key = this.#value(depth + 1);
      if (typeof key !== 'string') throw new RangeError('the database has a key that is no text');
      entries.push([key, this.#value(depth + 1)]);
    }
    return Object.fromEntries(entries);
  }

  #atMost(size: number, limit: number): number {
    if (size > limit) throw new RangeError('a value of the database is too long');
    return size;
  }

  #exactly(size: number, wanted: number): Buffer {
    if (size !== wanted) throw new RangeError('a number of the database has the wrong length');
    return this.#bytes(size);
  }

  #bytes(length: number): Buffer {
    const from = this.#at;
    if (length > MAX_BYTES || from + length > this.#end) throw new RangeError('a value of the database is too long');
    this.#at += length;
    return this.#file.bytes(from, length);
  }

  #large(length: number): bigint {
    let value = 0n;
    for (let byte = 0; byte < length; byte++) value = (value << 8n) | BigInt(this.#byte());
    return value;
  }

  #uint(length: number): number {
    let value = 0;
    for (let byte = 0; byte < length; byte++) value = value * 256 + this.#byte();
    return value;
  }

  #byte(): number {
    const byte = this.#peek();
    this.#at++;
    return byte;
  }

  #peek(): number {
    if (this.#at >= this.#end) throw new RangeError('the database ends within a value');
    return this.#file.byte(this.#at);
  }
}
