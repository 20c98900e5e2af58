import { tenantOf } from '@vedette/intel/names';

/** The domain of one owner; the name itself for a public suffix or an address. */
export const registrableOf = (host: string): string => tenantOf(host) ?? host;
