/**
 * What was made lately, by its key. It is kept in two generations: what nobody asked for while one filled is forgotten with it, which costs
 * a look-up less than keeping all of them in order.
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
