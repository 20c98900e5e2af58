import { type DnsPorts, lookUp, type Lookup } from '@vedette/contract';
import { textOf } from '../txt/index.ts';
import { isMisnamed, meantValue, parseTagList, strayCharacter, type TagList, withoutStray } from '../tag-list/index.ts';

/** A TXT record at a selector. */
export interface DkimRecord {
  text: string;
  list: TagList;
}

/** The records of one selector. */
export interface DkimKeys {
  /** `<selector>._domainkey.<domain>`; empty where no selector of a search has a key. */
  dkimHost: string;
  /** The target of that name; empty when it is not an alias. */
  cname: string;
  /** The key records; one is expected. */
  records: readonly DkimRecord[];
  /** Other TXT records there, such as what a wildcard puts everywhere. */
  strays: readonly string[];
  /** Why the DNS did not answer; empty when it did. */
  error: string;
}

/** Tags of key records (RFC 6376 §3.6.1); `g` is RFC 4871's. */
export const DKIM_TAGS = new Set(['v', 'g', 'h', 'k', 'n', 'p', 's', 't']);

export const dkimHostOf = (selector: string, domain: string): string => `${selector}._domainkey.${domain}`;

/** Fetches the key records of a selector (RFC 6376 §3.6.2). */
export async function fetchKeys(selector: string, domain: string, ports: DnsPorts): Promise<DkimKeys> {
  const dkimHost = dkimHostOf(selector, domain);
  return readKeys(dkimHost, await lookUp(ports, dkimHost, 'TXT'));
}

/** The answer to a question for the TXT records of a selector. */
export function readKeys(dkimHost: string, { records, cname, error }: Lookup<'TXT'>): DkimKeys {
  const found = records.map((record) => parseKeyRecord(textOf(record)));
  return {
    dkimHost,
    cname,
    records: found.filter(isKeyRecord),
    strays: found.filter((record) => !isKeyRecord(record)).map(({ text }) => text),
    error,
  };
}

const parseKeyRecord = (text: string): DkimRecord => ({ text, list: parseTagList(text) });

/** Whether a TXT record is meant as a key: it has a DKIM tag, and its version, if any, does not say that it is something else. */
function isKeyRecord({ list }: DkimRecord): boolean {
  const version = meantValue(list, 'v');
  const hasTags = [...list.tags, ...list.misnamed].some(({ name }) => name !== 'v' && DKIM_TAGS.has(name));
  if (version === undefined) return hasTags;
  return /^dkim/i.test(withoutStray(version)) || (hasTags && (version === '' || strayCharacter(version) !== '' || isMisnamed(list, 'v')));
}
