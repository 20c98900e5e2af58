/**
 * A cache of recently computed values by key. It keeps two generations: filling one forgets every entry that was not read meanwhile. This
 * makes a look-up cheaper than keeping all entries in order.
 */
export class Recent<Key, Value> {
  readonly #limit: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /** At most twice `limit` are kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: Key, make: () => Value): Value {
    const known = this.#young.get(key);
    if (known !== undefined) return known;
    const value = this.#old.get(key) ?? make();
    if (this.#young.size === this.#limit) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
    return value;
  }
}
