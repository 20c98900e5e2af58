import type { Clock } from '@vedette/contract';
import type { Bus, BusMessage } from '@vedette/bus';
import { beforeEach, expect, it } from 'vitest';
import { Registry } from '../../packages/bus/src/presence/registry.ts';
import { BeatFeed } from '../../packages/bus/src/presence/beat-feed.ts';

let now: number;
let wake: () => void;
const clock: Clock = {
  now: () => now,
  sleep: () => new Promise<void>((resolve) => (wake = resolve)),
};

interface Open {
  onMessage: (message: BusMessage) => void;
  left: number;
}

/** A server of memory: it delivers to every subscription that matches, and ends one whose maximum is reached. */
let open: Map<string, Set<Open>>;
let delivered: number;
const bus: Bus = {
  connected: () => true,
  onChange: () => () => {},
  publish: () => true,
  subscribe(subject, onMessage, { max = Infinity } = {}) {
    const subscription = { onMessage, left: max };
    const same = open.get(subject) ?? new Set();
    open.set(subject, same.add(subscription));
    const end = () => void same.delete(subscription);
    return { unsubscribe: end, drain: () => Promise.resolve(end()) };
  },
  flush: () => Promise.resolve(),
  close: () => Promise.resolve(),
  seenAs: () => [],
  closed: new Promise(() => {}),
};
function beats(location: string, agent: string, times = 1, bytes = 600): void {
  const subject = `vedette.v1.beat.${location}.${agent}`;
  const data = new Uint8Array(bytes);
  const patterns = ['vedette.v1.beat.*.*', `vedette.v1.beat.${location}.*`, subject];
  for (let n = 0; n < times; n += 1) {
    for (const subscription of patterns.flatMap((pattern) => [...(open.get(pattern) ?? [])])) {
      if ((subscription.left -= 1) === 0) for (const same of open.values()) same.delete(subscription);
      delivered += 1;
      subscription.onMessage({ subject, data });
    }
  }
}

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    now += 1_000;
    wake();
    await Promise.resolve();
    await Promise.resolve();
  }
}
const subscribed = () =>
  [...open]
    .filter(([, same]) => same.size > 0)
    .map(([subject]) => subject.slice('vedette.v1.beat.'.length))
    .toSorted();
const readFrom = (agent: string) => read.filter((name) => name === agent).length;

let read: string[];
let floods: string[];
let registry: Registry<{ heardAt: number }>;
let feed: BeatFeed;
let expected: string[];
beforeEach(() => {
  now = 0;
  expected = ['jp-tyo'];
  open = new Map();
  read = [];
  floods = [];
  delivered = 0;
  registry = new Registry({ groups: 2_000, each: 100, all: Infinity }, 0);
  feed = new BeatFeed({
    bus,
    clock,
    subject: (location, agent) => `vedette.v1.beat.${location}.${agent}`,
    branches: 480,
    registry,
    expected: () => expected,
    onBeat(location, agent) {
      read.push(`${location}.${agent}`);
      if (agent !== '*' && registry.admits(location, agent, now)) registry.add(location, agent, { heardAt: now });
    },
    onFlood: (location, agent) => void floods.push(`${location}.${agent}`),
  });
});

it('hears all agents by one subscription, as often as they beat', async () => {
  for (let second = 0; second < 60; second += 1) {
    for (let agent = 0; agent < 50; agent += 1)
      for (const location of ['eu-fra', 'us-ash', 'sg-sin', 'jp-tyo']) beats(location, `${agent}`, 4);
    await pass(1);
  }
  expect(read.length).toBe(60 * 200 * 4);
  expect(subscribed()).toEqual(['*.*']);
  expect(floods).toEqual([]);
});

it('has the server drop what one agent sends too often, and goes on hearing the others, new ones too', async () => {
  for (const agent of ['1', '2']) for (const location of ['eu-fra', 'us-ash']) beats(location, agent);
  read = [];
  beats('eu-fra', '1', 100_000);
  expect(delivered).toBeLessThan(2_000); // of 100,004
  expect(subscribed()).toEqual(['eu-fra.2', 'jp-tyo.*', 'us-ash.*']);
  expect(readFrom('eu-fra.1')).toBe(39); // and one before, which makes forty in this second
  expect(floods).toEqual(['eu-fra.1']);
  beats('eu-fra', '2');
  beats('us-ash', '1');
  beats('us-ash', '3');
  beats('jp-tyo', '1');
  expect(read.slice(-4)).toEqual(['eu-fra.2', 'us-ash.1', 'us-ash.3', 'jp-tyo.1']);

  delivered = 0;
  for (let second = 0; second < 20; second += 1) {
    await pass(1);
    beats('eu-fra', '2', 4);
    beats('eu-fra', '1', 10_000);
  }
  // Forty in each second, and twice a look whether it goes on.
  expect(delivered).toBeLessThan(5_000);
  expect(readFrom('eu-fra.2')).toBeGreaterThanOrEqual(81);
  expect(floods.length).toBeLessThanOrEqual(3);

  await pass(12);
  expect(subscribed()).toEqual(['*.*']);
  read = [];
  for (const agent of ['1', '2']) beats('eu-fra', agent);
  expect(read).toEqual(['eu-fra.1', 'eu-fra.2']);
});

it('bounds names that are made up', async () => {
  beats('eu-fra', 'honest');
  for (let second = 0; second < 10; second += 1) {
    for (let n = 0; n < 20_000; n += 1) beats('eu-fra', `made-up-${second}-${n}`);
    beats('eu-fra', 'honest', 4);
    await pass(1);
  }
  expect(readFrom('eu-fra.honest')).toBe(41);
  expect(registry.at('eu-fra').size).toBeLessThanOrEqual(100);
  expect(delivered).toBeLessThan(20_000); // of 200,041
  expect(floods[0]).toBe('eu-fra.'); // nobody in particular
});

it('counts bytes as well', () => {
  beats('eu-fra', 'a');
  beats('eu-fra', 'a', 1_000, 256 * 1024);
  expect(delivered * 256).toBeLessThan(4_096); // KiB
});

it('stays quiet about a location that nobody knows, and listens again after a reconnect', () => {
  beats('made-up', '*', 5_000);
  expect(floods).toEqual(['.']);
  open.clear(); // as the server forgets us
  feed.renew();
  expect(subscribed()).not.toEqual([]);
  feed.close();
  expect(subscribed()).toEqual([]);
});

it('hears all of a large fleet at once when it knows of its locations alone, and never takes more subscriptions than there are', () => {
  expected = Array.from({ length: 450 }, (_, n) => `loc-${n}`);
  feed.close();
  feed = new BeatFeed({
    bus,
    clock,
    subject: (location, agent) => `vedette.v1.beat.${location}.${agent}`,
    branches: 480,
    registry,
    expected: () => expected,
    onBeat: (location, agent) => void read.push(`${location}.${agent}`),
    onFlood() {},
  });
  for (const location of expected) beats(location, 'a');
  expect(read.length).toBe(450); // of whom 400 were heard
  expect(subscribed()).toEqual(['*.*']);

  for (const location of expected) for (let n = 0; n < 3; n += 1) registry.add(location, `${n}`, { heardAt: now });
  beats('loc-0', 'a', 200_000);
  expect(subscribed().length).toBe(452); // of the flooded one each agent
  for (const location of expected.slice(0, 200)) beats(location, 'b', 1_000);
  expect(subscribed().length).toBeGreaterThan(250);
  expect(subscribed().length).toBeLessThan(500);
});
