import { shown } from '@vedette/contract';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { Feed, FeedName, listOf } from '../../feeds/index.ts';
import type { DatasetDefinition } from '../define.ts';
import { ANONYMIZER_FEEDS } from './anonymizers.ts';
import { ATTACKER_FEEDS } from './attackers.ts';
import { CLOUD_FEEDS } from './clouds.ts';
import { CRAWLER_FEEDS } from './crawlers.ts';
import { DISPOSABLE_FEEDS, DISPOSABLE_NUMBER_FEEDS } from './disposable.ts';
import { DOCUMENT_FEEDS } from './documents.ts';
import { FILTER_FEEDS } from './filters.ts';
import { NAME_FEEDS } from './names.ts';
import { ROUTING_FEEDS } from './routing.ts';
import { type CatalogueRow, MEGABYTE } from './row.ts';
import { SERVICE_FEEDS } from './services.ts';
import { URL_FEEDS } from './urls.ts';
import { ZONE_FEEDS } from './zones.ts';

export type FeedCatalogue = readonly Feed[];

const ROWS: readonly CatalogueRow[] = [
  ...DISPOSABLE_FEEDS,
  ...DISPOSABLE_NUMBER_FEEDS,
  ...ATTACKER_FEEDS,
  ...ZONE_FEEDS,
  ...ANONYMIZER_FEEDS,
  ...CLOUD_FEEDS,
  ...CRAWLER_FEEDS,
  ...SERVICE_FEEDS,
  ...ROUTING_FEEDS,
  ...NAME_FEEDS,
  ...URL_FEEDS,
  ...DOCUMENT_FEEDS,
  ...FILTER_FEEDS,
];

/** The feeds that we know, with those that are off and why (docs/feeds.md). */
export const FEED_CATALOGUE: FeedCatalogue = ROWS.map((row) => ({ ...row, dataset: row.dataset.name }));

/** The datasets that gateways make of them. */
export const DATASETS: readonly DatasetDefinition[] = [...new Set(ROWS.map(({ dataset }) => dataset))].filter(
  (dataset) => 'build' in dataset,
);

const DATASET_NAMES = [...new Set(FEED_CATALOGUE.map(({ dataset }) => dataset))];

/** How feeds are kept. */
export interface FeedSettings {
  catalogue: FeedCatalogue;
  /** A folder that several gateways share; undefined: one of our own in the data directory. */
  folder: string | undefined;
  /** The largest size of the folder, in bytes. */
  disk_bytes: number;
}

const DISK_BYTES = 4096 * MEGABYTE;

const Changes = Type.Object(
  { ...Type.Partial(Feed).properties, dataset: Type.Optional(Type.Enum(DATASET_NAMES)) },
  { additionalProperties: false },
);
const FeedsFile = Type.Object(
  {
    built_in: Type.Optional(Type.Boolean()),
    fetch: Type.Optional(Type.Boolean()),
    folder: Type.Optional(Type.String({ pattern: '^/.{1,1000}$' })),
    disk_bytes: Type.Optional(Type.Integer({ minimum: MEGABYTE, maximum: Number.MAX_SAFE_INTEGER })),
    feeds: Type.Optional(Type.Record(FeedName, Changes, { additionalProperties: false })),
  },
  { additionalProperties: false },
);
const isFeedsFile = Compile(FeedsFile);
const isFeed = Compile(Feed);

/** The defaults of an operator's own feed. */
const DEFAULTS = {
  tells: "the operator's own",
  curated: true,
  enabled: true,
  every_hours: 24,
  rest_minutes: 5,
  max_bytes: 8 * MEGABYTE,
  min_rows: 1,
  max_change: 10,
} as const;

/**
 * Reads the text of VEDETTE_FEEDS_FILE: `{"feeds": {"fakefilter": {"enabled": false}, "ours": {"dataset": "disposable", "url": …}}}` changes
 * feeds of the catalogue and adds others; with `"built_in": false` there are only these, and with `"fetch": false` none is fetched, so that all
 * may be imported. Lists that are shipped are judged by all the same. Throws with what is wrong, and without what it holds: there are keys in it.
 */
export function readFeedSettings(text: string): FeedSettings {
  const file: unknown = JSON.parse(text);
  if (!isFeedsFile.Check(file)) {
    const [, [first]] = isFeedsFile.Errors(file);
    const problem = first?.keyword === 'boolean' ? 'is not known here' : first?.message;
    throw new Error(`${first?.instancePath || 'the file'} ${problem}`);
  }
  const known = new Map((file.built_in ?? true) ? FEED_CATALOGUE.map((feed) => [feed.name, feed]) : []);
  for (const [name, changes] of Object.entries(file.feeds ?? {})) {
    const { name: _, ...before } = known.get(name) ?? { ...DEFAULTS, name };
    const feed = { ...before, ...changes };
    if (!isFeed.Check(feed)) {
      const missing = Feed.required.filter((property) => !(property in feed));
      throw new Error(`the feed ${shown(name, 64)} is new and lacks ${missing.join(', ')}`);
    }
    known.set(name, { ...feed, name });
  }
  const catalogue = withSharedLists([...known.values()]);
  return {
    catalogue: (file.fetch ?? true) ? catalogue : catalogue.map((feed) => ({ ...feed, enabled: false })),
    folder: file.folder,
    disk_bytes: file.disk_bytes ?? DISK_BYTES,
  };
}

/** Lists that several feeds fill are told to each of them: what they have is put together. */
function withSharedLists(feeds: readonly Feed[]): FeedCatalogue {
  const parts = Map.groupBy(feeds, listOf);
  return feeds.map((feed) => (parts.get(listOf(feed))!.length > 1 ? { ...feed, list: listOf(feed) } : feed));
}

export const DEFAULT_FEEDS: FeedSettings = readFeedSettings('{}');
