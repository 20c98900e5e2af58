import { defineProbe, type Echo, type Probe, ProbeFailure, type ProbePorts, type Reason, within } from '@vedette/contract';
import { Socket } from 'node:net';
import { CAPABILITIES, type NetworkCapability } from '@vedette/probes/health';
import { createAddressPolicy } from '@vedette/probes/host';
import { mtu } from '@vedette/probes/mtu';
import { systemClock } from '@vedette/probes/net';
import { createTargetLimits } from '@vedette/probes/target-limits';
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { blamingNobody, type OwnNetwork } from '../../packages/agent/src/own-network.ts';
import { fakeResolver } from '../intel/fake-resolver.ts';
import { virtualClock } from '../probes/ping/virtual-clock.ts';
import { fakeHealth } from '../probes/health/fake-health.ts';
import { fakePaths } from '../probes/trace/fake-paths.ts';

const here = { families: () => [4, 6] as const, clock: systemClock };
const all = CAPABILITIES.filter((capability) => capability !== 'resolver');
const WELL: OwnNetwork = { ...here, health: fakeHealth() };
const CUT_OFF: OwnNetwork = { ...here, health: fakeHealth({ bad: all, up: () => false }) };
const INTERCEPTED: OwnNetwork = { ...here, health: fakeHealth({ bad: ['resolver'], problem: 'answered NXDOMAIN for the root' }) };
const UNDECIDED: OwnNetwork = { ...here, health: { ...fakeHealth(), doubt: () => new Promise(() => undefined) } };
const deafTo = (bad: readonly NetworkCapability[], broken = false): OwnNetwork => ({ ...WELL, health: fakeHealth({ bad, broken }) });

/** Asks for the host's address, then fails with the reason, or says that it is done. */
const probe = (reason?: Reason): Probe =>
  defineProbe({
    kind: 'ping',
    references: [],
    job: Type.Object({ host: Type.String() }),
    result: Type.Object({ done: Type.Boolean() }),
    min_budget_ms: 1,
    slots: 1,
    async run({ host }, { resolver }) {
      await resolver.addresses(host, 4);
      if (reason) throw new ProbeFailure(reason, 'seen', { partial: { done: false } });
      return { done: true };
    },
  });
async function* lostEchoes(): AsyncGenerator<Echo> {
  yield { icmp_seq: 1 };
}
const ports = (budget_ms = 10_000): ProbePorts =>
  ({
    resolver: fakeResolver({
      'www.example.org': { A: ['192.0.2.1'] },
      '192.0.2.1': { A: ['192.0.2.1'] },
      'broken.example.org': 'SERVFAIL',
    }),
    clock: systemClock,
    budget_ms,
    signal: new AbortController().signal,
    dialler: { policy: undefined, tcp: () => new Promise(() => undefined), operatorTcp: () => new Promise(() => undefined) },
    icmp: { name: 'kernel', v4: true, v6: true, echoes: lostEchoes },
  }) as unknown as ProbePorts;

const outcome = (tested: Probe, host: string, network: OwnNetwork) =>
  blamingNobody(tested, network)
    .run({ host }, ports())
    .catch((error: unknown) => (error instanceof ProbeFailure ? error.message : error));

it.each<Reason>(['icmp_timeout', 'icmp_unreachable', 'connect_timeout', 'connect_unreachable'])(
  'where the witnesses are silent too %s is a reason of our own, of an address as of a name',
  async (reason) => {
    for (const host of ['192.0.2.1', 'www.example.org'])
      expect(await outcome(probe(reason), host, CUT_OFF)).toMatch(
        /^This location has no working network of its own: the witnesses are silent too; .*: seen$/,
      );
  },
);

// A resolver on this machine that has only its cache left says SERVFAIL of everything else, and knows the root.
it('where the witnesses are silent too a name that cannot be resolved is not the name to blame', async () => {
  expect(await outcome(probe(), 'broken.example.org', CUT_OFF)).toMatch(/^This location has no working network of its own/);
  expect(await outcome(probe(), 'broken.example.org', WELL)).toMatch(/^The resolver could not answer/);
});

it.each<Reason>(['connect_refused', 'tls_handshake', 'tls_cert_invalid', 'http_protocol', 'http_timeout'])(
  '%s came from somebody: it is told of the target, whatever witnesses say',
  async (reason) => {
    expect(await outcome(probe(reason), '192.0.2.1', CUT_OFF)).toBe(new ProbeFailure(reason, 'seen').message);
  },
);

