import { listing } from '../findings/index.ts';
import { colonItems, isMisnamed, misnaming, quoted, strayCharacter, type TagList, tagValue } from '../tag-list/index.ts';
import { type DmarcIssue, error, warning } from './issues.ts';
import { DMARC_TAGS, isDisposition, isTesting } from './record.ts';
import { hasReportingUri } from './reporting-uri.ts';

/** The allowed values of a tag. */
interface TagRule {
  tag: string;
  code: DmarcIssue['code'];
  /** Historic tags mean nothing to receivers that follow RFC 9989, so a wrong value does little harm (§9.3). */
  historic?: true;
  isValid(value: string): boolean;
  allowed: string;
}

const oneOf =
  (...values: string[]) =>
  (value: string): boolean =>
    values.includes(value.toLowerCase());
const everyItem =
  (isItem: (item: string) => boolean) =>
  (value: string): boolean =>
    colonItems(value).every(isItem);
const upTo =
  (max: number) =>
  (value: string): boolean =>
    /^\d{1,10}$/.test(value) && Number(value) <= max;
const isPolicy = (value: string): boolean => isDisposition(value.toLowerCase());

// RFC 9989 §4.7; rf, pct and ri: RFC 7489 §6.3.
const RULES: readonly TagRule[] = [
  { tag: 'p', code: 'INVALID_P_TAG_CHARS', isValid: isPolicy, allowed: 'none, quarantine or reject' },
  { tag: 'adkim', code: 'INVALID_ADKIM_TAG_CHARS', isValid: oneOf('r', 's'), allowed: 'r or s' },
  { tag: 'aspf', code: 'INVALID_ASPF_TAG_CHARS', isValid: oneOf('r', 's'), allowed: 'r or s' },
  { tag: 'sp', code: 'INVALID_SP_TAG_CHARS', isValid: isPolicy, allowed: 'none, quarantine or reject' },
  { tag: 'np', code: 'INVALID_NP_TAG_CHARS', isValid: isPolicy, allowed: 'none, quarantine or reject' },
  {
    tag: 'fo',
    code: 'INVALID_FO_TAG_CHARS',
    isValid: everyItem(oneOf('0', '1', 'd', 's')),
    allowed: '0, 1, d and s with colons between them',
  },
  { tag: 't', code: 'INVALID_DMARC_TAG_FOUND', isValid: oneOf('y', 'n'), allowed: 'y or n' },
  { tag: 'psd', code: 'INVALID_DMARC_TAG_FOUND', isValid: oneOf('y', 'n', 'u'), allowed: 'y, n or u' },
  {
    tag: 'rf',
    code: 'INVALID_RF_TAG_CHARS',
    historic: true,
    isValid: everyItem((item) => /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/i.test(item)),
    allowed: 'names with colons between them',
  },
  { tag: 'pct', code: 'INVALID_PCT_TAG_CHARS', historic: true, isValid: upTo(100), allowed: 'a number of 0–100' },
  { tag: 'ri', code: 'INVALID_RI_TAG_CHARS', historic: true, isValid: upTo(0xffff_ffff), allowed: 'a number of seconds' },
];

/** Judges the tags of a record one by one. */
export function judgeTags(list: TagList): DmarcIssue[] {
  return [...judgeList(list), ...RULES.flatMap((rule) => judgeRule(rule, list)), ...judgePolicy(list)];
}

function judgeRule({ tag, code, historic, isValid, allowed }: TagRule, list: TagList): DmarcIssue[] {
  const value = tagValue(list, tag);
  if (value === undefined || (isValid(value) && strayCharacter(value) === '')) return [];
  return historic
    ? [warning(code, `${tag}= is ${allowed}, not ${quoted(value)}. Remove it: receivers that follow RFC 9989 no longer read it (§9.3)`)]
    : [error(code, `${tag}= is ${allowed}, not ${quoted(value)}. Correct it`)];
}

/** RFC 6376 §3.2, RFC 9989 §4.7. */
function judgeList(list: TagList): DmarcIssue[] {
  const unknown = list.tags.filter(({ name }, i) => !DMARC_TAGS.has(name) && !(i === 0 && name === 'V'));
  const misnamed = list.misnamed.filter(({ name }) => DMARC_TAGS.has(name));
  const malformed = [
    ...list.malformed.map((part) => (part ? quoted(part) : 'an empty tag')),
    ...list.misnamed.filter((tag) => !misnamed.includes(tag)).map(({ written, value }) => quoted(`${written}=${value}`)),
  ];
  const found = [
    misnamed.length > 0 &&
      error(
        'INVALID_DMARC_TAG_FOUND',
        `${listing(misnamed.map(misnaming))}. Receivers may not see such a tag; write its name anew, with plain characters alone`,
      ),
    list.duplicates.length > 0 &&
      error(
        'INVALID_DMARC_TAG_FOUND',
        `These tags stand more than once, which makes the record invalid: ${listing(list.duplicates)}. Keep one of each`,
      ),
    malformed.length > 0 && warning('INVALID_DMARC_TAG_FOUND', `Receivers skip what is not name=value: ${listing(malformed)}. Correct it`),
    unknown.length > 0 &&
      warning(
        'UNKNOWN_DMARC_TAG_FOUND',
        `Receivers skip tags that DMARC does not know: ${listing(unknown.map(({ name }) => name))}. Remove them, or write their names in lower case`,
      ),
  ];
  return found.filter((issue) => issue !== false);
}

/** Judges the policy: RFC 9989 §4.7, §4.10.1, §9.3. */
function judgePolicy(list: TagList): DmarcIssue[] {
  const policy = tagValue(list, 'p')?.toLowerCase();
  const issues: DmarcIssue[] = [];
  if (policy === undefined && !isMisnamed(list, 'p'))
    issues.push(
      hasReportingUri(tagValue(list, 'rua') ?? '')
        ? warning('MISSING_P_TAG', 'The policy is missing, so receivers take p=none. Add p=quarantine or p=reject')
        : error(
            'MISSING_P_TAG',
            'The policy is missing, and rua= too, so receivers ignore the record. Add p=none, p=quarantine or p=reject',
          ),
    );
  if (policy === 'none')
    issues.push(
      warning('P_TAG_IS_NONE', 'p=none only watches: forged mail is delivered. Read the reports, then go to p=quarantine or p=reject'),
    );
  else if (policy !== undefined && isPolicy(policy) && isTesting(list))
    issues.push(
      warning(
        'T_TAG_IS_TESTING',
        `t=y asks receivers to test only, and to apply one level less than p=${policy}. Remove t=y when the reports are clean`,
      ),
    );
  const percentage = tagValue(list, 'pct');
  if (percentage !== undefined && upTo(99)(percentage))
    issues.push(
      warning(
        'PCT_TAG_IS_HISTORIC',
        `Receivers that follow RFC 9989 no longer read pct=${percentage} (§9.3); those that still follow RFC 7489 apply quarantine or reject to ${percentage} % of the mail, and one level less to the rest (§6.6.4). Remove it; t=y is for testing`,
      ),
    );
  return issues;
}
