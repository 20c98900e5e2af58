import { type BudgetedResolver, isAnswer, type Unanswered } from '../ports/ports.ts';
import { failure } from '../words/reasons.ts';
import { type DnsAnswer, type DnsRecordOf, recordsOf, type RecordType } from './dns.ts';
import { isSpecialUseName } from './protected-names.ts';

/** The look-ups that every judge of published policies works with. */
export interface DnsPorts {
  resolver: BudgetedResolver;
  signal: AbortSignal;
}

/**
 * The result of a question. The states are never confused: `nodata` and `nxdomain` say that the record does not exist (void look-ups, RFC
 * 7208 §4.6.4); `failed` says that no answer came.
 */
export interface Lookup<T extends RecordType> {
  state: 'found' | 'nodata' | 'nxdomain' | 'failed';
  records: DnsRecordOf<T>[];
  /** Where the asked name points to, if it is an alias. */
  cname: string;
  /** The failed question and the reason; empty unless `failed`. */
  error: string;
  /** `failed` by our doing: the request may ask no more, or not for such a name. Receivers may well have an answer. */
  isOurs: boolean;
}

/**
 * Asks, and turns every failure of the DNS into data. Names that the DNS cannot hold do not exist, nor do names of special use, which the
 * resolver refuses to ask for (RFC 6761). For other names that it refuses, and for aliases of any, the result is `failed`. Rejects with the
 * signal's reason, and with the gate's `ApiError`.
 */
export const lookUp = async <T extends RecordType>({ resolver, signal }: DnsPorts, name: string, type: T): Promise<Lookup<T>> =>
  readLookup(await resolver.ask(name, type, { signal }), name, type);

/** The same, of what was asked already. */
export function readLookup<T extends RecordType>(response: DnsAnswer | Unanswered, name: string, type: T): Lookup<T> {
  const absent: Lookup<T> = { state: 'nxdomain', records: [], cname: '', error: '', isOurs: false };
  const failed = (error: string, ours = false): Lookup<T> => ({
    ...absent,
    state: 'failed',
    error: `${name} ${type}: ${error}`,
    isOurs: ours,
  });
  if (!isAnswer(response)) return isAbsence(response, name) ? absent : failed(response.error, isOurs(response));
  const records = recordsOf(response, type);
  const cname = recordsOf(response, 'CNAME').find((record) => record.name.toLowerCase() === name.toLowerCase())?.data ?? '';
  if (response.rcode === 'NXDOMAIN') return { ...absent, cname };
  if (response.rcode !== 'NOERROR') return failed(failure('dns_servfail', response.rcode).error);
  return { state: records.length > 0 ? 'found' : 'nodata', records, cname, error: '', isOurs: false };
}

const isAbsence = ({ code }: Unanswered, name: string): boolean =>
  code === 'dns_nxdomain' || (code === 'blocked_policy' && isSpecialUseName(name));

/** Whether a question has no answer by our doing: what we refuse to ask, and what the request may not ask any more. */
export const isOurs = ({ code }: Unanswered): boolean => code === 'budget_spent' || code === 'blocked_policy';
