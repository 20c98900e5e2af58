import { getDomain } from 'tldts';

// Names of the DNS, read already: no URL, no address.
const AS_GIVEN = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false };

/** The Organizational Domain by the Public Suffix List, as RFC 7489 §3.2 has it. A public suffix is its own. */
export const listedOrganization = (domain: string): string => getDomain(domain, AS_GIVEN) ?? domain;
