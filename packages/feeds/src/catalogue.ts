import { shown } from '@vedette/contract';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { Feed } from './feed.ts';

export type FeedCatalogue = readonly Feed[];

const MEGABYTE = 1_048_576;
const disposable = { dataset: 'disposable', enabled: true, every_hours: 24, max_change: 3 } as const;

/** The sources of the lists that are shipped (docs/adr/0021-lists-and-look-alikes.md), each under the name of its list. */
export const FEED_CATALOGUE: FeedCatalogue = [
  {
    ...disposable,
    name: 'disposable-email-domains',
    url: 'https://raw.githubusercontent.com/disposable-email-domains/disposable-email-domains/main/disposable_email_blocklist.conf',
    format: 'lines',
    licence: 'CC0-1.0',
    attribution: 'disposable-email-domains, https://github.com/disposable-email-domains/disposable-email-domains',
    curated: true,
    max_bytes: 2 * MEGABYTE,
    min_rows: 3_000,
  },
  {
    ...disposable,
    name: 'fakefilter',
    url: 'https://raw.githubusercontent.com/7c/fakefilter/main/txt/data.txt',
    format: 'lines',
    licence: 'BSD-3-Clause',
    attribution: 'FakeFilter, Copyright (c) 2022, 7c, https://github.com/7c/fakefilter',
    curated: true,
    max_bytes: 4 * MEGABYTE,
    min_rows: 1_000,
  },
  {
    ...disposable,
    name: 'disposable-domains',
    url: 'https://raw.githubusercontent.com/tompec/disposable-email-domains/main/index.json',
    format: 'json',
    licence: 'MIT',
    attribution: 'Copyright (c) 2017 Ilya Volodarsky, 2025 Thomas Petracco, https://github.com/tompec/disposable-email-domains',
    curated: false,
    max_bytes: 12 * MEGABYTE,
    min_rows: 40_000,
  },
  {
    ...disposable,
    name: 'mailchecker',
    url: 'https://raw.githubusercontent.com/FGRibreau/mailchecker/master/list.txt',
    format: 'lines',
    licence: 'MIT',
    attribution: 'Copyright (c) 2013 Francois-Guillaume Ribreau, https://github.com/FGRibreau/mailchecker',
    curated: false,
    max_bytes: 6 * MEGABYTE,
    min_rows: 20_000,
  },
];

/** Names are labels of metrics and names of files. */
export const FeedName = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' });
const Changes = Type.Partial(Feed, { additionalProperties: false });
const FeedsFile = Type.Object(
  {
    built_in: Type.Optional(Type.Boolean()),
    feeds: Type.Optional(Type.Record(FeedName, Changes, { additionalProperties: false })),
  },
  { additionalProperties: false },
);
const isFeedsFile = Compile(FeedsFile);
const isFeed = Compile(Feed);

/** What a feed of the operator's own has where the file does not say otherwise. */
const DEFAULTS = { curated: true, enabled: true, every_hours: 24, max_bytes: 8 * MEGABYTE, min_rows: 1, max_change: 10 } as const;

/**
 * Reads the text of VEDETTE_FEEDS_FILE: `{"feeds": {"fakefilter": {"enabled": false}, "ours": {"dataset": "disposable", "url": …}}}` changes
 * feeds of the catalogue and adds others; with `"built_in": false` only these are fetched. Lists that are
 * shipped are judged by all the same. Throws with what is wrong.
 */
export function readFeedCatalogue(text: string): FeedCatalogue {
  const file: unknown = JSON.parse(text);
  if (!isFeedsFile.Check(file)) {
    const [, [first]] = isFeedsFile.Errors(file);
    throw new Error(`${first?.instancePath || 'the file'} ${first?.message}`);
  }
  const known = new Map((file.built_in ?? true) ? FEED_CATALOGUE.map((feed) => [feed.name, feed]) : []);
  for (const [name, changes] of Object.entries(file.feeds ?? {})) {
    const { name: _, ...before } = known.get(name) ?? { ...DEFAULTS, name };
    const feed = { ...before, ...changes };
    if (!isFeed.Check(feed)) {
      const missing = Object.keys(Feed.properties).filter((property) => !(property in feed));
      throw new Error(`the feed ${shown(name, 64)} is new and lacks ${missing.join(', ')}`);
    }
    known.set(name, { ...feed, name });
  }
  return [...known.values()];
}
