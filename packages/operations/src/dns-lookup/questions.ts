import { type DnsAnswer, type DnsRecordOf, ProbeFailure, recordsOf } from '@vedette/contract';
import { type BudgetedResolver, QueryBudgetExceeded } from '@vedette/intel/dns';
import { DNS_QUESTIONS } from '@vedette/probes/dns';
import type { LookupStatus } from './schema.ts';
import type { AskedType } from './types.ts';

/** What one type's question brought. */
export interface Lookup {
  type: AskedType;
  /** The name asked, such as `_dmarc.example.org`. */
  name: string;
  status: LookupStatus;
  /** Of the type asked; a CNAME's target may own them. */
  answer: DnsAnswer | undefined;
}

// Signed data about delegations: a validating resolver must hand it out even where the zone is broken.
const UNVALIDATED: readonly AskedType[] = ['DNSKEY', 'DS'];

/** Asks one type and says what became of it. Rejects only with the signal's reason. */
export async function lookUpType(
  host: string,
  type: AskedType,
  { resolver, signatures, signal }: { resolver: BudgetedResolver; signatures: boolean; signal: AbortSignal },
): Promise<Lookup> {
  const question = DNS_QUESTIONS[type];
  const name = question.prefix + host;
  const bare = UNVALIDATED.includes(type);
  try {
    const options = { fresh: true, dnssec: signatures || bare, checkingDisabled: bare, signal };
    const answer = await resolver.query(name, question.type, options);
    return { type, name, status: statusOf(answer, question.type), answer };
  } catch (error) {
    signal.throwIfAborted();
    return { type, name, status: failureStatus(error), answer: undefined };
  }
}

const STATUS_BY_RCODE: Record<string, LookupStatus> = { NXDOMAIN: 'nxdomain', SERVFAIL: 'servfail', REFUSED: 'refused' };

function statusOf(answer: DnsAnswer, type: (typeof DNS_QUESTIONS)[AskedType]['type']): LookupStatus {
  if (answer.rcode !== 'NOERROR') return STATUS_BY_RCODE[answer.rcode] ?? 'failed';
  return recordsOf(answer, type).length > 0 ? 'noerror' : 'nodata';
}

function failureStatus(error: unknown): LookupStatus {
  if (error instanceof QueryBudgetExceeded) return 'timeout'; // there are fewer types than the budget has questions, so time ran out
  if (!(error instanceof ProbeFailure)) throw error;
  if (error.code === 'dns_timeout') return 'timeout';
  return error.code === 'dns_nxdomain' ? 'nxdomain' : 'failed'; // a name too long for the DNS; an unreadable answer
}

/** The signatures over the types that were asked. */
export const signaturesOf = (lookups: readonly Lookup[]): DnsRecordOf<'RRSIG'>[] =>
  lookups.flatMap(({ type, answer }) =>
    answer ? recordsOf(answer, 'RRSIG').filter(({ data }) => data.typeCovered === DNS_QUESTIONS[type].type) : [],
  );
