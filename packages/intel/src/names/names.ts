import { type Brands, withShippedBrands } from '../identity/index.ts';
import type { Listing, Names } from '../ports/index.ts';
import { type NameList, reachOf, SHARED_HOSTS } from './tables/catalogue.ts';
import { ancestry, DomainList } from './tables/domain-list.ts';
import { tenantOf } from './registrable.ts';
import { shippedLists, shippedRanks } from './tables/shipped.ts';

/** Puts snapshots of the builders into use. Nothing is copied: the bytes must not change any more. Throws `RangeError` for an invalid snapshot. */
export interface NameSetters {
  /** Sets a list, in place of the one that was set before. Undefined: what is shipped, or none. */
  setList(list: string, snapshot: Uint8Array | undefined): void;
  /** Sets the ranking, in place of what was there. Undefined: what is shipped, or none. */
  setRanks(snapshot: Uint8Array | undefined): void;
  /** Sets the brands of a source, lines of `brandsOf`, beside those that are shipped. Undefined: none of it. */
  setBrands(source: string, snapshot: Uint8Array | undefined): void;
}

/** The data in use before the first feed arrives. */
interface Shipped {
  lists: ReadonlyMap<string, Uint8Array>;
  ranks: Uint8Array | undefined;
}

/**
 * Creates the datasets' knowledge of names. A list that is shipped stays beside what is set, which a source of another's may leave out; a
 * ranking does not.
 */
export function createNames(shipped: Shipped = { lists: new Map(), ranks: undefined }): Names & NameSetters {
  const kept = new Map(Array.from(shipped.lists, ([list, bytes]) => [list, new DomainList(bytes)] as const));
  const keptRanks = shipped.ranks && new DomainList(shipped.ranks);
  const set = new Map<string, DomainList>();
  let ranks = keptRanks;
  const brandsBySource = new Map<string, string>();
  let brands: Brands | undefined;
  const has = (list: string, name: string): boolean => kept.get(list)?.has(name) === true || set.get(list)?.has(name) === true;
  const isShared = (name: string): boolean => SHARED_HOSTS.some((list) => has(list, name));

  /** The names that stand for all names below them, up to a tenant's own name; none for a shared host. */
  const tenantNames = (names: readonly string[]): readonly string[] => {
    const tenant = tenantOf(names[0]!);
    const own = tenant === undefined ? [] : names.slice(0, names.indexOf(tenant) + 1);
    const shared = own.findIndex(isShared);
    return shared < 0 ? own : own.slice(0, shared);
  };

  return {
    setList(list, snapshot) {
      if (snapshot === undefined) set.delete(list);
      else set.set(list, new DomainList(snapshot));
    },
    setRanks(snapshot) {
      ranks = snapshot ? new DomainList(snapshot) : keptRanks;
    },
    setBrands(source, snapshot) {
      if (snapshot) brandsBySource.set(source, new TextDecoder().decode(snapshot));
      else brandsBySource.delete(source);
      brands = undefined;
    },
    brands: () => (brands ??= withShippedBrands([...brandsBySource.values()])),
    listings(name) {
      const names = ancestry(name);
      const own = tenantNames(names);
      const found: Listing[] = [];
      for (const list of new Set([...kept.keys(), ...set.keys()])) {
        const entry = (reachOf(list) === 'host' ? names : own).find((above) => has(list, above));
        if (entry !== undefined) found.push({ list, entry });
      }
      return found;
    },
    hasList: (list) => kept.has(list) || set.has(list),
    rank(domain) {
      const label = ranks?.labelOf(domain);
      return label === undefined ? undefined : Number(label);
    },
  };
}

/** Names that know what is shipped, so that a machine without feeds answers sensibly. */
export const shippedNames = (): Names & NameSetters =>
  createNames({
    lists: new Map(Array.from(shippedLists(), ([list, { snapshot }]) => [list, snapshot])),
    ranks: shippedRanks().snapshot,
  });

/** Whether a list has this very name, and not only one above it. */
export const isListed = (name: string, list: NameList, names: Pick<Names, 'listings'>): boolean =>
  names.listings(name).some((listing) => listing.list === list && listing.entry === name);