it('what was measured counts, whatever the witnesses say', async () => {
  expect(await outcome(probe(), 'www.example.org', CUT_OFF)).toEqual({ done: true });
});

it.each<Reason>(['blocked_policy', 'blocked_private_address', 'too_large', 'target_limited', 'cancelled'])(
  '%s is our own word, and stays',
  async (reason) => {
    expect(await outcome(probe(reason), '192.0.2.1', { ...INTERCEPTED, ...CUT_OFF })).toBe(new ProbeFailure(reason, 'seen').message);
  },
);

it.each([
  ['found', 'www.example.org', probe()],
  ['did not find', 'nx.example.org', probe()],
  ['found and then could not reach', 'www.example.org', probe('connect_timeout')],
])('what resolvers that cannot be believed %s is no measurement', async (_what, host, tested) => {
  expect(await outcome(tested, host, INTERCEPTED)).toBe(
    'This location has no working network of its own: its resolvers cannot be believed: answered NXDOMAIN for the root',
  );
});

it('an address needs no resolver', async () => {
  expect(await outcome(probe(), '192.0.2.1', INTERCEPTED)).toEqual({ done: true });
});

it('an address is measured without its reverse name where the resolver is bad, or says nothing', async () => {
  const named: Probe = {
    ...probe(),
    async run(spec, { resolver }) {
      const { host } = spec as { host: string };
      await resolver.query(host, 'PTR', { addition: true }).catch(() => undefined);
      return { done: true };
    },
  };
  expect(await outcome(named, '192.0.2.1', INTERCEPTED)).toEqual({ done: true });
  const silent = { ...WELL, health: fakeHealth({ vouches: () => false }) };
  expect(await outcome(named, '192.0.2.1', silent)).toEqual({ done: true });
  expect(await outcome(probe(), 'www.example.org', silent)).toMatch('its resolvers cannot be believed');
});

it('where all is well a target is told what it did, with what was measured', async () => {
  await expect(blamingNobody(probe('icmp_timeout'), WELL).run({ host: 'www.example.org' }, ports())).rejects.toMatchObject({
    code: 'icmp_timeout',
    partial: { done: false },
  });
  expect(await outcome(probe(), 'nx.example.org', WELL)).toMatch(/^The name does not exist/);
});

it('a verdict that does not come in time keeps nothing back: the probe has had that much less', async () => {
  const budgets: number[] = [];
  const tested: Probe = {
    ...probe(),
    async run(_spec, { budget_ms }) {
      budgets.push(budget_ms);
      throw new ProbeFailure('connect_timeout', 'seen');
    },
  };
  await expect(blamingNobody(tested, UNDECIDED).run({ host: '192.0.2.1' }, ports(1_000))).rejects.toMatchObject({
    code: 'connect_timeout',
  });
  expect(budgets).toEqual([950]);
});

it('a verdict does not come after the budget, though the clock of a run that was parked stood still', async () => {
  const tested: Probe = {
    ...probe(),
    async run() {
      await systemClock.sleep(400);
      throw new ProbeFailure('connect_timeout', 'seen');
    },
  };
  const parked = { ...ports(600), clock: { now: () => 0, sleep: systemClock.sleep } };
  const ended = blamingNobody(tested, UNDECIDED)
    .run({ host: '192.0.2.1' }, parked)
    .catch((error: ProbeFailure) => error.code);
  expect(await Promise.race([ended, systemClock.sleep(600)])).toBe('connect_timeout');
});

/** Sends to the address by ICMP or TCP, and fails as that does. */
const sending = (by: 'icmp' | 'tcp'): Probe => ({
  ...probe(),
  async run(spec, { icmp, dialler, signal }) {
    const { host } = spec as { host: string };
    if (by === 'icmp') for await (const _ of icmp.echoes(host, { count: 1, interval_ms: 10, wait_ms: 10 }));
    else void dialler.tcp({ address: host, port: 443, signal });
    throw new ProbeFailure(by === 'icmp' ? 'icmp_timeout' : 'connect_timeout', 'seen');
  },
});
const NO_IPV6: readonly NetworkCapability[] = ['icmp6', 'tcp6', 'udp6'];

