import { type KeyObject, X509Certificate } from 'node:crypto';
import { type Der, oidOf, parseDer, stringOf, TAG, tagged } from './der.ts';

/** Attributes of a distinguished name, by object identifier; of several, the last. */
export type DistinguishedName = ReadonlyMap<string, string>;

/** A certificate, and those of its fields that `X509Certificate` gives as text for people or not at all. */
export interface Certificate {
  x509: X509Certificate;
  publicKey: KeyObject;
  subject: DistinguishedName;
  issuer: DistinguishedName;
  /** DER of the issuer's name, for comparing. */
  issuerName: Uint8Array;
  /** Serial number as encoded in the certificate, for comparing. */
  serial: Uint8Array;
  /** dNSName entries of subjectAltName, in lower case. */
  names: readonly string[];
  /** How many CA certificates may follow; Infinity where nothing is said. */
  pathLength: number;
  /** URIs of cRLDistributionPoints. */
  crlUrls: readonly string[];
  /** Contents of an extension, by object identifier. */
  extensions: ReadonlyMap<string, Uint8Array>;
}

const SUBJECT_ALT_NAME = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const CRL_DISTRIBUTION_POINTS = '2.5.29.31';
const DNS_NAME = 2;
const URI = 6;
const NAMES_MAX = 200;

/** Reads a certificate in DER. Undefined when OpenSSL or the reader here cannot. */
export function readCertificate(der: Uint8Array): Certificate | undefined {
  const opened = open(der);
  if (!opened) return undefined;
  const { x509, publicKey } = opened;
  const tbs = parseDer(x509.raw)?.children[0];
  // TBSCertificate, RFC 5280 §4.1: an optional [0] version, then serial, signature, issuer, validity, subject.
  const fields = tbs?.children.filter(({ context }) => context === undefined);
  const [serial, , issuer, , subject] = fields ?? [];
  if (!tbs || !serial || !issuer || !subject) return undefined;
  const extensions = readExtensions(tagged(tbs, 3)?.children[0]);
  return {
    x509,
    publicKey,
    subject: readName(subject),
    issuer: readName(issuer),
    issuerName: issuer.encoded,
    serial: serial.contents,
    names: readNames(extensions.get(SUBJECT_ALT_NAME)),
    pathLength: readPathLength(extensions.get(BASIC_CONSTRAINTS)),
    crlUrls: readCrlUrls(extensions.get(CRL_DISTRIBUTION_POINTS)),
    extensions,
  };
}

function open(der: Uint8Array): { x509: X509Certificate; publicKey: KeyObject } | undefined {
  try {
    const x509 = new X509Certificate(der);
    const hasDates = !Number.isNaN(x509.validFromDate.getTime()) && !Number.isNaN(x509.validToDate.getTime());
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
function readExtensions(list: Der | undefined): Map<string, Uint8Array> {
  const entries = (list?.children ?? []).flatMap(({ children }) => {
    const value = children.at(-1);
    return value?.universal === TAG.octetString ? [[oidOf(children[0]), value.contents] as const] : [];
  });
  return new Map(entries);
}

const generalNames = (names: readonly Der[], kind: number): string[] =>
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
