import type { SourceCheck } from '@vedette/contract';
import { whyOf } from './checks.ts';
import { FeedRefused, type Refusal } from './refusal.ts';

const VERDICTS: Readonly<Record<Refusal, SourceCheck['verdict']>> = {
  fetch_failed: 'unreachable',
  status: 'failing',
  too_large: 'shape',
  html: 'terms',
  format: 'shape',
  too_few: 'shape',
  shrunk: 'shape',
  grown: 'shape',
  poisoned: 'lists_too_much',
  internal: 'internal',
};
const REFUSING = [401, 402, 403, 407, 429, 451];
const GONE = [404, 410];

/** Returns what an unsuccessful try says of the source. */
export function sourceVerdict(error: unknown): Omit<SourceCheck, 'name'> {
  const status = error instanceof FeedRefused ? error.status : 0;
  const verdict = REFUSING.includes(status) ? 'refused' : GONE.includes(status) ? 'moved' : VERDICTS[whyOf(error)];
  return { verdict, detail: error instanceof Error ? error.message : String(error) };
}
