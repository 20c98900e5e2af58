import type { Issue, IssueType } from '@vedette/contract';
import { listing, sortIssues } from '../findings/index.ts';
import { LOOKUPS_MAX, NAMES_MAX, VOID_LOOKUPS_MAX } from './evaluation.ts';
import { countLookups } from './lookup-count.ts';
import type { Directive, Mechanism, SpfRecord, Term } from './record.ts';
import { findRepeats } from './repeats.ts';
import { reachable, type SpfTree } from './tree.ts';

export const SPF_ISSUES = [
  'SPF_NOT_FOUND',
  'MULTIPLE_SPF_RECORDS',
  'PTR_DEPRECATED',
  'UPPERCASE_CHARACTERS',
  'PLUS_ALL_FOUND',
  'RECORD_TERMINATION_MISSING',
  'DATA_AFTER_ALL',
  'DATA_AFTER_REDIRECT',
  'MULTIPLE_FALLBACKS',
  'TOO_MANY_DNS_LOOKUPS',
  'MULTIPLE_SPFV1_ON_SAME_RECORD',
  'DUPLICATE_INCLUDE',
] as const;
export type SpfIssue = Issue<(typeof SPF_ISSUES)[number]>;

/** Judges a domain's SPF as its tree shows it, in the order of `SPF_ISSUES`. An error means that receivers cannot or must not use it. */
export function judgeSpf(tree: SpfTree): SpfIssue[] {
  return sortIssues(
    [...judgeRecordCounts(tree), ...judgeTerms(tree), ...judgeFallbacks(tree), ...judgeLookups(tree), ...judgeRepeats(tree)],
    SPF_ISSUES,
  );
}

/** One issue for all the terms or domains that have it; none where there are none. */
function issueAt(code: SpfIssue['code'], type: IssueType, where: readonly string[], say: (where: string) => string): SpfIssue[] {
  return where.length === 0 ? [] : [{ code, type, message: say(listing(where)) }];
}

/** RFC 7208 §4.5, §5.2, §6.1. */
function judgeRecordCounts({ host, policies }: SpfTree): SpfIssue[] {
  const all = [...policies.values()];
  const missing = all.filter(({ records, error }) => records.length === 0 && error === '').map(({ domain }) => domain);
  const multiple = all.filter(({ records }) => records.length > 1).map(({ domain }) => domain);
  return [
    ...(missing.includes(host)
      ? issueAt(
          'SPF_NOT_FOUND',
          'error',
          [host],
          (at) => `${at} has no SPF record. Publish a TXT record that starts with "v=spf1 " and lists who may send`,
        )
      : issueAt(
          'SPF_NOT_FOUND',
          'error',
          missing,
          (at) =>
            `Included domains have no SPF record: ${at}. Every check that gets there ends in permerror (RFC 7208 §5.2); remove the term or correct the name`,
        )),
    ...issueAt(
      'MULTIPLE_SPF_RECORDS',
      'error',
      multiple,
      (at) => `More than one SPF record is published at ${at}; receivers then use none (RFC 7208 §4.5). Merge them into one TXT record`,
    ),
  ];
}

/** What single terms and the way they are written say: RFC 7208 §4.6.1, §5.1, §5.5. */
function judgeTerms({ nodes }: SpfTree): SpfIssue[] {
  const originsWhere = (holds: (record: SpfRecord) => boolean) => nodes.filter(({ record }) => holds(record)).map(({ origin }) => origin);
  return [
    ...issueAt(
      'PTR_DEPRECATED',
      'warning',
      originsWhere(({ terms }) => terms.some((term) => isMechanism(term, 'ptr'))),
      (at) =>
        `The record of ${at} uses ptr, which is slow and should not be published any more (RFC 7208 §5.5). List the addresses with ip4 and ip6`,
    ),
    ...issueAt(
      'UPPERCASE_CHARACTERS',
      'warning',
      nodes.flatMap(({ record }) => upperCaseWords(record)),
      (words) => `Not every receiver understands upper case in ${words}. Write the version, mechanisms and modifiers in lower case`,
    ),
    ...issueAt(
      'PLUS_ALL_FOUND',
      'error',
      originsWhere(({ terms }) => terms.some((term) => isMechanism(term, 'all') && term.qualifier === '+')),
      (at) => `"+all" in the record of ${at} lets everybody send in the name of the domain. End the record with "-all" or "~all"`,
    ),
    ...issueAt(
      'MULTIPLE_SPFV1_ON_SAME_RECORD',
      'error',
      originsWhere(({ text }) => text.toLowerCase().split('v=spf1').length > 2),
      (at) => `"v=spf1" stands more than once in one record of ${at}. Keep the first and merge the terms into one list`,
    ),
  ];
}

const isMechanism = (term: Term, name: Mechanism['name']): term is Directive => term.kind === 'directive' && term.mechanism.name === name;

