import { AddressMap, type AddressMapData, addressMapData } from './address-map.ts';
import { type Width, type Words, bigOf } from './address-words.ts';
import { formatCidr } from '@vedette/contract';
import { GrowingRanges } from './growing.ts';
import { compareWords, type Intervals, intervalsOf, MAX_RANGES, overlayAll, type Ranges } from './intervals.ts';
import { isAsn } from '../build/origins-data.ts';
import { closeNetwork, readRange } from './range-entry.ts';
import { octets, readSnapshot, type Snapshot, words, writeSnapshot } from './snapshot.ts';

const KIND = 'prefixes';

/** Makes the compact snapshot of the networks that autonomous systems announce. */
export class PrefixesBuilder {
  readonly #ranges = { 1: new GrowingRanges(1), 4: new GrowingRanges(4) };
  readonly #bits: Record<Width, number[]> = { 1: [], 4: [] };

  get rows(): number {
    return this.#bits[1].length + this.#bits[4].length;
  }

  /** Takes a network of an AS; returns false if either is invalid. */
  add(asn: number, cidr: string): boolean {
    const range = readRange(cidr);
    if (!range || range.bits < 0 || !isAsn(asn)) return false;
    if (this.#bits[range.width].length === MAX_RANGES) throw new RangeError(`a table has at most ${MAX_RANGES} networks of a family`);
    this.#ranges[range.width].push(range.first, range.last, asn);
    this.#bits[range.width].push(range.bits);
    return true;
  }

  build(): Uint8Array {
    const v4 = this.#family(1);
    const v6 = this.#family(4);
    const columns = { v4Asns: v4.asns, v4Bases: v4.bases, v4Bits: v4.bits, v6Asns: v6.asns, v6Bases: v6.bases, v6Bits: v6.bits };
    return writeSnapshot({ kind: KIND, columns, notes: { rows: v4.asns.length + v6.asns.length } });
  }

  /** Networks by AS number, then by address; each once. */
  #family(width: Width): Family {
    const { bounds, values } = this.#ranges[width].end();
    const bits = this.#bits[width];
    const compare = (a: number, b: number) =>
      values[a]! - values[b]! || compareWords(bounds, 2 * width * a, bounds, 2 * width * b, width) || bits[a]! - bits[b]!;
    const order = Uint32Array.from(values.keys())
      .sort(compare)
      .filter((row, at, rows) => at === 0 || compare(row, rows[at - 1]!) !== 0);
    const bases = new Uint32Array(width * order.length);
    order.forEach((row, at) => bases.set(bounds.subarray(2 * width * row, 2 * width * row + width), width * at));
    return { width, asns: order.map((row) => values[row]!), bases, bits: Uint8Array.from(order, (row) => bits[row]!) };
  }
}

interface Family {
  width: Width;
  asns: Uint32Array;
  bases: Uint32Array;
  bits: Uint8Array;
}

export interface PrefixesData {
  families: Record<Width, Family>;
  /** The longest network around each address: its row, counted from 1. */
  longest: AddressMapData;
}

/** Reads a snapshot that may be anything; throws a RangeError that says what is wrong with it. */
export function openPrefixes(snapshot: Uint8Array): PrefixesData {
  const { columns } = readSnapshot(snapshot, KIND);
  const families = { 1: readFamily(columns, 1), 4: readFamily(columns, 4) };
  if (![families[1], families[4]].every(isSound)) throw new RangeError('the snapshot of prefixes contradicts itself');
  return { families, longest: addressMapData(longestIn(families[1]), longestIn(families[4])) };
}

const readFamily = (columns: Snapshot['columns'], width: Width): Family => {
  const name = width === 1 ? 'v4' : 'v6';
  return { width, asns: words(columns, `${name}Asns`), bases: words(columns, `${name}Bases`), bits: octets(columns, `${name}Bits`) };
};

const isSound = ({ width, asns, bases, bits }: Family): boolean =>
  bases.length === width * asns.length &&
  bits.length === asns.length &&
  asns.length <= MAX_RANGES &&
  asns.every((asn, at) => at === 0 || asn >= asns[at - 1]!) &&
  bits.every((length) => length <= 32 * width);

/** Networks of one length do not overlap, so each length is a layer, and the longer one wins. */
function longestIn({ width, bases, bits }: Family): Intervals {
  const layers: Intervals[] = [];
  for (let length = 0; length <= 32 * width; length++) {
    const rows = Uint32Array.from(bits.keys()).filter((row) => bits[row] === length);
    if (rows.length > 0) layers.push(intervalsOf(rangesOf(rows, bases, length, width), false));
  }
  return overlayAll(layers, width, (shorter, longer) => longer || shorter);
}

function rangesOf(rows: Uint32Array, bases: Uint32Array, length: number, width: Width): Ranges {
  const bounds = new Uint32Array(2 * width * rows.length);
  rows.forEach((row, at) => {
    const first = bounds.subarray(2 * width * at, 2 * width * at + width);
    const last = bounds.subarray(2 * width * at + width, 2 * width * (at + 1));
    first.set(bases.subarray(width * row, width * (row + 1)));
    last.set(first);
    closeNetwork(first, last, length, width);
  });
  return { width, bounds, values: rows.map((row) => row + 1) };
}

export class Prefixes {
  readonly #families: PrefixesData['families'];
  readonly #longest: AddressMap;

  constructor({ families, longest }: PrefixesData) {
    this.#families = families;
    this.#longest = new AddressMap(longest);
  }

  /** The longest announced network with the address in it, and who announces it. */
  around(address: Words, width: Width): { asn: number; route: string } | undefined {
    const row = this.#longest.valueAt(address, width);
    return row === 0 ? undefined : { asn: this.#families[width].asns[row - 1]!, route: textOf(this.#families[width], row - 1) };
  }

  of(asn: number): { ipv4: string[]; ipv6: string[] } {
    return { ipv4: textsOf(asn, this.#families[1]), ipv6: textsOf(asn, this.#families[4]) };
  }
}

const textOf = ({ width, bases, bits }: Family, row: number): string =>
  formatCidr({ version: width === 1 ? 4 : 6, base: bigOf(bases, row, width), bits: bits[row]! });

function textsOf(asn: number, family: Family): string[] {
  const { asns } = family;
  const texts: string[] = [];
  let from = 0;
  for (let to = asns.length; from < to;) {
    const middle = (from + to) >>> 1;
    if (asns[middle]! < asn) from = middle + 1;
    else to = middle;
  }
  for (let row = from; asns[row] === asn; row++) texts.push(textOf(family, row));
  return texts;
}
