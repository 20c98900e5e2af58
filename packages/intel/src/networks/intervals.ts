import type { Width, Words } from './address-words.ts';

/**
 * What is true of each address of a family: the whole space, cut where the value changes. Part i goes from its start to the one before the
 * next; the first starts at zero, and value 0 says nothing of its addresses. Starts are in ascending order, `width` words each.
 */
export interface Intervals {
  readonly width: Width;
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

/** Ranges with a value each; `bounds` has first and last address of range i, `2 × width` words, and they need no order. */
export interface Ranges {
  readonly width: Width;
  readonly bounds: Uint32Array;
  readonly values: Uint32Array;
}

/** A family of which nothing is known. */
export const nothing = (width: Width): Intervals => ({ width, starts: new Uint32Array(width), values: new Uint32Array(1) });

export function compareWords(a: Words, i: number, b: Words, j: number, width: Width): number {
  for (let word = 0; word < width; word++) {
    const difference = a[i + word]! - b[j + word]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Adds one, in place; says whether there is such an address. */
function increment(words: Words, at: number, width: Width): boolean {
  for (let word = at + width - 1; word >= at; word--) {
    words[word]! += 1;
    if (words[word] !== 0) return true;
  }
  return false;
}

/** Writes parts one after the other; equal neighbours become one where `merge` says so. */
class Writer {
  readonly #starts: Uint32Array;
  readonly #values: Uint32Array;
  readonly #width: Width;
  readonly #merge: boolean;
  #count = 0;

  constructor(width: Width, room: number, merge: boolean) {
    this.#width = width;
    this.#merge = merge;
    this.#starts = new Uint32Array(room * width);
    this.#values = new Uint32Array(room);
  }

  /** A part that begins where the last one did takes its place. */
  write(words: Words, at: number, value: number): void {
    const width = this.#width;
    if (this.#count > 0 && compareWords(this.#starts, (this.#count - 1) * width, words, at, width) === 0) this.#count--;
    if (this.#merge && this.#count > 0 && this.#values[this.#count - 1] === value) return;
    for (let word = 0; word < width; word++) this.#starts[this.#count * width + word] = words[at + word]!;
    this.#values[this.#count++] = value;
  }

  end(): Intervals {
    return { width: this.#width, starts: this.#starts.slice(0, this.#count * this.#width), values: this.#values.slice(0, this.#count) };
  }
}

/**
 * Parts of ranges. Where two overlap, the one that starts first has what both have; of two that start together, the one given first.
 * Adjacent ranges of one value become one part, unless `merge` is false.
 */
export function intervalsOf(ranges: Ranges, merge = true): Intervals {
  const { width, bounds, values } = ranges;
  const writer = new Writer(width, 2 * values.length + 1, merge);
  const next = new Uint32Array(width);
  writer.write(next, 0, 0);
  for (const row of inOrder(ranges)) {
    const first = 2 * width * row;
    const last = first + width;
    if (compareWords(bounds, last, next, 0, width) < 0) continue;
    if (compareWords(bounds, first, next, 0, width) < 0) writer.write(next, 0, values[row]!);
    else writer.write(bounds, first, values[row]!);
    for (let word = 0; word < width; word++) next[word] = bounds[last + word]!;
    if (!increment(next, 0, width)) break; // to the end of the space
    writer.write(next, 0, 0);
  }
  return writer.end();
}

/** How many ranges of a family are sorted at once: a number of 53 bits has room for this many beside 32 bits of an address. */
export const MAX_RANGES = 2 ** 21;

/** Rows by their first address, then as they came. */
function inOrder({ width, bounds, values }: Ranges): Uint32Array {
  const rows = values.length;
  if (rows > MAX_RANGES) throw new RangeError(`more than ${MAX_RANGES} ranges`);
  // Numbers sort natively, in a tenth of the time that a comparing function takes: the highest word and the row make one.
  const keys = new Float64Array(rows);
  for (let row = 0; row < rows; row++) keys[row] = bounds[2 * width * row]! * MAX_RANGES + row;
  keys.sort();
  const order = new Uint32Array(rows);
  for (let at = 0; at < rows; at++) order[at] = keys[at]! % MAX_RANGES;
  if (width === 1) return order;
  const compare = (a: number, b: number) => compareWords(bounds, 2 * width * a, bounds, 2 * width * b, width) || a - b;
  for (let from = 0; from < rows;) {
    let to = from + 1;
    while (to < rows && bounds[2 * width * order[to]!] === bounds[2 * width * order[from]!]) to++;
    if (to - from > 1) order.subarray(from, to).sort(compare);
    from = to;
  }
  return order;
}

/** Lays one over the other: each address has what `combine` makes of its two values. Equal neighbours become one part. */
export function overlay(a: Intervals, b: Intervals, combine: (a: number, b: number) => number): Intervals {
  const { width } = a;
  const writer = new Writer(width, a.values.length + b.values.length, true);
  let [i, j] = [0, 0];
  while (i < a.values.length || j < b.values.length) {
    const order = i === a.values.length ? 1 : j === b.values.length ? -1 : compareWords(a.starts, i * width, b.starts, j * width, width);
    const [words, at] = order <= 0 ? [a.starts, i * width] : [b.starts, j * width];
    if (order <= 0) i++;
    if (order >= 0) j++;
    writer.write(words, at, combine(a.values[i - 1]!, b.values[j - 1]!));
  }
  return writer.end();
}

/** Lays many over each other, two by two. */
export function overlayAll(layers: readonly Intervals[], width: Width, combine: (a: number, b: number) => number): Intervals {
  let all = layers;
  while (all.length > 1) {
    const half: Intervals[] = [];
    for (let at = 0; at < all.length; at += 2) half.push(at + 1 < all.length ? overlay(all[at]!, all[at + 1]!, combine) : all[at]!);
    all = half;
  }
  return all[0] ?? nothing(width);
}

/** Whether these can be parts of a space with values below `limit`: what comes from a file may be anything. */
export function areIntervals({ width, starts, values }: Intervals, limit: number): boolean {
  if (values.length === 0 || starts.length !== values.length * width) return false;
  for (let word = 0; word < width; word++) if (starts[word] !== 0) return false;
  for (let at = 1; at < values.length; at++) if (compareWords(starts, (at - 1) * width, starts, at * width, width) >= 0) return false;
  return values.every((value) => value < limit);
}
