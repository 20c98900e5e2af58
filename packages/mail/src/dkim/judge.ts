import { listing, shown, sortIssues } from '../findings/index.ts';
import {
  colonItems,
  isMisnamed,
  quoted,
  strayCharacter,
  type TagList,
  tagListFaults,
  type TagListUse,
  tagValue,
} from '../tag-list/index.ts';
import { DKIM_ISSUES, type DkimIssue, error, information, warning } from './issues.ts';
import { judgeKey } from './judge-key.ts';
import { DKIM_TAGS, type DkimKeys } from './key-record.ts';
import type { DkimPublicKey } from './public-key.ts';

/** A selector's key record, judged. */
export interface DkimJudgement {
  /** `k=` in lower case, `rsa` where it is absent; empty without a record. */
  keyType: string;
  /** The public key, where it can be read. */
  key: DkimPublicKey | undefined;
  /** Findings, in the order of `DKIM_ISSUES`. */
  issues: DkimIssue[];
}

/**
 * Judges what is published for a selector: RFC 6376 §3.6, RFC 8301, RFC 8463. The result of a search: its selector (`*`: a wildcard), and
 * whether it was `pruned`, so that it did not ask for all known selectors.
 */
export function judgeDkim(
  keys: DkimKeys,
  { selector, pruned }: { selector: string; pruned: boolean } = { selector: '', pruned: false },
): DkimJudgement {
  const [record] = keys.records;
  if (!record) return { keyType: '', key: undefined, issues: judgeAbsence(keys, pruned) };
  const { list } = record;
  const keyType = (tagValue(list, 'k') ?? 'rsa').toLowerCase();
  const { key, issues } = judgeKey(list, keyType, selector === '*');
  return {
    keyType,
    key,
    issues: sortIssues([...judgeCount(keys), ...judgeVersion(list), ...judgeSyntax(list), ...judgeLists(list), ...issues], DKIM_ISSUES),
  };
}

function judgeAbsence({ dkimHost, cname, strays, error: dnsError }: DkimKeys, pruned: boolean): DkimIssue[] {
  if (dnsError !== '')
    return [
      error(
        'RECORD_NOT_ANSWERED',
        `Whether there is a key is not known, since the DNS did not answer: ${shown(dnsError)}. Verifiers that get no answer either cannot check signatures; ask again, and if it lasts mend the name servers`,
      ),
    ];
  if (pruned)
    return [
      error(
        'DKIM_NOT_FOUND',
        'The domain does not exist, so only the most common selectors were asked for: nothing can be below it (RFC 8020). Correct the name, or ask with the selector that stands in s= of the DKIM-Signature of your mail',
      ),
    ];
  if (dkimHost === '')
    return [
      error(
        'DKIM_NOT_FOUND',
        'None of the known selectors has a key. Ask again with the selector that stands in s= of the DKIM-Signature of your mail',
      ),
    ];
  if (cname !== '') return [judgeDanglingAlias(dkimHost, cname, strays.length > 0)];
  return strays.length > 0
    ? [error('NO_DKIM_TAGS_FOUND', `The TXT record at ${dkimHost} has no DKIM tag. Publish the key there as "v=DKIM1; k=rsa; p=…"`)]
    : [error('DKIM_NOT_FOUND', `There is no key at ${dkimHost}. Publish the TXT record that your mail provider shows for this selector`)];
}

/** No other record may stand beside an alias (RFC 1034 §3.6.2), so the owner of its target publishes the key. */
function judgeDanglingAlias(dkimHost: string, cname: string, hasStrays: boolean): DkimIssue {
  const advice = 'The provider publishes it there: enable DKIM there, or remove the alias';
  return hasStrays
    ? error('NO_DKIM_TAGS_FOUND', `${dkimHost} is an alias of ${shown(cname)}, whose TXT record has no DKIM tag and so no key. ${advice}`)
    : error('DKIM_NOT_FOUND', `${dkimHost} is an alias of ${shown(cname)}, which has no key. ${advice}`);
}

