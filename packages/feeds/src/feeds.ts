import type { Clock } from '@vedette/contract';
import type { FeedCatalogue } from './catalogue.ts';
import type { Feed } from './feed.ts';
import { FeedKeeper, type KeeperDeps } from './keeper.ts';
import type { Dataset } from './ports.ts';
import { FeedStore } from './store.ts';

/** A feed, and what is used of it now. */
export interface FeedStatus {
  name: string;
  dataset: Feed['dataset'];
  enabled: boolean;
  rows: number;
  /** Whether what is used came with the release, or from the source since. */
  origin: 'shipped' | 'source' | 'none';
  /** When that was known to be what the source has, as ISO 8601; empty where there is nothing. */
  confirmed_at: string;
  /** How long ago that was; where there is nothing, how long it has been missed. */
  age_seconds: number;
  /** Why the last try failed; empty when it did not. */
  problem: string;
  url: string;
  licence: string;
  attribution: string;
}

export interface Feeds {
  status(): FeedStatus[];
  /** Has a feed fetched now; false for one that there is not, or that is turned off. Does not wait for it. */
  refresh(name: string): boolean;
  /** Ends what is under way. */
  stop(): Promise<void>;
}

export interface FeedsDeps extends Omit<KeeperDeps, 'dataset' | 'store'> {
  catalogue: FeedCatalogue;
  datasets: Readonly<Record<Feed['dataset'], Dataset>>;
  /** Where copies are kept. */
  folder: string;
  clock: Clock;
}

/** Takes up what is kept, and from then on keeps every feed fresh. Nobody waits for it: what is shipped, or was there before, goes on. */
export function createFeeds({ catalogue, datasets, folder, ...deps }: FeedsDeps): Feeds {
  const store = new FeedStore(folder);
  const keepers = catalogue.map((feed) => new FeedKeeper(feed, { ...deps, store, dataset: datasets[feed.dataset] }));
  const stop = new AbortController();
  const running = keepers.filter(({ feed }) => feed.enabled).map((keeper) => keeper.run(stop.signal));
  return {
    status: () => keepers.map((keeper) => keeper.status()),
    refresh(name) {
      const keeper = keepers.find(({ feed }) => feed.name === name && feed.enabled);
      void keeper?.refresh(stop.signal);
      return keeper !== undefined;
    },
    async stop() {
      stop.abort();
      await Promise.all([...running, ...keepers.map(({ fetching }) => fetching)]);
    },
  };
}
