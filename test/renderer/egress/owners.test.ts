import { systemClock } from '@vedette/probes/net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEgress } from '../../../packages/renderer/src/egress/index.ts';
import { fakeResolver, type FakeZone } from '../../intel/fake-resolver.ts';
import { reaching, serveSites, type SiteServer } from '../sites/serve.ts';
import { get, say } from './raw-proxy.ts';

const RECORD = '_probe-optout.example.test';
const HOUR_MS = 3_600_000;

let sites: SiteServer;
beforeAll(async () => {
  sites = await serveSites({ 'www.example.test': { '/': '<h1>Open</h1>' } });
});
afterAll(() => sites.close());

/** A renderer's way out, and a clock that can be put forward. Each visit is a job of its own. */
async function setUp(zone: FakeZone, isBelieved = () => true) {
  let later = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + later };
  const options = reaching(sites, { 'www.example.test': { A: [sites.address] } });
  // Names below `test` are refused there, and the record is below one.
  const { query } = fakeResolver(zone);
  const egress = await openEgress({
    ...options,
    resolver: { ...options.resolver, query },
    health: { vouch: async () => isBelieved() },
    clock,
  });
  return {
    async isOut() {
      const proxy = await egress.open();
      proxy.begin({ signal: new AbortController().signal });
      await say(proxy.port, get('http://www.example.test/', 'Connection: close\r\n'));
      return proxy.failureOf('www.example.test', 80)?.reason === 'blocked_policy';
    },
    wait: (ms: number) => void (later += ms),
    [Symbol.asyncDispose]: () => egress.close(),
  };
}

it.each(['TIMEOUT', 'SERVFAIL'] as const)(
  'an owner who is out is spared while the zone is silent (%s), by the gateways’ rule',
  async (silence) => {
    const zone: FakeZone = { [RECORD]: { TXT: ['v=optout1'] } };
    await using out = await setUp(zone);
    expect(await out.isOut()).toBe(true);
    zone[RECORD] = silence;
    for (let hour = 1; hour <= 3; hour++) {
      out.wait(HOUR_MS + 1000);
      expect(await out.isOut()).toBe(true);
    }
    zone[RECORD] = {};
    out.wait(61_000);
    expect(await out.isOut()).toBe(false);
  },
);

it('an owner who is out is spared while our resolvers cannot be believed: where the DNS is intercepted no zone has the record', async () => {
  const zone: FakeZone = { [RECORD]: { TXT: ['v=optout1'] } };
  let believed = true;
  await using out = await setUp(zone, () => believed);
  expect(await out.isOut()).toBe(true);
  zone[RECORD] = {};
  believed = false;
  out.wait(HOUR_MS + 1000);
  expect(await out.isOut()).toBe(true);
  believed = true;
  out.wait(61_000);
  expect(await out.isOut()).toBe(false);
});

it('a zone that has never answered counts as a yes, and is asked again after a minute', async () => {
  const zone: FakeZone = { [RECORD]: 'TIMEOUT' };
  await using out = await setUp(zone);
  expect(await out.isOut()).toBe(false);
  zone[RECORD] = { TXT: ['v=optout1'] };
  expect(await out.isOut()).toBe(false);
  out.wait(61_000);
  expect(await out.isOut()).toBe(true);
});
