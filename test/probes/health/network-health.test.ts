import type { DnsAnswer, Echo } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import { corrected, type NetworkCapability, NetworkHealth, type VerdictChange } from '@vedette/probes/health';
import { expect, it } from 'vitest';
import { handClock, settle } from '../dns/hand-clock.ts';

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
const [A, B, C, A6, B6] = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '2001:db8::1', '2001:db8::2'];

interface Setting {
  families?: (4 | 6)[];
  answer?: Partial<DnsAnswer>;
  allowNets?: string[];
  skewMs?: number;
  dns?: string[];
}

/** A machine whose packets go where they are told; connections are not tested here, since they need sockets. */
function machine({ families: own = [4, 6], answer = {}, allowNets = ['198.51.100.0/24', '2001:db8::/32'], skewMs, dns }: Setting = {}) {
  const time = handClock();
  const open: Partial<Record<NetworkCapability, boolean>> = {};
  const works = (capability: NetworkCapability): boolean => open[capability] !== false;
  const asked: string[] = [];
  const changes: VerdictChange[] = [];
  const familyOf = (address: string): 4 | 6 => (address.includes(':') ? 6 : 4);
  const silence = (signal?: AbortSignal) =>
    new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(new Error('late'))));
  const witnesses = dns ?? [A, B, C, A6, B6];
  const health = new NetworkHealth({
    witnesses: { dns: witnesses, icmp: witnesses, tcp: [], quic: [], names: [] },
    policy: createAddressPolicy({ allowNets }),
    clock: time.clock,
    families: () => own,
    clockSkewMs: () => skewMs,
    resolver: {
      async query(name, _type, { server, signal } = {}) {
        if (name !== '.') return { ...ROOT, answers: [] };
        asked.push(server === undefined ? 'resolver' : `dns ${server}`);
        const capability = server === undefined ? 'resolver' : (`udp${familyOf(server)}` as const);
        return works(capability) ? { ...ROOT, ...answer } : await silence(signal);
      },
    },
    icmp: {
      v4: true,
      v6: true,
      async *echoes(server, { signal }): AsyncGenerator<Echo> {
        asked.push(`echo ${server}`);
        if (!works(`icmp${familyOf(server)}`)) await silence(signal);
        yield { icmp_seq: 1, reply: { rtt_ms: 1, ttl: 64, bytes: 64 } };
      },
    },
  });
  health.watch((change) => changes.push(change));
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 100) await time.advance(Math.min(100, left));
  };
  return { health, open, asked, changes, pass, now: () => time.clock.now() };
}

it('every capability has witnesses of its own, and is all that fails', async () => {
  for (const capability of ['icmp4', 'icmp6', 'udp6', 'resolver'] as const) {
    const { health, open, changes, pass } = machine();
    open[capability] = false;
    health.start();
    await pass(6_000);
    expect(health.down()).toEqual([capability]);
    expect(health.network).toEqual({ ok: true, failing: 0, witnesses: 3 });
    expect(changes).toEqual([{ capability, verdict: 'bad', problem: 'no answer' }]);
    open[capability] = true;
    await pass(3_000);
    expect(health.down()).toEqual([]);
    health.stop();
  }
});

it('the network is that of IPv4 where the machine has it, or has nothing at all, else of IPv6', async () => {
  for (const [families, decides] of [
    [[4, 6], 'udp4'],
    [[6], 'udp6'],
    [[], 'udp4'],
  ] as const) {
    const { health, open, pass } = machine({ families: [...families] });
    open[decides] = false;
    health.start();
    await pass(2_400);
    expect(health.network.ok).toBe(false);
    expect(await health.networkSince(0)).toBe(false);
    health.stop();
  }
});

it('a family that the machine lacks is not asked about', async () => {
  const { health, asked, pass } = machine({ families: [4] });
  health.start();
  await pass(100);
  expect(asked.toSorted()).toEqual([`dns ${A}`, `dns ${B}`, `dns ${C}`, `echo ${A}`, `echo ${B}`, `echo ${C}`, 'resolver']);
  expect(health.verdict('icmp6')).toBe('unknown');
  expect(await health.doubt('icmp6', 0)).toBe('unknown');
  health.stop();
});

it('witnesses that the address policy refuses are not asked, and are no failure', async () => {
  const { health, asked, pass } = machine({ allowNets: [] });
  health.start();
  await pass(6_000);
  expect(asked).toEqual(['resolver']);
  expect(health.down()).toEqual([]);
  expect(await health.networkSince(6_000)).toBe(true);
  health.stop();
});

it('without witnesses nothing is tested, and nothing is wrong', async () => {
  const { health, asked, pass } = machine({ dns: [] });
  health.start();
  await pass(6_000);
  expect([asked, health.down(), await health.vouch(), await health.networkSince(0)]).toEqual([[], [], true, true]);
  health.stop();
});

it.each<[string, Partial<DnsAnswer>]>([
  ['says that the root does not exist', { rcode: 'NXDOMAIN', answers: [] }],
  ['refuses', { rcode: 'REFUSED', answers: [] }],
  ['knows no name servers of the root', { answers: [] }],
  ['leads to a portal', { answers: [{ name: '.', type: 'A', ttl: 1, data: '192.0.2.1', rdata: new Uint8Array() }] }],
])('a witness that %s is none: the DNS is intercepted', async (_what, answer) => {
  const { health, pass } = machine({ answer });
  health.start();
  await pass(600);
  expect(health.network).toEqual({ ok: false, failing: 3, witnesses: 3 });
  health.stop();
});

it.each([
  [undefined, 'unknown', 0],
  [4_000, 'good', 0],
  [59_000, 'good', 0],
  [400 * 86_400_000, 'bad', -400 * 86_400_000],
  [-400 * 86_400_000, 'bad', 400 * 86_400_000],
] as const)('a clock that is ahead of the gateways by %s ms is %s', async (skewMs, verdict, correction) => {
  const { health } = machine(skewMs === undefined ? {} : { skewMs });
  expect(health.verdict('clock')).toBe(verdict);
  const clock = corrected(
    { now: () => 0, sleep: async () => undefined },
    () => skewMs,
    () => 1_000_000,
  );
  expect(clock.today!().getTime()).toBe(1_000_000 + correction);
  await settle();
});
