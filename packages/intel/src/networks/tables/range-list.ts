import type { Width } from './address-words.ts';
import { GrowingRanges } from './growing.ts';
import { areIntervals, type Intervals, intervalsOf, MAX_RANGES, overlayAll, type Ranges } from './intervals.ts';
import { areSets, MarkSets, setAt } from './mark-sets.ts';
import { type Range, readRange } from './range-entry.ts';
import { readSnapshot, type Snapshot, words, writeSnapshot } from './snapshot.ts';

/** How many different things one list may say; the label of what comes beyond is empty. */
const MAX_LABELS = 8192;
/** How many of them at one address. */
const MAX_LABELS_AT_ONCE = 32;
const KIND = 'range-list';

/** Makes the compact snapshot of a list of networks, ranges and addresses. */
export class RangeListBuilder {
  readonly #ranges = { 1: new GrowingRanges(1), 4: new GrowingRanges(4) };
  readonly #labels = new Map<string, number>();

  /** How many entries it has taken. */
  get rows(): number {
    return this.#ranges[1].rows + this.#ranges[4].rows;
  }

  /** Takes a network, an address or a range (`a-b`), as text or parsed, with its label in the list. Returns false for anything else. */
  add(entry: string | Range | undefined, label = ''): boolean {
    const range = typeof entry === 'string' ? readRange(entry) : entry;
    if (!range) return false;
    const ranges = this.#ranges[range.width];
    if (ranges.rows === MAX_RANGES) throw new RangeError(`a list has at most ${MAX_RANGES} entries of a family`);
    ranges.push(range.first, range.last, this.#labelId(label));
    return true;
  }

  build(): Uint8Array {
    const sets = new MarkSets();
    const v4 = layered(this.#ranges[1].end(), this.#labels.size, sets);
    const v6 = layered(this.#ranges[4].end(), this.#labels.size, sets);
    const { items, ends } = sets.columns();
    const columns = { v4Starts: v4.starts, v4Values: v4.values, v6Starts: v6.starts, v6Values: v6.values, items, ends };
    return writeSnapshot({ kind: KIND, columns, notes: { labels: [...this.#labels.keys()], rows: this.rows } });
  }

  /** How many addresses its entries have, those in several counted once. */
  addresses(): { ipv4: number; ipv6: number } {
    return { ipv4: addressesIn(this.#ranges[1].end()), ipv6: addressesIn(this.#ranges[4].end()) };
  }

  #labelId(label: string): number {
    const known = this.#labels.get(label);
    if (known !== undefined) return known;
    if (this.#labels.size >= MAX_LABELS && label !== '') return this.#labelId('');
    this.#labels.set(label, this.#labels.size);
    return this.#labels.size - 1;
  }
}

const WORD = 2 ** 32;

/** Close enough: the largest numbers of IPv6 are rounded. */
function addressesIn(ranges: Ranges): number {
  const { width, starts, values } = intervalsOf({ ...ranges, values: new Uint32Array(ranges.values.length).fill(1) });
  const startOf = (part: number): number =>
    part === values.length ? WORD ** width : starts.subarray(part * width, (part + 1) * width).reduce((sum, word) => sum * WORD + word, 0);
  let sum = 0;
  for (let part = 0; part < values.length; part++) if (values[part] !== 0) sum += startOf(part + 1) - startOf(part);
  return sum;
}

/** Each label is a layer of its own; where they overlap, an address has all of them. */
function layered(ranges: Ranges, labels: number, sets: MarkSets): Intervals {
  const layers = byLabel(ranges, labels).map(([label, bounds]) => {
    const id = sets.id([label]);
    return intervalsOf({ width: ranges.width, bounds, values: new Uint32Array(bounds.length / (2 * ranges.width)).fill(id) });
  });
  return overlayAll(layers, ranges.width, (a, b) => sets.union(a, b, MAX_LABELS_AT_ONCE));
}

/** The bounds of each label that there are ranges of. */
function byLabel({ width, bounds, values }: Ranges, labels: number): [number, Uint32Array][] {
  if (labels === 1) return values.length === 0 ? [] : [[0, bounds]];
  const counts = new Uint32Array(labels);
  for (const label of values) counts[label]!++;
  const parts = Array.from(counts, (count) => new Uint32Array(2 * width * count));
  const filled = new Uint32Array(labels);
  values.forEach((label, row) => {
    parts[label]!.set(bounds.subarray(2 * width * row, 2 * width * (row + 1)), 2 * width * filled[label]!++);
  });
  return parts.flatMap((part, label): [number, Uint32Array][] => (part.length === 0 ? [] : [[label, part]]));
}

/** A list as it is laid over others: values are sets of labels. */
export interface RangeList {
  intervals: Record<Width, Intervals>;
  labels: readonly string[];
  /** The labels of set i, by their places. */
  sets: readonly (readonly number[])[];
}

/** Reads a snapshot that may be anything; throws a RangeError that says what is wrong with it. */
export function readRangeList(bytes: Uint8Array): RangeList {
  const { columns, notes } = readSnapshot(bytes, KIND);
  const labels = labelsOf(notes);
  const [items, ends] = [words(columns, 'items'), words(columns, 'ends')];
  const v4 = familyOf(columns, 1);
  const v6 = familyOf(columns, 4);
  if (!labels || !areSets(items, ends, labels.length) || ![v4, v6].every((family) => areIntervals(family, ends.length)))
    throw new RangeError('the snapshot of the list contradicts itself');
  return { intervals: { 1: v4, 4: v6 }, labels, sets: Array.from(ends, (_, id) => setAt(items, ends, id)) };
}

/** The two columns of a family. */
export const familyOf = (columns: Snapshot['columns'], width: Width): Intervals => {
  const name = width === 1 ? 'v4' : 'v6';
  return { width, starts: words(columns, `${name}Starts`), values: words(columns, `${name}Values`) };
};

function labelsOf({ labels }: Snapshot['notes']): string[] | undefined {
  if (!Array.isArray(labels) || labels.length > MAX_LABELS + 1) return undefined;
  return labels.every((label): label is string => typeof label === 'string') ? labels : undefined;
}
