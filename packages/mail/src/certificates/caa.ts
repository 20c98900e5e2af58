/** A CAA record (RFC 8659 §4.1). */
export interface CaaRecord {
  flags: number;
  tag: string;
  value: string;
}

/**
 * Whether an authority may issue: `any`, as no record restricts that; `unknown` for an authority that the table does not have, and where a critical
 * tag may be unknown to it.
 */
export const CAA_VERDICTS = ['allowed', 'forbidden', 'any', 'unknown'] as const;

/** Authorities by the organization of their issuing certificates, with the names that they accept in CAA records: the one to publish first. */
const AUTHORITIES: readonly (readonly [organizations: string, identifiers: string])[] = [
  ["Let's Encrypt", 'letsencrypt.org'],
  ['Google Trust Services|Google Trust Services LLC', 'pki.goog google.com'],
  ['Amazon', 'amazon.com amazontrust.com awstrust.com amazonaws.com aws.amazon.com'],
  [
    'DigiCert Inc|DigiCert, Inc.|DigiCert Ireland Limited|GeoTrust Inc.|thawte, Inc.|QuoVadis Limited',
    'digicert.com www.digicert.com digicert.ne.jp cybertrust.ne.jp symantec.com thawte.com geotrust.com rapidssl.com volusion.com stratossl.de intermediatecertificate.de 1and1.com amazon.com amazontrust.com awstrust.com amazonaws.com digitalcertvalidation.com quovadisglobal.com netsolssl.com',
  ],
  [
    'Sectigo Limited|COMODO CA Limited|The USERTRUST Network|ZeroSSL',
    'sectigo.com usertrust.com trust-provider.com comodo.com comodoca.com entrust.net affirmtrust.com zerossl.com',
  ],
  ['GlobalSign nv-sa', 'globalsign.com alphassl.com'],
  ['GoDaddy.com, Inc.|Starfield Technologies, Inc.', 'godaddy.com starfieldtech.com'],
  ['Entrust, Inc.|Entrust Limited', 'entrust.net affirmtrust.com sectigo.com'],
  ['SSL Corporation|SSL Corp', 'ssl.com'],
  ['Buypass AS-983163327', 'buypass.com buypass.no'],
  ['Actalis S.p.A.', 'actalis.it'],
  ['Asseco Data Systems S.A.|Unizeto Technologies S.A.', 'certum.pl certum.eu'],
  ['Microsoft Corporation', 'microsoft.com digicert.com'],
  ['IdenTrust', 'identrust.com'],
  ['SwissSign AG', 'swisssign.com swisssign.net swisssign.li swisssign.ch'],
  ['Hellenic Academic and Research Institutions CA', 'harica.gr'],
  ['Deutsche Telekom Security GmbH|T-Systems International GmbH', 'telesec.de pki.dfn.de dfn.de'],
  ['D-Trust GmbH', 'd-trust.net d-trust.de dtrust.de dtrust.net'],
];
const IDENTIFIERS: ReadonlyMap<string, readonly string[]> = new Map(
  AUTHORITIES.flatMap(([organizations, identifiers]) => organizations.split('|').map((name) => [name, identifiers.split(' ')] as const)),
);

/** Names that an authority accepts in CAA records, by the organization in its certificate; empty for an unknown authority. */
export const caaIdentifiersOf = (organization: string): readonly string[] => IDENTIFIERS.get(organization) ?? [];

/** An authority that does not know the tag must not issue (RFC 8659 §4.1). */
const CRITICAL = 0x80;
/** Tags that every authority knows. */
const KNOWN_TAGS: readonly string[] = ['issue', 'issuewild', 'iodef'];

/** Judges the relevant record set of a name (RFC 8659 §3, §4.2 and §4.3): records of `issuewild` take the place of `issue` for wildcards. */
export function judgeCaa(
  records: readonly CaaRecord[],
  identifiers: readonly string[],
  isWildcard: boolean,
): (typeof CAA_VERDICTS)[number] {
  const of = (tag: string) => records.filter((record) => record.tag.toLowerCase() === tag);
  const wild = isWildcard ? of('issuewild') : [];
  const relevant = wild.length > 0 ? wild : of('issue');
  const isUnclear = records.some(({ flags, tag }) => (flags & CRITICAL) !== 0 && !KNOWN_TAGS.includes(tag.toLowerCase()));
  if (relevant.length === 0) return isUnclear ? 'unknown' : 'any';
  if (identifiers.length === 0) return 'unknown';
  if (!relevant.some(({ value }) => identifiers.includes(issuerOf(value)))) return 'forbidden';
  return isUnclear ? 'unknown' : 'allowed';
}

/** Parameters follow the name behind a semicolon. */
const issuerOf = (value: string): string => value.split(';', 1)[0]!.trim().toLowerCase();
