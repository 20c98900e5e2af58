import type { DnsTypeName } from '@vedette/probes/dns';

/** The values of `dns_types` of dns-lookup. */
export const LOOKUP_TYPES = [
  'A',
  'AAAA',
  'MX',
  'NS',
  'TXT',
  'SOA',
  'DMARC',
  'BIMI',
  'MTA-STS',
  'TLS-RPT',
  'ACME',
  'HTTPS',
  'TLSA',
  'CAA',
  'SRV',
  'DNSKEY',
  'DS',
  'CNAME',
  'PTR',
  'NAPTR',
  'SSHFP',
  'SVCB',
  'URI',
  'LOC',
  'RRSIG',
] as const satisfies readonly DnsTypeName[];
export type LookupType = (typeof LOOKUP_TYPES)[number];
/** RRSIG is not asked for on its own: servers need not answer it (RFC 8482), and signatures come with the records that they sign. */
export type AskedType = Exclude<LookupType, 'RRSIG'>;
export type LookupKey = Lowercase<LookupType>;

/** Asked when `dns_types` is absent, and what RRSIG alone shows the signatures of. */
export const DEFAULT_TYPES: readonly AskedType[] = ['A', 'AAAA', 'MX', 'NS', 'TXT', 'SOA', 'CAA'];

export const keyOf = (type: LookupType): LookupKey => type.toLowerCase() as LookupKey;
