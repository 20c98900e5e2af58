import type { Width, Words } from './address-words.ts';
import type { Intervals } from './intervals.ts';

type Numbers = Uint8Array | Uint16Array | Uint32Array;

/**
 * Intervals of both families as look-ups want them, in memory that threads share. IPv4 starts are kept by their upper half: `jump[h]` is how
 * many start below h·2^16, and `lows` has the lower halves, two bytes each.
 */
export interface AddressMapData {
  jump: Uint32Array;
  lows: Uint16Array;
  v4Values: Numbers;
  v6Starts: Uint32Array;
  v6Values: Numbers;
}

const HALF = 65_536;

/** Puts intervals of both families into the form for look-ups. */
export function addressMapData(v4: Intervals, v6: Intervals): AddressMapData {
  const parts = v4.values.length;
  const jump = new Uint32Array(new SharedArrayBuffer(4 * (HALF + 1)));
  const lows = new Uint16Array(new SharedArrayBuffer(2 * parts));
  for (let at = 0; at < parts; at++) {
    const start = v4.starts[at]!;
    lows[at] = start & 0xffff;
    jump[(start >>> 16) + 1]!++;
  }
  for (let half = 0; half < HALF; half++) jump[half + 1]! += jump[half]!;
  return { jump, lows, v4Values: narrow(v4.values), v6Starts: shared(v6.starts), v6Values: narrow(v6.values) };
}

/** The intervals that such a map was made of. */
export function intervalsIn(map: AddressMapData): Record<Width, Intervals> {
  const starts = new Uint32Array(map.lows.length);
  for (let half = 0; half < HALF; half++)
    for (let at = map.jump[half]!; at < map.jump[half + 1]!; at++) starts[at] = ((half << 16) | map.lows[at]!) >>> 0;
  return {
    1: { width: 1, starts, values: Uint32Array.from(map.v4Values) },
    4: { width: 4, starts: map.v6Starts, values: Uint32Array.from(map.v6Values) },
  };
}

/** The values in as few bytes as they need. */
function narrow(values: Uint32Array): Numbers {
  let largest = 0;
  for (const value of values) if (value > largest) largest = value;
  const narrowed =
    largest < 256
      ? new Uint8Array(new SharedArrayBuffer(values.length))
      : largest < HALF
        ? new Uint16Array(new SharedArrayBuffer(2 * values.length))
        : new Uint32Array(new SharedArrayBuffer(4 * values.length));
  narrowed.set(values);
  return narrowed;
}

function shared(values: Uint32Array): Uint32Array {
  const copy = new Uint32Array(new SharedArrayBuffer(values.byteLength));
  copy.set(values);
  return copy;
}

/** Finds the value of an address by one bisection. */
export class AddressMap {
  readonly #data: AddressMapData;

  constructor(data: AddressMapData) {
    this.#data = data;
  }

  /** Parts of both families. */
  get parts(): number {
    return this.#data.lows.length + this.#data.v6Values.length;
  }

  valueAt(words: Words, width: Width): number {
    return width === 1 ? this.#data.v4Values[this.#find4(words[0]!)]! : this.#data.v6Values[this.#find6(words)]!;
  }

  /** First and last address of the part that an address is in, as `2 × width` words. */
  boundsAt(words: Words, width: Width): Uint32Array {
    return width === 1 ? this.#bounds4(this.#find4(words[0]!)) : this.#bounds6(this.#find6(words));
  }

  /** First and last address of every part that has a value. */
  boundsOf(value: number, width: Width): Uint32Array[] {
    const values: Numbers = width === 1 ? this.#data.v4Values : this.#data.v6Values;
    const bounds: Uint32Array[] = [];
    for (let at = values.indexOf(value); at >= 0; at = values.indexOf(value, at + 1))
      bounds.push(width === 1 ? this.#bounds4(at) : this.#bounds6(at));
    return bounds;
  }

  #find4(address: number): number {
    const { jump, lows } = this.#data;
    const half = address >>> 16;
    const low = address & 0xffff;
    let from = jump[half]!;
    let to = jump[half + 1]!;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (lows[middle]! <= low) from = middle + 1;
      else to = middle;
    }
    return from - 1; // of an earlier half, where none of this one starts at or below it
  }

  #find6(words: Words): number {
    const starts = this.#data.v6Starts;
    const [first, second, third, fourth] = [words[0]!, words[1]!, words[2]!, words[3]!];
    let from = 0;
    let to = this.#data.v6Values.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const at = 4 * middle;
      const isAtOrBelow =
        starts[at]! !== first
          ? starts[at]! < first
          : starts[at + 1]! !== second
            ? starts[at + 1]! < second
            : starts[at + 2]! !== third
              ? starts[at + 2]! < third
              : starts[at + 3]! <= fourth;
      if (isAtOrBelow) from = middle + 1;
      else to = middle;
    }
    return from - 1;
  }

  #bounds4(at: number): Uint32Array {
    const isLast = at + 1 === this.#data.lows.length;
    return Uint32Array.of(this.#start4(at), isLast ? 0xffff_ffff : this.#start4(at + 1) - 1);
  }

  #start4(at: number): number {
    const { jump, lows } = this.#data;
    let from = 0;
    let to = HALF;
    while (from + 1 < to) {
      const middle = (from + to) >>> 1;
      if (jump[middle]! <= at) from = middle;
      else to = middle;
    }
    return from * HALF + lows[at]!;
  }

  #bounds6(at: number): Uint32Array {
    const { v6Starts: starts, v6Values } = this.#data;
    const bounds = new Uint32Array(8);
    bounds.set(starts.subarray(4 * at, 4 * at + 4));
    if (at + 1 === v6Values.length) return bounds.fill(0xffff_ffff, 4);
    bounds.set(starts.subarray(4 * at + 4, 4 * at + 8), 4);
    for (let word = 7; word >= 4; word--) if (bounds[word]!-- !== 0) break; // one less, with a borrow from the word above where it was zero
    return bounds;
  }
}
