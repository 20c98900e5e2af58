export { type FeedCatalogue, FEED_CATALOGUE, FeedName, readFeedCatalogue } from './catalogue.ts';
export type { Feed } from './feed.ts';
export { createFeeds, type Feeds, type FeedStatus } from './feeds.ts';
export { type Dataset, type FetchFile, REFUSALS } from './ports.ts';
