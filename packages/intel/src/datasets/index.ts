export { copyOf } from './copies/index.ts';
export { DATASETS, DEFAULT_FEEDS, FEED_CATALOGUE, type FeedCatalogue, type FeedSettings, readFeedSettings } from './catalogue/feeds.ts';
export { type DatasetDefinition, defineDataset } from './define.ts';
export { torRelaysIn } from './addresses/tor-relays.ts';
export { Documents } from './documents.ts';
export { problemsOf, readBrands } from './names/brands.ts';
export { openDatasets } from './open.ts';

/** The module of what makes files into snapshots, for the thread of `openBuilder`. */
export const DATASET_BUILDERS = new URL('./builders.ts', import.meta.url);
