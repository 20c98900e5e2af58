import { type DnsPorts, lookUp } from '@vedette/contract';
import { textOf } from '../txt/index.ts';
import { isTargetName } from './macro.ts';
import { isSpfRecord, looksLikeSpf, parseSpfRecord, type SpfRecord } from './record.ts';

/** The SPF records of a domain. More than one record is a permerror (RFC 7208 §4.5). */
export interface SpfPolicy {
  domain: string;
  records: readonly SpfRecord[];
  /** TXT records that receivers do not read as SPF, though they were meant so. */
  lookalikes: readonly string[];
  /** Why the DNS did not answer; empty when it did. */
  error: string;
}

/**
 * Terms that are read of all domains together. The longest record, 64 KB of addresses, has half as many; 24 of 30,000 terms each would keep a
 * gateway busy.
 */
const TERMS_MAX = 10_000;

/** Gives a domain's policy; each domain is asked and parsed once. */
export type SpfSource = (domain: string) => Promise<SpfPolicy>;

export function spfSource(ports: DnsPorts): SpfSource {
  const policies = new Map<string, Promise<SpfPolicy>>();
  const allowance = { terms: TERMS_MAX };
  return (domain) => {
    let policy = policies.get(domain);
    if (!policy) {
      policy = fetchPolicy(domain, ports, allowance);
      policy.catch(() => {}); // a caller that awaits it sees the failure; a look-ahead may not
      policies.set(domain, policy);
    }
    return policy;
  };
}

/** More than one is a permerror already. */
const RECORDS_MAX = 10;

async function fetchPolicy(domain: string, ports: DnsPorts, allowance: { terms: number }): Promise<SpfPolicy> {
  if (!isTargetName(domain)) return { domain, records: [], lookalikes: [], error: '' }; // nothing that check_host() would ask (RFC 7208 §4.3)
  const { records, error } = await lookUp(ports, domain, 'TXT');
  const texts = records.map(textOf);
  const parse = (text: string): SpfRecord => {
    const record = parseSpfRecord(text, allowance.terms);
    allowance.terms -= record.terms.length;
    return record;
  };
  return {
    domain,
    records: texts.filter(isSpfRecord).slice(0, RECORDS_MAX).map(parse),
    lookalikes: texts.filter(looksLikeSpf),
    error,
  };
}
