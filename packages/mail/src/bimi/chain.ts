import { X509Certificate } from 'node:crypto';
import { validity } from '@vedette/contract';
import { type Certificate, readCertificate } from '../certificates/index.ts';
import { listing } from '../findings/index.ts';
import { MARK_ROOTS } from './mark-roots.ts';

/** id-kp-BrandIndicatorforMessageIdentification. */
const BIMI_KEY_USAGE = '1.3.6.1.5.5.7.3.31';
const ANY_KEY_USAGE = '2.5.29.37.0';

/** The certificates from the leaf to a trusted root, both included; none with a `fault`, which reads on from "it …". */
export interface MarkChain {
  certificates: readonly Certificate[];
  fault: string;
}

/** The roots that marks are verified up to: those of the mark verifying authorities, and the operator's own (PEM). */
export function markRoots(extra: readonly string[]): readonly Certificate[] {
  let found = stores.get(extra);
  if (!found) {
    found = [...MARK_ROOTS.map(({ pem }) => pem), ...extra].flatMap((pem) => readCertificate(new X509Certificate(pem).raw) ?? []);
    stores.set(extra, found);
  }
  return found;
}

/** Reading the roots costs more than judging a certificate, and the operator's do not change while the process lives. */
const stores = new WeakMap<readonly string[], readonly Certificate[]>();

/**
 * Finds a chain whose signatures, names, purposes and dates hold (RFC 5280 §6.1), and in which nothing critical below the root is
 * unknown (§4.2). Every certificate is visited once, so
 * a bundle of certificates that all sign each other costs no more than any other.
 */
export function buildChain(leaf: Certificate, bundle: readonly Certificate[], roots: readonly Certificate[], now: Date): MarkChain {
  if (!leaf.x509.keyUsage?.includes(BIMI_KEY_USAGE))
    return { certificates: [], fault: 'is not meant for logos (it lacks the extended key usage of BIMI)' };
  if (leaf.unknownCritical.length > 0)
    return { certificates: [], fault: `has a critical extension that is not known: ${listing(leaf.unknownCritical)}` };
  const trusted = new Set(roots.map(({ x509 }) => x509.fingerprint256));
  const visited = new Set([leaf.x509.fingerprint256]);
  const pending: Certificate[][] = [[leaf]];
  let fault = 'does not lead to a mark verifying authority';
  for (let path = pending.shift(); path; path = pending.shift()) {
    const last = path.at(-1)!;
    for (const issuer of [...roots, ...bundle]) {
      const { fingerprint256 } = issuer.x509;
      if (visited.has(fingerprint256) || !signs(issuer, last, path.length - 1)) continue;
      if (!isCurrent(issuer, now)) {
        fault = 'was issued by an authority whose certificate is out of date';
        continue;
      }
      if (trusted.has(fingerprint256)) return { certificates: [...path, issuer], fault: '' };
      if (issuer.unknownCritical.length > 0) {
        fault = `was issued by an authority whose certificate has a critical extension that is not known: ${listing(issuer.unknownCritical)}`;
        continue;
      }
      visited.add(fingerprint256);
      pending.push([...path, issuer]);
    }
  }
  return { certificates: [], fault };
}

/** `below`: CA certificates between the issuer and the leaf. */
function signs({ x509: issuer, publicKey, pathLength }: Certificate, { x509: subject }: Certificate, below: number): boolean {
  if (!issuer.ca || pathLength < below || !subject.checkIssued(issuer)) return false;
  const purposes = issuer.keyUsage ?? [];
  if (purposes.length > 0 && !purposes.includes(BIMI_KEY_USAGE) && !purposes.includes(ANY_KEY_USAGE)) return false;
  return subject.verify(publicKey);
}

export function isCurrent({ x509 }: Certificate, now: Date): boolean {
  const { from, to } = validity(x509);
  return from <= now && now <= to;
}
