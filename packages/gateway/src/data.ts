import type { DataPorts, Names } from '@vedette/contract';
import { createNames, type NameSetters } from '@vedette/intel/names';

/** What operations read, with what sets it while we run. */
interface Data extends DataPorts {
  names: Names & NameSetters;
}

/** Opens what the gateway knows beside the DNS. */
export const openData = (): Data => ({
  networks: {
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
  },
  names: createNames(),
  blacklists: { address: notYet, host: notYet },
  registries: { domain: notYet, autonomousSystem: notYet },
  passiveDns: { namesAt: notYet },
});

const notYet = (): Promise<never> => Promise.reject(new Error('not opened'));
