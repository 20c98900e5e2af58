import type { DnsAnswer, Echo } from '@vedette/contract';
import { expect, it } from 'vitest';
import { type PathChange, WitnessTest } from '@vedette/probes/dns';
import { handClock, settle } from './hand-clock.ts';

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

const [A, B, C] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
const families = () => [4, 6] as const;

it.each([
  [[A, B, C], [], { ok: true, failing: 0, witnesses: 3 }],
  [[A, B, C], [A], { ok: true, failing: 1, witnesses: 3 }],
  [[A, B, C], [A, C], { ok: false, failing: 2, witnesses: 3 }],
  [[A], [A], { ok: false, failing: 1, witnesses: 1 }],
  [[], [], { ok: true, failing: 0, witnesses: 0 }],
])('of %j with %j silent is %j', async (witnesses, silent, state) => {
  const { clock } = handClock();
  const resolver = {
    query: (_name: string, _type: string, { server = '' } = {}) =>
      silent.includes(server) ? Promise.reject(new Error('silent')) : Promise.resolve(ROOT),
  };
  const test = new WitnessTest({ witnesses, resolver, clock, families });
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
  const test = new WitnessTest({ witnesses: ['192.0.2.1', '192.0.2.2'], resolver, clock, families });
  test.watch(({ ok, failing }) => void changes.push({ ok, failing }));
  test.start();
  await advance(2_999);
  expect(changes).toEqual([]);
  await advance(1);
  online = true;
  await advance(1_999);
  expect(changes).toEqual([{ ok: false, failing: 2 }]);
  await advance(1);
  expect(changes).toEqual([
    { ok: false, failing: 2 },
    { ok: true, failing: 0 },
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
  const test = new WitnessTest({ witnesses: [A, B, C], resolver: { query: async () => ({ ...ROOT, ...answer }) }, clock, families });
  test.start();
  await settle();
  expect(test.state).toEqual({ ok: false, failing: 3, witnesses: 3 });
  test.stop();
});

const [A6, B6] = ['2001:db8::1', '2001:db8::2'];

/** A machine whose packets go where it is told, and who asked whom at what time. */
function machine({ families: own = [4, 6] }: { families?: (4 | 6)[] } = {}) {
  const time = handClock();
  const open = { ip4: true, ip6: true, icmp4: true, icmp6: true };
  const asked: string[] = [];
  const of = (address: string) => (address.includes(':') ? 6 : 4);
  const changes: PathChange[] = [];
  const test = new WitnessTest({
    witnesses: [A, B, A6, B6],
    clock: time.clock,
    families: () => own,
    resolver: {
      async query(_name, _type, { server = '' } = {}) {
        asked.push(`dns ${server}`);
        if (!open[`ip${of(server)}`]) throw new Error('silent');
        return ROOT;
      },
    },
    icmp: {
      v4: true,
      v6: true,
      async *echoes(server, { count }): AsyncGenerator<Echo> {
        for (let icmp_seq = 1; icmp_seq <= count; icmp_seq++) {
          asked.push(`echo ${server}`);
          yield { icmp_seq, ...(open[`icmp${of(server)}`] && { reply: { rtt_ms: 1, ttl: 64, bytes: 64 } }) };
        }
      },
    },
  });
  test.watch((change) => changes.push(change));
  const changed = () => changes.splice(0).map(({ path, ok, decides }) => ({ path, ok, decides }));
  return { ...time, test, open, asked, changed, now: () => time.clock.now() };
}

it.each(['ip6', 'icmp4', 'icmp6'] as const)('%s that leads nowhere is found out by itself, and is all that fails', async (path) => {
  const { test, open, changed, advance } = machine();
  open[path] = false;
  test.start();
  await settle();
  expect({ ...test.state, works: test.works(path) }).toEqual({ ok: true, failing: 0, witnesses: 2, works: false });
  expect(changed()).toEqual([{ path, ok: false, decides: false }]);
  open[path] = true;
  await advance(15_000);
  expect(changed()).toEqual([{ path, ok: true, decides: false }]);
  test.stop();
});

it('IPv6 decides where the machine has no other, and IPv4 where it has nothing at all', async () => {
  for (const [families, decides] of [[[6], 'ip6'] as const, [[], 'ip4'] as const]) {
    const { test, open, changed } = machine({ families: [...families] });
    open[decides] = false;
    test.start();
    await settle();
    expect(test.state.ok).toBe(false);
    expect(changed()).toContainEqual({ path: decides, ok: false, decides: true });
    test.stop();
  }
});

it.each([
  ['ip6', [6]],
  ['ip4', [4, 6]],
] as const)('%s is tested again after 2 s where it decides on %j, the other family after 15 s', async (decides, own) => {
  const { test, open, asked, advance } = machine({ families: [...own] });
  open.ip4 = false;
  open.ip6 = false;
  test.start();
  await settle();
  asked.length = 0;
  for (let i = 0; i < 7; i++) await advance(2_000);
  const times = (server: string) => asked.filter((one) => one === `dns ${server}`).length;
  expect(decides === 'ip6' ? [times(A6), times(A)] : [times(A), times(A6)]).toEqual([7, 0]);
  test.stop();
});

it('a good word from before the silence is none: the witnesses are asked again, once a second at most', async () => {
  const { test, open, asked, advance, now } = machine();
  expect(await test.confirm(now())).toBe(true);
  await advance(1_000);
  const silentSince = now();
  open.ip4 = false;
  expect(await test.confirm(silentSince)).toBe(false);
  expect(asked).toHaveLength(4);
  open.ip4 = true;
  await advance(999);
  expect(await test.confirm(now())).toBe(false);
  expect(asked).toHaveLength(4);
  await advance(1);
  expect(await test.confirm(now())).toBe(true);
  await advance(600_000);
  expect(await test.confirm(0)).toBe(true); // what is known of the time since then
  expect(asked).toHaveLength(6);
});

it('a failure that a silent target brought up is tested again after two seconds, not after the minute', async () => {
  const { test, open, changed, advance, now } = machine();
  test.start();
  await advance(5_000);
  open.ip4 = false;
  await test.confirm(now());
  expect(changed()).toEqual([{ path: 'ip4', ok: false, decides: true }]);
  open.ip4 = true;
  await advance(2_000);
  expect(changed()).toEqual([{ path: 'ip4', ok: true, decides: true }]);
  test.stop();
});

it('targets that answer echoes refute witnesses that never did, not those that do no more', async () => {
  const { test, open, changed, advance, now } = machine();
  open.icmp4 = false;
  test.start();
  await settle();
  test.heard('icmp4');
  expect(changed()).toEqual([
    { path: 'icmp4', ok: false, decides: false },
    { path: 'icmp4', ok: true, decides: false },
  ]);
  await advance(60_000);
  expect(await test.confirm(now(), 'icmp4')).toBe(true);
  open.icmp4 = true;
  await advance(60_000);
  open.icmp4 = false;
  await advance(60_000);
  test.heard('icmp4');
  expect(test.works('icmp4')).toBe(false);
  test.stop();
});
