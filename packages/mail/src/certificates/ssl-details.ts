import { X509Certificate } from 'node:crypto';
import { type ParsedHost, shown, validity } from '@vedette/contract';
import { type Certificate, readCertificate } from './certificate.ts';
import { type Der, oidOf, parseDer, stringOf } from './der.ts';

/** A distinguished name: of each attribute every value, in the order of the certificate. */
export interface NameLists {
  /** The last one, which is the most specific; empty without. */
  common_name: string;
  organization: string[];
  organizational_unit: string[];
  location: string[];
  state: string[];
  country: string[];
}

/** The validation of the subject that the issuer claims, by the reserved policies of the CA/Browser Forum: `unknown` where it says nothing. */
export type ValidationType = 'DV' | 'OV' | 'EV' | 'IV' | 'unknown';

/** `ssl_details` of a URL, but for revocation. Where no certificate was shown its fields are empty. */
export interface SslDetails {
  certificate_found: boolean;
  /** TLS failed, or its certificate is not valid. */
  ssl_errors: boolean;
  name_match: boolean;
  expired: boolean;
  valid: boolean;
  self_signed: boolean;
  issuer: NameLists;
  subject: NameLists;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  valid_from: string;
  valid_to: string;
  /** Whole days until it expires; 0 once it has. */
  valid_days_left: number;
  /** Whole days since it expired; 0 before. */
  expired_from_days: number;
  /** Bits of the key: of the modulus, or of the curve. */
  key_size: number;
  /** Hexadecimal, upper case, as OpenSSL writes it. */
  serial_number: string;
  /** Lower-case hexadecimal. */
  fingerprint_sha1: string;
  fingerprint_sha256: string;
  /** The signature's, as OpenSSL calls it, such as `sha256WithRSAEncryption`; an object identifier where it knows no name. */
  algorithm: string;
  /** The key's: `RSA`, `EC`, `DSA`, `ED25519`, … */
  key_algorithm: string;
  type: ValidationType;
}

export interface ShownCertificate {
  /** The server's certificates, DER. */
  leaf: Uint8Array;
  /** The host that it was requested for. */
  host: ParsedHost;
  /** The chain ends in a trusted root, all of it is current and strong, and the leaf is for the host. */
  valid: boolean;
}

const DAY_MS = 86_400_000;
const NAME_MAX_CHARS = 256;
const VALUES_MAX = 20;

/** Says what a server's certificate says (RFC 5280). Undefined: none was shown, so that TLS failed. */
export function sslDetails(shownCertificate: ShownCertificate | undefined, now: Date): SslDetails {
  const x509 = shownCertificate && open(shownCertificate.leaf);
  if (!shownCertificate || !x509) return NONE;
  const { valid, host } = shownCertificate;
  const names = namesOf(x509.raw);
  const certificate = readCertificate(x509.raw);
  const { from, to } = validity(x509);
  const left = (to.getTime() - now.getTime()) / DAY_MS;
  return {
    certificate_found: true,
    ssl_errors: !valid,
    name_match: isFor(x509, host),
    expired: left < 0,
    valid,
    self_signed: isSelfSigned(x509),
    ...names,
    valid_from: validityText(from),
    valid_to: validityText(to),
    valid_days_left: Math.max(0, Math.floor(left)) || 0,
    expired_from_days: Math.max(0, Math.floor(-left)) || 0,
    ...keyOf(x509),
    serial_number: x509.serialNumber,
    fingerprint_sha1: plainHex(x509.fingerprint),
    fingerprint_sha256: plainHex(x509.fingerprint256),
    algorithm: x509.signatureAlgorithm ?? x509.signatureAlgorithmOid ?? '',
    type: certificate ? validationTypeOf(certificate) : 'unknown',
  };
}

const NOBODY: NameLists = { common_name: '', organization: [], organizational_unit: [], location: [], state: [], country: [] };

const NONE: SslDetails = {
  certificate_found: false,
  ssl_errors: true,
  name_match: false,
  expired: false,
  valid: false,
  self_signed: false,
  issuer: NOBODY,
  subject: NOBODY,
  valid_from: '',
  valid_to: '',
  valid_days_left: 0,
  expired_from_days: 0,
  key_size: 0,
  serial_number: '',
  fingerprint_sha1: '',
  fingerprint_sha256: '',
  algorithm: '',
  key_algorithm: '',
  type: 'unknown',
};

function open(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined; // OpenSSL's word that these octets are no certificate
  }
}

