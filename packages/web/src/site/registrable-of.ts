import { tenantOf } from '@vedette/intel/names';

/** What one owner has of the DNS; the name itself where it is a public suffix, or an address. */
export const registrableOf = (host: string): string => tenantOf(host) ?? host;
