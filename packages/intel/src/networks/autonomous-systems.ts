import { AS_TYPES, type AsType, type AutonomousSystem } from '../ports/index.ts';
import { asTypeOf } from './as-type.ts';
import { isAscending, isAsn, rowOf } from './build/origins-data.ts';
import { octets, readSnapshot, words, writeSnapshot } from './tables/snapshot.ts';
import { areStrings, Strings, StringsBuilder } from './tables/strings.ts';

const KIND = 'autonomous-systems';
const TEXTS = ['asname', 'org', 'country_code', 'domain'] as const;

/** The entry of a dataset about an autonomous system. `category` is ipverse's word for its kind, where there is one. */
export interface AutonomousSystemRow {
  asn: number;
  asname: string;
  org: string;
  country_code: string;
  domain: string;
  category: string;
}

/** Makes the compact snapshot of handles, holders, countries and kinds of autonomous systems. */
export class AutonomousSystemsBuilder {
  readonly #rows = new Map<number, number[]>();
  readonly #strings = new StringsBuilder();

  get rows(): number {
    return this.#rows.size;
  }

  /** Takes a row; of several for one AS the last stands. Returns false for an invalid number. */
  add(row: AutonomousSystemRow): boolean {
    if (!isAsn(row.asn)) return false;
    const type = AS_TYPES.indexOf(asTypeOf(row));
    this.#rows.set(row.asn, [...TEXTS.map((text) => this.#strings.id(row[text])), type]);
    return true;
  }

  build(): Uint8Array {
    const asns = Uint32Array.from(this.#rows.keys()).sort();
    const column = (nth: number) => asns.map((asn) => this.#rows.get(asn)![nth]!);
    const [asname, org, country_code, domain] = TEXTS.map((_, nth) => column(nth));
    const types = Uint8Array.from(column(TEXTS.length));
    const columns = { asns, asname: asname!, org: org!, country_code: country_code!, domain: domain!, types, ...this.#strings.columns() };
    return writeSnapshot({ kind: KIND, columns, notes: { rows: this.rows } });
  }
}

export interface AutonomousSystemsData {
  asns: Uint32Array;
  texts: Record<(typeof TEXTS)[number], Uint32Array>;
  types: Uint8Array;
  bytes: Uint8Array;
  ends: Uint32Array;
}

/** Reads a snapshot that may be anything; throws a RangeError that says what is wrong with it. */
export function openAutonomousSystems(snapshot: Uint8Array): AutonomousSystemsData {
  const { columns } = readSnapshot(snapshot, KIND);
  const [asns, ends] = [words(columns, 'asns'), words(columns, 'ends')];
  const [bytes, types] = [octets(columns, 'bytes'), octets(columns, 'types')];
  const texts = {
    asname: words(columns, 'asname'),
    org: words(columns, 'org'),
    country_code: words(columns, 'country_code'),
    domain: words(columns, 'domain'),
  };
  const isSound =
    isAscending(asns) &&
    areStrings(bytes, ends) &&
    types.length === asns.length &&
    types.every((type) => type < AS_TYPES.length) &&
    Object.values(texts).every((text) => text.length === asns.length && text.every((id) => id < ends.length));
  if (!isSound) throw new RangeError('the snapshot of autonomous systems contradicts itself');
  return { asns, texts, types, bytes, ends };
}

export class AutonomousSystems {
  readonly #data: AutonomousSystemsData;
  readonly #strings: Strings;

  constructor(data: AutonomousSystemsData) {
    this.#data = data;
    this.#strings = new Strings(data.bytes, data.ends);
  }

  /** The holder's name alone; empty where it is not told. */
  holder(asn: number): string {
    const at = rowOf(asn, this.#data.asns);
    return at < 0 ? '' : this.#strings.at(this.#data.texts.org[at]!);
  }

  get(asn: number): AutonomousSystem | undefined {
    const { asns, texts, types } = this.#data;
    const at = rowOf(asn, asns);
    if (at < 0) return undefined;
    const text = (name: (typeof TEXTS)[number]) => this.#strings.at(texts[name][at]!);
    const type: AsType = AS_TYPES[types[at]!]!;
    return { asn, asname: text('asname'), org: text('org'), country_code: text('country_code'), type, domain: text('domain') };
  }
}
