import { discoverDmarc, type DmarcDiscovery, type DmarcFound, isEnforced, policyOf } from '../dmarc/index.ts';
import type { DnsPorts } from '../lookup.ts';
import { tagValue } from '../tag-list.ts';
import { type BimiPublication, type BimiRecord, fetchBimi } from './record.ts';

/** Which record counts for a host, and whether receivers look at it at all. */
export interface BimiDiscovery {
  /** The publication to judge: the host's own, else that of its Organizational Domain. */
  publication: BimiPublication;
  record: BimiRecord | undefined;
  orgDomain: string;
  /** Why DMARC keeps receivers from showing a logo; empty when it does not, or nobody knows. */
  obstacle: string;
  /** The DMARC policies are known, and strong enough for receivers to show a logo. */
  enforced: boolean;
  errors: readonly string[];
}

/** draft-brand-indicators-for-message-identification §7.1 and §7.2; the Organizational Domain is that of RFC 9989 §4.10. */
export async function discoverBimi(selector: string, host: string, ports: DnsPorts): Promise<BimiDiscovery> {
  const [own, dmarc] = await Promise.all([fetchBimi(selector, host, ports), discoverDmarc(host, ports)]);
  const isOwn = own.records.length + own.lookalikes.length > 0 || own.error !== '' || dmarc.orgDomain === host;
  const inherited = isOwn ? undefined : await fetchBimi(selector, dmarc.orgDomain, ports);
  const errors = [own.error, inherited?.error ?? '', ...dmarc.errors].filter((error) => error !== '');
  const hasInherited = inherited !== undefined && inherited.records.length + inherited.lookalikes.length > 0;
  // Nothing is missing while a question about it is open.
  const publication = hasInherited ? inherited : { ...own, error: errors[0] ?? '' };
  const obstacle = obstacleIn(host, dmarc);
  return {
    publication,
    record: publication.records[0] ?? publication.lookalikes[0],
    orgDomain: dmarc.orgDomain,
    obstacle,
    enforced: dmarc.applied !== undefined && obstacle === '',
    errors,
  };
}

/**
 * §7.1: neither the record of the host nor that of its Organizational Domain may leave mail, or that of subdomains, alone.
 * `pct` means nothing to DMARC any more (RFC 9989 §9.3), and something to BIMI: large mailbox providers ask for 100 beside any policy.
 */
function obstacleIn(host: string, { applied, organization, errors }: DmarcDiscovery): string {
  if (!applied) return errors.length > 0 ? '' : `there is no DMARC policy for ${host}`;
  const records = organization && organization.domain !== applied.domain ? [applied, organization] : [applied];
  return records.map(weaknessOf).find((weakness) => weakness !== '') ?? '';
}

function weaknessOf({ dmarcHost, record }: DmarcFound): string {
  const policy = policyOf(record);
  if (!policy) return `receivers make nothing of the DMARC record at ${dmarcHost}`;
  for (const tag of ['p', 'sp'] as const) if (policy[tag] === 'none') return `the DMARC record at ${dmarcHost} comes to ${tag}=none`;
  if (!isEnforced(record, policy.p)) return `the DMARC record at ${dmarcHost} says t=y, so receivers test only`;
  const percentage = tagValue(record.list, 'pct');
  return percentage !== undefined && /^\d{1,2}$/.test(percentage) ? `the DMARC record at ${dmarcHost} says pct=${percentage}` : '';
}
