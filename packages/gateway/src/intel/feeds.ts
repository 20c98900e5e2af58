import { join } from 'node:path';
import { ApiError, type Clock } from '@vedette/contract';
import { createFeeds, FeedName, FeedRefused, type Feeds, type FetchFile, openBuilder, requestOf } from '@vedette/intel/feeds';
import type { AdminRoute, Ledger } from '@vedette/ledger';
import { fetchBytes } from '@vedette/probes/fetch';
import type { Logger } from '@vedette/process/log';
import { Type } from 'typebox';
import type { GatewayConfig } from '../config/config.ts';
import { DATASET_BUILDERS, openDatasets } from '@vedette/intel/datasets';
import type { Metrics } from '../metrics/metrics.ts';
import type { OpenPorts, SharedPorts } from './ports.ts';

/** A host is asked no more often: a dozen lists of ours are at each of some. */
const HOST_PACE_MS = 2_000;

interface FeedDeps {
  intel: OpenPorts;
  /** Resolves when what is installed with us is in use. */
  installed: Promise<void>;
  ledger: Ledger;
  metrics: Metrics;
  clock: Clock;
  log: Logger;
  opened: AsyncDisposableStack;
}

/** Keeps the lists fresh that operations judge by. No request waits for one. */
export function startFeeds({ feeds: settings, settings: { VEDETTE_DATA_DIR } }: GatewayConfig, deps: FeedDeps): Feeds {
  const { intel, installed, ledger, metrics, clock, log, opened } = deps;
  const { catalogue, folder, disk_bytes } = settings;
  const builder = openBuilder(DATASET_BUILDERS);
  opened.defer(() => builder.close());
  const feeds = createFeeds({
    catalogue,
    datasets: openDatasets({ ...intel.data, log, installed, build: builder.build }),
    folder: folder ?? join(VEDETTE_DATA_DIR, 'feeds'),
    shared: folder !== undefined,
    disk_bytes,
    fetch: paced(fetchThrough(intel.ports, ledger.isDenied), clock),
    build: builder.build,
    clock,
    today: () => (clock.today?.() ?? new Date()).getTime(),
    random: Math.random,
    log,
    onRefused: (feed, why) => metrics.feedRefused.inc({ feed, why }),
  });
  opened.defer(() => feeds.stop());
  return feeds;
}

/** Fetches as all is fetched: every address is judged, and names on the deny-list are not contacted. */
export function fetchThrough({ resolver, dialler, clock, ca, userAgent }: SharedPorts, isDenied: Ledger['isDenied']): FetchFile {
  return (file) => fetchBytes({ ...requestOf(file), resolver, dialler, clock, ca, userAgent, isDenied });
}

/** Leaves each host alone for a moment between two files. */
export function paced(fetch: FetchFile, clock: Clock): FetchFile {
  const freeAt = new Map<string, number>();
  return async (file) => {
    const { host } = new URL(file.url);
    const now = clock.now();
    const at = Math.max(now, freeAt.get(host) ?? now);
    freeAt.set(host, at + HOST_PACE_MS);
    if (at > now) await clock.sleep(at - now, file.signal);
    return fetch(file);
  };
}

const NOT_STARTED = {
  unknown: (name: string) => `the feed ${name} does not exist`,
  off: (name: string) => `${name} is turned off (VEDETTE_FEEDS_FILE)`,
  resting: (name: string) => `the source of ${name} was queried a moment ago; wait before the next refresh`,
};

function refuseUnknown(name: string): never {
  throw new ApiError('invalid_parameter', NOT_STARTED.unknown(name));
}

/** The handlers of /admin for feeds. */
export const feedRoutes = (feeds: Feeds): AdminRoute[] => [
  { method: 'GET', path: '/admin/feeds', param: Type.String({ maxLength: 0 }), handle: async () => feeds.status() },
  {
    method: 'POST',
    path: '/admin/feeds/:name/refresh',
    param: FeedName,
    async handle({ param }) {
      const result = feeds.refresh(param);
      if (result !== 'started') throw new ApiError('invalid_parameter', NOT_STARTED[result](param));
      return { started: true };
    },
  },
  {
    method: 'POST',
    path: '/admin/feeds/:name/check',
    param: FeedName,
    async handle({ param }) {
      const check = await feeds.check(param);
      return check ?? refuseUnknown(param);
    },
  },
  {
    method: 'PUT',
    path: '/admin/feeds/:name',
    param: FeedName,
    fileBytes: (name) => feeds.mostBytes(name) ?? refuseUnknown(name),
    async handle({ param, file }) {
      try {
        const status = await feeds.import(param, file);
        return status ?? refuseUnknown(param);
      } catch (error) {
        if (!(error instanceof FeedRefused) || error.why === 'internal') throw error;
        throw new ApiError('invalid_parameter', `the file was rejected (${error.why}): ${error.message}`);
      }
    },
  },
];
