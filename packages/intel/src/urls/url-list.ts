import { hashOf } from './expressions.ts';

const BYTES = 8;

/**
 * A list of URLs: the first eight octets of the hash of each one's expression, sorted, which is also how a snapshot is kept. With a million of them
 * a URL that is not among them is taken for one once in 600 billion look-ups.
 */
export class UrlList {
  readonly #hashes: BigUint64Array;

  /** Takes what `compile` made. */
  constructor(bytes: Uint8Array) {
    // A copy: what comes from a file may begin anywhere in its buffer.
    this.#hashes = new BigUint64Array(bytes.slice(0, bytes.length - (bytes.length % BYTES)).buffer);
  }

  static compile(expressions: Iterable<string>): Uint8Array {
    const hashes = new Set<bigint>();
    for (const expression of expressions) hashes.add(hashOf(expression));
    return new Uint8Array(BigUint64Array.from(hashes).sort().buffer);
  }

  get rows(): number {
    return this.#hashes.length;
  }

  has(hash: bigint): boolean {
    let low = 0;
    let high = this.#hashes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#hashes[middle]! < hash) low = middle + 1;
      else high = middle;
    }
    return this.#hashes[low] === hash;
  }
}
