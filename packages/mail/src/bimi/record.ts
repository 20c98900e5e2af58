import { isDnsName, type ParsedUrl, parseHttpUrl, type DnsPorts, lookUp } from '@vedette/contract';
import { textOf } from '../txt/index.ts';
import { isMisnamed, meantValue, parseTagList, strayCharacter, type TagList, tagValue, withoutStray } from '../tag-list/index.ts';

/** A TXT record at a `_bimi` name. */
export interface BimiRecord {
  text: string;
  list: TagList;
}

/** The records at `<selector>._bimi.<domain>`. */
export interface BimiPublication {
  domain: string;
  bimiHost: string;
  /** The target of that name; empty when it is not an alias. */
  cname: string;
  /** Records that receivers recognise; with more than one they use none. */
  records: readonly BimiRecord[];
  /** Records with BIMI's tags that receivers do not recognise, since they do not start with the version. */
  lookalikes: readonly BimiRecord[];
  /** Why the DNS did not answer; empty when it did. */
  error: string;
}

/** Tags of Assertion Records (draft-brand-indicators-for-message-identification §4.2). */
export const BIMI_TAGS = new Set(['v', 'l', 'a', 'avp', 'lps']);

const VERSION = /^[ \t\r\n]*v[ \t]*=[ \t]*BIMI1[ \t\r\n]*(?:;|$)/;

export const bimiHostOf = (selector: string, domain: string): string => `${selector}._bimi.${domain}`;

const parseBimiRecord = (text: string): BimiRecord => ({ text, list: parseTagList(text) });

const isBimiRecord = ({ text }: BimiRecord): boolean => VERSION.test(text);

function looksLikeBimi({ list }: BimiRecord): boolean {
  const version = meantValue(list, 'v') ?? tagValue(list, 'V');
  const hasTags = [...list.tags, ...list.misnamed].some(({ name }) => name === 'l' || name === 'a');
  if (version === undefined) return hasTags;
  return /^bimi/i.test(withoutStray(version)) || (hasTags && (strayCharacter(version) !== '' || isMisnamed(list, 'v')));
}

/** Fetches what a domain publishes for a selector. */
export async function fetchBimi(selector: string, domain: string, ports: DnsPorts): Promise<BimiPublication> {
  const bimiHost = bimiHostOf(selector, domain);
  // Below a long domain there may be no room for the selector: then nothing can be published.
  if (!isDnsName(bimiHost)) return { domain, bimiHost, cname: '', records: [], lookalikes: [], error: '' };
  const { records, cname, error } = await lookUp(ports, bimiHost, 'TXT');
  const found = records.map((record) => parseBimiRecord(textOf(record)));
  return {
    domain,
    bimiHost,
    cname,
    records: found.filter(isBimiRecord),
    lookalikes: found.filter((record) => !isBimiRecord(record) && looksLikeBimi(record)),
    error,
  };
}

/** The URLs of a record. `undefined` where the tag is missing, empty, or not an https URL. */
export interface BimiLocations {
  logo: ParsedUrl | undefined;
  evidence: ParsedUrl | undefined;
  /** `l=` is empty, and `a=` leads to a certificate: the logo inside it is meant (as Google documents it). */
  isLogoCarried: boolean;
  /** The domain says that it takes no part: both tags are there, or `a=` is not, and all that is there is empty. No list that names a tag twice, or wrongly, says so. */
  declined: boolean;
}

export function locationsOf(list: TagList): BimiLocations {
  const [logo, evidence] = [tagValue(list, 'l'), tagValue(list, 'a')];
  const certificate = httpsUrl(evidence);
  return {
    logo: httpsUrl(logo),
    evidence: certificate,
    isLogoCarried: logo === '' && certificate !== undefined,
    declined: logo === '' && (evidence ?? '') === '' && list.duplicates.length + list.misnamed.length + list.malformed.length === 0,
  };
}

/** §4.2: a URI, so ASCII alone; commas must be percent-encoded, and a list of URLs is invalid. */
function httpsUrl(value: string | undefined): ParsedUrl | undefined {
  const parsed = value === undefined || value.includes(',') || strayCharacter(value) !== '' ? undefined : parseHttpUrl(value);
  return parsed?.url.protocol === 'https:' ? parsed : undefined;
}
