import { cidrContains, cidrOf, type IpAddress, parseIp, type DnsPorts, type Lookup } from '@vedette/contract';
import { type DomainSpec, expand, isTargetName } from './macro.ts';
import type { SpfSource } from './source.ts';

/** Terms that ask the DNS, and how many of them may find nothing (RFC 7208 §4.6.4). */
export const LOOKUPS_MAX = 10;
export const VOID_LOOKUPS_MAX = 2;
/** Addresses asked for one `mx`, names checked for one `ptr` or `%{p}` (§4.6.4). */
export const NAMES_MAX = 10;

/** One run of check_host(): who asks, and how much of the limits is used. */
export interface Evaluation {
  dns: DnsPorts;
  source: SpfSource;
  ip: IpAddress;
  sender: string;
  helo: string;
  lookups: number;
  voids: number;
}

/** Ends the evaluation with a result of its own. */
export class SpfFailure extends Error {
  readonly result: 'temperror' | 'permerror';
  constructor(result: 'temperror' | 'permerror', message: string) {
    super(message);
    this.result = result;
  }
}

export function countLookup(evaluation: Evaluation): void {
  if (++evaluation.lookups > LOOKUPS_MAX) throw new SpfFailure('permerror', `more than ${LOOKUPS_MAX} terms ask the DNS (RFC 7208 §4.6.4)`);
}

/** Passes a look-up on after counting it as void where it found nothing. */
export function countVoid<T extends Lookup<'A' | 'AAAA' | 'MX' | 'PTR'>>(evaluation: Evaluation, lookup: T): T {
  if ((lookup.state === 'nodata' || lookup.state === 'nxdomain') && ++evaluation.voids > VOID_LOOKUPS_MAX)
    throw new SpfFailure('permerror', `more than ${VOID_LOOKUPS_MAX} look-ups found nothing (RFC 7208 §4.6.4)`);
  return lookup;
}

/** A failed look-up is a temperror, whatever asked (§5). */
export function needed<T extends Lookup<'A' | 'AAAA' | 'MX'>>(lookup: T): T {
  if (lookup.state === 'failed') throw new SpfFailure('temperror', lookup.error);
  return lookup;
}

export const addressType = ({ ip }: Evaluation): 'A' | 'AAAA' => (ip.version === 4 ? 'A' : 'AAAA');

/** Whether one of these addresses is the client's, as far as the prefix of its family goes. */
export function hasClient(addresses: readonly string[], { ip }: Evaluation, bits = ip.version === 4 ? 32 : 128): boolean {
  return addresses.some((address) => {
    const own = parseIp(address);
    const network = own && cidrOf(own, bits);
    return network !== undefined && cidrContains(network, ip);
  });
}

/** The name that a domain-spec means here, or undefined where it does not expand to one that can be asked (RFC 7208 §4.8). */
export function expandTarget(
  spec: DomainSpec,
  domain: string,
  { ip, sender, helo }: Evaluation,
  validatedName: string,
): string | undefined {
  const name = expand(spec, { ip, sender, helo, domain, validatedName });
  return isTargetName(name) ? name : undefined;
}
