import type { DnsRecord, DnsRecordOf, RecordType } from '@vedette/contract';
import { decodeText, quoteDecoded, quoteText } from './wire/text.ts';

/** A record as dns-propagation shows it: an object for SOA, SRV and CAA, else a line. */
export type PresentedRecord = string | Record<string, string | number>;

/**
 * RDATA in its presentation form, normalised so that equal records are equal texts: names in lower case without the trailing dot, digests in
 * lower-case hex, keys in base64, character strings joined (RFC 7208 §3.3). Unknown types as `\# 3 0a0b0c` (RFC 3597 §5).
 */
export function presentRecord(record: DnsRecord): PresentedRecord {
  if (record.data === undefined) return [String.raw`\#`, record.rdata.length, hex(record.rdata)].join(' ').trim();
  const present = PRESENT[record.type] as (data: typeof record.data) => PresentedRecord;
  return present(record.data);
}

const CLASSES: Readonly<Record<number, string>> = { 1: 'IN', 3: 'CH', 4: 'HS' };

/** A record as a line of a zone file, its fields parted by tabs as Go's DNS library has them; names end in a dot. */
export function recordLine(record: DnsRecord, ofClass: number): string {
  const head = [dotted(record.name), record.ttl, CLASSES[ofClass] ?? `CLASS${ofClass}`, record.type];
  return `${head.join('\t')}\t${rdataLine(record)}`;
}

function rdataLine(record: DnsRecord): string {
  switch (record.type) {
    case 'CNAME':
    case 'DNAME':
    case 'NS':
    case 'PTR':
      return dotted(record.data);
    case 'MX':
      return line(record.data.preference, dotted(record.data.exchange));
    case 'TXT':
      return record.data.map(quoteText).join(' ');
    case 'SOA': {
      const { mname, rname, serial, refresh, retry, expire, minimum } = record.data;
      return line(dotted(mname), dotted(rname), serial, refresh, retry, expire, minimum);
    }
    case 'SRV':
      return line(record.data.priority, record.data.weight, record.data.port, dotted(record.data.target));
    case 'CAA':
      return line(record.data.flags, record.data.tag, quoteDecoded(record.data.value));
    default: {
      const presented = presentRecord(record);
      return typeof presented === 'string' ? presented : JSON.stringify(presented);
    }
  }
}

const dotted = (name: string): string => (name === '.' ? name : `${name}.`);

/** Records of one type in one order everywhere, so that equal sets are equal lists. */
export const presentRecords = (records: readonly DnsRecord[]): PresentedRecord[] => records.map(presentRecord).sort(byText);

function byText(left: PresentedRecord, right: PresentedRecord): number {
  const [a, b] = [JSON.stringify(left), JSON.stringify(right)];
  return a < b ? -1 : Number(a > b);
}

/** The character strings of a TXT record as one text: UTF-8 where they are, else every octet beyond ASCII as `\DDD`; a backslash is two. */
export const joinText = (strings: readonly Uint8Array[]): string => decodeText(Buffer.concat(strings));

/** Seconds since the epoch as RFC 4034 §3.2 writes them: `YYYYMMDDHHmmSS`, UTC. */
const stamp = (seconds: number): string => new Date(seconds * 1000).toISOString().replaceAll(/\D/g, '').slice(0, 14);
const hex = (octets: Uint8Array): string => Buffer.from(octets).toString('hex');
const base64 = (octets: Uint8Array): string => Buffer.from(octets).toString('base64');
const line = (...fields: (string | number)[]): string => fields.join(' ');
const asIs = (text: string): string => text;
const service = ({ priority, target, params }: DnsRecordOf<'SVCB'>['data']): string => line(priority, target, params).trim();
/** Degrees, minutes and seconds, as RFC 1876 §3 writes them. */
function angle(thousandths: number, positive: string, negative: string): string {
  const size = Math.abs(thousandths);
  const [degrees, minutes, seconds] = [Math.trunc(size / 3_600_000), Math.trunc(size / 60_000) % 60, (size % 60_000) / 1000];
  return line(degrees, minutes, seconds.toFixed(3), thousandths < 0 ? negative : positive);
}
const salt = (octets: Uint8Array): string => (octets.length === 0 ? '-' : hex(octets));

const PRESENT: { [T in RecordType]: (data: DnsRecordOf<T>['data']) => PresentedRecord } = {
  A: asIs,
  AAAA: asIs,
  CNAME: asIs,
  DNAME: asIs,
  NS: asIs,
  PTR: asIs,
  MX: ({ preference, exchange }) => line(preference, exchange),
  TXT: joinText,
  SOA: ({ minimum, ...soa }) => ({ ...soa, minttl: minimum }),
  SRV: ({ port, priority, weight, target }) => ({ port, priority, weight, target }),
  CAA: ({ flags, tag, value }) => ({ flag: flags, tag: tag.toLowerCase(), value }),
  NAPTR: ({ order, preference, flags, services, regexp, replacement }) =>
    line(order, preference, quoteDecoded(flags), quoteDecoded(services), quoteDecoded(regexp), replacement),
  URI: ({ priority, weight, target }) => line(priority, weight, quoteDecoded(target)),
  SSHFP: ({ algorithm, fingerprintType, fingerprint }) => line(algorithm, fingerprintType, hex(fingerprint)),
  LOC: ({ latitude, longitude, altitude, ...extents }) =>
    line(
      angle(latitude, 'N', 'S'),
      angle(longitude, 'E', 'W'),
      ...[altitude, extents.size, extents.horizontalPrecision, extents.verticalPrecision].map((cm) => `${(cm / 100).toFixed(2)}m`),
    ),
  TLSA: ({ usage, selector, matchingType, certificate }) => line(usage, selector, matchingType, hex(certificate)),
  DS: ({ keyTag, algorithm, digestType, digest }) => line(keyTag, algorithm, digestType, hex(digest)),
  DNSKEY: ({ flags, protocol, algorithm, publicKey }) => line(flags, protocol, algorithm, base64(publicKey)),
  RRSIG: (rrsig) =>
    line(
      rrsig.typeCovered,
      rrsig.algorithm,
      rrsig.labels,
      rrsig.originalTtl,
      stamp(rrsig.expiration),
      stamp(rrsig.inception),
      rrsig.keyTag,
      rrsig.signerName,
      base64(rrsig.signature),
    ),
  NSEC: ({ nextName, types }) => line(nextName, ...types),
  NSEC3: ({ hashAlgorithm, optOut, iterations, salt: saltOctets, nextHash, types }) =>
    line(hashAlgorithm, optOut ? 1 : 0, iterations, salt(saltOctets), base32hex(nextHash), ...types),
  NSEC3PARAM: ({ hashAlgorithm, flags, iterations, salt: saltOctets }) => line(hashAlgorithm, flags, iterations, salt(saltOctets)),
  HTTPS: service,
  SVCB: service,
};

/** Base 32 with the extended hex alphabet, lower case, without padding (RFC 5155 §3.3, RFC 4648 §7). */
function base32hex(octets: Uint8Array): string {
  let bits = '';
  for (const octet of octets) bits += octet.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => Number.parseInt(five.padEnd(5, '0'), 2).toString(32)).join('');
}
