import type { Clock, FeedStatus, SourceCheck } from '@vedette/contract';
import { type Feed, listOf } from './feed.ts';
import { FeedKeeper, type KeeperDeps } from './keeper.ts';
import type { Dataset } from './ports.ts';
import { FeedStore } from './store.ts';
import { Queue } from './queue.ts';

/** How soon a gateway uses what another has fetched. */
const LOOK_MS = 60_000;
const SWEEP_MS = 86_400_000;

export interface Feeds {
  status(): FeedStatus[];
  /**
   * Starts a fetch of a feed without waiting for it. Returns another word if the feed is unknown or turned off, or its source was asked a
   * moment ago.
   */
  refresh(name: string): 'started' | 'unknown' | 'off' | 'resting';
  /** Tries the source of a feed, turned off or not, and uses nothing of what comes. Undefined for an unknown feed. */
  check(name: string): Promise<SourceCheck | undefined>;
  /**
   * Takes an operator's file for a feed, turned off or not. Undefined for an unknown feed. Throws `FeedRefused` for a file that is not the
   * list.
   */
  import(name: string, body: Uint8Array): Promise<FeedStatus | undefined>;
  /** Returns for how many days a list should have been confirmed by its source, by the best of its feeds; 0 for a list without a feed in use. */
  overdueDays(list: string): number;
  /** Returns the day of the newest confirmed part of a list that no source has confirmed for a week too long; empty for other lists. */
  staleSince(list: string): string;
  /** Whether a feed of a list has no data yet, and its source was not tried since the start. */
  isAwaited(list: string): boolean;
  /**
   * Returns the day on which our copies of a list first had an entry, by one of its forms; null where the first copy had it, or no copy has it.
   */
  firstDay(list: string, entries: readonly string[]): string | null;
  /** Returns the largest import of a feed, in bytes; undefined for an unknown feed. */
  mostBytes(name: string): number | undefined;
  /** Returns the disk usage of the copies in bytes, as last counted. */
  diskBytes(): number;
  /** Ends what is under way. */
  stop(): Promise<void>;
}

export interface FeedsDeps extends Omit<KeeperDeps, 'dataset' | 'store' | 'queue'> {
  catalogue: readonly Feed[];
  /** Feeds of other datasets are handled elsewhere. */
  datasets: Readonly<Record<string, Dataset>>;
  /** Where copies are kept. */
  folder: string;
  /** Whether other gateways have the folder too. */
  shared: boolean;
  /** The largest size of the folder, in bytes. */
  disk_bytes: number;
  clock: Clock;
}

/** Takes up what is kept, and from then on keeps every feed fresh. It runs in the background: shipped or earlier data stays in use meanwhile. */
export function createFeeds({ catalogue, datasets, folder, shared, disk_bytes, ...deps }: FeedsDeps): Feeds {
  const { clock, today, log } = deps;
  const store = new FeedStore(folder, disk_bytes);
  const queue = new Queue({ ...deps, folder, shared });
  const keepers = catalogue.flatMap((feed: Feed) => {
    const dataset = datasets[feed.dataset];
    return dataset ? [new FeedKeeper(feed, { ...deps, store, queue, dataset })] : [];
  });
  const named = (name: string) => keepers.find(({ feed }) => feed.name === name);
  const ofList = Map.groupBy(keepers, ({ feed }) => listOf(feed));
  const stop = new AbortController();
  let diskBytes = 0;

  async function tidy(): Promise<void> {
    try {
      await store.sweep(
        keepers.map(({ feed }) => feed.name),
        today(),
      );
      diskBytes = await store.size();
    } catch (err) {
      log.warn({ err }, 'the folder of feeds cannot be tidied');
    }
  }

  /** Soon uses the files that other gateways have fetched, and removes unused files every day. */
  async function look(): Promise<void> {
    try {
      for (let slept = 0; ; slept += LOOK_MS) {
        if (slept % SWEEP_MS === 0) await tidy();
        await clock.sleep(LOOK_MS, stop.signal);
        for (const keeper of keepers) await keeper.look();
        diskBytes = await store.size().catch(() => diskBytes);
      }
    } catch {
      // The signal has ended the sleep.
    }
  }

  const running = keepers.map((keeper) => (keeper.feed.enabled ? keeper.run(stop.signal) : keeper.takeUp()));
  if (shared) running.push(look());
  else running.push(tidy());
  return {
    status: () => keepers.map((keeper) => keeper.status()),
    refresh(name) {
      const keeper = named(name);
      if (!keeper) return 'unknown';
      if (!keeper.feed.enabled) return 'off';
      if (keeper.isResting && !keeper.fetching) return 'resting';
      void keeper.refresh(stop.signal);
      return 'started';
    },
    check: async (name) => await named(name)?.check(stop.signal),
    async import(name, body) {
      const keeper = named(name);
      await keeper?.import(body, stop.signal);
      diskBytes = await store.size().catch(() => diskBytes);
      return keeper?.status();
    },
    overdueDays(list) {
      const days = (ofList.get(list) ?? []).flatMap((keeper) => keeper.overdueDays ?? []);
      return days.length === 0 ? 0 : Math.min(...days);
    },
    staleSince(list) {
      const days = (ofList.get(list) ?? []).filter(({ overdueDays }) => overdueDays !== undefined).map(({ staleSince }) => staleSince);
      return days.includes('') ? '' : (days.toSorted().at(-1) ?? '');
    },
    isAwaited: (list) => (ofList.get(list) ?? []).some((keeper) => keeper.isAwaited),
    // A feed that had it before our first copy comes first.
    firstDay: (list, entries) => (ofList.get(list) ?? []).flatMap((keeper) => keeper.firstDay(entries) ?? []).toSorted()[0] || null,
    mostBytes: (name) => named(name)?.feed.max_bytes,
    diskBytes: () => diskBytes,
    async stop() {
      stop.abort();
      await Promise.all([...running, ...keepers.map(({ fetching }) => fetching)]);
    },
  };
}
