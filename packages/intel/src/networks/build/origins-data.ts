import { type AddressMapData, addressMapData } from '../tables/address-map.ts';
import type { Width, Words } from '../tables/address-words.ts';
import { GrowingRanges } from '../tables/growing.ts';
import { areIntervals, intervalsOf, MAX_RANGES } from '../tables/intervals.ts';
import { readRange } from '../tables/range-entry.ts';
import { familyOf } from '../tables/range-list.ts';
import { octets, readSnapshot, words as wordsOf, writeSnapshot } from '../tables/snapshot.ts';
import { areStrings, StringsBuilder } from '../tables/strings.ts';

const KIND = 'origins';

/** Makes the compact snapshot of which autonomous system announces what: ranges, their AS numbers, and the holders' names. */
export class OriginsBuilder {
  readonly #ranges = { 1: new GrowingRanges(1), 4: new GrowingRanges(4) };
  readonly #holders = new Map<number, string>();

  get rows(): number {
    return this.#ranges[1].rows + this.#ranges[4].rows;
  }

  /** Takes a network or range with its AS number and the holder's name; of several names the first stands. Returns false for an invalid entry. */
  add(entry: string, asn: number, org: string): boolean {
    const range = readRange(entry);
    if (!range || !isAsn(asn)) return false;
    this.addRange(range.width, range.first, range.last, asn);
    this.addHolder(asn, org);
    return true;
  }

  /** The same of what is read already. */
  addRange(width: Width, first: Words, last: Words, asn: number): void {
    if (this.#ranges[width].rows === MAX_RANGES) throw new RangeError(`a table has at most ${MAX_RANGES} ranges of a family`);
    this.#ranges[width].push(first, last, asn);
  }

  hasHolder(asn: number): boolean {
    return this.#holders.has(asn);
  }

  addHolder(asn: number, org: string): void {
    if (org !== '' && !this.#holders.has(asn)) this.#holders.set(asn, org);
  }

  build(): Uint8Array {
    const [v4, v6] = [intervalsOf(this.#ranges[1].end()), intervalsOf(this.#ranges[4].end())];
    const asns = Uint32Array.from(this.#holders.keys()).sort();
    const strings = new StringsBuilder();
    const holders = asns.map((asn) => strings.id(this.#holders.get(asn)!));
    const { bytes, ends } = strings.columns();
    const columns = { v4Starts: v4.starts, v4Values: v4.values, v6Starts: v6.starts, v6Values: v6.values, asns, holders, bytes, ends };
    return writeSnapshot({ kind: KIND, columns, notes: { rows: this.rows } });
  }
}

/** RFC 6793: 32 bits; 0 is reserved (RFC 7607). */
export const isAsn = (asn: number): boolean => Number.isInteger(asn) && asn > 0 && asn <= 0xffff_ffff;

export interface OriginsData {
  map: AddressMapData;
  asns: Uint32Array;
  holders: Uint32Array;
  bytes: Uint8Array;
  ends: Uint32Array;
}

/** Reads a snapshot that may be anything; throws a RangeError that says what is wrong with it. */
export function openOrigins(snapshot: Uint8Array): OriginsData {
  const { columns } = readSnapshot(snapshot, KIND);
  const [asns, holders, ends] = [wordsOf(columns, 'asns'), wordsOf(columns, 'holders'), wordsOf(columns, 'ends')];
  const bytes = octets(columns, 'bytes');
  const [v4, v6] = [familyOf(columns, 1), familyOf(columns, 4)];
  const isSound =
    [v4, v6].every((family) => areIntervals(family, 2 ** 32)) &&
    isAscending(asns) &&
    holders.length === asns.length &&
    areStrings(bytes, ends) &&
    holders.every((holder) => holder < ends.length);
  if (!isSound) throw new RangeError('the snapshot of origins contradicts itself');
  return { map: addressMapData(v4, v6), asns, holders, bytes, ends };
}

export const isAscending = (values: Uint32Array): boolean => values.every((value, at) => at === 0 || value > values[at - 1]!);

/** The row of a value in an ascending column; -1 where it is not there. */
export function rowOf(value: number, column: Uint32Array): number {
  let from = 0;
  let to = column.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (column[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return column[from] === value ? from : -1;
}
