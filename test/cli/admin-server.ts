import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type EngineStatus, isSpecialUseName, type FeedStatus } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import type { OpenBlacklists } from '@vedette/intel/engines';
import { FeedRefused, type Feeds } from '@vedette/intel/feeds';
import { adminRoutes, type Ledger } from '@vedette/ledger';
import { systemClock } from '@vedette/probes/net';
import { createAdminHandler } from '../../packages/gateway/src/ops/admin.ts';
import { createAdminGuard } from '../../packages/gateway/src/ops/admin-guard.ts';
import { engineRoutes } from '../../packages/gateway/src/intel/blacklists.ts';
import { feedRoutes } from '../../packages/gateway/src/intel/feeds.ts';
import { passiveDnsRoutes } from '../../packages/gateway/src/intel/passive-dns.ts';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { brandRoutes } from '../gateway/parts.ts';
import { SHUT } from '../operations/shut.ts';
import { createDatabase, openLedger, silent, startServer } from '../ledger/servers.ts';

export const TOKEN = 'admin-token-of-the-test';

const FEED: FeedStatus = {
  name: 'fakefilter',
  dataset: 'disposable',
  list: 'fakefilter',
  enabled: true,
  rows: 4521,
  origin: 'shipped',
  confirmed_at: '2026-05-13T00:00:00.000Z',
  every_hours: 6,
  age_seconds: 100 * 86_400,
  problem: 'its server answered with status 500',
  url: 'https://feeds.test/data.txt',
  tells: 'domains of disposable mailboxes',
  licence: 'BSD-3-Clause',
  attribution: 'FakeFilter',
  note: '',
};
const FEED_OFF: FeedStatus = { ...FEED, name: 'tranco', enabled: false, rows: 0, origin: 'none', problem: '', note: 'Its terms.' };
/** One feed, which takes no orders but its name, and files of 20 bytes that say how many rows they have. */
const feeds: Feeds = {
  status: () => [FEED, FEED_OFF],
  refresh: (name) => (name === FEED.name ? 'started' : 'unknown'),
  check: async (name) =>
    name === FEED.name
      ? { name, verdict: 'terms', detail: 'a page came' }
      : name === FEED_OFF.name
        ? { name, verdict: 'ok', detail: '4711 rows' }
        : undefined,
  overdueDays: () => 0,
  staleSince: () => '',
  isAwaited: () => false,
  firstDay: () => null,
  diskBytes: () => 0,
  stop: () => Promise.resolve(),
  mostBytes: (name) => (name === FEED.name ? 20 : undefined),
  async import(name, body) {
    const rows = Number(Buffer.from(body).toString());
    if (Number.isNaN(rows)) throw new FeedRefused('format', 'no number');
    return name === FEED.name ? { ...FEED, rows, origin: 'imported' } : undefined;
  },
};
const ENGINE: EngineStatus = {
  id: 'spamcop',
  name: 'SpamCop',
  subject: 'address',
  source: 'bl.spamcop.net',
  state: 'good',
  problem: '',
  servers: ['192.0.2.53', 'our resolvers'],
  terms: 'Free',
};
const OFF: EngineStatus = { ...ENGINE, id: 'barracuda', state: 'disabled', servers: [] };
const engines: OpenBlacklists = {
  ...SHUT.blacklists,
  start() {},
  stop() {},
  ageBy() {},
  status: () => [ENGINE, OFF],
  tryEngine: async (name) =>
    name === ENGINE.id
      ? { name, verdict: 'lists_too_much', detail: 'it lists all' }
      : name === OFF.id
        ? { name, verdict: 'ok', detail: 'b.test' }
        : undefined,
};

const RULES = { policy: createAddressPolicy(), isInnerName: (name: string) => isSpecialUseName(name) };

/** The gateway's admin API over a ledger on an embedded PostgreSQL, as operators' listeners serve it. */
export async function startAdminServer(): Promise<{
  url: string;
  port: number;
  databaseUrl: string;
  ledger: Ledger;
  stop(): Promise<void>;
}> {
  const postgres = await startServer('embedded');
  const databaseUrl = await createDatabase(postgres);
  const ledger = await openLedger(databaseUrl);
  const admin = createAdminHandler({
    routes: [
      ...adminRoutes(ledger.admin, ['ping-test', 'dns-lookup', 'locations']),
      ...brandRoutes(ledger.admin),
      ...feedRoutes(feeds),
      ...passiveDnsRoutes(ledger.passiveDns, RULES),
      ...engineRoutes(engines),
    ],
    guard: createAdminGuard({ token: TOKEN, clock: systemClock, metrics: createMetrics(), log: silent }),
    log: silent,
  });
  const server = createServer((request, response) => void admin(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    databaseUrl,
    ledger,
    async stop() {
      server.closeAllConnections();
      server.close();
      await ledger.close();
      await postgres.stop();
    },
  };
}
