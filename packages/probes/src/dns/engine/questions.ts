/** The question of a name of `dns_types`: a record type, and the labels before the host. */
export interface DnsQuestion {
  type: string;
  /** Labels with their dot, or empty. */
  prefix: string;
}

/** Every name that `dns_types` may hold. */
export const DNS_QUESTIONS = {
  A: { type: 'A', prefix: '' },
  AAAA: { type: 'AAAA', prefix: '' },
  CNAME: { type: 'CNAME', prefix: '' },
  PTR: { type: 'PTR', prefix: '' },
  MX: { type: 'MX', prefix: '' },
  NS: { type: 'NS', prefix: '' },
  TXT: { type: 'TXT', prefix: '' },
  SOA: { type: 'SOA', prefix: '' },
  DMARC: { type: 'TXT', prefix: '_dmarc.' }, // RFC 9989
  BIMI: { type: 'TXT', prefix: 'default._bimi.' },
  'MTA-STS': { type: 'TXT', prefix: '_mta-sts.' }, // RFC 8461 §3.1
  'TLS-RPT': { type: 'TXT', prefix: '_smtp._tls.' }, // RFC 8460 §3
  ACME: { type: 'TXT', prefix: '_acme-challenge.' }, // RFC 8555 §8.4
  HTTPS: { type: 'HTTPS', prefix: '' },
  TLSA: { type: 'TLSA', prefix: '' },
  CAA: { type: 'CAA', prefix: '' },
  SRV: { type: 'SRV', prefix: '' },
  NAPTR: { type: 'NAPTR', prefix: '' },
  SSHFP: { type: 'SSHFP', prefix: '' },
  SVCB: { type: 'SVCB', prefix: '' },
  URI: { type: 'URI', prefix: '' },
  LOC: { type: 'LOC', prefix: '' },
  DNSKEY: { type: 'DNSKEY', prefix: '' },
  DS: { type: 'DS', prefix: '' },
  /** The signatures over what the other names of the list ask for; alone, whatever the server gives. */
  RRSIG: { type: 'RRSIG', prefix: '' },
} as const satisfies Record<string, DnsQuestion>;

export type DnsTypeName = keyof typeof DNS_QUESTIONS;
export const DNS_TYPE_NAMES = Object.keys(DNS_QUESTIONS) as DnsTypeName[];

/** The name that is asked for a host's records of a kind. */
export const questionName = ({ prefix }: DnsQuestion, host: string): string =>
  host === '.' && prefix !== '' ? prefix.slice(0, -1) : prefix + host;
