import { ProbeFailure } from '@vedette/contract';
import type { Feed } from './feed.ts';
import { type Coverage, type Snapshot } from './ports.ts';
import { FeedRefused, type Refusal } from './refusal.ts';

/** One entry of a list in ten may be something else; of an error message all are. */
const UNREADABLE_SHARE = 0.1;
/** Percent of the announced space. The longest lists of single attackers have a hundredth of that. */
const MAX_COVERAGE = 0.5;
/** How many times as much as before a list may cover, or as little. */
const COVERAGE_CHANGE = 3;
/** Percent of the announced space, a /16 of IPv4: below, how much a list has changed is told by its rows. */
const SMALL_COVERAGE = 0.002;
const FAMILIES = [
  ['ipv4', 'IPv4'],
  ['ipv6', 'IPv6'],
] as const;

/** Throws `FeedRefused` for what is not the list. */
export function assertWhole(
  { rows, unreadable, forbidden, coverage }: Omit<Snapshot, 'bytes'>,
  { min_rows, max_coverage = MAX_COVERAGE }: Pick<Feed, 'min_rows' | 'max_coverage'>,
): void {
  if (unreadable > (rows + unreadable) * UNREADABLE_SHARE) throw new FeedRefused('format', `${unreadable} entries cannot be read`);
  if (rows < min_rows) throw new FeedRefused('too_few', `${rows} rows, and there are at least ${min_rows}`);
  if (forbidden !== undefined) throw new FeedRefused('poisoned', `it has ${forbidden}`);
  for (const [family, name] of FAMILIES)
    if (coverage && coverage[family] > max_coverage)
      throw new FeedRefused(
        'poisoned',
        `it covers ${shown(coverage[family])} of the announced ${name} space, and may cover ${max_coverage} %`,
      );
}

/** The figures of the previous list. */
export interface Before {
  rows: number;
  coverage?: Coverage | undefined;
}

/** Throws `FeedRefused` for what is much larger or smaller than what there was before. */
export function assertLikeBefore({ rows, coverage }: Before, before: Before, { max_change }: Pick<Feed, 'max_change'>): void {
  if (before.rows === 0) return;
  if (rows * max_change < before.rows) throw new FeedRefused('shrunk', `${rows} rows, and there were ${before.rows}`);
  if (rows > before.rows * max_change) throw new FeedRefused('grown', `${rows} rows, and there were ${before.rows}`);
  if (!coverage || !before.coverage) return;
  for (const [family, name] of FAMILIES) {
    const [now, then] = [coverage[family], before.coverage[family]];
    const reason = `it covers ${shown(now)} of the announced ${name} space, and covered ${shown(then)}`;
    if (now > SMALL_COVERAGE && now > Math.max(then, SMALL_COVERAGE / COVERAGE_CHANGE) * COVERAGE_CHANGE)
      throw new FeedRefused('grown', reason);
    if (then > SMALL_COVERAGE && now * COVERAGE_CHANGE < then) throw new FeedRefused('shrunk', reason);
  }
}

const shown = (percent: number): string => `${Number(percent.toPrecision(2))} %`;

export function whyOf(error: unknown): Refusal {
  if (error instanceof FeedRefused) return error.why;
  if (!(error instanceof ProbeFailure)) return 'internal';
  return error.code === 'too_large' ? 'too_large' : 'fetch_failed';
}

/** Whether no connection to the source was made: it has noticed nothing of the try. */
export const wasUnreached = (error: unknown): boolean =>
  error instanceof ProbeFailure && (error.code === 'no_network' || error.code.startsWith('dns_') || error.code.startsWith('connect_'));
