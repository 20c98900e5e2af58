import { type Evaluation, expandTarget, LOOKUPS_MAX } from '../evaluation.ts';
import { type DomainSpec, usesLetter } from '../macro.ts';
import { isStatic, matchMechanism, matchStatic } from '../match.ts';
import { effectiveDirectives, effectiveRedirect, type Mechanism } from '../record.ts';

/**
 * Asks what the evaluation is going to need before its turn comes, so that the round trips of includes do not add up.
 * The answers stay in the source and the resolver. Terms beyond the limit, or behind one that matches, are left alone.
 */
export function lookAhead(domain: string, evaluation: Evaluation): Promise<void> {
  let terms = 0;

  async function follow(name: string): Promise<void> {
    const { records } = await evaluation.source(name);
    const [record] = records;
    if (!record || records.length > 1 || record.problems.length > 0) return;
    const directives = effectiveDirectives(record);
    const last = directives.findIndex(({ mechanism }) => isStatic(mechanism) && matchStatic(mechanism, evaluation.ip));
    await Promise.allSettled([
      ...directives.slice(0, last === -1 ? undefined : last).map(({ mechanism }) => ask(mechanism, name)),
      last === -1 && followTarget(effectiveRedirect(record), name),
    ]);
  }

  async function ask(mechanism: Mechanism, owner: string): Promise<void> {
    if (mechanism.name === 'include') return followTarget(mechanism.domain, owner);
    if (isStatic(mechanism) || ++terms > LOOKUPS_MAX) return;
    const target = mechanism.domain ? targetOf(mechanism.domain, owner) : owner;
    if (target === undefined) return;
    // The very questions of the real evaluation; what it makes of the answers does not matter here.
    await matchMechanism(mechanism, target, { ...evaluation, voids: -Infinity });
  }

  async function followTarget(spec: DomainSpec | undefined, owner: string): Promise<void> {
    if (!spec || ++terms > LOOKUPS_MAX) return;
    const target = targetOf(spec, owner);
    if (target !== undefined) await follow(target);
  }

  const targetOf = (spec: DomainSpec, owner: string): string | undefined =>
    usesLetter(spec, 'p') ? undefined : expandTarget(spec, owner, evaluation, '');

  return follow(domain);
}
