import type { DnsRecordOf, RecordType } from '@vedette/contract';
import { DNS_QUESTIONS, joinText } from '@vedette/probes/dns';
import type { Static } from 'typebox';
import type { Records } from './schema.ts';
import type { AskedType, LookupType } from './types.ts';

type Lists = Required<Static<typeof Records>>;
type ItemOf<T extends LookupType> = Lists[Lowercase<T>][number];
type TypeOf<T extends AskedType> = Extract<(typeof DNS_QUESTIONS)[T]['type'], RecordType>;

const target = ({ data, ttl }: { data: string; ttl: number }) => ({ target: data, ttl });
const text = ({ data, ttl }: DnsRecordOf<'TXT'>) => ({ target: joinText(data), ttl });
const hex = (octets: Uint8Array): string => Buffer.from(octets).toString('hex');
/** Six digits are a tenth of a metre, and a thousandth of a second of arc is three hundredths. */
const degrees = (thousandths: number): number => Number((thousandths / 3_600_000).toFixed(7));
const metres = (cm: number): number => cm / 100;
const base64 = (octets: Uint8Array): string => Buffer.from(octets).toString('base64');

/** How the records of each type are shown. */
export const ITEMS: { [T in AskedType]: (record: DnsRecordOf<TypeOf<T>>) => ItemOf<T> } = {
  A: target,
  AAAA: target,
  MX: ({ data, ttl }) => ({ pref: data.preference, target: data.exchange, ttl }),
  NS: target,
  TXT: text,
  SOA: ({ data: { minimum, ...soa }, ttl }) => ({ ...soa, minttl: minimum, ttl }),
  DMARC: text,
  BIMI: text,
  'MTA-STS': text,
  'TLS-RPT': text,
  ACME: text,
  HTTPS: ({ data, ttl }) => ({ ...data, ttl }),
  TLSA: ({ data, ttl }) => ({
    usage: data.usage,
    selector: data.selector,
    matching_type: data.matchingType,
    certificate: hex(data.certificate),
    ttl,
  }),
  CAA: ({ data, ttl }) => ({ flag: data.flags, tag: data.tag.toLowerCase(), value: data.value, ttl }),
  SRV: ({ data, ttl }) => ({ ...data, ttl }),
  CNAME: target,
  PTR: target,
  NAPTR: ({ data, ttl }) => ({ ...data, ttl }),
  SSHFP: ({ data, ttl }) => ({
    algorithm: data.algorithm,
    fingerprint_type: data.fingerprintType,
    fingerprint: hex(data.fingerprint),
    ttl,
  }),
  SVCB: ({ data, ttl }) => ({ ...data, ttl }),
  URI: ({ data, ttl }) => ({ ...data, ttl }),
  LOC: ({ data, ttl }) => ({
    latitude: degrees(data.latitude),
    longitude: degrees(data.longitude),
    altitude_m: metres(data.altitude),
    size_m: metres(data.size),
    horizontal_precision_m: metres(data.horizontalPrecision),
    vertical_precision_m: metres(data.verticalPrecision),
    ttl,
  }),
  DNSKEY: ({ data }) => ({
    flags: data.flags,
    protocol: data.protocol,
    algorithm: data.algorithm,
    public_key: base64(data.publicKey),
  }),
  DS: ({ data }) => ({ key_tag: data.keyTag, algorithm: data.algorithm, digest_type: data.digestType, digest: hex(data.digest) }),
};

export const signatureItem = ({ data }: DnsRecordOf<'RRSIG'>): ItemOf<'RRSIG'> => ({
  type_covered: data.typeCovered,
  algorithm: data.algorithm,
  labels: data.labels,
  original_ttl: data.originalTtl,
  expiration: data.expiration,
  inception: data.inception,
  key_tag: data.keyTag,
  signer_name: data.signerName,
  signature: base64(data.signature),
});
