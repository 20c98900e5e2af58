import { type DnsPorts, lookUp, textOf } from '../lookup.ts';
import { isTargetName } from './macro.ts';
import { isSpfRecord, looksLikeSpf, parseSpfRecord, type SpfRecord } from './record.ts';

/** What a domain publishes as SPF. More than one record is a permerror (RFC 7208 §4.5). */
export interface SpfPolicy {
  domain: string;
  records: readonly SpfRecord[];
  /** TXT records that receivers do not read as SPF, though they were meant so. */
  lookalikes: readonly string[];
  /** Why nobody knows; empty when the DNS answered. */
  error: string;
}

/** Gives a domain's policy; each domain is asked and parsed once. */
export type SpfSource = (domain: string) => Promise<SpfPolicy>;

export function spfSource(ports: DnsPorts): SpfSource {
  const policies = new Map<string, Promise<SpfPolicy>>();
  return (domain) => {
    let policy = policies.get(domain);
    if (!policy) {
      policy = fetchPolicy(domain, ports);
      policy.catch(() => {}); // whoever awaits it sees the failure; a look-ahead may not
      policies.set(domain, policy);
    }
    return policy;
  };
}

async function fetchPolicy(domain: string, ports: DnsPorts): Promise<SpfPolicy> {
  if (!isTargetName(domain)) return { domain, records: [], lookalikes: [], error: '' }; // nothing that check_host() would ask (RFC 7208 §4.3)
  const { records, error } = await lookUp(ports, domain, 'TXT');
  const texts = records.map(textOf);
  return { domain, records: texts.filter(isSpfRecord).map(parseSpfRecord), lookalikes: texts.filter(looksLikeSpf), error };
}
