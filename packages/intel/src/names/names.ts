import type { Listing, Names } from '@vedette/contract';
import { reachOf, SHARED_HOSTS } from './catalogue.ts';
import { ancestry, DomainList } from './domain-list.ts';
import { tenantOf } from './registrable.ts';
import { shippedLists, shippedRanks } from './shipped.ts';

/** Puts snapshots of the builders into use. Nothing is copied: the bytes must not change any more. Throws `RangeError` for what is no snapshot. */
export interface NameSetters {
  /** Sets a list, in place of the one of that name. Undefined: there is none any more. */
  setList(list: string, snapshot: Uint8Array | undefined): void;
  /** Sets the ranking. Undefined: there is none any more. */
  setRanks(snapshot: Uint8Array | undefined): void;
}

/** What the datasets know of names. Nothing at first. */
export function createNames(): Names & NameSetters {
  const known = new Map<string, DomainList>();
  let ranks: DomainList | undefined;
  const isShared = (name: string): boolean => SHARED_HOSTS.some((list) => known.get(list)?.has(name) === true);

  /** The names that speak for all of what is below them, up to what one tenant has: none where it is everybody's. */
  const tenantNames = (names: readonly string[]): readonly string[] => {
    const tenant = tenantOf(names[0]!);
    const own = tenant === undefined ? [] : names.slice(0, names.indexOf(tenant) + 1);
    const shared = own.findIndex(isShared);
    return shared < 0 ? own : own.slice(0, shared);
  };

  const setters: NameSetters = {
    setList(list, snapshot) {
      if (snapshot === undefined) known.delete(list);
      else known.set(list, new DomainList(snapshot));
    },
    setRanks(snapshot) {
      ranks = snapshot && new DomainList(snapshot);
    },
  };

  return {
    ...setters,
    listings(name) {
      const names = ancestry(name);
      const own = tenantNames(names);
      const found: Listing[] = [];
      for (const [list, domains] of known) {
        const entry = (reachOf(list) === 'host' ? names : own).find((above) => domains.has(above));
        if (entry !== undefined) found.push({ list, entry });
      }
      return found;
    },
    hasList: (list) => known.has(list),
    rank(domain) {
      const label = ranks?.labelOf(domain);
      return label === undefined ? undefined : Number(label);
    },
  };
}

/** Names that know what is shipped, so that a machine without feeds answers sensibly. */
export function shippedNames(): Names & NameSetters {
  const names = createNames();
  for (const [list, { snapshot }] of shippedLists()) names.setList(list, snapshot);
  names.setRanks(shippedRanks().snapshot);
  return names;
}
