import { type Delegation, RIRS, type Rir } from '../../ports/index.ts';
import { AddressMap, type AddressMapData, addressMapData } from '../tables/address-map.ts';
import { readWords, type Width, type Words } from '../tables/address-words.ts';
import { networkAround } from '../tables/cidrs.ts';
import { GrowingRanges, GrowingWords } from '../tables/growing.ts';
import { areIntervals, type Intervals, intervalsOf, nothing, overlay } from '../tables/intervals.ts';
import { closeNetwork } from '../tables/range-entry.ts';
import { familyOf } from '../tables/range-list.ts';
import { octets, readSnapshot, words as wordsOf, writeSnapshot } from '../tables/snapshot.ts';
import { areStrings, Strings, StringsBuilder } from '../tables/strings.ts';

const KIND = 'delegations';
const REGISTRIES: Record<string, Rir> = { ripencc: 'RIPE', apnic: 'APNIC', arin: 'ARIN', lacnic: 'LACNIC', afrinic: 'AFRINIC' };
const STATUSES = ['allocated', 'assigned', 'available', 'reserved'] as const;
/** Blocks of the other statuses are not held. If two registries list a block, as during a transfer, the holder's registry counts. */
const HELD = STATUSES.indexOf('assigned');
const SPACES = ['v4', 'v6', 'asn'] as const;
type Space = (typeof SPACES)[number];
const TYPES: Record<string, Space> = { ipv4: 'v4', ipv6: 'v6', asn: 'asn' };

/**
 * Makes the compact snapshot of what regional registries delegated, of their statistics in the extended format
 * (https://www.apnic.net/about-apnic/corporate-documents/documents/resource-guidelines/rir-statistics-exchange-format/).
 */
export class DelegationsBuilder {
  readonly #ranges = {
    v4: { held: new GrowingRanges(1), free: new GrowingRanges(1) },
    v6: { held: new GrowingRanges(4), free: new GrowingRanges(4) },
    asn: { held: new GrowingRanges(1), free: new GrowingRanges(1) },
  };
  readonly #kinds = new GrowingWords();
  readonly #dates = new GrowingWords();
  readonly #countries = new StringsBuilder();
  readonly #first = new Uint32Array(4);
  readonly #last = new Uint32Array(4);

  get rows(): number {
    return this.#dates.length;
  }

  /**
   * Takes a line, such as `ripencc|NL|ipv4|193.0.0.0|2048|19930901|assigned|…`. Comments, the version line, sums and what IANA itself keeps are
   * fine, and say nothing; false where a line cannot be read.
   */
  add(line: string): boolean {
    if (line.startsWith('#') || line.trim() === '') return true;
    const [registry = '', country = '', type = '', start = '', count = '', date = '', status = ''] = line.trim().split('|');
    if (/^[\d.]+$/.test(registry) || status === 'summary' || (date === 'summary' && country === '*') || registry === 'iana') return true;
    const rir = REGISTRIES[registry];
    const space = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    const statusId = STATUSES.findIndex((known) => known === status);
    if (!rir || !space || statusId < 0 || !this.#readBlock(space, start, count)) return false;
    this.#ranges[space][statusId <= HELD ? 'held' : 'free'].push(this.#first, this.#last, this.rows + 1);
    const countryId = this.#countries.id(/^[A-Z]{2}$/.test(country) && country !== 'ZZ' ? country : '');
    this.#kinds.push((RIRS.indexOf(rir) << 24) | (statusId << 16) | countryId);
    this.#dates.push(/^\d{8}$/.test(date) ? Number(date) : 0);
    return true;
  }

  build(): Uint8Array {
    const [v4, v6, asn] = SPACES.map((space) => {
      const { held, free } = this.#ranges[space];
      return overlay(intervalsOf(held.end(), false), intervalsOf(free.end(), false), (one, other) => one || other);
    });
    const columns = {
      v4Starts: v4!.starts,
      v4Values: v4!.values,
      v6Starts: v6!.starts,
      v6Values: v6!.values,
      asnStarts: asn!.starts,
      asnValues: asn!.values,
      kinds: this.#kinds.end(),
      dates: this.#dates.end(),
      ...this.#countries.columns(),
    };
    return writeSnapshot({ kind: KIND, columns, notes: { rows: this.rows } });
  }

  /** Reads start and count into first and last: IPv4 counts addresses, IPv6 bits, AS numbers numbers. */
  #readBlock(space: Space, start: string, count: string): boolean {
    if (!/^\d{1,10}$/.test(count)) return false;
    const [first, last] = [this.#first, this.#last];
    if (space === 'v6') {
      if (readWords(start, first) !== 4 || Number(count) > 128) return false;
      last.set(first);
      closeNetwork(first, last, Number(count), 4);
      return true;
    }
    if (space === 'v4' ? readWords(start, first) !== 1 : !/^\d{1,10}$/.test(start)) return false;
    const from = space === 'v4' ? first[0]! : Number(start);
    const to = from + Number(count) - 1;
    if (to < from || to > 0xffff_ffff) return false;
    first[0] = from;
    last[0] = to;
    return true;
  }
}

