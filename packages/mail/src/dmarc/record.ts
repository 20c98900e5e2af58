import { type DnsPorts, lookUp } from '@vedette/contract';
import { textOf } from '../txt/index.ts';
import { isMisnamed, meantValue, parseTagList, strayCharacter, type TagList, tagValue, withoutStray } from '../tag-list/index.ts';
import { hasReportingUri } from './reporting-uri.ts';

/** A TXT record at a `_dmarc` name. */
export interface DmarcRecord {
  text: string;
  list: TagList;
}

/** The records at `_dmarc.<domain>`. */
export interface DmarcPublication {
  domain: string;
  dmarcHost: string;
  /** The target of that name; empty when it is not an alias. */
  cname: string;
  /** Records that receivers recognise; with more than one they use none (RFC 9989 §4.10). */
  records: readonly DmarcRecord[];
  /** Records with DMARC's tags that receivers do not recognise, since they do not start with the version. */
  lookalikes: readonly DmarcRecord[];
  /** Other TXT records there, such as what a wildcard puts everywhere. */
  strays: readonly string[];
  /** Why the DNS did not answer; empty when it did. */
  error: string;
}

/** Tags of policy records (RFC 9989 §9.3), the historic pct, rf and ri (RFC 7489) included. */
export const DMARC_TAGS = new Set(['v', 'p', 'sp', 'np', 'adkim', 'aspf', 'fo', 'rua', 'ruf', 'rf', 'ri', 'pct', 't', 'psd']);

// RFC 9989 §4.8: the tag's name is case-insensitive, its value is not.
const VERSION = /^[ \t\r\n]*[vV][ \t]*=[ \t]*DMARC1[ \t\r\n]*(?:;|$)/;

const parseDmarcRecord = (text: string): DmarcRecord => ({ text, list: parseTagList(text) });
/** Whether a TXT record starts with DMARC's version, so that receivers recognise it. */
export const isDmarcText = (text: string): boolean => VERSION.test(text);
const isDmarcRecord = ({ text }: DmarcRecord): boolean => isDmarcText(text);

const looksLikeDmarc = ({ list }: DmarcRecord): boolean => {
  const version = meantValue(list, 'v') ?? tagValue(list, 'V');
  const hasTags = [...list.tags, ...list.misnamed].some(({ name }) => name !== 'v' && DMARC_TAGS.has(name));
  if (version === undefined) return hasTags;
  return /^dmarc/i.test(withoutStray(version)) || (hasTags && (strayCharacter(version) !== '' || isMisnamed(list, 'v')));
};

/** Fetches what a domain publishes (RFC 9989 §4.1). */
export async function fetchDmarc(domain: string, ports: DnsPorts): Promise<DmarcPublication> {
  const dmarcHost = `_dmarc.${domain}`;
  const { records, cname, error } = await lookUp(ports, dmarcHost, 'TXT');
  const found = records.map((record) => parseDmarcRecord(textOf(record)));
  const others = found.filter((record) => !isDmarcRecord(record));
  return {
    domain,
    dmarcHost,
    cname,
    records: found.filter(isDmarcRecord),
    lookalikes: others.filter(looksLikeDmarc),
    strays: others.filter((record) => !looksLikeDmarc(record)).map(({ text }) => text),
    error,
  };
}

export const DISPOSITIONS = ['none', 'quarantine', 'reject'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];
export const isDisposition = (value: string): value is Disposition => (DISPOSITIONS as readonly string[]).includes(value);

/** The policies that a record requests for mail of the domain, of its subdomains, and of subdomains that do not exist. */
export interface DmarcPolicy {
  p: Disposition;
  sp: Disposition;
  np: Disposition;
}

/**
 * The policy as receivers apply it. A record without a valid `p`, or with an invalid `sp` or `np`, counts as `none` when it requests
 * reports, and is ignored otherwise (RFC 9989 §4.10.1). One with a misnamed tag of these counts as invalid too: some receivers strip a
 * no-break space and read the tag, others do not.
 */
export function policyOf({ list }: DmarcRecord): DmarcPolicy | undefined {
  const [p, sp, np] = ['p', 'sp', 'np'].map((name) => tagValue(list, name)?.toLowerCase());
  const valid = (value: string | undefined): value is Disposition | undefined => value === undefined || isDisposition(value);
  const isRead = !['p', 'sp', 'np'].some((name) => isMisnamed(list, name));
  if (isRead && p !== undefined && isDisposition(p) && valid(sp) && valid(np)) return { p, sp: sp ?? p, np: np ?? sp ?? p };
  return hasReportingUri(tagValue(list, 'rua') ?? '') ? { p: 'none', sp: 'none', np: 'none' } : undefined;
}

/** `t=y`: receivers are asked to test only, and to apply one level less than the policy says (RFC 9989 §4.7). */
export const isTesting = (list: TagList): boolean => tagValue(list, 't')?.toLowerCase() === 'y';

/** Whether receivers hold forged mail back: the one rule for every operation. `applied`: what the record says of the host's mail. */
export const isEnforced = ({ list }: DmarcRecord, applied: Disposition | ''): boolean =>
  (applied === 'quarantine' || applied === 'reject') && !isTesting(list) && !isMisnamed(list, 't');
