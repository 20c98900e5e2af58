/** A Map with a limit: what was set longest ago leaves first. Setting a key again makes it the newest. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #max: number;
  readonly #sizeOf: (value: V) => number;
  #size = 0;

  /** `max` is the number of entries, or, with `sizeOf`, the sum of their sizes; the size of a value must not change. */
  constructor(max: number, sizeOf: (value: V) => number = () => 1) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#size += this.#sizeOf(value);
    while (this.#size > this.#max) this.delete(this.#entries.keys().next().value!);
  }

  delete(key: K): void {
    const value = this.#entries.get(key);
    if (this.#entries.delete(key)) this.#size -= this.#sizeOf(value!);
  }

  /** The entries, the oldest first. */
  [Symbol.iterator](): IterableIterator<[K, V]> {
    return this.#entries[Symbol.iterator]();
  }
}
