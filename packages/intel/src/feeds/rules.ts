import { createHash } from 'node:crypto';
import type { Feed } from './feed.ts';

/** Raised with every change of what formats make of files. */
const FORMAT_RULES = 2;

/** Returns the rules that a snapshot was made by: a snapshot made by other rules is made anew. */
export function rulesOf(feed: Feed, dataset: number): string {
  const { format, packing, member, pick, label, curated } = feed;
  const rules = [FORMAT_RULES, dataset, feed.dataset, feed.list, format, packing, member, pick, label, curated];
  return createHash('sha256').update(JSON.stringify(rules)).digest('hex').slice(0, 16);
}
