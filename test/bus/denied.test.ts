import { announceDenied, type Bus, type BusMessage, followDenied, openBus } from '@vedette/bus';
import { type Cidr, formatCidr, type Listener, parseCidrs } from '@vedette/contract';
import { expect, it } from 'vitest';
import { startNatsServer } from './nats-server.ts';
import { clock } from './world.ts';

const shown = ({ networks, listeners }: { networks: () => readonly Cidr[]; listeners: () => readonly Listener[] }) => ({
  networks: networks().map(formatCidr),
  listeners: listeners(),
});

it('tells every agent what is denied, takes changes over, and reaches those that come later', async () => {
  const server = await startNatsServer();
  const open = (name: string) => openBus({ url: server.url, name, clock });
  const buses = [await open('gateway'), await open('another gateway'), await open('agent'), await open('late agent')] as const;
  const [gateway, other, agent, late] = buses;
  /** Every wait of the gateways is over when we say so. */
  let waiting: (() => void)[] = [];
  const again = () => {
    const released = waiting;
    waiting = [];
    for (const release of released) release();
  };
  const paced = { ...clock, sleep: () => new Promise<void>((resolve) => waiting.push(resolve)) };
  let networks = ['203.0.113.0/24', '2001:db8::/32'];
  let ports = [8080, 9464];
  let names = ['denied.test'];
  const denied = (address: string) => ({
    networks: () => parseCidrs(networks),
    names: () => names,
    listeners: () => [{ addresses: [address], ports }],
  });
  try {
    const first = followDenied(agent);
    await agent.flush();
    const announcers = [announceDenied(gateway, paced, 'gw-1', denied('192.0.2.1')), announceDenied(other, paced, 'gw-2', denied('::1'))];
    const at = (...addresses: string[]) => addresses.map((address) => ({ addresses: [address], ports }));
    await expect.poll(() => shown(first)).toEqual({ networks, listeners: expect.arrayContaining(at('192.0.2.1', '::1')) });
    const asked = ['denied.test', 'a.b.denied.test', 'undenied.test', 'test', 'xn--fiqs8s'];
    expect(asked.filter((name) => first.isDenied(name))).toEqual(['denied.test', 'a.b.denied.test']);

    gateway.publish('vedette.v1.denied', '{"networks":"all"}');
    const second = followDenied(late);
    await late.flush();
    networks = ['198.51.100.7/32'];
    names = ['xn--fiqs8s'];
    ports = [9465];
    for (const each of [first, second])
      await expect
        .poll(() => {
          again();
          return shown(each);
        })
        .toEqual({ networks, listeners: expect.arrayContaining(at('192.0.2.1', '::1')) });
    for (const each of [first, second]) expect(asked.filter((name) => each.isDenied(name))).toEqual(['xn--fiqs8s']);
    expect(first.listeners()).toHaveLength(2); // what a gateway said before is forgotten
    for (const announcer of announcers) announcer.stop();
    again();
  } finally {
    for (const bus of buses) await bus.close();
    await server.stop();
  }
});

it('tells those who join at once, but not for each of a crowd', async () => {
  const server = await startNatsServer();
  const bus = await openBus({ url: server.url, name: 'gateway', clock });
  try {
    let published = 0;
    const counting = { ...bus, publish: (...message: Parameters<typeof bus.publish>) => (published++, bus.publish(...message)) };
    const waits: { ms: number; end: () => void }[] = [];
    const paced = {
      ...clock,
      sleep: (ms: number, signal?: AbortSignal) =>
        new Promise<void>((resolve) => {
          waits.push({ ms, end: resolve });
          signal?.addEventListener('abort', () => resolve());
        }),
    };
    const announcer = announceDenied(counting, paced, 'gw', { networks: () => [], names: () => [], listeners: () => [] });
    expect([published, waits.length]).toEqual([1, 1]);
    for (let i = 0; i < 100; i++) announcer.soon();
    expect(published).toBe(1);
    waits[0]!.end(); // the shortest time between two
    await expect.poll(() => published).toBe(2);
    waits[1]!.end();
    await expect.poll(() => waits.map(({ ms }) => ms)).toEqual([250, 250, 4_750]);
    announcer.soon();
    await expect.poll(() => published).toBe(3);
    announcer.now();
    expect(published).toBe(4);
    announcer.stop();
  } finally {
    await bus.close();
    await server.stop();
  }
});

it('keeps to what a frame holds, however much there is', async () => {
  const server = await startNatsServer();
  const bus = await openBus({ url: server.url, name: 'gateway', clock });
  try {
    const followed = followDenied(bus);
    const address = 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255';
    const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
    const listeners = () => many(20, { addresses: many(100, address), ports: many(100, 65_535) });
    const networks = parseCidrs(many(5_000, '2001:db80:aaaa:bbbb:cccc:dddd:eeee:ffff/128'));
    const first = announceDenied(bus, clock, 'g'.repeat(64), { networks: () => networks, names: () => [], listeners });
    await expect.poll(() => followed.networks().length).toBe(5_000);
    first.stop();
    expect(followed.listeners().map(({ addresses, ports }) => [addresses.length, ports.length])).toEqual(many(8, [64, 16]));
    const label = 'a'.repeat(61);
    const names = Array.from({ length: 5_000 }, (_, i) => `${label}.${label}.${label}.${i}`.padEnd(253, 'z'));
    const second = announceDenied(bus, clock, 'g'.repeat(64), { networks: () => [], names: () => names, listeners });
    await expect.poll(() => followed.isDenied(names.at(-1)!)).toBe(true);
    second.stop();
  } finally {
    await bus.close();
    await server.stop();
  }
});

it('knows its own address as the server sees it', async () => {
  const server = await startNatsServer();
  const bus = await openBus({ url: server.url, name: 'agent', clock });
  try {
    expect(bus.seenAs()).toEqual(['127.0.0.1']);
  } finally {
    await bus.close();
    await server.stop();
  }
});

it('forgets the listeners of a gateway that has been silent for ten minutes, and heeds one that tells none', () => {
  let now = 0;
  let hear: ((message: BusMessage) => void) | undefined;
  const bus: Pick<Bus, 'subscribe'> = {
    subscribe(_subject, onMessage) {
      hear = onMessage;
      return { unsubscribe() {}, drain: () => Promise.resolve() };
    },
  };
  const followed = followDenied(bus, () => now);
  const tell = (frame: object) => hear?.({ subject: 'vedette.v1.denied', data: new TextEncoder().encode(JSON.stringify(frame)) });
  const at = (address: string) => ({ addresses: [address], ports: [8080] });
  const gateway = (name: string, address: string) => tell({ gateway: name, networks: [], listeners: [at(address)] });
  gateway('gone', '192.0.2.1');
  now = 600_000;
  gateway('here', '192.0.2.2');
  expect(followed.listeners()).toEqual([at('192.0.2.1'), at('192.0.2.2')]);
  now = 600_001;
  gateway('here', '192.0.2.2');
  expect(followed.listeners()).toEqual([at('192.0.2.2')]);
  tell({ gateway: 'here', networks: [], names: ['lnnqw4RNrd5Kky5QpFpZPb'], listeners: [at('192.0.2.2')] });
  tell({ networks: ['203.0.113.0/24'] }); // of a gateway that is older than listeners and names in frames
  expect(shown(followed)).toEqual({ networks: ['203.0.113.0/24'], listeners: [at('192.0.2.2')] });
  expect(followed.isDenied('www.denied.test')).toBe(true);
});
