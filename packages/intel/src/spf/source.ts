import { type DnsPorts, lookUp, textOf } from '../lookup.ts';
import { isSpfRecord, parseSpfRecord, type SpfRecord } from './record.ts';

/** What a domain publishes as SPF. More than one record is a permerror (RFC 7208 §4.5). */
export interface SpfPolicy {
  domain: string;
  records: readonly SpfRecord[];
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
  const { records, error } = await lookUp(ports, domain, 'TXT');
  return { domain, records: records.map(textOf).filter(isSpfRecord).map(parseSpfRecord), error };
}