/** The common name has not counted since RFC 6125, and a wildcard stands for one whole label (RFC 9525 §6.3): so browsers have it. */
const isFor = (x509: X509Certificate, { kind, host }: ParsedHost): boolean =>
  (kind === 'name' ? x509.checkHost(host, { subject: 'never', partialWildcards: false }) : x509.checkIP(host)) !== undefined;

/** Only a certificate signed by its own key is self-signed; a private authority's certificate is not. */
function isSelfSigned(x509: X509Certificate): boolean {
  try {
    return x509.checkIssued(x509) && x509.verify(x509.publicKey);
  } catch {
    return false; // a key that OpenSSL cannot read
  }
}

/** Bits of the curves that certificates name; of what is not here the figures in its name. */
const CURVE_BITS: Record<string, number> = { prime192v1: 192, prime239v1: 239, prime256v1: 256 };
const EDWARDS_BITS: Record<string, number> = { ed25519: 256, ed448: 456 };

function keyOf(x509: X509Certificate): Pick<SslDetails, 'key_size' | 'key_algorithm'> {
  try {
    const { asymmetricKeyType: type = '', asymmetricKeyDetails: { modulusLength, namedCurve = '' } = {} } = x509.publicKey;
    const curveBits = CURVE_BITS[namedCurve] ?? Number(/\d{3}/.exec(namedCurve)?.[0] ?? EDWARDS_BITS[type] ?? 0);
    return { key_size: modulusLength ?? curveBits, key_algorithm: type.toUpperCase() };
  } catch {
    return { key_size: 0, key_algorithm: '' }; // of a kind that OpenSSL cannot read
  }
}

const plainHex = (fingerprint: string): string => fingerprint.replaceAll(':', '').toLowerCase();

/** `YYYY-MM-DD HH:MM:SS` in UTC; empty for an invalid date. */
export const validityText = (date: Date): string => (Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 19).replace('T', ' '));

const ATTRIBUTES: ReadonlyMap<string, keyof NameLists> = new Map([
  ['2.5.4.3', 'common_name'],
  ['2.5.4.10', 'organization'],
  ['2.5.4.11', 'organizational_unit'],
  ['2.5.4.7', 'location'],
  ['2.5.4.8', 'state'],
  ['2.5.4.6', 'country'],
]);

/** Issuer and subject. The text that OpenSSL makes of them has no certain way back, so they are read from the certificate itself. */
function namesOf(der: Uint8Array): Pick<SslDetails, 'issuer' | 'subject'> {
  // TBSCertificate, RFC 5280 §4.1: an optional [0] version, then serial, signature, issuer, validity, subject.
  const fields = parseDer(der)?.children[0]?.children.filter(({ context }) => context === undefined);
  return { issuer: nameLists(fields?.[2]), subject: nameLists(fields?.[4]) };
}

/** Name ::= SEQUENCE OF SET OF { type, value }, RFC 5280 §4.1.2.4: each set may have several. */
function nameLists(name: Der | undefined): NameLists {
  const lists = structuredClone(NOBODY);
  for (const { children } of (name?.children ?? []).flatMap((rdn) => rdn.children)) {
    const [type, value] = children;
    const attribute = ATTRIBUTES.get(oidOf(type));
    if (!attribute || !value) continue;
    const text = shown(stringOf(value), NAME_MAX_CHARS);
    if (attribute === 'common_name') lists.common_name = text;
    else if (lists[attribute].length < VALUES_MAX) lists[attribute].push(text);
  }
  return lists;
}

const CERTIFICATE_POLICIES = '2.5.29.32';
/** Reserved policies of the CA/Browser Forum's Baseline Requirements §7.1.6.1, the one that asks most of the subject first. */
const TYPES: readonly (readonly [oid: string, type: ValidationType])[] = [
  ['2.23.140.1.1', 'EV'],
  ['2.23.140.1.2.2', 'OV'],
  ['2.23.140.1.2.3', 'IV'],
  ['2.23.140.1.2.1', 'DV'],
];

/** Object identifiers of certificatePolicies ::= SEQUENCE OF { policyIdentifier, … }, RFC 5280 §4.2.1.4. */
export function policiesOf({ extensions }: Pick<Certificate, 'extensions'>): string[] {
  const policies = extensions.get(CERTIFICATE_POLICIES);
  return (policies ? (parseDer(policies)?.children ?? []) : []).map(({ children }) => oidOf(children[0]));
}

export function validationTypeOf(certificate: Pick<Certificate, 'extensions'>): ValidationType {
  const named = new Set(policiesOf(certificate));
  return TYPES.find(([oid]) => named.has(oid))?.[1] ?? 'unknown';
}
