import { type BudgetedResolver, type DnsAnswer, type DnsRecordOf, isAnswer, recordsOf, type Unanswered } from '@vedette/contract';
import { DNS_QUESTIONS, questionName } from '@vedette/probes/dns';
import type { LookupStatus } from './schema.ts';
import type { AskedType } from './types.ts';

/** The result of one type's question. */
export interface TypeAnswer {
  type: AskedType;
  /** The name asked, such as `_dmarc.example.org`. */
  name: string;
  status: LookupStatus;
  /** Answer with the records of the type asked; a CNAME's target may own them. */
  answer: DnsAnswer | undefined;
}

// Signed data about delegations: a validating resolver must hand it out even where the zone is broken.
const UNVALIDATED: readonly AskedType[] = ['DNSKEY', 'DS'];

/** Asks one type and says what became of it. Rejects with the signal's reason, and with the gate's `ApiError`. */
export async function askType(
  host: string,
  type: AskedType,
  { resolver, signatures, signal }: { resolver: BudgetedResolver; signatures: boolean; signal: AbortSignal },
): Promise<TypeAnswer> {
  const question = DNS_QUESTIONS[type];
  const name = questionName(question, host);
  const bare = UNVALIDATED.includes(type);
  const response = await resolver.ask(name, question.type, { fresh: true, dnssec: signatures || bare, checkingDisabled: bare, signal });
  if (!isAnswer(response)) return { type, name, status: failureStatus(response), answer: undefined };
  return { type, name, status: statusOf(response, question.type), answer: response };
}

const STATUS_BY_RCODE: Record<string, LookupStatus> = { NXDOMAIN: 'nxdomain', SERVFAIL: 'servfail', REFUSED: 'refused' };

function statusOf(answer: DnsAnswer, type: (typeof DNS_QUESTIONS)[AskedType]['type']): LookupStatus {
  if (answer.rcode !== 'NOERROR') return STATUS_BY_RCODE[answer.rcode] ?? 'failed';
  return recordsOf(answer, type).length > 0 ? 'noerror' : 'nodata';
}

function failureStatus({ code }: Unanswered): LookupStatus {
  // There are fewer types than the budget has questions, so where that is spent it is the time.
  if (code === 'dns_timeout' || code === 'budget_spent') return 'timeout';
  return code === 'dns_nxdomain' ? 'nxdomain' : 'failed'; // a name too long for the DNS; an unreadable answer
}

/** The signatures over the types that were asked. */
export const signaturesOf = (lookups: readonly TypeAnswer[]): DnsRecordOf<'RRSIG'>[] =>
  lookups.flatMap(({ type, answer }) =>
    answer ? recordsOf(answer, 'RRSIG').filter(({ data }) => data.typeCovered === DNS_QUESTIONS[type].type) : [],
  );
