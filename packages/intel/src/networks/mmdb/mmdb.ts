import type { Width, Words } from '../tables/address-words.ts';
import { FilePages } from './file-pages.ts';
import { type MmdbMap, type MmdbValue, MmdbValues } from './mmdb-values.ts';

/** The marker before the metadata, which is within the last 128 kB. */
const MARKER = Buffer.concat([Uint8Array.of(0xab, 0xcd, 0xef), Buffer.from('MaxMind.com')]);
const METADATA_WITHIN = 131_072;
/** Zeros between tree and data. */
const SEPARATOR = 16;
/** The nodes that the first 16 bits lead to are remembered. */
const JUMP_BITS = 16;
const UNKNOWN = -1;

/** The metadata of a database. */
export interface MmdbHead {
  type: string;
  ipVersion: 4 | 6;
  nodes: number;
  /** Bits of one of the two records of a node. */
  recordBits: 24 | 28 | 32;
  built: Date;
}

/**
 * Finds the values of addresses in a MaxMind DB, format 2.0. Only the head is checked when the file opens; a broken tree or an invalid
 * record throws a RangeError when a look-up meets it.
 */
export class Mmdb {
  readonly head: MmdbHead;
  readonly #file: FilePages;
  readonly #values: MmdbValues;
  readonly #jump: Int32Array;
  /** Where the walk for an IPv4 address begins: behind 96 zeros in a tree of IPv6. */
  readonly #v4Root: { node: number; depth: number };

  /** Throws a RangeError for a file of another format, and the errors of the file system. */
  constructor(source: string | Uint8Array) {
    this.#file = new FilePages(source);
    try {
      const metadata = metadataOf(this.#file);
      this.head = headOf(metadata);
      const { nodes, recordBits, ipVersion } = this.head;
      const treeEnd = (nodes * recordBits) / 4;
      if (treeEnd + SEPARATOR > this.#file.size) throw new RangeError('the database is smaller than its tree');
      this.#values = new MmdbValues(this.#file, treeEnd + SEPARATOR, this.#file.size);
      this.#jump = new Int32Array(2 ** JUMP_BITS).fill(UNKNOWN);
      this.#v4Root = { node: 0, depth: 0 };
      if (ipVersion === 6) while (this.#v4Root.depth < 96 && this.#v4Root.node < nodes) this.#step(this.#v4Root);
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }

  /**
   * Returns the offset of an address's value; -1 without a value. It is also -1 for an IPv6 address in a database of IPv4, whose tree would
   * find an unrelated place by the first 32 bits.
   */
  offsetOf(words: Words, width: Width): number {
    const { nodes, ipVersion } = this.head;
    if (width === 4 && ipVersion === 4) return -1;
    const isWhole = width === 4 || ipVersion === 4;
    let node = isWhole ? this.#jumped(words[0]! >>> (32 - JUMP_BITS)) : this.#v4Root.node;
    for (let bit = isWhole ? JUMP_BITS : 0; node < nodes && bit < 32 * width; bit++)
      node = this.#record(node, (words[bit >>> 5]! >>> (31 - (bit & 31))) & 1);
    if (node === nodes) return -1;
    // Otherwise the tree is deeper than addresses are long.
    if (node < nodes + SEPARATOR) throw new RangeError('the tree of the database leads nowhere');
    return node - nodes - SEPARATOR;
  }

  /** The value at such an offset, read anew. */
  valueAt(offset: number): MmdbValue {
    return this.#values.read(offset);
  }

  close(): void {
    this.#file.close();
  }

  #step(root: { node: number; depth: number }): void {
    root.node = this.#record(root.node, 0);
    root.depth++;
  }

  /** The node or value behind the first 16 bits. */
  #jumped(high: number): number {
    const known = this.#jump[high]!;
    if (known !== UNKNOWN) return known >>> 0;
    let node = 0;
    for (let bit = JUMP_BITS - 1; node < this.head.nodes && bit >= 0; bit--) node = this.#record(node, (high >>> bit) & 1);
    this.#jump[high] = node;
    return node;
  }

  #record(node: number, right: number): number {
    const file = this.#file;
    switch (this.head.recordBits) {
      case 24:
        return file.word(node * 6 + right * 3) >>> 8;
      case 28: {
        // Seven bytes a node: three of each record, and between them the upper four bits of both.
        if (right === 1) return file.word(node * 7 + 3) & 0x0fff_ffff;
        const word = file.word(node * 7);
        return (word >>> 8) | ((word & 0xf0) << 20);
      }
      case 32:
        return file.word(node * 8 + right * 4);
    }
  }
}

function metadataOf(file: FilePages): MmdbMap {
  const length = Math.min(file.size, METADATA_WITHIN);
  const tail = file.bytes(file.size - length, length);
  const at = tail.lastIndexOf(MARKER);
  if (at < 0) throw new RangeError('not a MaxMind DB');
  const start = file.size - length + at + MARKER.length;
  const metadata = new MmdbValues(file, start, file.size).read(0);
  if (!isMap(metadata)) throw new RangeError('the metadata of the database is no map');
  return metadata;
}

export const isMap = (value: MmdbValue | undefined): value is MmdbMap =>
  typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array);

function headOf(metadata: MmdbMap): MmdbHead {
  const { binary_format_major_version: major, ip_version: ipVersion, node_count: nodes, record_size: recordBits } = metadata;
  const { database_type: type, build_epoch: epoch } = metadata;
  if (major !== 2) throw new RangeError('a MaxMind DB of an unknown version');
  if (ipVersion !== 4 && ipVersion !== 6) throw new RangeError('a MaxMind DB of an unknown family');
  if (recordBits !== 24 && recordBits !== 28 && recordBits !== 32) throw new RangeError('a MaxMind DB of an unknown record size');
  if (typeof nodes !== 'number' || nodes < 1) throw new RangeError('a MaxMind DB without a tree');
  const seconds = typeof epoch === 'bigint' && epoch < 1n << 33n ? Number(epoch) : 0;
  return { type: typeof type === 'string' ? type : '', ipVersion, nodes, recordBits, built: new Date(seconds * 1000) };
}
