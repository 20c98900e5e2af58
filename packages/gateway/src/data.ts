import type { DataPorts, Names, Networks } from '@vedette/contract';
import type { OpenBlacklists } from '@vedette/intel/engines';
import { type NameSetters, shippedNames } from '@vedette/intel/names';
import type { Ledger } from '@vedette/ledger';
import { type BlacklistDeps, openBlacklists } from './blacklists.ts';

/** What operations read, with what sets it while we run. */
interface Data extends DataPorts {
  names: Names & NameSetters;
  blacklists: OpenBlacklists;
}

/** Opens what the gateway knows beside the DNS. */
export function openData({ passiveDns }: Pick<Ledger, 'passiveDns'>, deps: BlacklistDeps): Data {
  const networks: Networks = {
    place: () => ({
      continent_code: '',
      continent_name: '',
      country_code: '',
      country_name: '',
      region_name: '',
      city_name: '',
      latitude: 0,
      longitude: 0,
    }),
    origin: () => undefined,
    autonomousSystem: () => undefined,
    prefixes: () => undefined,
    delegation: () => undefined,
    marks: () => [],
    hasList: () => false,
  };
  const names = shippedNames();
  return {
    networks,
    names,
    blacklists: openBlacklists(deps, { networks, names }),
    registries: { domain: notYet, autonomousSystem: notYet },
    passiveDns,
  };
}

const notYet = (): Promise<never> => Promise.reject(new Error('not opened'));
