export { type Builders } from './build/build-file.ts';
export { openBuilder, type SnapshotBuilder } from './build/open-builder.ts';
export { Feed, type FeedForm, FeedName, listOf } from './feed.ts';
export { createFeeds, type Feeds } from './feeds.ts';
export { requestOf } from './locate.ts';
export {
  type BuildFile,
  type BuildSnapshot,
  type BuiltFile,
  type Coverage,
  type Dataset,
  type FeedFile,
  type FetchFile,
  type Snapshot,
} from './ports.ts';
export { type Row } from './formats/row.ts';
export { FeedRefused, REFUSALS } from './refusal.ts';
