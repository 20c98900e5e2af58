import { type BudgetedResolver, lookUp, type ParsedHost } from '@vedette/contract';
import { type DaneChain, isUsable, matchesTlsa, type Tlsa } from '@vedette/mail/certificates';
import { validate } from '@vedette/mail/dnssec';
import type { CentralContext } from '../kit/index.ts';

/** `none`: no usable record is published. `not_signed`: records are, which clients ignore, as DNSSEC does not protect them. */
export const DANE_STATES = ['valid', 'mismatch', 'none', 'not_signed', 'bogus', 'unknown'] as const;

/** Records of a port, before they are held against certificates. */
export interface TlsaRecords {
  state: 'signed' | Exclude<(typeof DANE_STATES)[number], 'valid' | 'mismatch'>;
  records: readonly Tlsa[];
  /** Reason why the state is not_signed, bogus or unknown. */
  error: string;
}

export const DANE_QUESTIONS = 61;
const DANE_MS = 6_000;
const RECORDS_MAX = 20;

/** Looks for TLSA records of a port and validates them from the root's trust anchors down (RFC 6698, RFC 7671). */
export async function readTlsa({ kind, host }: ParsedHost, port: number, context: CentralContext): Promise<TlsaRecords> {
  if (kind !== 'name') return { state: 'none', records: [], error: '' };
  using resolver: BudgetedResolver = context.resolver.share({ questions: DANE_QUESTIONS, ms: DANE_MS });
  const { signal, trustAnchors: anchors } = context;
  const name = `_${port}._tcp.${host}`;
  const found = await lookUp({ resolver, signal }, name, 'TLSA');
  if (found.state === 'failed') return { state: 'unknown', records: [], error: found.error };
  const records = found.records.slice(0, RECORDS_MAX).map(({ data }) => data);
  if (records.length === 0) return { state: 'none', records, error: '' };
  const now = Math.floor(context.today().getTime() / 1_000);
  const { verdict } = await validate(name, 'TLSA', { resolver, anchors, now, signal });
  switch (verdict.status) {
    case 'secure':
      return { state: records.some(isUsable) ? 'signed' : 'none', records, error: '' };
    case 'insecure':
      return { state: 'not_signed', records, error: verdict.reason };
    case 'bogus':
      return { state: 'bogus', records, error: verdict.reason };
    case 'indeterminate':
      return { state: 'unknown', records, error: verdict.reason };
  }
}

/** Holds the records against the certificates of the server; without one the state of signed records is unknown. */
export function judgeDane({ state, records, error }: TlsaRecords, chain: DaneChain | undefined) {
  const matches = records.map((record) => chain !== undefined && matchesTlsa(record, chain));
  const judged =
    state !== 'signed' ? state : !chain ? ('unknown' as const) : matches.includes(true) ? ('valid' as const) : ('mismatch' as const);
  return {
    state: judged,
    error: state === 'signed' && !chain ? 'the server showed no certificate' : error,
    records: records.map(({ usage, selector, matchingType, certificate }, i) => ({
      usage,
      selector,
      matching_type: matchingType,
      data: Buffer.from(certificate).toString('hex'),
      matches: matches[i]!,
    })),
  };
}
