import { join } from 'node:path';
import { ApiError, type CentralPorts, type Clock } from '@vedette/contract';
import { createFeeds, type Dataset, FeedName, type Feeds, type FetchFile } from '@vedette/feeds';
import { disposable, DomainList, readDisposable } from '@vedette/intel/email';
import type { AdminRoute, Ledger } from '@vedette/ledger';
import { fetchBytes } from '@vedette/probes/http';
import type { Logger } from '@vedette/process/log';
import { Type } from 'typebox';
import type { GatewayConfig } from './config.ts';
import type { Metrics } from './metrics.ts';

/** A list of some megabytes over a slow line. */
const FETCH_MS = 120_000;

interface FeedDeps {
  ports: CentralPorts;
  ledger: Pick<Ledger, 'isDenied'>;
  metrics: Metrics;
  clock: Clock;
  log: Logger;
  opened: AsyncDisposableStack;
}

/** Keeps the lists fresh that operations judge by. No request waits for one. */
export function startFeeds({ feeds: catalogue, settings }: GatewayConfig, { ports, ledger, metrics, clock, log, opened }: FeedDeps): Feeds {
  const feeds = createFeeds({
    catalogue,
    datasets: { disposable: disposableDomains },
    folder: join(settings.VEDETTE_DATA_DIR, 'feeds'),
    fetch: fetchThrough(ports, ledger),
    clock,
    today: Date.now,
    random: Math.random,
    log,
    onRefused: (feed, why) => metrics.feedRefused.inc({ feed, why }),
  });
  opened.defer(() => feeds.stop());
  return feeds;
}

export const disposableDomains: Dataset = {
  shipped: (feed) => disposable.shipped.get(feed),
  async build(entries, { name, curated }, pause) {
    const { bytes, unreadable, forbidden } = await readDisposable(entries, { curated }, pause);
    if (bytes.length === 0) return { rows: 0, unreadable, forbidden, use() {} };
    const list = new DomainList(bytes);
    return { rows: list.rows, unreadable, forbidden, use: () => disposable.set(name, list, { curated }) };
  },
};

/** Fetches as all is fetched: every address is judged, and names on the deny-list are not contacted. */
export function fetchThrough({ resolver, dialler, clock, ca, userAgent }: CentralPorts, { isDenied }: Pick<Ledger, 'isDenied'>): FetchFile {
  return ({ url, maxBytes, validators: { etag, lastModified }, signal }) =>
    fetchBytes({
      url,
      maxBytes,
      timeout_ms: FETCH_MS,
      // Plain http where the operator has written it, and never by a redirect from https.
      schemes: url.startsWith('http:') ? ['http:', 'https:'] : ['https:'],
      requestFields: { ...(etag && { 'if-none-match': etag }), ...(lastModified && { 'if-modified-since': lastModified }) },
      resolver,
      dialler,
      clock,
      ca,
      userAgent,
      isDenied,
      signal,
    });
}

/** What /admin has for feeds. */
export const feedRoutes = (feeds: Pick<Feeds, 'status' | 'refresh'>): AdminRoute[] => [
  { method: 'GET', path: '/admin/feeds', param: Type.String({ maxLength: 0 }), handle: async () => feeds.status() },
  {
    method: 'POST',
    path: '/admin/feeds/:name/refresh',
    param: FeedName,
    async handle({ param }) {
      if (!feeds.refresh(param)) throw new ApiError('invalid_parameter', `there is no feed ${param}, or it is turned off`);
      return { started: true };
    },
  },
];
