import { isAtOrUnder } from '@vedette/contract';
import { listing } from '../../findings/index.ts';
import { LOOKUPS_MAX, NAMES_MAX, VOID_LOOKUPS_MAX } from '../evaluation.ts';
import { hiddenTerms } from './hidden-terms.ts';
import type { FamilyTerm } from '../host-networks.ts';
import { issueAt, type SpfIssue } from './issues.ts';
import { countLookups, countVoids } from './lookup-count.ts';
import { type Duplicate, findRepeats } from './repeats.ts';
import type { SpfTree } from '../tree.ts';

/** RFC 7208 §4.6.4. */
export function judgeLookups(tree: SpfTree): SpfIssue[] {
  const lookups = countLookups(tree);
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
      crowded,
      (terms) =>
        `More than ${NAMES_MAX} mail exchanges stand behind ${terms}, which is a permerror (RFC 7208 §4.6.4). List their addresses with ip4 and ip6`,
    ),
  ];
}

/**
 * RFC 7208 §4.6.4. Hosts with addresses of one family alone are ordinary: senders of the other that are not listed end in permerror, not in
 * what `all` says, and that is all. They are harm only where senders of the other are listed behind them.
 */
export function judgeVoids(tree: SpfTree): SpfIssue[] {
  const forAll = issueAt(
    'TOO_MANY_DNS_LOOKUPS',
    'error',
    voidTermsOf(tree, ({ ipv4, ipv6 }) => ipv4 && ipv6),
    (terms) => `More than ${VOID_LOOKUPS_MAX} terms name hosts that do not exist (RFC 7208 §4.6.4): ${terms}. Remove them`,
  );
  if (forAll.length > 0) return forAll;
  return [...judgeFamily(tree, 'IPv4', ({ ipv4 }) => ipv4), ...judgeFamily(tree, 'IPv6', ({ ipv6 }) => ipv6)];
}

/** The void terms where there are too many of them, else none. */
const voidTermsOf = (tree: SpfTree, isVoid: (term: FamilyTerm) => boolean): string[] =>
  countVoids(tree, isVoid) > VOID_LOOKUPS_MAX
    ? tree.nodes.flatMap(({ origin, voidTerms }) => voidTerms.filter(isVoid).map(({ text }) => `${text} of ${origin}`))
    : [];

function judgeFamily(tree: SpfTree, family: string, isOfFamily: (term: FamilyTerm) => boolean): SpfIssue[] {
  const terms = voidTermsOf(tree, isOfFamily);
  const hidden = terms.length === 0 ? [] : hiddenTerms(tree, isOfFamily);
  const say = (where: string, what: string) =>
    `More than ${VOID_LOOKUPS_MAX} terms name hosts without ${family} addresses (RFC 7208 §4.6.4): ${where}. A check of an ${family} address that is not listed ${what}`;
  return hidden.length === 0
    ? issueAt('TOO_MANY_DNS_LOOKUPS', 'information', terms, (where) =>
        say(where, 'ends in permerror. Where that matters name the addresses of these hosts with ip4 and ip6'),
      )
    : issueAt('TOO_MANY_DNS_LOOKUPS', 'warning', terms, (where) =>
        say(
          where,
          `before them ends in permerror, so no sender gets to ${listing(hidden)}. Put such terms first, or name the addresses of these hosts with ip4 and ip6`,
        ),
      );
}

/** Includes that cost look-ups for nothing. The owner of the domain cannot change the includes of other owners' records. */
export function judgeRepeats(tree: SpfTree): SpfIssue[] {
  const { duplicates, loops } = findRepeats(tree);
  const isOwn = (origin: string) => isAtOrUnder(origin, tree.host) || isAtOrUnder(tree.host, origin);
  const isItsOwn = ({ origins }: Duplicate) => origins.filter(isOwn).length > 1;
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
      duplicates.filter(isItsOwn).map(shownDuplicate),
      (domains) => `Included more than once, and counted each time: ${domains}. Keep one include of each`,
    ),
    ...issueAt(
      'DUPLICATE_INCLUDE',
      'information',
      duplicates.filter((duplicate) => !isItsOwn(duplicate)).map(shownDuplicate),
      (domains) =>
        `Included more than once, and counted each time: ${domains}. Only near the limit of ${LOOKUPS_MAX} look-ups does that matter; an include of yours can go as long as the other stays`,
    ),
  ];
}

const shownDuplicate = ({ target, origins }: Duplicate): string => `${target} (in ${listing(origins)})`;
