import { defineProbe, type Probe, ProbeFailure, type ProbePorts, type Reason } from '@vedette/contract';
import { systemClock } from '@vedette/probes/net';
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { blamingNobody, type OwnNetwork } from '../../packages/agent/src/own-network.ts';
import { fakeResolver } from '../intel/fake-resolver.ts';

const witnesses = (ok: boolean): OwnNetwork['witnessTest'] => ({
  state: { ok, failing: ok ? 0 : 3, witnesses: 3 },
  confirm: async () => ok,
});
const believed = { state: { ok: true, problem: '' }, vouch: async () => true };
const unbelievable = { state: { ok: false, problem: 'answered NXDOMAIN for the root' }, vouch: async () => false };
const WELL: OwnNetwork = { witnessTest: witnesses(true), resolverTest: believed };
const CUT_OFF: OwnNetwork = { witnessTest: witnesses(false), resolverTest: believed };
const INTERCEPTED: OwnNetwork = { witnessTest: witnesses(true), resolverTest: unbelievable };

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
const ports = (budget_ms = 10_000): ProbePorts =>
  ({
    resolver: fakeResolver({
      'www.example.org': { A: ['192.0.2.1'] },
      '192.0.2.1': { A: ['192.0.2.1'] },
      'broken.example.org': 'SERVFAIL',
    }),
    clock: systemClock,
    budget_ms,
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

it('where all is well a target is told what it did, with what was measured', async () => {
  await expect(blamingNobody(probe('icmp_timeout'), WELL).run({ host: 'www.example.org' }, ports())).rejects.toMatchObject({
    code: 'icmp_timeout',
    partial: { done: false },
  });
  expect(await outcome(probe(), 'nx.example.org', WELL)).toMatch(/^The name does not exist/);
});

it('a verdict that does not come in time keeps nothing back: the probe has had that much less', async () => {
  const never: OwnNetwork = { witnessTest: { ...witnesses(true), confirm: () => new Promise(() => undefined) }, resolverTest: believed };
  const budgets: number[] = [];
  const tested: Probe = {
    ...probe(),
    async run(_spec, { budget_ms }) {
      budgets.push(budget_ms);
      throw new ProbeFailure('connect_timeout', 'seen');
    },
  };
  await expect(blamingNobody(tested, never).run({ host: '192.0.2.1' }, ports(1_000))).rejects.toMatchObject({ code: 'connect_timeout' });
  expect(budgets).toEqual([950]);
});

it('a verdict does not come after the budget, though the clock of a run that was parked stood still', async () => {
  const never: OwnNetwork = { witnessTest: { ...witnesses(true), confirm: () => new Promise(() => undefined) }, resolverTest: believed };
  const tested: Probe = {
    ...probe(),
    async run() {
      await systemClock.sleep(400);
      throw new ProbeFailure('connect_timeout', 'seen');
    },
  };
  const parked = { ...ports(600), clock: { now: () => 0, sleep: systemClock.sleep } };
  const ended = blamingNobody(tested, never)
    .run({ host: '192.0.2.1' }, parked)
    .catch((error: ProbeFailure) => error.code);
  expect(await Promise.race([ended, systemClock.sleep(600)])).toBe('connect_timeout');
});
