import type { CentralContext } from '@vedette/contract';
import { type Certificate, CRL_MAX_BYTES, type CrlVerdict, judgeCrl } from '@vedette/intel/certificates';
import { download } from './download.ts';

/** Empty: there was nothing to look up. */
export const REVOCATION_STATES = ['good', 'revoked', 'unknown', ''] as const;

export interface Revocation {
  state: (typeof REVOCATION_STATES)[number];
  /** Why it is unknown. */
  error: string;
}

const CRL_MS = 2_000;
/** Certificates of a chain, and lists of each, that are asked for. */
const CHECKED_MAX = 3;
const LISTS_MAX = 2;

/**
 * Looks the certificates of a verified chain up in the lists of their issuers. Only such a chain is worth it: otherwise
 * anybody could have us fetch any address. Lists are signed, so plain http will do.
 */
export async function checkRevocation(chain: readonly Certificate[], context: CentralContext): Promise<Revocation> {
  const issued = chain.slice(0, -1).slice(0, CHECKED_MAX);
  if (issued.length === 0) return { state: '', error: '' };
  const verdicts = await Promise.all(issued.map((certificate, i) => findInLists(certificate, chain[i + 1]!, context)));
  if (verdicts.some(({ state }) => state === 'revoked')) return { state: 'revoked', error: '' };
  const unknown = verdicts.find((verdict) => verdict.state === 'unknown');
  return unknown ? { state: 'unknown', error: unknown.why } : { state: 'good', error: '' };
}

async function findInLists(certificate: Certificate, issuer: Certificate, context: CentralContext): Promise<CrlVerdict> {
  let verdict: CrlVerdict = { state: 'unknown', why: 'The certificate names no revocation list' };
  for (const url of certificate.crlUrls.slice(0, LISTS_MAX)) {
    const list = await download({ url, maxBytes: CRL_MAX_BYTES, timeout_ms: CRL_MS / LISTS_MAX, schemes: ['http:', 'https:'] }, context);
    verdict = list.error === '' ? judgeCrl(list.body, certificate, issuer, context.today()) : { state: 'unknown', why: list.error };
    if (verdict.state !== 'unknown') return verdict;
    verdict = { state: 'unknown', why: `The revocation list at ${url} tells nothing: ${verdict.why}` };
  }
  return verdict;
}
