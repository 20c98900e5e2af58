import { type AutonomousSystem, type Networks, type NetworkTotals, NOWHERE, type Origin, type Place } from '../ports/index.ts';
import { carried, carrierOf, readWords, type Width } from './tables/address-words.ts';
import { asTypeOf } from './as-type.ts';
import { AutonomousSystems } from './autonomous-systems.ts';
import { Delegations } from './build/delegations.ts';
import { inThread } from './build/in-thread.ts';
import { keepDatabase } from './mmdb/kept-database.ts';
import { emptyMarkTable, MarkTable } from './tables/mark-table.ts';
import { Origins } from './origins.ts';
import type { OriginFiles } from './build/origins-csv.ts';
import { type PlaceFiles, Places } from './mmdb/places.ts';
import { totalAddresses } from './tables/cidrs.ts';
import { Prefixes } from './tables/prefixes.ts';
import { Recent } from './recent.ts';

/**
 * Puts datasets in use, as snapshots that their builders made. Work that reads a whole dataset runs in a thread, and the new dataset
 * replaces the old one at once. Each promise resolves then. It rejects with a RangeError for an invalid snapshot, and the old dataset stays
 * in use.
 */
export interface NetworkSetters {
  /** A list of addresses by `RangeListBuilder`; undefined takes it out. */
  setList(list: string, snapshot: Uint8Array | undefined): Promise<void>;
  /**
   * Where addresses are; says when the file for IPv4 was built. Takes no time: files are read where they are looked at. Throws a RangeError
   * for a file that is not a MaxMind DB, and the errors of the file system; the previous files then stay in use.
   */
  setPlaces(files: PlaceFiles): { built: Date };
  /**
   * The same of one database for both families, from its bytes. They are put into a file beside the other things that are kept, and read from
   * there: a hundred megabytes stay on the disk. Where nothing can be kept they stay in memory. Rejects with a RangeError as well.
   */
  setCityDatabase(bytes: Uint8Array): Promise<void>;
  /** The announced ranges and their origin AS, made by `OriginsBuilder`. */
  setOrigins(snapshot: Uint8Array): Promise<void>;
  /** The same from a release's tables; the snapshot of them is kept in the file `kept`, for the next start. */
  loadOrigins(files: OriginFiles, kept: string): Promise<void>;
  /** Names and kinds of autonomous systems, by `AutonomousSystemsBuilder`. */
  setAutonomousSystems(snapshot: Uint8Array): Promise<void>;
  /** The networks that each announces, by `PrefixesBuilder`. */
  setPrefixes(snapshot: Uint8Array): Promise<void>;
  /** Statistics of the regional registries, by `DelegationsBuilder`. */
  setDelegations(snapshot: Uint8Array): Promise<void>;
}

/** The datasets' knowledge of addresses and autonomous systems; empty at first. `folder` is for what they keep on the disk. */
export const createNetworks = (folder?: string): Networks & NetworkSetters => new Datasets(folder);

const RECENT_PLACES = 10_000;
const RECENT_TOTALS = 1_000;

class Datasets implements Networks, NetworkSetters {
  readonly #lists = new ListKeeper();
  #places: Record<Width, Places> | undefined;
  /** The places told lately, by the text of the address: the same one is asked for again and again, and its pages may have to come from the file. */
  #recentPlaces = new Recent<string, Place>(RECENT_PLACES);
  /** Counting the thousands of networks of a large system takes longer than all else. */
  #recentTotals = new Recent<number, NetworkTotals>(RECENT_TOTALS);
  #origins: Origins | undefined;
  #systems: AutonomousSystems | undefined;
  #prefixes: Prefixes | undefined;
  #delegations: Delegations | undefined;
  readonly #words = new Uint32Array(4);
  readonly #folder: string | undefined;

  constructor(folder?: string) {
    this.#folder = folder;
  }

