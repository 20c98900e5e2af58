import { listing } from '../findings/index.ts';
import { discoverDmarc, type DmarcFound, type DmarcReading, isEnforced, policyOf } from '../dmarc/index.ts';
import type { DnsPorts } from '@vedette/contract';
import { tagValue } from '../tag-list/index.ts';
import { type BimiPublication, type BimiRecord, fetchBimi } from './record.ts';

/**
 * Whether DMARC lets receivers show a logo: `weak` keeps them from it, `unknown` says that the DNS did not answer for all of it.
 * `why` is empty where it is enforced.
 */
export interface DmarcOfLogo {
  state: 'enforced' | 'weak' | 'unknown';
  why: string;
}

/** The record that applies to a host, and whether receivers read it at all. */
export interface BimiDiscovery {
  /** The publication to judge: the host's own, else that of its Organizational Domain. */
  publication: BimiPublication;
  record: BimiRecord | undefined;
  orgDomain: string;
  dmarc: DmarcOfLogo;
  errors: readonly string[];
}

/**
 * draft-brand-indicators-for-message-identification §7.1 and §7.2. The Organizational Domain is that of RFC 9989 §4.10, but never a
 * registry's suffix: receivers that show logos use the Public Suffix List, and no logo depends on the policy or record of a registry.
 */
export async function discoverBimi(selector: string, host: string, ports: DnsPorts): Promise<BimiDiscovery> {
  const [own, dmarc] = await Promise.all([fetchBimi(selector, host, ports), discoverDmarc(host, ports)]);
  const reading = dmarc.bySuffixList ?? dmarc;
  const isOwn = own.records.length + own.lookalikes.length > 0 || own.error !== '' || reading.orgDomain === host;
  const inherited = isOwn ? undefined : await fetchBimi(selector, reading.orgDomain, ports);
  const errors = [own.error, inherited?.error ?? '', ...dmarc.errors].filter((error) => error !== '');
  const hasInherited = inherited !== undefined && inherited.records.length + inherited.lookalikes.length > 0;
  // Nothing is missing while a question about it is open.
  const publication = hasInherited ? inherited : { ...own, error: errors[0] ?? '' };
  return {
    publication,
    record: publication.records[0] ?? publication.lookalikes[0],
    orgDomain: reading.orgDomain,
    dmarc: dmarcOfLogo(host, reading, dmarc.errors),
    errors,
  };
}

/**
 * §7.1: neither the record of the host nor that of its Organizational Domain may leave mail, or that of subdomains, alone.
 * `pct` means nothing to DMARC by RFC 9989 (§9.3), and something to BIMI: large mailbox providers ask for 100 beside any policy.
 */
function dmarcOfLogo(host: string, { applied, organization }: DmarcReading, errors: readonly string[]): DmarcOfLogo {
  const weakness = [applied, organization].flatMap((found) => (found ? weaknessOf(found) : [])).find((why) => why !== '');
  if (weakness !== undefined) return { state: 'weak', why: weakness };
  // A name above that did not answer may be that of the Organizational Domain, with a weaker policy.
  if (errors.length > 0) return { state: 'unknown', why: listing(errors) };
  return applied ? { state: 'enforced', why: '' } : { state: 'weak', why: `there is no DMARC policy for ${host}` };
}

function weaknessOf({ dmarcHost, record }: DmarcFound): string {
  const policy = policyOf(record);
  if (!policy) return `receivers make nothing of the DMARC record at ${dmarcHost}`;
  for (const tag of ['p', 'sp'] as const) if (policy[tag] === 'none') return `the DMARC record at ${dmarcHost} comes to ${tag}=none`;
  if (!isEnforced(record, policy.p)) return `the DMARC record at ${dmarcHost} says t=y, so receivers test only`;
  const percentage = tagValue(record.list, 'pct');
  return percentage !== undefined && /^\d{1,2}$/.test(percentage) ? `the DMARC record at ${dmarcHost} says pct=${percentage}` : '';
}
