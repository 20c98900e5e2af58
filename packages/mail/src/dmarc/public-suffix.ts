import { getDomain, parse } from 'tldts';

// Names of the DNS, read already: no URL, no address.
const AS_GIVEN = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false };

/** The Organizational Domain by the Public Suffix List, as RFC 7489 §3.2 has it. A public suffix is its own. */
export const listedOrganization = (domain: string): string => getDomain(domain, AS_GIVEN) ?? domain;

/** Whether a registry of ICANN's root gives names to others under it, as under `co.uk`. */
export function isRegistrySuffix(domain: string): boolean {
  const { publicSuffix, isIcann } = parse(domain, { ...AS_GIVEN, allowPrivateDomains: false });
  return isIcann === true && publicSuffix === domain;
}
