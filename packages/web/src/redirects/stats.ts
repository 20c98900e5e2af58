import { type RedirectInfo, redirectInfo } from './redirect-info.ts';
import type { Step } from './step.ts';

export interface RedirectStats {
  redirects_found: number;
  followed_redirects: number;
  duplicate_redirects: number;
  http_to_https_redirects: number;
  https_to_http_redirects: number;
  external_redirects: number;
  same_origin_redirects: number;
  cross_origin_redirects: number;
}

/** Counts the redirects of a chain, followed or not. */
export function redirectStats(steps: readonly Step[]): RedirectStats {
  const found = steps.flatMap(({ url, redirect }) => (redirect ? [redirectInfo(url, redirect.to)] : []));
  const count = (what: keyof RedirectInfo): number => found.filter((info) => info[what]).length;
  return {
    redirects_found: found.length,
    followed_redirects: steps.filter(({ redirect }) => redirect?.followed).length,
    duplicate_redirects: duplicates(steps),
    http_to_https_redirects: count('http_to_https'),
    https_to_http_redirects: count('https_to_http'),
    external_redirects: count('external_redirect'),
    same_origin_redirects: count('same_origin'),
    cross_origin_redirects: count('cross_origin'),
  };
}

/**
 * Redirects to a URL of the chain that was asked before. One return to a URL is not counted where a cookie was set in between: so do log-ins, and sites
 * that ask first which language, and they end.
 */
function duplicates(steps: readonly Step[]): number {
  const visited = new Map<string, number>();
  const returned = new Set<string>();
  let count = 0;
  for (const [i, { url, redirect }] of steps.entries()) {
    visited.set(withoutFragment(url), i);
    if (!redirect) continue;
    const to = withoutFragment(redirect.to);
    const before = visited.get(to);
    if (before === undefined) continue;
    const mayDiffer = steps.slice(before, i + 1).some(({ setsCookies }) => setsCookies);
    if (!mayDiffer || returned.has(to)) count++;
    returned.add(to);
  }
  return count;
}

/** No server sees it. */
const withoutFragment = (url: string): string => url.split('#', 1)[0]!;

/** A URL that takes longer is slow. */
export const SLOW_MS = 3_000;

export interface RequestStats {
  total_requests: number;
  failed_requests: number;
  slow_requests: number;
  ssl_errors: number;
  avg_elapsed_ms: number;
  max_elapsed_ms: number;
}

/** Counts the requests of a chain. */
export function requestStats(steps: readonly Step[]): RequestStats {
  const times = steps.map(({ elapsed_ms }) => elapsed_ms);
  return {
    total_requests: steps.length,
    failed_requests: steps.filter(({ status }) => status === 0).length,
    slow_requests: times.filter((ms) => ms > SLOW_MS).length,
    ssl_errors: steps.filter(({ tlsFault }) => tlsFault).length,
    avg_elapsed_ms: times.length === 0 ? 0 : Math.round(times.reduce((sum, ms) => sum + ms, 0) / times.length),
    max_elapsed_ms: Math.max(0, ...times),
  };
}
