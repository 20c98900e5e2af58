import type { DnsPorts } from '@vedette/contract';
import { tagValue } from '../tag-list/index.ts';
import { isRegistrySuffix, listedOrganization } from './public-suffix.ts';
import { type DmarcPublication, type DmarcRecord, fetchDmarc } from './record.ts';

/** The domain whose policy applies to a host, by one method of finding its Organizational Domain. */
export interface DmarcReading {
  /** The publication whose record applies: the host's, that of its Organizational Domain, or that of a public suffix above. */
  applied: DmarcFound | undefined;
  /** The publication of the Organizational Domain, whether or not it applies to the host. */
  organization: DmarcFound | undefined;
  orgDomain: string;
}

/** The domain whose policy applies to a host by the tree walk (RFC 9989 §4.10). */
export interface DmarcDiscovery extends DmarcReading {
  /** The host's own record. */
  own: DmarcPublication;
  /**
   * The domain whose policy applies by the Public Suffix List (RFC 7489 §3.2). Only where the walk takes a registry's suffix for the
   * organisation, as its record lacks `psd=y`: receivers that go by the list never look at that one.
   */
  bySuffixList: DmarcReading | undefined;
  /** Questions that got no answer and might have changed the outcome. */
  errors: readonly string[];
}

/** A name of more labels is cut to this many after the first question, so a walk asks eight at most. */
const LABELS_MAX = 7;

/** The names of a tree walk: the host, then its ancestors up to the top-level domain. */
function walkNames(host: string): string[] {
  const labels = host.split('.');
  const start = labels.length > LABELS_MAX ? labels.length - LABELS_MAX : 1;
  return [host, ...labels.slice(start).map((_, i) => labels.slice(start + i).join('.'))];
}

/** A publication with the one record that counts. */
export type DmarcFound = DmarcPublication & { record: DmarcRecord };

/**
 * Finds the policy of a host. All names of the walk are asked for at once. A name whose servers do not answer ends the walk: the records
 * found below it apply, as if none were above, and the error is reported.
 */
export async function discoverDmarc(host: string, ports: DnsPorts): Promise<DmarcDiscovery> {
  const publications = await Promise.all(walkNames(host).map((name) => fetchDmarc(name, ports)));
  const found: DmarcFound[] = [];
  const errors: string[] = [];
  for (const publication of publications) {
    if (publication.error !== '') {
      errors.push(publication.error);
      break; // what stands above cannot be judged without this one
    }
    const record = singleRecord(publication);
    if (!record) continue;
    found.push({ ...publication, record });
    if (psdOf(record) === 'y' || psdOf(record) === 'n') break;
  }
  const own = publications[0]!;
  const orgDomain = organizationalDomain(host, found);
  const walked = readingOf(host, orgDomain, found);
  return {
    ...walked,
    applied: walked.applied ?? policyOfSuffix(found),
    own,
    bySuffixList: orgDomain !== host && isRegistrySuffix(orgDomain) ? readingOf(host, listedOrganization(host), found) : undefined,
    errors,
  };
}

function readingOf(host: string, orgDomain: string, found: readonly DmarcFound[]): DmarcReading {
  const organization = found.find(({ domain }) => domain === orgDomain);
  return { applied: found[0]?.domain === host ? found[0] : organization, organization, orgDomain };
}

/** The record of a name; several of them, or one with a tag twice, count as none (RFC 9989 §4.10, RFC 6376 §3.2). */
const singleRecord = ({ records }: DmarcPublication): DmarcRecord | undefined =>
  records.length === 1 && records[0]!.list.duplicates.length === 0 ? records[0] : undefined;

const psdOf = ({ list }: DmarcRecord): string | undefined => tagValue(list, 'psd')?.toLowerCase();

/** RFC 9989 §4.10.2: the name with `psd=n`, or one below `psd=y`, or the highest with a record. */
function organizationalDomain(host: string, found: readonly DmarcFound[]): string {
  for (const { domain, record } of found) {
    if (psdOf(record) === 'n') return domain;
    if (psdOf(record) === 'y' && domain !== host)
      return host
        .split('.')
        .slice(-(domain.split('.').length + 1))
        .join('.');
  }
  return found.at(-1)?.domain ?? host;
}

/** RFC 9989 §4.10.1: where the Organizational Domain has no record, that of the public suffix above it applies. */
function policyOfSuffix(found: readonly DmarcFound[]): DmarcFound | undefined {
  const last = found.at(-1);
  return last && psdOf(last.record) === 'y' ? last : undefined;
}
