import type { DnsPorts } from '@vedette/contract';
import { type QualifierResult, RESULT_OF } from '../check-host.ts';
import { constantName } from '../macro.ts';
import { effectiveDirectives, effectiveRedirect } from '../record.ts';
import { spfSource } from '../source.ts';

/** The SPF result for senders that no term names. */
export interface UnnamedSenders {
  /** Whether the domain publishes a record, usable or not. */
  published: boolean;
  /** The result of the qualifier of `all`, redirects followed. Empty without a usable record. */
  result: '' | QualifierResult;
  /** The unanswered question, and why. */
  error: string;
}

const REDIRECTS_MAX = 5;

/** Follows redirects only: much cheaper than an evaluation, which also knows senders that are named. Rejects with the signal's reason. */
export async function judgeUnnamedSenders(domain: string, ports: DnsPorts): Promise<UnnamedSenders> {
  const source = spfSource(ports);
  let { records, error } = await source(domain);
  let at = domain;
  const published = records.length > 0;
  const says = (result: UnnamedSenders['result']): UnnamedSenders => ({ published, result, error });
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const [record, ...others] = records;
    if (!record || others.length > 0) return says(''); // several are an error (RFC 7208 §4.5)
    if (record.problems.length > 0) return says(''); // a permerror (RFC 7208 §4.6)
    const all = effectiveDirectives(record).find(({ mechanism }) => mechanism.name === 'all');
    if (all) return says(RESULT_OF[all.qualifier]);
    const redirect = effectiveRedirect(record);
    if (!redirect) return says('neutral'); // RFC 7208 §4.7
    const target = constantName(redirect, { domain: at, host: domain });
    if (target === undefined) return says('');
    ({ records, error } = await source((at = target)));
  }
  return says('');
}
