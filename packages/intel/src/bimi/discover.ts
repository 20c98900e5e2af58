import { discoverDmarc, type Disposition, type DmarcDiscovery, type DmarcPolicy, policyOf } from '../dmarc/index.ts';
import type { DnsPorts } from '../lookup.ts';
import { tagValue } from '../tag-list.ts';
import { type BimiPublication, type BimiRecord, fetchBimi } from './record.ts';

/** Which record counts for a host, and whether receivers look at it at all. */
export interface BimiDiscovery {
  /** The publication to judge: the host's own, else that of its Organizational Domain. */
  publication: BimiPublication;
  record: BimiRecord | undefined;
  orgDomain: string;
  /** The DMARC policy is strong enough for receivers to show a logo. */
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
  return {
    publication,
    record: publication.records[0] ?? publication.lookalikes[0],
    orgDomain: dmarc.orgDomain,
    enforced: isEnforced(host, dmarc),
    errors,
  };
}

/** §7.1: quarantine for all mail, or reject; and subdomains are not left out. `t=y` takes one level off (RFC 9989 §4.7). */
function isEnforced(host: string, { applied }: DmarcDiscovery): boolean {
  const policy = applied && policyOf(applied.record);
  if (!applied || !policy || policy.sp === 'none') return false;
  const acting = actingOn(host, applied.domain, policy);
  const { list } = applied.record;
  const forAll = (tagValue(list, 'pct') ?? '100') === '100' && tagValue(list, 't')?.toLowerCase() !== 'y';
  return acting === 'reject' || (acting === 'quarantine' && forAll);
}

const actingOn = (host: string, domain: string, { p, sp }: DmarcPolicy): Disposition => (domain === host ? p : sp);