/** Version, mechanism and modifier names with upper case. Macro letters are not names: in upper case they mean something else (§7.3). */
const upperCaseWords = ({ text, terms }: SpfRecord): string[] =>
  [text.slice(0, 'v=spf1'.length), ...terms.map((term) => term.text.split(/[:/=]/, 1)[0]!)].filter((word) => word !== word.toLowerCase());

/** What answers when nothing matched: RFC 7208 §4.7, §5.1, §6.1. */
function judgeFallbacks(tree: SpfTree): SpfIssue[] {
  const own = reachable(tree, ({ kind }) => kind === 'redirect');
  const found = tree.nodes.map(({ origin, record: { terms } }) => ({
    origin,
    alls: terms.filter((term) => isMechanism(term, 'all')).length,
    redirects: terms.filter(({ kind }) => kind === 'redirect').length,
    afterAll: directivesAfter(terms, (term) => isMechanism(term, 'all')),
    afterRedirect: directivesAfter(terms, ({ kind }) => kind === 'redirect'),
  }));
  return [
    ...issueAt(
      'RECORD_TERMINATION_MISSING',
      'warning',
      found.filter(({ origin, alls, redirects }) => own.has(origin) && alls + redirects === 0).map(({ origin }) => origin),
      (at) =>
        `The record of ${at} has neither all nor redirect, so unknown senders are neutral (RFC 7208 §4.7). End it with "-all" or "~all"`,
    ),
    ...issueAt(
      'DATA_AFTER_ALL',
      'warning',
      found.flatMap(({ afterAll }) => afterAll),
      (terms) => `Nothing after "all" is ever evaluated (RFC 7208 §5.1): ${terms}. Move these terms before it, or remove them`,
    ),
    ...issueAt(
      'DATA_AFTER_REDIRECT',
      'warning',
      found.flatMap(({ afterRedirect }) => afterRedirect),
      (terms) => `These terms stand after "redirect=", yet are evaluated before it (RFC 7208 §6): ${terms}. Put redirect at the end`,
    ),
    ...issueAt(
      'MULTIPLE_FALLBACKS',
      'error',
      found.filter(({ redirects }) => redirects > 1).map(({ origin }) => origin),
      (at) => `"redirect=" stands more than once in the record of ${at}, which is a permerror (RFC 7208 §6). Keep one`,
    ),
    ...issueAt(
      'MULTIPLE_FALLBACKS',
      'warning',
      found.filter(({ alls, redirects }) => redirects < 2 && alls + redirects > 1).map(({ origin }) => origin),
      (at) => `The record of ${at} has more than one of "all" and "redirect="; only the first "all" counts (RFC 7208 §5.1, §6.1). Keep one`,
    ),
  ];
}

function directivesAfter(terms: readonly Term[], isEnd: (term: Term) => boolean): string[] {
  const end = terms.findIndex(isEnd);
  return end === -1
    ? []
    : terms
        .slice(end + 1)
        .filter((term) => term.kind === 'directive' && term.mechanism.name !== 'all')
        .map(({ text }) => text);
}

/** RFC 7208 §4.6.4. */
function judgeLookups(tree: SpfTree): SpfIssue[] {
  const lookups = countLookups(tree);
  const voids = tree.nodes.flatMap(({ origin, voidTerms }) => voidTerms.map((term) => `${term} of ${origin}`));
  const crowded = tree.nodes.flatMap(({ origin, crowdedTerms }) => crowdedTerms.map((term) => `${term} of ${origin}`));
  return [
    ...issueAt(
      'TOO_MANY_DNS_LOOKUPS',
      'error',
      lookups > LOOKUPS_MAX ? [String(lookups)] : [],
      (count) =>
        `${count} terms ask the DNS, ${LOOKUPS_MAX} are allowed (RFC 7208 §4.6.4); checks end in permerror. Remove includes that are not needed, or list addresses with ip4 and ip6`,
    ),
    ...issueAt(
      'TOO_MANY_DNS_LOOKUPS',
      'error',
      voids.length > VOID_LOOKUPS_MAX ? voids : [],
      (terms) => `More than ${VOID_LOOKUPS_MAX} terms name hosts that do not exist (RFC 7208 §4.6.4): ${terms}. Remove them`,
    ),
    ...issueAt(
      'TOO_MANY_DNS_LOOKUPS',
      'error',
      crowded,
      (terms) =>
        `More than ${NAMES_MAX} mail exchanges stand behind ${terms}, which is a permerror (RFC 7208 §4.6.4). List their addresses with ip4 and ip6`,
    ),
  ];
}

/** Includes that cost look-ups for nothing. */
function judgeRepeats(tree: SpfTree): SpfIssue[] {
  const { duplicates, loops } = findRepeats(tree);
  return [
    ...issueAt(
      'DUPLICATE_INCLUDE',
      'error',
      loops,
      (links) => `The includes lead back to where they came from (${links}) until the look-up limit ends every check. Break the loop`,
    ),
    ...issueAt(
      'DUPLICATE_INCLUDE',
      'warning',
      duplicates,
      (domains) => `Included more than once, and counted each time: ${domains}. Keep one include of each`,
    ),
  ];
}
