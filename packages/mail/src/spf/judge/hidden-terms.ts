import { LOOKUPS_MAX, VOID_LOOKUPS_MAX } from '../evaluation.ts';
import type { FamilyTerm } from '../host-networks.ts';
import { ASKING } from './lookup-count.ts';
import { constantName } from '../macro.ts';
import { effectiveDirectives, effectiveRedirect } from '../record.ts';
import type { SpfNode, SpfTree } from '../tree.ts';

/**
 * The terms that list addresses of a family, and yet no sender of it ever gets to, as too many void terms stand before them in the order of
 * evaluation (RFC 7208 §4.6.4, §4.6.2), as `term of origin`. Beyond the term at which every check ends nothing is looked at.
 */
export function hiddenTerms({ host, nodes }: SpfTree, isOfFamily: (term: FamilyTerm) => boolean): string[] {
  const byOrigin = Map.groupBy(nodes, ({ origin }) => origin);
  const [reached, hidden] = [new Set<string>(), new Set<string>()];
  let [lookups, voids] = [0, 0];
  const goOn = (target: string | undefined, authorises: boolean) => {
    if (target !== undefined) for (const node of byOrigin.get(target) ?? []) visit(node, authorises);
  };
  const visit = ({ origin, record, voidTerms, listingTerms }: SpfNode, authorises: boolean) => {
    const reading = { domain: origin, host };
    const isVoid = textsOf(voidTerms.filter(isOfFamily));
    const lists = textsOf(listingTerms.filter(isOfFamily));
    for (const { text, qualifier, mechanism } of effectiveDirectives(record)) {
      if (lookups > LOOKUPS_MAX || (ASKING.has(mechanism.name) && ++lookups > LOOKUPS_MAX)) return;
      if (mechanism.name === 'include') goOn(constantName(mechanism.domain, reading), authorises && qualifier === '+');
      if (isVoid.has(text)) voids++;
      if (authorises && lists.has(text)) (voids > VOID_LOOKUPS_MAX ? hidden : reached).add(`${text} of ${origin}`);
    }
    const redirect = effectiveRedirect(record);
    if (redirect && ++lookups <= LOOKUPS_MAX) goOn(constantName(redirect, reading), authorises);
  };
  goOn(host, true);
  return [...hidden.difference(reached)];
}

const textsOf = (terms: readonly FamilyTerm[]): Set<string> => new Set(terms.map(({ text }) => text));
