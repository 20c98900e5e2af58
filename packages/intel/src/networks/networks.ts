import type { AutonomousSystem, Networks, Origin, Place } from '@vedette/contract';
import { carried, carrierOf, readWords, type Width } from './address-words.ts';
import { asTypeOf } from './as-type.ts';
import { AutonomousSystems } from './autonomous-systems.ts';
import { Delegations } from './delegations.ts';
import { inThread } from './in-thread.ts';
import { emptyMarkTable, MarkTable } from './mark-table.ts';
import { Origins } from './origins.ts';
import { Prefixes } from './prefixes.ts';

/**
 * Puts datasets in use, as snapshots that their builders made. What reads a whole dataset is done in a thread, and the new one takes the old
 * one's place at once; each promise resolves then, and rejects with a RangeError for a snapshot that is none, the old one staying in use.
 */
export interface NetworkSetters {
  /** A list of addresses by `RangeListBuilder`; undefined takes it out. */
  setList(list: string, snapshot: Uint8Array | undefined): Promise<void>;
  /** Who announces which ranges, by `OriginsBuilder`. */
  setOrigins(snapshot: Uint8Array): Promise<void>;
  /** Names and kinds of autonomous systems, by `AutonomousSystemsBuilder`. */
  setAutonomousSystems(snapshot: Uint8Array): Promise<void>;
  /** The networks that each announces, by `PrefixesBuilder`. */
  setPrefixes(snapshot: Uint8Array): Promise<void>;
  /** Statistics of the regional registries, by `DelegationsBuilder`. */
  setDelegations(snapshot: Uint8Array): Promise<void>;
}

/** What the datasets know of addresses and autonomous systems; nothing at first. */
export const createNetworks = (): Networks & NetworkSetters => new Datasets();

const NOWHERE: Place = Object.freeze({
  continent_code: '',
  continent_name: '',
  country_code: '',
  country_name: '',
  region_name: '',
  city_name: '',
  latitude: 0,
  longitude: 0,
});

class Datasets implements Networks, NetworkSetters {
  readonly #lists = new ListKeeper();
  #origins: Origins | undefined;
  #systems: AutonomousSystems | undefined;
  #prefixes: Prefixes | undefined;
  #delegations: Delegations | undefined;
  readonly #words = new Uint32Array(4);

  place(): Place {
    return NOWHERE;
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

  prefixes(asn: number): { ipv4: readonly string[]; ipv6: readonly string[] } | undefined {
    return this.#prefixes?.of(asn) ?? this.#origins?.networksOf(asn);
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

  async setOrigins(snapshot: Uint8Array): Promise<void> {
    this.#origins = new Origins(await inThread('openOrigins', snapshot));
  }

  async setAutonomousSystems(snapshot: Uint8Array): Promise<void> {
    this.#systems = new AutonomousSystems(await inThread('openAutonomousSystems', snapshot));
  }

  async setPrefixes(snapshot: Uint8Array): Promise<void> {
    this.#prefixes = new Prefixes(await inThread('openPrefixes', snapshot));
  }

  async setDelegations(snapshot: Uint8Array): Promise<void> {
    this.#delegations = new Delegations(await inThread('openDelegations', snapshot));
  }

  #holder(asn: number): string {
    return this.#systems?.get(asn)?.org || (this.#origins?.holder(asn) ?? '');
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
    this.#underWay = round.catch(() => {}); // whoever asked for it is told
    return round;
  }
}
