import { type DnsRecordOf, failure, isSpecialUseName, ProbeFailure, type RecordType, recordsOf, type Resolver } from '@vedette/contract';
import { QueryBudgetExceeded } from './query-budget.ts';

/** What every judge of published policies works with. */
export interface DnsPorts {
  resolver: Resolver;
  signal: AbortSignal;
}

/**
 * What a question brought. The states are never confused: `nodata` and `nxdomain` say the record is not there (void
 * look-ups, RFC 7208 §4.6.4), `failed` says that nobody knows.
 */
export interface Lookup<T extends RecordType> {
  state: 'found' | 'nodata' | 'nxdomain' | 'failed';
  records: DnsRecordOf<T>[];
  /** Where the asked name points to, if it is an alias. */
  cname: string;
  /** Which question failed and why; empty unless `failed`. */
  error: string;
}

/** Asks, and turns every failure of the DNS into data. Special-use names do not exist. Rejects only with the signal's reason. */
export async function lookUp<T extends RecordType>({ resolver, signal }: DnsPorts, name: string, type: T): Promise<Lookup<T>> {
  const absent: Lookup<T> = { state: 'nxdomain', records: [], cname: '', error: '' };
  const failed = (error: string): Lookup<T> => ({ ...absent, state: 'failed', error: `${name} ${type}: ${error}` });
  // A stranger's record must not make us ask for inner names, nor show what they resolve to.
  if (isSpecialUseName(name)) return absent;
  try {
    const answer = await resolver.query(name, type, { signal });
    const records = recordsOf(answer, type);
    const cname = recordsOf(answer, 'CNAME').find((record) => record.name.toLowerCase() === name.toLowerCase())?.data ?? '';
    if (answer.rcode === 'NXDOMAIN') return { ...absent, cname };
    if (answer.rcode !== 'NOERROR') return failed(failure('dns_servfail', answer.rcode).error);
    return { state: records.length > 0 ? 'found' : 'nodata', records, cname, error: '' };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProbeFailure && error.code === 'dns_nxdomain') return absent; // not a name that the DNS can hold
    if (error instanceof ProbeFailure || error instanceof QueryBudgetExceeded) return failed(error.message);
    throw error;
  }
}

/** A TXT record's character-strings, joined without a space (RFC 7208 §3.3, RFC 6376 §3.6.2.2). Not UTF-8 is read as Latin-1. */
export function textOf({ data }: DnsRecordOf<'TXT'>): string {
  const bytes = Buffer.concat(data);
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}
