import { shown, sortIssues } from '../../findings/index.ts';
import type { SpfVerdict } from '../check-host.ts';
import { issueAt, SPF_ISSUES, type SpfIssue } from './issues.ts';
import { judgeLookups, judgeRepeats, judgeVoids } from './judge-lookups.ts';
import { judgeLookalikes, judgeOpenness } from './judge-meaning.ts';
import { effectiveDirectives, isMechanism, type SpfRecord, type Term } from '../record.ts';
import { authorising, reachable, type SpfTree } from '../tree.ts';

/**
 * Judges a domain's SPF as its tree shows it, in the order of `SPF_ISSUES`. An error means that receivers cannot or must not use it.
 * `verdict` is what a check of one address came to.
 */
export function judgeSpf(tree: SpfTree, verdict?: SpfVerdict): SpfIssue[] {
  const found = [
    ...judgeRecordCounts(tree),
    ...judgeTerms(tree),
    ...judgeFallbacks(tree),
    ...judgeLookups(tree),
    ...judgeVoids(tree),
    ...judgeRepeats(tree),
    ...judgeLookalikes(tree),
    ...judgeOpenness(tree),
    ...judgeSilence(tree),
  ];
  return sortIssues([...found, ...judgeVerdict(verdict)], SPF_ISSUES);
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

/** Findings about single terms and their form: RFC 7208 §4.6.1, §5.1, §5.5. */
function judgeTerms(tree: SpfTree): SpfIssue[] {
  const { nodes } = tree;
  const originsWhere = (holds: (record: SpfRecord) => boolean, among = nodes) =>
    among.filter(({ record }) => holds(record)).map(({ origin }) => origin);
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
      'information',
      nodes.flatMap(({ record }) => upperCaseWords(record)),
      (words) =>
        `There is upper case in ${words}, which receivers read as lower case (RFC 7208 §4.6.1). Nothing has to be done; lower case is customary`,
    ),
    ...issueAt(
      'PLUS_ALL_FOUND',
      'error',
      originsWhere(
        (record) => effectiveDirectives(record).some((term) => isMechanism(term, 'all') && term.qualifier === '+'),
        authorising(tree),
      ),
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

/** Version, mechanism and modifier names with upper case. Macro letters are not names: in upper case they mean something else (§7.3). */
const upperCaseWords = ({ text, terms }: SpfRecord): string[] =>
  [text.slice(0, 'v=spf1'.length), ...terms.map((term) => term.text.split(/[:/=]/, 1)[0]!)].filter((word) => word !== word.toLowerCase());

/** The result when no term matched: RFC 7208 §4.7, §5.1, §6.1. */
function judgeFallbacks(tree: SpfTree): SpfIssue[] {
  const own = reachable(tree, ({ kind }) => kind === 'redirect');
  const found = tree.nodes.map(({ origin, record: { terms, isWhole } }) => ({
    origin,
    isWhole,
    alls: terms.filter((term) => isMechanism(term, 'all')).length,
    redirects: terms.filter(({ kind }) => kind === 'redirect').length,
    afterAll: directivesAfter(terms, (term) => isMechanism(term, 'all')),
    afterRedirect: directivesAfter(terms, ({ kind }) => kind === 'redirect'),
  }));
  return [
    ...issueAt(
      'RECORD_TERMINATION_MISSING',
      'warning',
      found
        .filter(({ origin, isWhole, alls, redirects }) => isWhole && own.has(origin) && alls + redirects === 0)
        .map(({ origin }) => origin),
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

/** RFC 7208 §4.4, §5: a record that cannot be read now is a temperror, whatever its content. */
function judgeSilence({ host, policies, nodes }: SpfTree): SpfIssue[] {
  const silent = [...policies.values()].filter(({ domain, error }) => domain !== host && error !== '').map(({ error }) => error);
  const own = policies.get(host)?.error ?? '';
  const terms = nodes.flatMap(({ origin, unansweredTerms }) => unansweredTerms.map(({ text, error }) => `${text} of ${origin} (${error})`));
  return [
    ...issueAt(
      'RECORD_NOT_ANSWERED',
      'error',
      own === '' ? [] : [own],
      (error) =>
        `Whether there is an SPF record is not known, since the DNS did not answer: ${error}. Receivers that get no answer either end in temperror (RFC 7208 §4.4); ask again, and if it lasts mend the name servers`,
    ),
    ...issueAt(
      'INCLUDE_NOT_ANSWERED',
      'warning',
      silent,
      (errors) =>
        `Whether the record is valid is not known, since one that it leads to cannot be read: ${errors}. Receivers that get no answer either end in temperror (RFC 7208 §4.4)`,
    ),
    ...issueAt(
      'TERM_NOT_ANSWERED',
      'warning',
      terms,
      (where) =>
        `Whether the record is valid is not known, since hosts that it names have no answer: ${where}. Receivers that get none either end every check that gets there in temperror (RFC 7208 §5)`,
    ),
  ];
}

function judgeVerdict(verdict: SpfVerdict | undefined): SpfIssue[] {
  switch (verdict?.result) {
    case 'permerror':
      return [
        { code: 'IPTEST_PERMERROR', type: 'error', message: `The check of this address ends in permerror: ${shown(verdict.reason)}` },
      ];
    case 'temperror':
      return [
        {
          code: 'IPTEST_TEMPERROR',
          type: 'warning',
          message: `The check of this address ends in temperror, so what it comes to is not known: ${shown(verdict.reason)}`,
        },
      ];
    default:
      return [];
  }
}

/** Valid without errors, but incomplete. */
const NOT_KNOWN: ReadonlySet<SpfIssue['code']> = new Set(['INCLUDE_NOT_ANSWERED', 'TERM_NOT_ANSWERED', 'IPTEST_TEMPERROR']);

/**
 * Whether receivers can use the SPF of the host, as far as its tree shows. Without all DNS answers its validity is unknown, so it does not
 * count as valid.
 */
export const isValidSpf = ({ host, nodes }: SpfTree, issues: readonly SpfIssue[]): boolean =>
  nodes.some(({ origin }) => origin === host) &&
  nodes.every(({ record }) => record.problems.length === 0) &&
  issues.every(({ code, type }) => type !== 'error' && !NOT_KNOWN.has(code));
