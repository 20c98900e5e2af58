import { type KeyObject, X509Certificate } from 'node:crypto';
import { validity } from '@vedette/contract';
import { type Der, isCritical, oidOf, parseDer, stringOf, TAG, tagged } from './der.ts';

/** Attributes of a distinguished name, by object identifier; of several, the last. */
export type DistinguishedName = ReadonlyMap<string, string>;

/** A certificate, and those of its fields that `X509Certificate` gives as text for people or not at all. */
export interface Certificate {
  x509: X509Certificate;
  publicKey: KeyObject;
  subject: DistinguishedName;
  issuer: DistinguishedName;
  /** DER of the subject's name, for comparing. */
  subjectName: Uint8Array;
  /** DER of the public key, with its algorithm (SubjectPublicKeyInfo). */
  spki: Uint8Array;
  /** The public key as bits, without its algorithm: what issuers are recognised by (RFC 6960 §4.1.1). */
  keyBits: Uint8Array;
  /** Serial number as encoded in the certificate, for comparing. */
  serial: Uint8Array;
  /** dNSName entries of subjectAltName, in lower case. */
  names: readonly string[];
  /** How many CA certificates may follow; Infinity where nothing is said. */
  pathLength: number;
  /** URIs of cRLDistributionPoints. */
  crlUrls: readonly string[];
  /** Where OCSP responders answer, of authorityInfoAccess. */
  ocspUrls: readonly string[];
  /** Where the certificate of the issuer is, of authorityInfoAccess. */
  issuerUrls: readonly string[];
  /** The key may sign revocation lists: keyUsage says so, or says nothing. */
  signsLists: boolean;
  /** Contents of an extension, by object identifier. */
  extensions: ReadonlyMap<string, Uint8Array>;
  /** Critical extensions that nothing here processes: a certificate with one does not count (RFC 5280 §4.2). */
  unknownCritical: readonly string[];
}

const SUBJECT_ALT_NAME = '2.5.29.17';
export const KEY_USAGE = '2.5.29.15';
const AUTHORITY_INFO_ACCESS = '1.3.6.1.5.5.7.1.1';
const OCSP = '1.3.6.1.5.5.7.48.1';
const CA_ISSUERS = '1.3.6.1.5.5.7.48.2';
const BASIC_CONSTRAINTS = '2.5.29.19';
const CRL_DISTRIBUTION_POINTS = '2.5.29.31';
/** The pilot for Common Mark Certificates, until 2025: critical, so that receivers who take no part in it refuse the certificate. */
export const PILOT = '1.3.6.1.4.1.53087.4.1';

/** The extensions that this code or OpenSSL processes, as far as they can make a chain invalid. No policy is required. */
const PROCESSED = new Set([
  SUBJECT_ALT_NAME,
  BASIC_CONSTRAINTS,
  CRL_DISTRIBUTION_POINTS,
  PILOT,
  '2.5.29.14', // subjectKeyIdentifier
  KEY_USAGE,
  '2.5.29.32', // certificatePolicies
  '2.5.29.35', // authorityKeyIdentifier
  '2.5.29.37', // extKeyUsage
  '1.3.6.1.5.5.7.1.12', // logotype
]);
const DNS_NAME = 2;
/** Kind of a GeneralName, RFC 5280 §4.2.1.6. */
export const URI = 6;
const NAMES_MAX = 200;

/** Reads a certificate in DER. Undefined when OpenSSL or the reader here cannot. */
export function readCertificate(der: Uint8Array): Certificate | undefined {
  const opened = open(der);
  if (!opened) return undefined;
  const { x509, publicKey } = opened;
  const tbs = parseDer(x509.raw)?.children[0];
  // TBSCertificate, RFC 5280 §4.1: an optional [0] version, then serial, signature, issuer, validity, subject.
  const fields = tbs?.children.filter(({ context }) => context === undefined);
  const [serial, , issuer, , subject, key] = fields ?? [];
  const keyBits = key?.children[1]?.contents.subarray(1); // the first octet counts unused bits
  if (!tbs || !serial || !issuer || !subject || !key || !keyBits) return undefined;
  const listed = tagged(tbs, 3)?.children[0]?.children ?? [];
  const extensions = readExtensions(listed);
  return {
    x509,
    publicKey,
    subject: readName(subject),
    issuer: readName(issuer),
    subjectName: subject.encoded,
    spki: key.encoded,
    keyBits,
    serial: serial.contents,
    names: readNames(extensions.get(SUBJECT_ALT_NAME)),
    pathLength: readPathLength(extensions.get(BASIC_CONSTRAINTS)),
    crlUrls: readCrlUrls(extensions.get(CRL_DISTRIBUTION_POINTS)),
    ocspUrls: readAccess(extensions.get(AUTHORITY_INFO_ACCESS), OCSP),
    issuerUrls: readAccess(extensions.get(AUTHORITY_INFO_ACCESS), CA_ISSUERS),
    signsLists: maySignLists(extensions.get(KEY_USAGE)),
    extensions,
    unknownCritical: listed
      .filter(isCritical)
      .map(({ children }) => oidOf(children[0]))
      .filter((oid) => !PROCESSED.has(oid)),
  };
}