  place(address: string): Place {
    return this.#recentPlaces.get(address, () => {
      const width = this.#read(address);
      return (width === 0 ? undefined : this.#places?.[width].at(this.#words, width)) ?? NOWHERE;
    });
  }

  origin(address: string): Origin | undefined {
    const width = this.#read(address);
    if (width === 0) return undefined;
    const announced = this.#prefixes?.around(this.#words, width);
    if (announced) return { ...announced, org: this.#holder(announced.asn) };
    const asn = this.#origins?.asnAt(this.#words, width) ?? 0;
    return asn === 0 ? undefined : { asn, org: this.#holder(asn), route: this.#origins!.networkAt(this.#words, width) };
  }

  autonomousSystem(asn: number): AutonomousSystem | undefined {
    const known = this.#systems?.get(asn);
    if (known) return known;
    const org = this.#origins?.holder(asn) ?? '';
    if (org === '') return undefined;
    return {
      asn,
      asname: '',
      org,
      country_code: this.#delegations?.ofAsn(asn)?.country_code ?? '',
      type: asTypeOf({ asn, org, category: '' }),
      domain: '',
    };
  }

  prefixes(asn: number): ReturnType<Networks['prefixes']> {
    // Tables have AS0 for unannounced ranges, and AS0 must not be announced (RFC 7607).
    if (asn === 0) return undefined;
    if (this.#prefixes) return { ...this.#prefixes.of(asn), exact: true };
    return this.#origins && { ...this.#origins.networksOf(asn), exact: false };
  }

  totals(asn: number): NetworkTotals {
    return this.#recentTotals.get(asn, () => {
      const { ipv4, ipv6 } = this.prefixes(asn) ?? { ipv4: [], ipv6: [] };
      return {
        total_ipv4_prefixes: ipv4.length,
        total_ipv4_ips: Number(totalAddresses(ipv4)),
        total_ipv6_prefixes: ipv6.length,
      };
    });
  }

  delegation(subject: { address: string } | { asn: number }): ReturnType<Networks['delegation']> {
    if ('asn' in subject) return this.#delegations?.ofAsn(subject.asn);
    const width = this.#read(subject.address);
    return width === 0 ? undefined : this.#delegations?.ofAddress(this.#words, width);
  }

  marks(address: string): ReturnType<Networks['marks']> {
    return this.#lists.table.marks(address);
  }

  hasList(list: string): boolean {
    return this.#lists.table.hasList(list);
  }

  setList(list: string, snapshot: Uint8Array | undefined): Promise<void> {
    return this.#lists.set(list, snapshot);
  }

  setPlaces({ ipv4, ipv6 }: PlaceFiles): { built: Date } {
    const before = this.#places;
    this.#places = { 1: new Places(ipv4), 4: new Places(ipv6) };
    this.#recentPlaces = new Recent(RECENT_PLACES);
    before?.[1].close();
    before?.[4].close();
    return this.#places[1].head;
  }

  async setCityDatabase(bytes: Uint8Array): Promise<void> {
    const kept = this.#folder && (await keepDatabase(bytes, this.#folder));
    this.setPlaces({ ipv4: kept || bytes, ipv6: kept || bytes });
  }

  async setOrigins(snapshot: Uint8Array): Promise<void> {
    this.#useOrigins(new Origins(await inThread('openOrigins', snapshot)));
  }

  async loadOrigins(files: OriginFiles, kept: string): Promise<void> {
    this.#useOrigins(new Origins(await inThread('loadOrigins', files, kept)));
  }

  async setAutonomousSystems(snapshot: Uint8Array): Promise<void> {
    this.#systems = new AutonomousSystems(await inThread('openAutonomousSystems', snapshot));
  }

  async setPrefixes(snapshot: Uint8Array): Promise<void> {
    this.#prefixes = new Prefixes(await inThread('openPrefixes', snapshot));
    this.#recentTotals = new Recent(RECENT_TOTALS);
  }

  async setDelegations(snapshot: Uint8Array): Promise<void> {
    this.#delegations = new Delegations(await inThread('openDelegations', snapshot));
  }

  #useOrigins(origins: Origins): void {
    this.#origins = origins;
    this.#recentTotals = new Recent(RECENT_TOTALS);
  }

  #holder(asn: number): string {
    return this.#systems?.holder(asn) || (this.#origins?.holder(asn) ?? '');
  }

  /** Reads an address into `#words`; one that carries an IPv4 address is that one. */
  #read(address: string): Width | 0 {
    const width = readWords(address, this.#words);
    const carrier = width === 4 ? carrierOf(this.#words) : undefined;
    if (!carrier) return width;
    this.#words[0] = carried(this.#words, carrier);
    return 1;
  }
}

/** The table of all lists. Changes that come while a new table is made are made together, in the one after it. */
class ListKeeper {
  #data = emptyMarkTable();
  table = new MarkTable(this.#data);
  #pending = new Map<string, Uint8Array | undefined>();
  #round: Promise<ReadonlyMap<string, string>> | undefined;
  #underWay: Promise<unknown> = Promise.resolve();

  async set(list: string, snapshot: Uint8Array | undefined): Promise<void> {
    this.#pending.set(list, snapshot);
    this.#round ??= this.#next();
    const refused = (await this.#round).get(list);
    if (refused !== undefined) throw new RangeError(refused);
  }

  #next(): Promise<ReadonlyMap<string, string>> {
    const round = this.#underWay.then(async () => {
      const changes = this.#pending;
      this.#pending = new Map();
      this.#round = undefined;
      const { table, refused } = await inThread('changeLists', this.#data, changes);
      this.#data = table;
      this.table = new MarkTable(table);
      return refused;
    });
    this.#underWay = round.catch(() => {}); // the caller receives the error
    return round;
  }
}
