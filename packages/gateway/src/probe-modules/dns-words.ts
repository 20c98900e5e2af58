import { DNS_TYPE_NAMES, type DnsTypeName } from '@vedette/probes/dns';

/** Our names that are not DNS types: they stand for TXT below another name. */
const NAMED = new Set<string>(['DMARC', 'BIMI', 'MTA-STS', 'TLS-RPT', 'ACME']);

/** Types that agents have no name for, by the number of the IANA registry; `TYPE65534` stands for any (RFC 3597 §5). */
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['NULL', 10],
  ['HINFO', 13],
  ['RP', 17],
  ['AFSDB', 18],
  ['CERT', 37],
  ['DNAME', 39],
  ['IPSECKEY', 45],
  ['NSEC', 47],
  ['NSEC3', 50],
  ['NSEC3PARAM', 51],
  ['CDS', 59],
  ['CDNSKEY', 60],
  ['OPENPGPKEY', 61],
  ['SPF', 99],
  ['ANY', 255],
]);

/** The type's name among those that agents know. */
export const typeName = (type: string): DnsTypeName | undefined =>
  NAMED.has(type) ? undefined : DNS_TYPE_NAMES.find((name) => name === type);

/** The number of a type that agents have no name for. */
export function typeNumber(type: string): number | undefined {
  const number = NUMBERS.get(type) ?? Number(/^TYPE(\d{1,5})$/.exec(type)?.[1] ?? 0);
  return number > 0 && number <= 65_535 ? number : undefined;
}

/** `named`: what resolvers of locations can be asked for. */
export const isQueryType = (type: string, named: boolean): boolean =>
  typeName(type) !== undefined || (!named && typeNumber(type) !== undefined);
