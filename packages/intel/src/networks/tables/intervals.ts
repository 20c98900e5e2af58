import type { Width, Words } from './address-words.ts';

/**
 * The values of all addresses of a family: the whole space, cut where the value changes. Part i goes from its start to the one before the
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
  if (width === 1) return a[i]! - b[j]!;
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
    const starts = this.#starts;
    const values = this.#values;
    let count = this.#count;
    if (count > 0 && compareWords(starts, (count - 1) * width, words, at, width) === 0) count--;
    if (!this.#merge || count === 0 || values[count - 1] !== value) {
      for (let word = 0; word < width; word++) starts[count * width + word] = words[at + word]!;
      values[count++] = value;
    }
    this.#count = count;
  }

  end(): Intervals {
    return {
      width: this.#width,
      starts: this.#starts.subarray(0, this.#count * this.#width),
      values: this.#values.subarray(0, this.#count),
    };
  }
}

/**
 * Parts of ranges. Where two overlap, the one that starts first has what both have; of two that start together, the one given first.
 * Adjacent ranges of one value become one part, unless `merge` is false.
 */
export function intervalsOf(ranges: Ranges, merge = true): Intervals {
  if (ranges.values.length > MAX_RANGES) throw new RangeError(`more than ${MAX_RANGES} ranges`);
  const { width, bounds, values } = ranges.width === 1 ? inOrder4(ranges) : inOrder6(ranges);
  const writer = new Writer(width, 2 * values.length + 1, merge);
  const next = new Uint32Array(width);
  writer.write(next, 0, 0);
  for (let row = 0; row < values.length; row++) {
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

/** How many ranges of a family are taken: some hundred megabytes while they are sorted. */
export const MAX_RANGES = 2 ** 21;

/** Ranges by their first address, then as they came: by one half of it after the other, by counting, a tenth of the time that comparing takes. */
function inOrder4(ranges: Ranges): Ranges {
  return byHalf(byHalf(ranges, 0), 16);
}

/** Sorts by 16 bits of the first address; those that are the same there stay in order. Whole ranges move: following rows is slower. */
function byHalf({ width, bounds, values }: Ranges, shift: 0 | 16): Ranges {
  const rows = values.length;
  const next = new Uint32Array(65_537);
  for (let row = 0; row < rows; row++) next[((bounds[2 * row]! >>> shift) & 0xffff) + 1]! += 1;
  for (let half = 0; half < 65_536; half++) next[half + 1]! += next[half]!;
  const sorted = { width, bounds: new Uint32Array(2 * rows), values: new Uint32Array(rows) };
  for (let row = 0; row < rows; row++) {
    const half = (bounds[2 * row]! >>> shift) & 0xffff;
    const at = next[half]!;
    next[half] = at + 1;
    sorted.bounds[2 * at] = bounds[2 * row]!;
    sorted.bounds[2 * at + 1] = bounds[2 * row + 1]!;
    sorted.values[at] = values[row]!;
  }
  return sorted;
}

/** The same of IPv6: by the highest word natively, as a number that has the row in it, then by comparing the few that share it. */
function inOrder6({ width, bounds, values }: Ranges): Ranges {
  const rows = values.length;
  const size = 2 * width;
  const keys = new Float64Array(rows);
  for (let row = 0; row < rows; row++) keys[row] = bounds[size * row]! * MAX_RANGES + row;
  keys.sort();
  const order = Uint32Array.from(keys, (key) => key % MAX_RANGES);
  const compare = (a: number, b: number) => compareWords(bounds, size * a, bounds, size * b, width) || a - b;
  for (let from = 0; from < rows;) {
    let to = from + 1;
    while (to < rows && bounds[size * order[to]!] === bounds[size * order[from]!]) to++;
    if (to - from > 1) order.subarray(from, to).sort(compare);
    from = to;
  }
  const sorted = { width, bounds: new Uint32Array(bounds.length), values: order.map((row) => values[row]!) };
  order.forEach((row, at) => sorted.bounds.set(bounds.subarray(size * row, size * (row + 1)), size * at));
  return sorted;
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
  for (let at = 0; at < values.length; at++) if (values[at]! >= limit) return false;
  return true;
}
