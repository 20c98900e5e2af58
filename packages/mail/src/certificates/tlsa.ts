import { createHash, type X509Certificate } from 'node:crypto';

/** A TLSA record (RFC 6698 §2). */
export interface Tlsa {
  usage: number;
  selector: number;
  matchingType: number;
  certificate: Uint8Array;
}

/** The certificates that records are held against. */
export interface DaneChain {
  /** The server's own, and those that it sent with it. */
  sent: readonly X509Certificate[];
  /** Certificates up to a trusted root. */
  path: readonly X509Certificate[];
  /** The path is trusted, current and for the host. */
  valid: boolean;
}

/** Usages, by number. */
const USAGES = ['PKIX-TA', 'PKIX-EE', 'DANE-TA', 'DANE-EE'] as const;
const HASHES: Readonly<Record<number, string>> = { 1: 'sha256', 2: 'sha512' };
const HASH_OCTETS: Readonly<Record<number, number>> = { 1: 32, 2: 64 };

/** Whether a client can do anything with the record: others are as if they were not there (RFC 6698 §4.1). */
export const isUsable = ({ usage, selector, matchingType, certificate }: Tlsa): boolean =>
  usage < USAGES.length && selector <= 1 && matchingType <= 2 && certificate.length === (HASH_OCTETS[matchingType] ?? certificate.length);

/** Whether the server's certificates are as the record says. A trust anchor that is not a well-known root has to be sent (RFC 7671 §5.2). */
export function matchesTlsa(record: Tlsa, { sent, path, valid }: DaneChain): boolean {
  const [leaf] = sent;
  if (!isUsable(record) || !leaf) return false;
  const among = { 'PKIX-TA': path.slice(1), 'PKIX-EE': [leaf], 'DANE-TA': signersOf(leaf, sent.slice(1, SIGNERS_MAX)), 'DANE-EE': [leaf] }[
    USAGES[record.usage]!
  ];
  const isJudged = record.usage > 1 || valid;
  return isJudged && among.some((certificate) => isNamed(record, certificate));
}

/** A chain is four certificates long at most in practice, and each is tried with each. */
const SIGNERS_MAX = 12;

/** The certificates that signed the first one, and those that signed these. */
function signersOf(leaf: X509Certificate, others: readonly X509Certificate[]): X509Certificate[] {
  const path = new Set([leaf]);
  for (const below of path) for (const other of others) if (isSignedBy(below, other)) path.add(other);
  path.delete(leaf);
  return [...path];
}

function isSignedBy(below: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return below.checkIssued(issuer) && below.verify(issuer.publicKey);
  } catch {
    return false; // a key that OpenSSL cannot read
  }
}

function isNamed({ selector, matchingType, certificate }: Tlsa, x509: X509Certificate): boolean {
  const octets = selector === 0 ? x509.raw : spkiOf(x509);
  const hash = HASHES[matchingType];
  return Buffer.from(certificate).equals(hash === undefined ? octets : createHash(hash).update(octets).digest());
}

/** SubjectPublicKeyInfo in DER; empty for a key that OpenSSL cannot read. */
export function spkiOf(x509: X509Certificate): Buffer {
  try {
    return x509.publicKey.export({ type: 'spki', format: 'der' });
  } catch {
    return Buffer.alloc(0);
  }
}
