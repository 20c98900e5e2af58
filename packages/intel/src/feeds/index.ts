export { type FeedCatalogue, DEFAULT_FEEDS, FEED_CATALOGUE, type FeedSettings, readFeedSettings } from './catalogue/read.ts';
export { type Builders } from './build/build-file.ts';
export { openBuilder, type SnapshotBuilder } from './build/open-builder.ts';
export { DATASETS, type DatasetName, type Feed, FeedName, listOf } from './feed.ts';
export { createFeeds, type Feeds } from './feeds.ts';
export { fetchMs } from './locate.ts';
export { type BuildSnapshot, type BuiltFile, type Coverage, type Dataset, type FeedFile, type FetchFile, type Snapshot } from './ports.ts';
export { type Row } from './formats/row.ts';
export { FeedRefused, REFUSALS } from './refusal.ts';
