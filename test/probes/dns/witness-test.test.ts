import type { Clock, DnsAnswer } from '@vedette/contract';
import { expect, it } from 'vitest';
import { WitnessTest } from '../../../packages/probes/src/dns/witness-test.ts';

/** Time that moves only when told to. */
function handClock() {
  let now = 0;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason as Error);
        });
      }),
  };
  return {
    clock,
    async advance(ms: number) {
      now += ms;
      for (const sleeper of sleepers)
        if (sleeper.at <= now) {
          sleepers.delete(sleeper);
          sleeper.wake();
        }
      await settle();
    },
  };
}

/** What every name server of the root says. */
const ROOT: DnsAnswer = {
  rcode: 'NOERROR',
  aa: true,
  ad: false,
  answers: [{ name: '.', type: 'NS', ttl: 518_400, data: 'a.root-servers.net', rdata: new Uint8Array() }],
  authorities: [],
  additionals: [],
  server: '198.41.0.4:53',
  rtt_ms: 1,
  tries: 1,
  transport: 'udp',
  cached: false,
};

const settle = () => new Promise((resolve) => setImmediate(resolve));

it.each([
  [['a', 'b', 'c'], [], { ok: true, failing: 0, witnesses: 3 }],
  [['a', 'b', 'c'], ['a'], { ok: true, failing: 1, witnesses: 3 }],
  [['a', 'b', 'c'], ['a', 'c'], { ok: false, failing: 2, witnesses: 3 }],
  [['a'], ['a'], { ok: false, failing: 1, witnesses: 1 }],
  [[], [], { ok: true, failing: 0, witnesses: 0 }],
])('of %j with %j silent is %j', async (witnesses, silent, state) => {
  const { clock } = handClock();
  const resolver = {
    query: (_name: string, _type: string, { server = '' } = {}) =>
      silent.includes(server) ? Promise.reject(new Error('silent')) : Promise.resolve(ROOT),
  };
  const test = new WitnessTest({ witnesses, resolver, clock });
  test.start();
  await settle();
  expect(test.state).toEqual(state);
  test.stop();
});

it('asks again every minute, sooner while it fails, and gives a witness that hangs three seconds', async () => {
  const { clock, advance } = handClock();
  let online = false;
  const asked: string[] = [];
  const changes: unknown[] = [];
  const resolver = {
    query: (name: string, type: string, { server = '', signal }: { server?: string; signal?: AbortSignal } = {}) =>
      new Promise<DnsAnswer>((resolve, reject) => {
        asked.push(`${name} ${type} @${server}`);
        if (online) resolve(ROOT);
        signal!.addEventListener('abort', () => reject(signal!.reason as Error));
      }),
  };
  const test = new WitnessTest({ witnesses: ['192.0.2.1', '192.0.2.2'], resolver, clock });
  test.watch((state) => void changes.push(state));
  test.start();
  await advance(2_999);
  expect(changes).toEqual([]);
  await advance(1);
  online = true;
  await advance(4_999);
  expect(changes).toEqual([{ ok: false, failing: 2, witnesses: 2 }]);
  await advance(1);
  expect(changes).toEqual([
    { ok: false, failing: 2, witnesses: 2 },
    { ok: true, failing: 0, witnesses: 2 },
  ]);
  expect(asked).toEqual(['. NS @192.0.2.1', '. NS @192.0.2.2', '. NS @192.0.2.1', '. NS @192.0.2.2']);
  test.stop();
});

it.each<[string, Partial<DnsAnswer>]>([
  ['says that the root does not exist', { rcode: 'NXDOMAIN', answers: [] }],
  ['refuses', { rcode: 'REFUSED', answers: [] }],
  ['knows no name servers of the root', { answers: [] }],
  ['leads to a portal', { answers: [{ name: '.', type: 'A', ttl: 1, data: '192.0.2.1', rdata: new Uint8Array() }] }],
])('a witness that %s is none: the DNS is intercepted', async (_what, answer) => {
  const { clock } = handClock();
  const test = new WitnessTest({ witnesses: ['a', 'b', 'c'], resolver: { query: async () => ({ ...ROOT, ...answer }) }, clock });
  test.start();
  await settle();
  expect(test.state).toEqual({ ok: false, failing: 3, witnesses: 3 });
  test.stop();
});
