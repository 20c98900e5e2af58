import { type IpAddress, unmapped, type DnsPorts } from '@vedette/contract';
import { clientName } from './client-name.ts';
import { countLookup, type Evaluation, expandTarget, SpfFailure } from './evaluation.ts';
import { lookAhead } from './judge/look-ahead.ts';
import { type DomainSpec, isTargetName, usesLetter } from './macro.ts';
import { isStatic, matchMechanism, matchStatic } from './match.ts';
import { type Directive, effectiveDirectives, effectiveRedirect, type Qualifier, type SpfRecord } from './record.ts';
import { type SpfSource, spfSource } from './source.ts';

/** The results of check_host(), RFC 7208 §2.6. */
export const SPF_RESULTS = ['none', 'neutral', 'pass', 'fail', 'softfail', 'temperror', 'permerror'] as const;
export type SpfResult = (typeof SPF_RESULTS)[number];

export interface SpfVerdict {
  result: SpfResult;
  /** The term that decided and the domain it stands at, or what went wrong. */
  reason: string;
}

export interface SpfQuestion {
  /** The client's address; an IPv4-mapped one is its IPv4 address (RFC 7208 §5). */
  ip: IpAddress;
  /** The domain whose policy is asked for, in lower-case A-labels. */
  domain: string;
  /** MAIL FROM; without it the postmaster of the domain (§4.3). */
  sender?: string;
  helo?: string;
}

/** The result of a matching term, by its qualifier (RFC 7208 §4.6.2). */
export const RESULT_OF = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' } as const satisfies Record<Qualifier, SpfResult>;
export type QualifierResult = (typeof RESULT_OF)[Qualifier];

/**
 * RFC 7208 check_host(): may this address send for this domain? Includes are fetched ahead of their turn, so the time is
 * about (include depth + 1) round trips; the verdict is that of the strict order. `exp=` is not asked for: only a
 * receiver that rejects mail shows it. `source`: where a walk has already fetched the policies.
 */
export async function checkHost({ ip, domain, sender, helo }: SpfQuestion, ports: DnsPorts, source?: SpfSource): Promise<SpfVerdict> {
  if (!isTargetName(domain)) return { result: 'none', reason: `${domain} is not a name of two labels or more (RFC 7208 §4.3)` };
  const evaluation: Evaluation = {
    dns: ports,
    source: source ?? spfSource(ports),
    ip: unmapped(ip),
    sender: sender ?? `postmaster@${domain}`,
    helo: helo ?? domain,
    lookups: 0,
    voids: 0,
  };
  lookAhead(domain, evaluation).catch(() => {}); // what fails here fails again where it is needed
  try {
    return await evaluate(domain, evaluation);
  } catch (error) {
    if (error instanceof SpfFailure) return { result: error.result, reason: error.message };
    throw error;
  }
}

async function evaluate(domain: string, evaluation: Evaluation): Promise<SpfVerdict> {
  const record = await recordOf(domain, evaluation);
  if (!record) return { result: 'none', reason: `${domain} has no SPF record` };
  for (const directive of effectiveDirectives(record))
    if (await matches(directive, domain, evaluation))
      return { result: RESULT_OF[directive.qualifier], reason: `${directive.text} of ${domain}` };
  const redirect = effectiveRedirect(record);
  return redirect
    ? evaluateOther('redirect', redirect, domain, evaluation)
    : { result: 'neutral', reason: `No term of ${domain} matches (RFC 7208 §4.7)` };
}

async function recordOf(domain: string, { source }: Evaluation): Promise<SpfRecord | undefined> {
  const { records, error } = await source(domain);
  if (error !== '') throw new SpfFailure('temperror', error);
  if (records.length > 1) throw new SpfFailure('permerror', `${domain} has more than one SPF record (RFC 7208 §4.5)`);
  const [problem] = records[0]?.problems ?? [];
  if (problem) throw new SpfFailure('permerror', `${problem.term} of ${domain}: ${problem.problem}`);
  return records[0];
}

async function matches({ mechanism }: Directive, domain: string, evaluation: Evaluation): Promise<boolean> {
  if (isStatic(mechanism)) return matchStatic(mechanism, evaluation.ip);
  if (mechanism.name === 'include') return (await evaluateOther('include', mechanism.domain, domain, evaluation)).result === 'pass';
  countLookup(evaluation);
  const target = mechanism.domain ? await targetOf(mechanism.domain, domain, evaluation) : domain;
  return target !== undefined && matchMechanism(mechanism, target, evaluation);
}

/** Evaluates the domain that `include` or `redirect` names; there has to be a record (RFC 7208 §5.2, §6.1). */
async function evaluateOther(term: 'include' | 'redirect', spec: DomainSpec, domain: string, evaluation: Evaluation): Promise<SpfVerdict> {
  countLookup(evaluation);
  const target = await targetOf(spec, domain, evaluation);
  if (target === undefined) throw new SpfFailure('permerror', `${term} ${spec.text} of ${domain} does not lead to a domain name`);
  const verdict = await evaluate(target, evaluation);
  if (verdict.result === 'none') throw new SpfFailure('permerror', `${term} of ${domain}: ${verdict.reason}`);
  return verdict;
}

async function targetOf(spec: DomainSpec, domain: string, evaluation: Evaluation): Promise<string | undefined> {
  const validatedName = usesLetter(spec, 'p') ? await clientName(domain, evaluation) : '';
  return expandTarget(spec, domain, evaluation, validatedName);
}
