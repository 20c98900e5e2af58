import { type DnsPorts, lookUp } from '../mail-shared/lookup.ts';
import { tagValue } from '../mail-shared/tag-list.ts';
import { checkDestinations, type Destinations } from './destinations.ts';
import { type Disposition, type DmarcPolicy, type DmarcPublication, type DmarcRecord, policyOf } from './record.ts';
import { discoverDmarc } from './tree-walk.ts';

/** What a host's DMARC comes to. */
export interface DmarcReport {
  /** The publication to judge: the host's own, else the one it inherits from. */
  publication: DmarcPublication;
  record: DmarcRecord | undefined;
  /** What that record asks for; undefined where receivers make nothing of it. */
  policy: DmarcPolicy | undefined;
  /** What receivers apply to mail of the host; empty where no policy does. */
  appliedPolicy: Disposition | '';
  orgDomain: string;
  destinations: Destinations;
  errors: readonly string[];
}

const NO_DESTINATIONS: Destinations = { list: [], skipped: [], errors: [] };

/** Finds the DMARC record that counts for a host (RFC 9989 §4.10) and follows up what it refers to. */
export async function inspectDmarc(host: string, ports: DnsPorts): Promise<DmarcReport> {
  const { own, applied, orgDomain, errors } = await discoverDmarc(host, ports);
  const publication = own.records.length + own.lookalikes.length > 0 ? own : (applied ?? own);
  const record = publication.records[0] ?? publication.lookalikes[0];
  const [destinations, appliedPolicy] = await Promise.all([
    record ? checkDestinations(record, { policyDomain: publication.domain, orgDomain }, ports) : NO_DESTINATIONS,
    applied ? appliedTo(host, applied, ports) : ('' as const),
  ]);
  return {
    // Nothing is missing while a question about it is open.
    publication: record ? publication : { ...publication, error: errors[0] ?? '' },
    record,
    policy: record && policyOf(record),
    appliedPolicy,
    orgDomain,
    destinations,
    errors: [...errors, ...destinations.errors],
  };
}

/** The host's own record gives `p`; an inherited one `sp`, or `np` for a host that does not exist (RFC 9989 §4.10.1). */
async function appliedTo(
  host: string,
  { domain, record }: { domain: string; record: DmarcRecord },
  ports: DnsPorts,
): Promise<Disposition | ''> {
  const policy = policyOf(record);
  if (!policy) return '';
  if (domain === host) return policy.p;
  const distinguishes = tagValue(record.list, 'np') !== undefined && policy.np !== policy.sp;
  return distinguishes && !(await exists(host, ports)) ? policy.np : policy.sp;
}

/** RFC 9989 appendix A.4: only NXDOMAIN says that a name does not exist; a dangling alias does exist. */
async function exists(host: string, ports: DnsPorts): Promise<boolean> {
  const { state, cname } = await lookUp(ports, host, 'A');
  return state !== 'nxdomain' || cname !== '';
}
