import type { Mark } from '../../ports/index.ts';
import { AddressMap, type AddressMapData, addressMapData, intervalsIn } from './address-map.ts';
import { carried, carrierOf, readWords, type Width } from './address-words.ts';
import { type Intervals, nothing, overlayAll } from './intervals.ts';
import { MarkSets, setAt } from './mark-sets.ts';
import { type RangeList, readRangeList } from './range-list.ts';

/** How many marks one address can have. */
const MAX_MARKS = 256;

/** All lists in one: which marks each address has. Plain columns, so that a thread can make it. */
export interface MarkTableData {
  map: AddressMapData;
  items: Uint32Array;
  ends: Uint32Array;
  marks: readonly Mark[];
  lists: readonly string[];
}

export const emptyMarkTable = (): MarkTableData => ({
  map: addressMapData(nothing(1), nothing(4)),
  items: new Uint32Array(0),
  ends: Uint32Array.of(0),
  marks: [],
  lists: [],
});

/** Lists that come, and those that go (undefined). */
export type ListChanges = ReadonlyMap<string, Uint8Array | undefined>;

export interface MarkTableBuild {
  table: MarkTableData;
  /** Lists that could not be read, and why; what was there of them stays. */
  refused: ReadonlyMap<string, string>;
}

/** The table with some lists changed. It is built from the table before it, so the lists need not be kept. */
export function changeLists(before: MarkTableData, changes: ListChanges): MarkTableBuild {
  const { read, refused } = readChanges(changes);
  const isChanged = (list: string) => changes.has(list) && !refused.has(list);
  const sets = new MarkSets();
  const marks: Mark[] = [];
  const layers: Record<Width, Intervals>[] = [];
  if (before.lists.some((list) => !isChanged(list))) layers.push(kept(before, isChanged, marks, sets));
  for (const [list, { intervals, labels, sets: labelSets }] of read) {
    const offset = marks.length;
    for (const label of labels) marks.push({ list, label });
    const ids = labelSets.map((set) => sets.id(set.map((label) => offset + label)));
    layers.push({ 1: withValues(intervals[1], ids), 4: withValues(intervals[4], ids) });
  }
  const union = (a: number, b: number) => sets.union(a, b, MAX_MARKS);
  // One alone may have neighbours that were told apart by a list that has gone.
  if (layers.length === 1 && read.size === 0) layers.push({ 1: nothing(1), 4: nothing(4) });
  const family = (width: Width) =>
    overlayAll(
      layers.map((layer) => layer[width]),
      width,
      union,
    );
  const map = addressMapData(family(1), family(4));
  const lists = [...before.lists.filter((list) => !isChanged(list)), ...read.keys()];
  return { table: { map, ...sets.columns(), marks, lists }, refused };
}

function readChanges(changes: ListChanges): { read: Map<string, RangeList>; refused: Map<string, string> } {
  const read = new Map<string, RangeList>();
  const refused = new Map<string, string>();
  for (const [list, bytes] of changes) {
    if (!bytes) continue;
    try {
      read.set(list, readRangeList(bytes));
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
      refused.set(list, error.message);
    }
  }
  return { read, refused };
}

/** The part of the old table that remains; its marks are numbered anew. */
function kept({ map, items, ends, marks: old }: MarkTableData, isChanged: (list: string) => boolean, marks: Mark[], sets: MarkSets) {
  const renumbered = old.map((mark) => (isChanged(mark.list) ? -1 : marks.push(mark) - 1));
  const idOf = (id: number) => sets.id(setAt(items, ends, id).flatMap((mark) => (renumbered[mark]! < 0 ? [] : [renumbered[mark]!])));
  const ids = Array.from(ends, (_, id) => idOf(id));
  const intervals = intervalsIn(map);
  return { 1: withValues(intervals[1], ids), 4: withValues(intervals[4], ids) };
}

function withValues(intervals: Intervals, ids: readonly number[]): Intervals {
  if (ids.every((id, at) => id === at)) return intervals;
  const values = new Uint32Array(intervals.values.length);
  for (let at = 0; at < values.length; at++) values[at] = ids[intervals.values[at]!]!;
  return { ...intervals, values };
}

const NONE: readonly Mark[] = Object.freeze([]);

/** Every list at once: one bisection answers for all of them. */
export class MarkTable {
  readonly #data: MarkTableData;
  readonly #map: AddressMap;
  readonly #lists: ReadonlySet<string>;
  /** The marks of set i, made on first use. */
  readonly #sets: (readonly Mark[] | undefined)[];
  readonly #words = new Uint32Array(4);

  constructor(data: MarkTableData) {
    this.#data = data;
    this.#map = new AddressMap(data.map);
    this.#lists = new Set(data.lists);
    this.#sets = [NONE];
    this.#sets.length = data.ends.length;
  }

  hasList(list: string): boolean {
    return this.#lists.has(list);
  }

  /** Parts of both families. */
  get parts(): number {
    return this.#map.parts;
  }

  /** Marks of an address. One that carries an IPv4 address has the marks of both; an IPv4-mapped one is the IPv4 address. */
  marks(address: string): readonly Mark[] {
    const words = this.#words;
    const width = readWords(address, words);
    if (width === 0) return NONE;
    if (width === 1) return this.#marksAt(1);
    const carrier = carrierOf(words);
    if (!carrier) return this.#marksAt(4);
    const outer = carrier === 'mapped' ? NONE : this.#marksAt(4);
    words[0] = carried(words, carrier);
    const inner = this.#marksAt(1);
    if (outer.length === 0 || inner.length === 0) return outer.length === 0 ? inner : outer;
    return [...outer, ...inner.filter((mark) => !outer.includes(mark))];
  }

  #marksAt(width: Width): readonly Mark[] {
    const id = this.#map.valueAt(this.#words, width);
    return (this.#sets[id] ??= Object.freeze(setAt(this.#data.items, this.#data.ends, id).map((mark) => this.#data.marks[mark]!)));
  }
}