it.each<[string, 'icmp' | 'tcp', string, OwnNetwork, string | RegExp]>([
  ['a location that cannot ping', 'icmp', '192.0.2.1', deafTo(['icmp4']), 'This location cannot ping: no witness answers its echoes: IPv4'],
  ['it, over the other family', 'icmp', '2001:db8::1', deafTo(['icmp4']), 'No echo reply came back: seen'],
  ['it, asked for a page', 'tcp', '192.0.2.1', deafTo(['icmp4']), 'The target did not accept the connection in time: seen'],
  ['IPv6 to nowhere', 'tcp', '2001:db8::1', deafTo(NO_IPV6), 'This location has no working IPv6'],
  ['it, pinging', 'icmp', '2001:db8::1', deafTo(NO_IPV6), 'This location has no working IPv6'],
  ['it, over IPv4', 'icmp', '192.0.2.1', deafTo(NO_IPV6), 'No echo reply came back: seen'],
  ['connections that are swallowed', 'tcp', '192.0.2.1', deafTo(['tcp4']), 'This location has no working network of its own: tcp4'],
  ['no network at all', 'tcp', '2001:db8::1', CUT_OFF, /^This location has no working network of its own: the witnesses are silent too/],
  ['a healthy location', 'icmp', '192.0.2.1', WELL, 'No echo reply came back: seen'],
])('silence is blamed on the target or not: %s', async (_what, by, host, network, message) => {
  expect(await outcome(sending(by), host, network)).toMatch(message);
});

it.each<['icmp' | 'tcp', string, readonly NetworkCapability[], Reason]>([
  ['icmp', '192.0.2.1', ['icmp4'], 'icmp_blocked'],
  ['tcp', '2001:db8::1', NO_IPV6, 'no_ipv6'],
  ['icmp', '2001:db8::1', NO_IPV6, 'no_ipv6'],
  ['tcp', '192.0.2.1', ['tcp4'], 'no_network'],
])('nothing is sent by %s to %s where that worked once and does no more: %s', async (by, host, bad, code) => {
  const sent: string[] = [];
  const well = ports();
  const noting = {
    ...well,
    dialler: { ...well.dialler, tcp: async () => (sent.push('tcp'), new Socket()) },
    icmp: {
      ...well.icmp,
      async *echoes() {
        sent.push('icmp');
        yield { icmp_seq: 1 };
      },
    },
  };
  const awaiting: Probe = {
    ...probe(),
    async run(spec, { icmp, dialler, signal }) {
      const { host: address } = spec as { host: string };
      if (by === 'icmp') for await (const _ of icmp.echoes(address, { count: 1, interval_ms: 10, wait_ms: 10 }));
      else await dialler.tcp({ address, port: 443, signal });
      return { done: true };
    },
  };
  const run = (network: OwnNetwork) => blamingNobody(awaiting, network).run({ host }, noting);
  await expect(run(deafTo(bad, true))).rejects.toMatchObject({ code });
  expect(sent).toEqual([]);
  expect(await run(deafTo(bad))).toEqual({ done: true }); // its witnesses may be closed to it
  expect(sent).toEqual([by]);
});

it.each([
  [{ up: true }, 'icmp_blocked'],
  [{ up: false }, 'no_network'],
] as const)(
  'the echoes are the first that a dead uplink is known to have lost: the others are asked before one is blamed: %j',
  async ({ up }, code) => {
    const asked: unknown[] = [];
    const health = {
      ...fakeHealth({ bad: ['icmp4'], broken: true }),
      badSince: () => 7,
      // The last verdicts are good; what is asked since then says more.
      doubt: async (capability: NetworkCapability, since: number) => (
        asked.push(capability, since),
        up ? ('good' as const) : ('bad' as const)
      ),
      networkSince: async (since: number) => (asked.push('network', since), up),
    };
    await expect(blamingNobody(sending('icmp'), { ...WELL, health }).run({ host: '192.0.2.1' }, ports())).rejects.toMatchObject({ code });
    expect(asked).toEqual(up ? ['network', 7, 'tcp4', 7] : ['network', 7]);
  },
);

