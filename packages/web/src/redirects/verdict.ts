import { shown } from '@vedette/contract';
import { redirectInfo } from './redirect-info.ts';
import type { Step } from './step.ts';

/**
 * How a chain ended. `page`: with an answer that does not redirect. `switched_off`: at a redirect of a kind that was not to be followed.
 * `refused`: before a URL that may not be contacted; `why` gives the reason. `no_answer`: at a URL that did not answer.
 */
export type ChainEnd =
  | { kind: 'page' | 'switched_off' | 'loop' | 'no_answer' }
  | { kind: 'too_many'; max: number }
  | { kind: 'out_of_time'; ms: number }
  | { kind: 'refused'; why: string };

export interface ChainVerdict {
  /** `complete`: the last URL answered, and nothing is left that was to be followed. */
  chain_status: 'complete' | 'partial';
  /** Why the chain stopped early; empty where it did not. */
  debug_message: string;
}

const URL_MAX_CHARS = 200;
/** Statuses that are of no use without a URL to go to (RFC 9110 §15.4). */
const REDIRECTING = new Set([301, 302, 303, 307, 308]);

/** Says whether a chain, of one step at least, was followed to its end. */
export function chainVerdict(steps: readonly Step[], end: ChainEnd): ChainVerdict {
  const debug_message = stoppedBy(steps, end);
  return { chain_status: debug_message === '' ? 'complete' : 'partial', debug_message };
}

function stoppedBy(steps: readonly Step[], end: ChainEnd): string {
  const last = steps.at(-1)!;
  const hop = `hop ${steps.length - 1}`;
  const to = shown(last.redirect?.to ?? '', URL_MAX_CHARS);
  switch (end.kind) {
    case 'page':
      return REDIRECTING.has(last.status) && !last.redirect
        ? `${hop} answers with status ${last.status} and no URL that can be gone to`
        : '';
    case 'switched_off':
      return '';
    case 'loop':
      return `${hop} leads back to ${to}, which was asked before${betweenWhat(steps)}`;
    case 'too_many':
      return `${hop} leads to ${to}, and ${end.max} redirects were followed before: no more are`;
    case 'out_of_time':
      return `the ${end.ms / 1_000} s that a chain may take were over before ${to === '' ? shown(last.url, URL_MAX_CHARS) : to} had answered`;
    case 'refused':
      return `${hop} leads to ${to}, which is not requested: ${end.why}`;
    case 'no_answer':
      return `${hop}, ${shown(last.url, URL_MAX_CHARS)}: ${last.failure?.message ?? 'no answer'}`;
  }
}

/** The likely cause of a loop between two servers. */
function betweenWhat(steps: readonly Step[]): string {
  const infos = steps.flatMap(({ url, redirect }) => (redirect ? [redirectInfo(url, redirect.to)] : []));
  const has = (what: keyof (typeof infos)[number]): boolean => infos.some((info) => info[what]);
  if (has('http_to_https') && has('https_to_http')) return ': http and https redirect to each other';
  return has('www_to_non_www') && has('non_www_to_www') ? ': the names with and without www. redirect to each other' : '';
}

/** The outcome of the last URL of a chain. */
export const FINAL_STATUSES = [
  'ok',
  'redirect',
  'client_error',
  'server_error',
  'unusual_status',
  'not_resolved',
  'not_connected',
  'tls_failed',
  'timed_out',
  'invalid_answer',
  'proxy_failed',
] as const;
export type FinalStatus = (typeof FINAL_STATUSES)[number];

const CLASSES: readonly (FinalStatus | undefined)[] = [undefined, undefined, 'ok', 'redirect', 'client_error', 'server_error'];

/** One word for an answer, by the class of its status, or for the cause of a missing answer. */
export function finalStatus({ status, failure }: Pick<Step, 'status' | 'failure'>): FinalStatus {
  if (!failure) return CLASSES[Math.floor(status / 100)] ?? 'unusual_status';
  const { code } = failure;
  if (code.startsWith('dns_')) return 'not_resolved';
  if (code === 'proxy_failed') return 'proxy_failed';
  if (code.startsWith('connect_')) return 'not_connected';
  if (code.startsWith('tls_')) return 'tls_failed';
  return code === 'http_timeout' ? 'timed_out' : 'invalid_answer';
}
