import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import DAYS from './days.json' with { type: 'json' };

/**
 * Days of the copies that a release has of feeds, so that a machine without network is not blind. None of them accuses: a listing of months ago is
 * about a former holder. `npm run lists copies` fetches them before a release; between releases there are none.
 */
const COPIED_FEEDS: ReadonlyMap<string, string> = new Map(Object.entries(DAYS));

/** The copy of a feed's file, and its day; undefined for a feed without one. */
export function copyOf(feed: string): { date: string; file(): Promise<Uint8Array> } | undefined {
  const date = COPIED_FEEDS.get(feed);
  if (date === undefined) return undefined;
  return { date, file: async () => promisify(gunzip)(await readFile(new URL(`${feed}.gz`, import.meta.url))) };
}
