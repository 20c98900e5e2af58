import { createHash, type KeyObject, verify } from 'node:crypto';
import type { Certificate } from './certificate.ts';
import { encodeDer, oidOf, parseDer, TAG, tagged } from './der.ts';

/** A promise of a log to list the certificate (RFC 6962 §3.2). */
export interface Sct {
  /** SHA-256 of the log's key. */
  logId: Buffer;
  timestamp: Date;
  /** Everything that the signature covers and that is not of the certificate. */
  head: Buffer;
  extensions: Buffer;
  /** SignatureAndHashAlgorithm (RFC 5246 §7.4.1.4.1). */
  algorithm: number;
  signature: Buffer;
}

/** The octets of a certificate that a log signs: its entry without the time (RFC 6962 §3.1). */
export type LogEntry = Buffer;

const SCT_LIST = '1.3.6.1.4.1.11129.2.4.2';
/** The certificate is what an authority shows logs before it issues the real one (RFC 6962 §3.1). */
const POISON = '1.3.6.1.4.1.11129.2.4.3';
const SCTS_MAX = 16;
/** Version, log, time. */
const FIXED_OCTETS = 41;
const V1 = 0;
const X509_ENTRY = 0;
const PRECERT_ENTRY = 1;
const CERTIFICATE_TIMESTAMP = 0;
/** The two pairs that RFC 6962 §2.1.4 allows: SHA-256 with RSA, and with ECDSA. */
const ALGORITHMS: Readonly<Record<number, string>> = { 0x0401: 'rsa', 0x0403: 'ec' };
/** A clock of ours that is slow by less accuses no log. */
const SKEW_MS = 24 * 60 * 60_000;
const EXTENSIONS = 3;
const EXTENSIONS_TAG = 0xa3;
const SEQUENCE = 0x30;

export const isPrecertificate = ({ extensions }: Pick<Certificate, 'extensions'>): boolean => extensions.has(POISON);

/** The SCTs in a certificate. Undefined for a malformed list. */
export function sctsOf({ extensions }: Pick<Certificate, 'extensions'>): Sct[] | undefined {
  const extension = extensions.get(SCT_LIST);
  if (!extension) return [];
  const value = parseDer(extension);
  return value?.universal === TAG.octetString ? readSctList(value.contents) : undefined;
}

/** The first 16 SCTs of a list, without those of versions to come. Undefined for a malformed list. */
export function readSctList(octets: Uint8Array): Sct[] | undefined {
  const list = Buffer.from(octets);
  if (list.length < 2 || list.readUInt16BE(0) !== list.length - 2) return undefined;
  const scts: Sct[] = [];
  for (let at = 2; at < list.length && scts.length < SCTS_MAX;) {
    if (at + 2 > list.length) return undefined;
    const end = at + 2 + list.readUInt16BE(at);
    if (end > list.length || end === at + 2) return undefined;
    if (list[at + 2] === V1) {
      const sct = readSct(list.subarray(at + 2, end));
      if (!sct) return undefined;
      scts.push(sct);
    }
    at = end;
  }
  return scts;
}

function readSct(octets: Buffer): Sct | undefined {
  if (octets.length < FIXED_OCTETS + 2) return undefined;
  const extensionsEnd = FIXED_OCTETS + 2 + octets.readUInt16BE(FIXED_OCTETS);
  if (octets.length < extensionsEnd + 4) return undefined;
  const signatureEnd = extensionsEnd + 4 + octets.readUInt16BE(extensionsEnd + 2);
  if (octets.length !== signatureEnd) return undefined;
  return {
    logId: octets.subarray(1, 33),
    timestamp: new Date(Number(octets.readBigUInt64BE(33))),
    head: Buffer.concat([Buffer.of(V1, CERTIFICATE_TIMESTAMP), octets.subarray(33, FIXED_OCTETS)]),
    extensions: octets.subarray(FIXED_OCTETS, extensionsEnd),
    algorithm: octets.readUInt16BE(extensionsEnd),
    signature: octets.subarray(extensionsEnd + 4),
  };
}

/** The entry of SCTs that come beside a certificate: by TLS, or in an OCSP response. */
export const certificateEntry = ({ x509 }: Pick<Certificate, 'x509'>): LogEntry => Buffer.concat([u16(X509_ENTRY), vector24(x509.raw)]);

/** The entry of SCTs in a certificate: what its issuer showed logs before. Undefined for a certificate without extensions. */
export function precertificateEntry({ x509 }: Pick<Certificate, 'x509'>, issuer: Pick<Certificate, 'spki'>): LogEntry | undefined {
  const tbs = parseDer(x509.raw)?.children[0];
  const extensions = tbs && tagged(tbs, EXTENSIONS)?.children[0];
  if (!extensions) return undefined;
  const kept = extensions.children.filter(({ children: [oid] }) => oidOf(oid) !== SCT_LIST).map(({ encoded }) => encoded);
  const fields = tbs.children.map((field) =>
    field.context === EXTENSIONS ? encodeDer(EXTENSIONS_TAG, encodeDer(SEQUENCE, ...kept)) : field.encoded,
  );
  const issuerKeyHash = createHash('sha256').update(issuer.spki).digest();
  return Buffer.concat([u16(PRECERT_ENTRY), issuerKeyHash, vector24(encodeDer(SEQUENCE, ...fields))]);
}

/** Reason why a promise does not hold; empty if it does. */
export function sctFault({ head, extensions, algorithm, signature, timestamp }: Sct, entry: LogEntry, key: KeyObject, now: Date): string {
  if (ALGORITHMS[algorithm] !== key.asymmetricKeyType) return 'it is not signed as its log signs';
  if (!verify('sha256', Buffer.concat([head, entry, extensions]), key, signature)) return 'its signature does not verify';
  return timestamp.getTime() <= now.getTime() + SKEW_MS ? '' : 'its time is in the future';
}

const u16 = (value: number): Buffer => Buffer.of(value >> 8, value & 0xff);
const vector24 = (octets: Uint8Array): Buffer => Buffer.concat([Buffer.of(octets.length >> 16), u16(octets.length & 0xffff), octets]);
