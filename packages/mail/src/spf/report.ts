import { mergeNetworks, type NetworkTexts } from './networks.ts';
import { constantName, type Reading } from './macro.ts';
import { domainOf, PROBLEMS_MAX, recordUsesMacro, type Term } from './record.ts';
import { authorising, type SpfNode, type SpfTree } from './tree.ts';

/** One record of the tree, as reports show it. */
export interface SpfRecordEntry {
  record: string;
  origin: string;
  chars_num: number;
  use_macro: boolean;
  /** Present where the record includes or redirects. */
  domains?: string[];
  /** Present where the record lists addresses. */
  authorized_ips?: NetworkTexts;
}

export const describeNode = ({ origin, record, links, networks }: SpfNode): SpfRecordEntry => ({
  record: record.text,
  origin,
  chars_num: record.text.length,
  use_macro: recordUsesMacro(record),
  ...(links.length > 0 && { domains: [...new Set(links.map(({ target }) => target))] }),
  ...(networks.length > 0 && { authorized_ips: mergeNetworks(networks) }),
});

/** All addresses that get a pass by being listed: not those behind `-include`, `?ip4` and the like, and not what `+all` lets in. */
export const authorizedNetworks = (tree: SpfTree): NetworkTexts => mergeNetworks(authorising(tree).flatMap(({ networks }) => networks));

/** More than any evaluation asks about; macros make long names of short terms. */
const NAMED_MAX = 500;

/** The domains that the terms of the tree name, without those that depend on the message, in the order met; the first 500. */
export function namedDomains({ host, nodes }: SpfTree): string[] {
  const names = new Set<string>();
  for (const { origin, record } of nodes)
    for (const term of record.terms) {
      if (names.size === NAMED_MAX) return [...names];
      const name = namedDomain(term, { domain: origin, host });
      if (name !== undefined) names.add(name);
    }
  return [...names];
}

function namedDomain(term: Term, reading: Reading): string | undefined {
  const domain = domainOf(term);
  return domain && constantName(domain, reading);
}

/** A term that the grammar does not allow; one is enough for a permerror (RFC 7208 §4.6). */
export interface SpfSyntaxProblem {
  origin: string;
  term: string;
  problem: string;
}

/** The first hundred. */
export const syntaxProblems = ({ nodes }: SpfTree): SpfSyntaxProblem[] =>
  nodes.flatMap(({ origin, record }) => record.problems.map((found) => ({ origin, ...found }))).slice(0, PROBLEMS_MAX);