function open(der: Uint8Array): { x509: X509Certificate; publicKey: KeyObject } | undefined {
  try {
    const x509 = new X509Certificate(der);
    const { from, to } = validity(x509);
    const hasDates = !Number.isNaN(from.getTime()) && !Number.isNaN(to.getTime());
    return hasDates ? { x509, publicKey: x509.publicKey } : undefined;
  } catch {
    return undefined; // OpenSSL's word that these bytes are no certificate, or its key none
  }
}

/** Name ::= SEQUENCE OF SET OF { type, value }, RFC 5280 §4.1.2.4. */
function readName({ children }: Der): DistinguishedName {
  const attributes = children.flatMap((rdn) => rdn.children);
  return new Map(attributes.flatMap(({ children: [type, value] }) => (type && value ? [[oidOf(type), stringOf(value)] as const] : [])));
}

/** Extensions ::= SEQUENCE OF { extnID, critical DEFAULT FALSE, extnValue }, RFC 5280 §4.1. */
function readExtensions(list: readonly Der[]): Map<string, Uint8Array> {
  const entries = list.flatMap(({ children }) => {
    const value = children.at(-1);
    return value?.universal === TAG.octetString ? [[oidOf(children[0]), value.contents] as const] : [];
  });
  return new Map(entries);
}

export const generalNames = (names: readonly Der[], kind: number): string[] =>
  names.filter(({ context }) => context === kind).map((name) => stringOf(name));

const readNames = (extension: Uint8Array | undefined): string[] =>
  extension
    ? generalNames(parseDer(extension)?.children ?? [], DNS_NAME)
        .slice(0, NAMES_MAX)
        .map((name) => name.toLowerCase())
    : [];

function readPathLength(extension: Uint8Array | undefined): number {
  const length = extension && parseDer(extension)?.children.find(({ universal }) => universal === TAG.integer);
  return length ? (length.contents[0] ?? 0) : Infinity;
}

/** CRLDistributionPoints ::= SEQUENCE OF { [0] { [0] fullName } … }, RFC 5280 §4.2.1.13. */
function readCrlUrls(extension: Uint8Array | undefined): string[] {
  const points = (extension && parseDer(extension)?.children) ?? [];
  return points.flatMap((point) => {
    const name = tagged(point, 0);
    return generalNames((name && tagged(name, 0)?.children) ?? [], URI);
  });
}

/** AuthorityInfoAccess ::= SEQUENCE OF { accessMethod, accessLocation }, RFC 5280 §4.2.2.1. */
const readAccess = (extension: Uint8Array | undefined, wanted: string): string[] =>
  ((extension && parseDer(extension)?.children) ?? []).flatMap(({ children: [method, ...location] }) =>
    oidOf(method) === wanted ? generalNames(location, URI) : [],
  );

/** KeyUsage ::= BIT STRING, RFC 5280 §4.2.1.3: cRLSign is its bit 6. */
function maySignLists(extension: Uint8Array | undefined): boolean {
  const bits = extension && parseDer(extension)?.contents;
  return bits === undefined || ((bits[1] ?? 0) & 0x02) !== 0;
}

/**
 * Certificates from a leaf up, for revocation: as many as one has signed the next of, since lists are fetched from where they say. Empty
 * where not even the leaf's issuer is there.
 */
export function issuedChain(shown: readonly X509Certificate[]): readonly Certificate[] {
  const chain: Certificate[] = [];
  for (const x509 of shown) {
    const certificate = readCertificate(x509.raw);
    const below = chain.at(-1)?.x509;
    if (!certificate || (below && !(below.checkIssued(x509) && below.verify(certificate.publicKey)))) break;
    chain.push(certificate);
  }
  return chain.length > 1 ? chain : [];
}
