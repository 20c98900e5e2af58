import type { DataPorts } from '@vedette/contract';

/** Opens what the gateway knows beside the DNS. */
export const openData = (): DataPorts => ({
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
  names: { listings: () => [], hasList: () => false, rank: () => undefined },
  blacklists: { address: notYet, host: notYet },
  registries: { domain: notYet, autonomousSystem: notYet },
  passiveDns: { namesAt: notYet },
});

const notYet = (): Promise<never> => Promise.reject(new Error('not opened'));
