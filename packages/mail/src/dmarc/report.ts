import { type DnsPorts, lookUp } from '@vedette/contract';
import { checkDestinations, type Destinations } from './destinations.ts';
import { type Disposition, type DmarcPolicy, type DmarcPublication, type DmarcRecord, isEnforced, policyOf } from './record.ts';
import { discoverDmarc, type DmarcReading } from './tree-walk.ts';

/** The verdict on a host's DMARC. */
export interface DmarcReport {
  /** The publication to judge: the host's own, else the one it inherits from. */
  publication: DmarcPublication;
  record: DmarcRecord | undefined;
  /** The policies of that record; undefined when receivers ignore it. */
  policy: DmarcPolicy | undefined;
  /** The policy that receivers apply to mail of the host; empty without a policy. */
  appliedPolicy: Disposition | '';
  /** Receivers act on it. */
  enforced: boolean;
  orgDomain: string;
  /** The policy of receivers that use the Public Suffix List, when they find another record or none. */
  otherReading: DmarcReading | undefined;
  destinations: Destinations;
  errors: readonly string[];
  /**
   * Why the report is missing: the DNS did not answer for the host's own record, or for the domains above it. Empty where the answers that
   * came say enough.
   */
  unanswered: string;
}

const NO_DESTINATIONS: Destinations = { list: [], skipped: [], errors: [] };

/** Finds the DMARC record that counts for a host (RFC 9989 §4.10) and follows up what it refers to. */
export async function inspectDmarc(host: string, ports: DnsPorts): Promise<DmarcReport> {
  const { own, applied, orgDomain, bySuffixList, errors } = await discoverDmarc(host, ports);
  const publication = own.records.length + own.lookalikes.length > 0 ? own : (applied ?? own);
  const record = publication.records[0] ?? publication.lookalikes[0];
  const [destinations, { appliedPolicy, error }] = await Promise.all([
    record ? checkDestinations(record, { policyDomain: publication.domain, orgDomain }, ports) : NO_DESTINATIONS,
    applied ? appliedTo(host, applied, ports) : { appliedPolicy: '' as const, error: '' },
  ]);
  return {
    // Nothing is missing while a question about it is open.
    publication: record ? publication : { ...publication, error: errors[0] ?? '' },
    record,
    policy: record && policyOf(record),
    appliedPolicy,
    enforced: applied !== undefined && isEnforced(applied.record, appliedPolicy),
    orgDomain,
    otherReading: bySuffixList?.applied === applied ? undefined : bySuffixList,
    destinations,
    errors: [...errors, error, ...destinations.errors].filter(Boolean),
    unanswered: own.error || (record ? '' : (errors[0] ?? '')),
  };
}

/**
 * The host's own record gives `p`; an inherited one `sp`, or `np` for a host that does not exist (RFC 9989 §4.10.1). Only
 * NXDOMAIN says that it does not; a dangling alias does exist (appendix A.4).
 */
async function appliedTo(
  host: string,
  { domain, record }: { domain: string; record: DmarcRecord },
  ports: DnsPorts,
): Promise<{ appliedPolicy: Disposition | ''; error: string }> {
  const policy = policyOf(record);
  if (!policy) return { appliedPolicy: '', error: '' };
  if (domain === host) return { appliedPolicy: policy.p, error: '' };
  if (policy.np === policy.sp) return { appliedPolicy: policy.sp, error: '' };
  const { state, cname, error } = await lookUp(ports, host, 'A');
  return { appliedPolicy: state === 'nxdomain' && cname === '' ? policy.np : policy.sp, error };
}
