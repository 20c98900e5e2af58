import { parseIp } from '@vedette/contract';
import { tenantOf } from '@vedette/intel/names';

/** The domain of one owner; the name itself for a public suffix, and an address without its brackets. */
export function registrableOf(host: string): string {
  const bare = host.replace(/^\[|\]$/g, '');
  return parseIp(bare) ? bare : (tenantOf(host) ?? host);
}
