import { LOOKUPS_MAX, NAMES_MAX, VOID_LOOKUPS_MAX } from './evaluation.ts';
import type { VoidTerm } from './host-networks.ts';
import { issueAt, type SpfIssue } from './issues.ts';
import { countLookups, countVoids } from './lookup-count.ts';
import { findRepeats } from './repeats.ts';
import { authorizedNetworks } from './report.ts';
import type { SpfTree } from './tree.ts';

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
 * RFC 7208 §4.6.4. Hosts with addresses of one family alone are ordinary; they are harm only where senders of the other are listed as well,
 * who may meet the limit before their own term.
 */
export function judgeVoids(tree: SpfTree): SpfIssue[] {
  const voidsOf = (isVoid: (term: VoidTerm) => boolean) =>
    countVoids(tree, isVoid) > VOID_LOOKUPS_MAX
      ? tree.nodes.flatMap(({ origin, voidTerms }) => voidTerms.filter(isVoid).map(({ text }) => `${text} of ${origin}`))
      : [];
  const forAll = issueAt(
    'TOO_MANY_DNS_LOOKUPS',
    'error',
    voidsOf(({ ipv4, ipv6 }) => ipv4 && ipv6),
    (terms) => `More than ${VOID_LOOKUPS_MAX} terms name hosts that do not exist (RFC 7208 §4.6.4): ${terms}. Remove them`,
  );
  if (forAll.length > 0) return forAll;
  const { ipv4, ipv6 } = authorizedNetworks(tree);
  const forFamily = (family: string, listed: boolean, terms: string[]) =>
    issueAt(
      'TOO_MANY_DNS_LOOKUPS',
      listed ? 'warning' : 'information',
      terms,
      (where) =>
        `A check of an ${family} address ends in permerror: more than ${VOID_LOOKUPS_MAX} terms name hosts without ${family} addresses (RFC 7208 §4.6.4): ${where}. Name their addresses with ip4 and ip6 instead`,
    );
  return [
    ...forFamily(
      'IPv4',
      ipv4.length > 0,
      voidsOf((term) => term.ipv4),
    ),
    ...forFamily(
      'IPv6',
      ipv6.length > 0,
      voidsOf((term) => term.ipv6),
    ),
  ];
}

/** Includes that cost look-ups for nothing. */
export function judgeRepeats(tree: SpfTree): SpfIssue[] {
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
