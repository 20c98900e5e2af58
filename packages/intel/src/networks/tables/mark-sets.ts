/** Sets of numbers, each kept once; set 0 is the empty one. */
export class MarkSets {
  readonly #sets: (readonly number[])[] = [[]];
  readonly #ids = new Map<string, number>([['', 0]]);
  readonly #unions = new Map<number, number>();

  /** Items in ascending order. */
  id(items: readonly number[]): number {
    const key = items.join(',');
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    this.#ids.set(key, this.#sets.length);
    return this.#sets.push(items) - 1;
  }

  get(id: number): readonly number[] {
    return this.#sets[id]!;
  }

  get size(): number {
    return this.#sets.length;
  }

  /** The set of what is in either; the first `limit` of it. */
  union(a: number, b: number, limit: number): number {
    if (a === 0 || a === b) return b;
    if (b === 0) return a;
    const key = a * 2 ** 26 + b;
    let union = this.#unions.get(key);
    if (union === undefined) {
      const items = [...new Set([...this.get(a), ...this.get(b)])].sort((x, y) => x - y);
      union = this.id(items.slice(0, limit));
      this.#unions.set(key, union);
    }
    return union;
  }

  /** Two columns: the items of all sets one after the other, and where each set ends. */
  columns(): { items: Uint32Array; ends: Uint32Array } {
    let end = 0;
    return { items: Uint32Array.from(this.#sets.flat()), ends: Uint32Array.from(this.#sets, (set) => (end += set.length)) };
  }
}

/** Whether the columns are sets of numbers below `limit`, the first of them empty. */
export const areSets = (items: Uint32Array, ends: Uint32Array, limit: number): boolean =>
  ends.length > 0 &&
  ends[0] === 0 &&
  ends.at(-1) === items.length &&
  ends.every((end, at) => at === 0 || end >= ends[at - 1]!) &&
  items.every((item) => item < limit);

export const setAt = (items: Uint32Array, ends: Uint32Array, id: number): number[] => [...items.subarray(ends[id - 1] ?? 0, ends[id])];
