import type { Clock } from '@vedette/contract';
import { expect, it } from 'vitest';
import { Pools } from '../../packages/gateway/src/shares/pools.ts';

function setUp(slots: number, gateways = 1) {
  const fleet = { slots, gateways, counted: 0, now: 0 };
  const clock: Clock = { now: () => fleet.now, sleep: () => new Promise(() => {}) };
  const presence = { slots: () => (fleet.counted++, fleet.slots) };
  return { fleet, pools: new Pools({ clock, parsers: 2, presence, renderers: { slots: () => 0 }, gateways: () => fleet.gateways }) };
}

it.each([
  [32, 1, 32],
  [64, 3, 21],
  [0, 1, 4],
  [16, 8, 4],
])('of %i slots at a location each of %i gateways uses %i', (slots, gateways, permits) => {
  expect(setUp(slots, gateways).pools.jobs('http', 'eu-fra').usage.max).toBe(permits);
});

it('slots are added up four times a second, however often a job asks', () => {
  const { fleet, pools } = setUp(32);
  const jobs = pools.jobs('http', 'eu-fra');
  for (let i = 0; i < 100; i++) (jobs.acquire('a', 1_000) as () => void)();
  expect(fleet.counted).toBe(1);
  fleet.slots = 64;
  fleet.now += 250;
  expect(jobs.usage.max).toBe(64);
});

it('a crowd at one location, or for one kind of job, leaves the others alone', () => {
  const { pools } = setUp(32);
  for (let i = 0; i < 100; i++) void pools.jobs('http', 'eu-fra').acquire('flooder', 1_000);
  for (const free of [pools.jobs('http', 'us-ash'), pools.jobs('ping', 'eu-fra'), pools.questions, pools.connections])
    expect(free.usage).toMatchObject({ held: 0, waiting: 0 });
});

it('of the questions that one account leaves, another finds half a search for DKIM keys at once', () => {
  const { questions } = setUp(0).pools;
  for (let i = 0; i < 5_000; i++) void questions.acquire('flooder', 1_000);
  const found = Array.from({ length: 514 }, () => questions.acquire('other', 1_000)).filter((permit) => typeof permit === 'function');
  expect(found).toHaveLength(256);
});

it('one account alone has a page on every core; another that comes has the first place that is given back', async () => {
  const { pools } = setUp(0);
  const held = Array.from({ length: 6 }, () => pools.renders.acquire('only', 1_000));
  expect(held.map((permit) => typeof permit)).toEqual(['function', 'function', 'object', 'object', 'object', 'object']);
  const other = pools.renders.acquire('other', 1_000);
  (held[0] as () => void)();
  expect(await other).toEqual(expect.any(Function));
});
