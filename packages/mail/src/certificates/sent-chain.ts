import type { X509Certificate } from 'node:crypto';

/** Faults of a list of certificates as a server sends it, its own first (RFC 8446 §4.4.2). They do not make it invalid. */
export interface SentFaults {
  /** Certificates that no path from the first one leads to, and those that were sent twice. */
  surplus: X509Certificate[];
  /** A certificate stands before the one that it issued. */
  isMisordered: boolean;
  /** Self-signed ones behind the first: clients have them or do not trust them. */
  roots: X509Certificate[];
}

/** Judges the order and completeness of what was sent; alternative paths (cross-signed certificates) are not surplus. */
export function judgeSent(sent: readonly X509Certificate[]): SentFaults {
  const [leaf, ...rest] = sent;
  if (!leaf) return { surplus: [], isMisordered: false, roots: [] };
  const known = new Set([leaf.fingerprint256]);
  const twice: X509Certificate[] = [];
  const others: X509Certificate[] = [];
  for (const certificate of rest) {
    if (known.has(certificate.fingerprint256)) twice.push(certificate);
    else others.push(certificate);
    known.add(certificate.fingerprint256);
  }
  const useful = new Set([leaf]);
  for (const below of useful) for (const certificate of others) if (isIssuer(certificate, below)) useful.add(certificate);
  const ordered = [leaf, ...others].filter((certificate) => useful.has(certificate));
  const isMisordered = ordered.some((certificate, i) => i > 0 && !ordered.slice(0, i).some((below) => isIssuer(certificate, below)));
  return {
    surplus: [...others.filter((certificate) => !useful.has(certificate)), ...twice],
    isMisordered,
    roots: others.filter((certificate) => useful.has(certificate) && isIssuer(certificate, certificate)),
  };
}

const isIssuer = (issuer: X509Certificate, below: X509Certificate): boolean => below.checkIssued(issuer);
