import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { ProbeFailure, type TargetLimits } from '@vedette/contract';
import { systemClock } from '@vedette/probes/net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEgress } from '../../../packages/renderer/src/egress/index.ts';
import { openTestPool } from '../pool.ts';
import { reaching, serveSites, type SiteServer } from '../sites/serve.ts';
import { connectTo, get, say } from './raw-proxy.ts';

const ALIVE = '127.0.0.1';
/** Refuses connections at once. */
const CLOSED = '127.0.0.2';
/** Never answers. */
const SILENT = '127.0.0.3';

let sites: SiteServer;
/** Hears when one of its own kind would have answered, too. */
let six: Server;
beforeAll(async () => {
  sites = await serveSites({ 'closed.test': { '/': '<h1>Open</h1>' } });
  six = createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nsix')));
  await once(six.listen(sites.httpPort, '::1'), 'listening');
});
afterAll(async () => {
  await sites.close();
  six.close();
});

const ZONE = {
  'closed.test': { A: [CLOSED, ALIVE] },
  'silent.test': { A: [SILENT, ALIVE] },
  'dead.test': { A: [CLOSED, '127.0.0.4'] },
  'other-family.test': { A: [CLOSED], AAAA: ['::1'] },
  'other-family-inside.test': { A: [CLOSED], AAAA: ['fd00::1'] },
};

/** A way out to a few addresses of this machine, which tells what was dialled and what was given back. */
async function setUp({ isLimited = (_address: string): boolean => false, speed = 1 } = {}) {
  const options = reaching(sites, ZONE, ['127.0.0.0/29', '::1/128']);
  const { dialler, resolver } = options;
  const dialled: string[] = [];
  const asked: string[] = [];
  const held = new Set<string>();
  const limits: Pick<TargetLimits, 'http'> = {
    http(address, host) {
      if (isLimited(address)) throw new ProbeFailure('target_limited', address);
      const one = `${host} ${address}`;
      held.add(one);
      return () => void held.delete(one);
    },
  };
  const egress = await openEgress({
    ...options,
    clock: { now: () => systemClock.now() * speed, sleep: (ms, signal) => systemClock.sleep(ms / speed, signal) },
    limits,
    resolver: {
      query: (...how) => resolver.query(...how),
      addresses(host, family, how) {
        asked.push(`${host} ${family}`);
        return resolver.addresses(host, family, how);
      },
    },
    dialler: {
      ...dialler,
      async tcp(to) {
        dialled.push(to.address);
        if (to.address !== SILENT) return await dialler.tcp(to);
        return await new Promise((_resolve, reject) => to.signal.addEventListener('abort', () => reject(to.signal.reason as Error)));
      },
    },
  });
  const proxy = await egress.open();
  proxy.begin({ signal: new AbortController().signal });
  const ask = async (host: string) => (await say(proxy.port, get(`http://${host}/`, 'Connection: close\r\n'))).split('\r\n')[0];
  return { proxy, ask, dialled, asked, held, [Symbol.asyncDispose]: () => egress.close() };
}

it.each([
  ['closed.test', CLOSED],
  ['silent.test', SILENT],
])('tries the second address where the first is dead, and remembers it: %s', async (host, first) => {
  await using way = await setUp();
  for (let i = 0; i < 2; i++) expect(await way.ask(host)).toMatch(/^HTTP\/1\.1 (200|404) /);
  expect(way.dialled).toEqual([first, ALIVE, ALIVE]);
  expect(way.asked).toEqual([`${host} 6`, `${host} 4`]);
  expect(way.proxy.records.map(({ address, refused }) => `${address}${refused}`)).toEqual([ALIVE, ALIVE]);
  expect(way.proxy.dialled).toEqual(way.dialled.map((address) => ({ host, address })));
  expect([...way.held]).toEqual([]);
});

it('names every address where all are dead', async () => {
  await using way = await setUp();
  await say(way.proxy.port, connectTo('dead.test:80'));
  expect(way.proxy.failureOf('dead.test', 80)).toEqual({
    reason: 'connect_refused',
    error: expect.stringMatching(/127\.0\.0\.2 ECONNREFUSED, 127\.0\.0\.4 ECONNREFUSED/),
  });
  expect(way.proxy.addressOf('dead.test', 80)).toBe(CLOSED);
  expect([...way.held]).toEqual([]);
});

it('tries the other family, which is judged as well, and asked for once', async () => {
  await using way = await setUp();
  expect(await way.ask('other-family.test')).toBe('HTTP/1.1 200 OK');
  for (let i = 0; i < 2; i++) {
    await way.ask('other-family-inside.test');
    expect(way.proxy.failureOf('other-family-inside.test', 80)).toMatchObject({ reason: 'connect_refused' });
  }
  expect(way.dialled).toEqual(['::1', CLOSED, CLOSED]);
  expect(way.asked).toEqual(['other-family.test 6', 'other-family.test 4', 'other-family-inside.test 6', 'other-family-inside.test 4']);
});

it('does not blame the target where our own limit keeps us from its second address', async () => {
  await using way = await setUp({ isLimited: (address) => address === ALIVE, speed: 50 });
  await way.ask('closed.test');
  expect(way.proxy.failureOf('closed.test', 80)).toMatchObject({ reason: 'target_limited' });
});

it('a page at a name whose first address is dead is rendered', async () => {
  const pool = await openTestPool({
    egress: await openEgress(reaching(sites, ZONE, ['127.0.0.0/29'])),
  });
  const { result } = await pool.run(
    'requests',
    { url: 'http://closed.test/', user_agent: 'desktop', accept_language: 'en' },
    { signal: AbortSignal.timeout(20_000), budget_ms: 20_000 },
  );
  await pool.close();
  expect(result.page).toMatchObject({ status_code: 200, ip: ALIVE });
});