export interface DelegationsData {
  addresses: AddressMapData;
  numbers: AddressMapData;
  kinds: Uint32Array;
  dates: Uint32Array;
  bytes: Uint8Array;
  ends: Uint32Array;
}

/** Reads a snapshot that may be anything; throws a RangeError that says what is wrong with it. */
export function openDelegations(snapshot: Uint8Array): DelegationsData {
  const { columns } = readSnapshot(snapshot, KIND);
  const [kinds, dates, ends] = [wordsOf(columns, 'kinds'), wordsOf(columns, 'dates'), wordsOf(columns, 'ends')];
  const bytes = octets(columns, 'bytes');
  const [v4, v6] = [familyOf(columns, 1), familyOf(columns, 4)];
  const asn: Intervals = { width: 1, starts: wordsOf(columns, 'asnStarts'), values: wordsOf(columns, 'asnValues') };
  const isSound =
    [v4, v6, asn].every((intervals) => areIntervals(intervals, dates.length + 1)) &&
    kinds.length === dates.length &&
    areStrings(bytes, ends) &&
    kinds.every((kind) => kind >>> 24 < RIRS.length && ((kind >>> 16) & 255) < STATUSES.length && (kind & 0xffff) < ends.length);
  if (!isSound) throw new RangeError('the snapshot of delegations contradicts itself');
  return { addresses: addressMapData(v4, v6), numbers: addressMapData(asn, nothing(4)), kinds, dates, bytes, ends };
}

/** The delegations of the regional registries, by address and by AS number. */
export class Delegations {
  readonly #data: DelegationsData;
  readonly #addresses: AddressMap;
  readonly #numbers: AddressMap;
  readonly #countries: Strings;

  constructor(data: DelegationsData) {
    this.#data = data;
    this.#addresses = new AddressMap(data.addresses);
    this.#numbers = new AddressMap(data.numbers);
    this.#countries = new Strings(data.bytes, data.ends);
  }

  ofAddress(words: Words, width: Width): Delegation | undefined {
    const row = this.#addresses.valueAt(words, width);
    return row === 0 ? undefined : this.#delegation(row, networkAround(words, width, this.#addresses.boundsAt(words, width)));
  }

  ofAsn(asn: number): Delegation | undefined {
    const row = this.#numbers.valueAt(Uint32Array.of(asn), 1);
    return row === 0 ? undefined : this.#delegation(row, '');
  }

  #delegation(row: number, block: string): Delegation {
    const kind = this.#data.kinds[row - 1]!;
    return {
      rir: RIRS[kind >>> 24]!,
      status: STATUSES[(kind >>> 16) & 255]!,
      country_code: this.#countries.at(kind & 0xffff),
      date: dateText(this.#data.dates[row - 1]!),
      block,
    };
  }
}

/** YYYYMMDD as YYYY-MM-DD; zero, which registries write for "not known", is empty. */
const dateText = (date: number): string =>
  date < 1_00_00
    ? ''
    : String(date)
        .padStart(8, '0')
        .replace(/^(....)(..)(..)$/, '$1-$2-$3');
