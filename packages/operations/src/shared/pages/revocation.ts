import { ProbeFailure, validity, within } from '@vedette/contract';
import type { CentralContext } from '../../kit/index.ts';
import {
  type Certificate,
  CRL_MAX_BYTES,
  judgeOcsp,
  judgeByList,
  OCSP_MAX_BYTES,
  ocspUrl,
  readCrl,
  type RevocationVerdict,
} from '@vedette/mail/certificates';
import { download } from './download.ts';

/** Empty: there was nothing to look up. */
export const REVOCATION_STATES = ['good', 'revoked', 'unknown', ''] as const;

export interface Revocation {
  state: (typeof REVOCATION_STATES)[number];
  /** The source of the status of the leaf, or of the revoked certificate: a stapled response, a list, a responder; empty without a source. */
  by: 'staple' | 'crl' | 'ocsp' | '';
  /** Why the status is unknown, or good without a question. */
  error: string;
}

export interface RevocationOptions {
  /** The OCSP response that came with the leaf, DER. */
  stapled?: Uint8Array | undefined;
  /** Time for all that is asked about one certificate. */
  total_ms?: number;
}

const TOTAL_MS = 2_000;
/** Certificates of a chain, and lists and responders of each, that are asked for. */
const CHECKED_MAX = 3;
const LISTS_MAX = 2;
const RESPONDERS_MAX = 1;
/** A certificate that is valid for more than ten days has to say where its revocation is told (CA/Browser Forum, Baseline Requirements §1.6.1). */
const SHORT_LIVED_MS = 10 * 24 * 60 * 60_000;

/**
 * Asks whether certificates of a verified chain were revoked: what the server stapled, else the lists of their issuers, else their
 * responders. Only a verified chain qualifies: otherwise any server could make us fetch any address. Everything is signed, so plain http
 * will do.
 */
export async function checkRevocation(
  chain: readonly Certificate[],
  context: CentralContext,
  { stapled, total_ms = TOTAL_MS }: RevocationOptions = {},
): Promise<Revocation> {
  const issued = chain.slice(0, -1).slice(0, CHECKED_MAX);
  if (issued.length === 0) return { state: '', by: '', error: '' };
  const found = await Promise.all(
    issued.map((certificate, i) =>
      checkOne({ certificate, issuer: chain[i + 1]!, stapled: i === 0 ? stapled : undefined }, total_ms, context),
    ),
  );
  return found.find(({ state }) => state === 'revoked') ?? found.find(({ state }) => state === 'unknown') ?? found[0]!;
}

interface Issued {
  certificate: Certificate;
  issuer: Certificate;
  stapled: Uint8Array | undefined;
}

async function checkOne({ certificate, issuer, stapled }: Issued, total_ms: number, context: CentralContext): Promise<Revocation> {
  const lists = certificate.crlUrls.slice(0, LISTS_MAX);
  const responders = certificate.ocspUrls.slice(0, RESPONDERS_MAX);
  const sources = [
    ...(stapled
      ? [{ by: 'staple' as const, what: 'The stapled OCSP response', ask: () => judgeOcsp(stapled, certificate, issuer, context.today()) }]
      : []),
    ...lists.map((url) => ({
      by: 'crl' as const,
      what: `The revocation list at ${url}`,
      ask: () => askList(url, certificate, issuer, each_ms, context),
    })),
    ...responders.map((url) => ({
      by: 'ocsp' as const,
      what: `The OCSP responder at ${url}`,
      ask: () => askResponder(url, certificate, issuer, each_ms, context),
    })),
  ];
  const each_ms = total_ms / Math.max(1, lists.length + responders.length);
  let error = 'The certificate names neither a revocation list nor an OCSP responder';
  for (const { by, what, ask } of sources) {
    const verdict = await ask();
    if (verdict.state !== 'unknown') return { state: verdict.state, by, error: '' };
    error = `${what} tells nothing: ${verdict.why}`;
  }
  if (lists.length + responders.length === 0 && isShortLived(certificate))
    return { state: 'good', by: '', error: 'The certificate is valid for so few days that it is never revoked' };
  return { state: 'unknown', by: '', error };
}

function isShortLived({ x509 }: Certificate): boolean {
  const { from, to } = validity(x509);
  return to.getTime() - from.getTime() <= SHORT_LIVED_MS;
}

async function askList(
  url: string,
  certificate: Certificate,
  issuer: Certificate,
  ms: number,
  context: CentralContext,
): Promise<RevocationVerdict> {
  const today = context.today();
  const { clock, signal, issuers } = context;
  const key = `${url} ${issuer.x509.fingerprint256}`;
  const known = issuers.lists.get(key);
  if (known && known.until > today) return judgeByList(known.list, certificate, today);
  const late = () => new ProbeFailure('http_timeout', 'other lists were in its way');
  const file = await within(clock, ms, signal, late, (limited) =>
    issuers.slots.run(limited, () => fetched(url, CRL_MAX_BYTES, ms, { ...context, signal: limited })),
  ).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof ProbeFailure)) throw error;
    return { error: error.message, body: new Uint8Array() };
  });
  if (file.error !== '') return { state: 'unknown', why: file.error };
  const list = await readCrl(file.body, issuer);
  if (typeof list === 'string') return { state: 'unknown', why: list };
  if (list.nextUpdate) issuers.lists.set(key, { list, until: sooner(list.nextUpdate, today) });
  return judgeByList(list, certificate, today);
}

async function askResponder(
  responder: string,
  certificate: Certificate,
  issuer: Certificate,
  ms: number,
  context: CentralContext,
): Promise<RevocationVerdict> {
  const today = context.today();
  const { issuers } = context;
  const key = ocspUrl(responder, certificate, issuer);
  const known = issuers.responses.get(key);
  if (known && known.until > today) return known.verdict;
  const file = await fetched(key, OCSP_MAX_BYTES, ms, context);
  if (file.error !== '') return { state: 'unknown', why: file.error };
  const { until, ...verdict } = await judgeOcsp(file.body, certificate, issuer, today);
  if (until) issuers.responses.set(key, { verdict, until: sooner(until, today) });
  return verdict;
}

const fetched = (url: string, maxBytes: number, timeout_ms: number, context: CentralContext) =>
  download({ url, maxBytes, timeout_ms, schemes: ['http:', 'https:'], isOptedOut: context.isOptedOut }, context);

/** Answers are valid for days, but new revocations must be noticed sooner. */
const KEPT_MAX_MS = 60 * 60_000;

const sooner = (until: Date, now: Date): Date => new Date(Math.min(until.getTime(), now.getTime() + KEPT_MAX_MS));