it.each<[what: string, bad: readonly NetworkCapability[], broken: boolean, host: string, message: RegExp]>([
  [
    'a resolver beside us asks servers over it, and is silent with it',
    ['udp6'],
    true,
    'broken.example.org',
    /^This location has no working IPv6/,
  ],
  ['witnesses that never answered prove nothing', ['udp6'], false, 'broken.example.org', /^The resolver could not answer/],
  ['the resolver has IPv6', ['udp4'], true, 'broken.example.org', /^The resolver could not answer/],
  ['a name that does not exist is an answer', ['udp6'], true, 'nx.example.org', /^The name does not exist/],
])('datagrams over IPv6 that are lost: %s', async (_what, bad, broken, host, message) => {
  expect(await outcome(probe(), host, deafTo(bad, broken))).toMatch(message);
});

it('a name that was resolved without its IPv6 is measured, and an address needs none', async () => {
  for (const host of ['www.example.org', '192.0.2.1']) expect(await outcome(probe(), host, deafTo(['udp6'], true))).toEqual({ done: true });
  expect(await outcome(probe('connect_timeout'), '192.0.2.1', deafTo(['udp6'], true))).toMatch(/^The target did not accept the connection/);
});

it.each<[readonly NetworkCapability[], boolean, Reason]>([
  [['icmp4'], true, 'icmp_blocked'],
  [['icmp4', 'tcp4', 'udp4'], false, 'no_network'],
  [[], true, 'icmp_timeout'],
])('a search for the path MTU that nothing answers, with %j lost, ends as what was lost', async (bad, up, code) => {
  const clock = virtualClock();
  const health = fakeHealth({ bad, up: () => up });
  const policy = createAddressPolicy({ allowNets: ['192.0.2.0/24'] });
  const limits = createTargetLimits({ clock, enabled: false, spares: [] });
  const here = { ...ports(20_000), clock, limits, icmp: fakePaths(clock, () => undefined), dialler: { ...ports().dialler, policy } };
  await expect(blamingNobody(mtu, { ...WELL, health, clock }).run({ host: '192.0.2.1' }, here)).rejects.toMatchObject({ code });
});

it('a machine without the family of the address has a network, but not that one', async () => {
  const refused: Probe = {
    ...probe(),
    async run(spec, { dialler, signal }) {
      void dialler.tcp({ address: (spec as { host: string }).host, port: 443, signal });
      throw new ProbeFailure('no_network', 'ENETUNREACH');
    },
  };
  const old = { ...WELL, families: () => [4] as const };
  expect(await outcome(refused, '2001:db8::1', old)).toBe('This location has no working IPv6');
  expect(await outcome(refused, '192.0.2.1', old)).toBe('This location has no working network of its own: ENETUNREACH');
  expect(await outcome(refused, '192.0.2.1', { ...WELL, families: () => [] })).toBe(
    'This location has no working network of its own: ENETUNREACH',
  );
});

/** Hears nothing until its budget has ended. */
const deaf = (connects: boolean): Probe => ({
  ...probe(),
  async run(spec, { dialler, clock, signal, budget_ms }) {
    const { host } = spec as { host: string };
    void dialler.tcp({ address: host, port: 443, signal });
    const answer = connects ? { done: true } : undefined;
    await within(
      clock,
      budget_ms,
      signal,
      () => new ProbeFailure('connect_timeout', 'seen'),
      (limited) => clock.sleep(budget_ms * 2, limited),
    ).catch((error: unknown) => {
      if (!answer) throw error;
    });
    return answer!;
  },
});

it.each([
  ['known before', CUT_OFF],
  ['found out meanwhile', { ...CUT_OFF, health: { ...CUT_OFF.health, verdict: () => 'unknown' as const } }],
])('a run that hears nothing ends long before its time where the location is dead: %s', async (_how, network) => {
  const clock = virtualClock();
  const running = blamingNobody(deaf(false), { ...network, clock }).run({ host: '192.0.2.1' }, { ...ports(20_000), clock });
  await expect(running).rejects.toMatchObject({ code: 'no_network' });
  expect(clock.now()).toBeLessThanOrEqual(2_000);
});

it('a run that was answered goes on, whatever the witnesses say', async () => {
  const clock = virtualClock();
  const connected = { ...ports(20_000), clock, dialler: { ...ports().dialler, tcp: async () => new Socket() } };
  expect(await blamingNobody(deaf(true), { ...CUT_OFF, clock }).run({ host: '192.0.2.1' }, connected)).toEqual({ done: true });
  expect(clock.now()).toBeGreaterThan(19_000);
});