/** RFC 6376 §3.6.2.2. */
function judgeCount({ dkimHost, records, strays }: DkimKeys): DkimIssue[] {
  if (records.length > 1)
    return [
      error('DUPLICATE_DKIM_RECORDS', `${records.length} keys are published at ${dkimHost}; what verifiers do then is undefined. Keep one`),
    ];
  return strays.length > 0
    ? [
        warning(
          'DUPLICATE_DKIM_RECORDS',
          `Beside the key, ${dkimHost} has a TXT record of another kind, which some verifiers take for the key. Remove it: ${listing(strays)}`,
        ),
      ]
    : [];
}

/** `v=`, RFC 6376 §3.6.1. */
function judgeVersion(list: TagList): DkimIssue[] {
  const version = tagValue(list, 'v');
  if (version === undefined && isMisnamed(list, 'v')) return []; // said of all such tags
  if (version === undefined)
    return [information('V_TAG_NOT_FOUND', 'The version is missing; verifiers take it for DKIM1. Start the record with "v=DKIM1;"')];
  const issues: DkimIssue[] = [];
  if (version !== 'DKIM1')
    issues.push(
      error('V_TAG_NOT_FOUND', `v= is ${quoted(version)}, not "DKIM1", so verifiers discard the record. Write exactly "v=DKIM1"`),
    );
  if (list.tags[0]?.name !== 'v') issues.push(error('V_TAG_NOT_FIRST', 'The version has to be the first tag. Move "v=DKIM1" to the start'));
  return issues;
}

const USE: TagListUse = { standard: 'DKIM', readers: 'Verifiers', known: DKIM_TAGS, judged: new Set(['v', 'h', 'k', 'p', 's', 't']) };

/**
 * RFC 6376 §3.2, whose grammar has no empty tag. Verifiers must ignore a key record that is not as the grammar says (§6.1.2), and common ones do
 * so for `;;` already, so whatever is malformed is an error: the key works with some of them at best.
 */
function judgeSyntax(list: TagList): DkimIssue[] {
  const { invalid, unknown } = tagListFaults(list, USE);
  return [
    ...invalid.map((message) => error('INVALID_DKIM_TAG_FOUND', message)),
    ...unknown.map((message) => warning('UNKNOWN_DKIM_TAG_FOUND', message)),
  ];
}

const HYPHENATED_WORD = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/i;

/** `h=`, `s=` and `t=`: colon-separated words, RFC 6376 §3.6.1. */
function judgeLists(list: TagList): DkimIssue[] {
  const issues: DkimIssue[] = [];
  const itemsOf = (name: string, code: DkimIssue['code'], isItem: (item: string) => boolean): string[] => {
    const value = tagValue(list, name);
    if (value === undefined) return [];
    const items = colonItems(value);
    const bad = items.filter((item) => !isItem(item.toLowerCase()) || strayCharacter(item) !== '');
    if (bad.length > 0)
      issues.push(
        error(code, `${name}= is a list of words with colons between them; this is not one: ${listing(bad.map(quoted))}. Correct it`),
      );
    return bad.length > 0 ? [] : items.map((item) => item.toLowerCase());
  };
  const isWord = (item: string) => HYPHENATED_WORD.test(item);
  const hashes = itemsOf('h', 'INVALID_H_TAG_CHARS', isWord);
  if (hashes.length > 0 && !hashes.includes('sha256'))
    issues.push(
      error(
        'INVALID_H_TAG_CHARS',
        `h=${listing(hashes)} leaves out sha256, the only hash still in use (RFC 8301). Write h=sha256, or remove the tag`,
      ),
    );
  const services = itemsOf('s', 'INVALID_S_TAG_CHARS', (item) => item === '*' || isWord(item));
  if (services.length > 0 && !services.includes('*') && !services.includes('email'))
    issues.push(
      error(
        'INVALID_S_TAG_CHARS',
        `s=${listing(services)} leaves out e-mail, so verifiers ignore the key. Write s=email, or remove the tag`,
      ),
    );
  const flags = itemsOf('t', 'INVALID_T_TAG_CHARS', isWord);
  const unknown = flags.filter((flag) => flag !== 'y' && flag !== 's');
  if (unknown.length > 0)
    issues.push(
      warning(
        'INVALID_T_TAG_CHARS',
        `t= has flags that DKIM does not know: ${listing(unknown)}. Use y (testing) and s (no subdomains) only`,
      ),
    );
  return issues;
}
