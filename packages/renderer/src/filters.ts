import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@vedette/contract';
import type { FeedSettings } from '@vedette/intel/datasets';
import { createFeeds, type Dataset, type FeedForm, type FetchFile, openBuilder, requestOf } from '@vedette/intel/feeds';
import type { Engines } from '@vedette/probes/engines';
import { fetchBytes } from '@vedette/probes/fetch';
import type { Log } from '@vedette/process/log';
import { type AdFilter, ownAdFilter, ownList, readAdFilter } from './page/ads/engine.ts';
import { ALL_LISTS } from './page/ads/filter-builders.ts';

/** Raised with every change of what `filter-builders.ts` makes of a list. */
const RULES = 1;
const MEGABYTE = 1_048_576;

export interface FiltersOptions {
  /** Where copies of lists are kept: a folder of this renderer's own. Undefined: none is fetched. */
  dataDir: string | undefined;
  feeds: FeedSettings;
  fetch: FetchFile;
  clock: Clock;
  log: Log;
}

/** The ad filter for jobs that exclude ads. */
export interface Filters {
  /** The filter as it is now: a job keeps the one that it began with. */
  current(): AdFilter;
  stop(): Promise<void>;
}

/** Keeps filter lists fresh. No job waits for one: until the first is there, and where none can be kept, the own list is all there is. */
export function openFilters({ dataDir, feeds: { catalogue, disk_bytes }, fetch, clock, log }: FiltersOptions): Filters {
  const folder = dataDir === undefined ? undefined : folderIn(dataDir, log);
  if (folder === undefined) {
    log.info(
      {},
      'filter lists are not fetched: without VEDETTE_DATA_DIR, a folder that can be written to, ads are known by the own list alone',
    );
    return { current: ownAdFilter, stop: () => Promise.resolve() };
  }
  let filter: AdFilter | undefined;
  const builder = openBuilder(new URL('./page/ads/filter-builders.ts', import.meta.url));
  const dataset = partsOf(async (lists) => {
    const { snapshot, rows } = await builder.build(ALL, Buffer.from(lists.join('\n')), new AbortController().signal);
    filter = readAdFilter(snapshot.bytes);
    log.info({ rules: rows }, 'ads are known by other lists from now on');
  });
  const feeds = createFeeds({
    catalogue,
    datasets: { filters: dataset },
    folder,
    shared: false,
    disk_bytes,
    fetch,
    build: builder.build,
    clock,
    today: Date.now,
    random: Math.random,
    log,
    onRefused() {},
  });
  return {
    current: () => filter ?? ownAdFilter(),
    async stop() {
      await feeds.stop();
      await builder.close();
    },
  };
}

function folderIn(dataDir: string, log: Log): string | undefined {
  const folder = join(dataDir, 'filters');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch (err) {
    log.warn({ err }, 'the folder of filter lists cannot be written to');
    return undefined;
  }
}

/** Several feeds of one filter: it is made anew when one of them is another. Made once for all that come while it is being made. */
function partsOf(make: (lists: readonly string[]) => Promise<void>): Dataset {
  const parts = new Map<string, string>();
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;

  function remake(): Promise<void> {
    next ??= last.then(() => {
      next = undefined;
      return make([ownList(), ...parts.values()]);
    });
    last = next.catch(() => undefined);
    return next;
  }

  return {
    rules: RULES,
    shipped: () => undefined,
    async use({ name }, snapshot) {
      const before = parts.get(name);
      parts.set(name, Buffer.from(snapshot).toString('utf8'));
      try {
        await remake();
      } catch (error) {
        if (before === undefined) parts.delete(name);
        else parts.set(name, before);
        throw error;
      }
    },
    async drop({ name }) {
      if (parts.delete(name)) await remake();
    },
  };
}

/** The lists of all feeds, one below the other. */
const ALL: FeedForm = { name: ALL_LISTS, dataset: 'filters', format: 'whole', curated: true, max_bytes: 256 * MEGABYTE };

/** Fetches by the renderer's own policy: no inner address, and no network that the operator never contacts. */
export const fetchThrough =
  (
    ports: Pick<Engines, 'dialler' | 'userAgent'> & {
      resolver: Pick<Engines['resolver'], 'addresses'>;
      ca: readonly string[];
      clock: Clock;
    },
  ): FetchFile =>
  (file) =>
    fetchBytes({ ...ports, ...requestOf(file), isDenied: () => false }); // the operator's own sources
