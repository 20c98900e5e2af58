import { ProbeFailure } from '@vedette/contract';
import type { Feed } from './feed.ts';
import { FeedRefused, type Refusal, type Snapshot } from './ports.ts';

/** One entry of a list in ten may be something else; of an error message all are. */
const UNREADABLE_SHARE = 0.1;

/** Throws `FeedRefused` for what is not the list. */
export function assertWhole({ rows, unreadable, forbidden }: Omit<Snapshot, 'bytes'>, { min_rows }: Pick<Feed, 'min_rows'>): void {
  if (unreadable > (rows + unreadable) * UNREADABLE_SHARE) throw new FeedRefused('format', `${unreadable} entries are none`);
  if (rows < min_rows) throw new FeedRefused('too_few', `${rows} rows, and there are at least ${min_rows}`);
  if (forbidden !== undefined) throw new FeedRefused('poisoned', `it has ${forbidden}`);
}

/** Throws `FeedRefused` for what is much larger or smaller than what there was before. */
export function assertLikeBefore(rows: number, before: number, { max_change }: Pick<Feed, 'max_change'>): void {
  if (before === 0) return;
  if (rows * max_change < before) throw new FeedRefused('shrunk', `${rows} rows, and there were ${before}`);
  if (rows > before * max_change) throw new FeedRefused('grown', `${rows} rows, and there were ${before}`);
}

export function whyOf(error: unknown): Refusal {
  if (error instanceof FeedRefused) return error.why;
  if (!(error instanceof ProbeFailure)) return 'internal';
  return error.code === 'too_large' ? 'too_large' : 'fetch_failed';
}
