import { effectiveDirectives, effectiveRedirect, type SpfRecord } from '../record.ts';
import type { SpfNode, SpfTree } from '../tree.ts';

/** Includes of includes multiply; counting stops here. */
const COUNT_MAX = 10_000;

/** Mechanisms that ask the DNS. */
export const ASKING: ReadonlySet<string> = new Set(['include', 'a', 'mx', 'ptr', 'exists']);

/** The terms that ask the DNS when nothing matches early (RFC 7208 §4.6.4). */
export const countLookups = (tree: SpfTree): number => countAlong(tree, ({ record }) => ownLookups(record));

/** The terms that find nothing when a sender of this family is checked and nothing matches early (§4.6.4). */
export const countVoids = (tree: SpfTree, isVoid: (term: SpfNode['voidTerms'][number]) => boolean): number =>
  countAlong(tree, ({ voidTerms }) => voidTerms.filter(isVoid).length);

/** Adds up along the links. A domain included twice counts twice; a loop is not followed round. */
function countAlong({ host, nodes }: SpfTree, own: (node: SpfNode) => number): number {
  const byOrigin = Map.groupBy(nodes, ({ origin }) => origin);
  const counts = new Map<string, number>();
  const count = (domain: string): number => {
    const known = counts.get(domain);
    if (known !== undefined) return known;
    counts.set(domain, 0); // on the path: a link back here adds nothing
    const total = Math.min(COUNT_MAX, sum((byOrigin.get(domain) ?? []).map(countNode)));
    counts.set(domain, total);
    return total;
  };
  const countNode = (node: SpfNode): number => own(node) + sum(node.links.map(({ target }) => count(target)));
  return count(host);
}

const ownLookups = (record: SpfRecord): number =>
  effectiveDirectives(record).filter(({ mechanism }) => ASKING.has(mechanism.name)).length + (effectiveRedirect(record) ? 1 : 0);

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
