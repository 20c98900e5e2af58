import { defineProbe, type Probe, ProbeFailure, type ProbePorts, type Reason } from '@vedette/contract';
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { blamingNobody } from '../../packages/agent/src/own-network.ts';
import { fakeResolver } from '../intel/fake-resolver.ts';

const WELL = { state: () => ({ ok: true, failing: 0, witnesses: 3 }) };
const FAILING = { state: () => ({ ok: false, failing: 3, witnesses: 3 }) };
const believed = { state: { ok: true, problem: '' }, vouch: async () => true };
const unbelievable = { state: { ok: false, problem: 'answered NXDOMAIN for the root' }, vouch: async () => false };

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
      if (reason) throw new ProbeFailure(reason, 'seen');
      return { done: true };
    },
  });
const ports = {
  resolver: fakeResolver({ 'www.example.org': { A: ['192.0.2.1'] }, '192.0.2.1': { A: ['192.0.2.1'] } }),
} as unknown as ProbePorts;

const outcome = (tested: Probe, host: string) =>
  tested.run({ host }, ports).catch((error: unknown) => (error instanceof ProbeFailure ? error.message : error));

it.each<Reason>(['icmp_timeout', 'connect_timeout', 'connect_refused', 'tls_cert_invalid', 'http_timeout'])(
  'while the self-test fails %s is a reason of our own',
  async (reason) => {
    const tested = blamingNobody(probe(reason), { selfTest: FAILING, resolverTest: believed });
    expect(await outcome(tested, '192.0.2.1')).toMatch(/^This location has no working network of its own: the self-test fails; .*: seen$/);
  },
);

it('what was measured counts, whatever the self-test says', async () => {
  const tested = blamingNobody(probe(), { selfTest: FAILING, resolverTest: believed });
  expect(await outcome(tested, 'www.example.org')).toEqual({ done: true });
});

it.each<Reason>(['blocked_policy', 'blocked_private_address', 'too_large', 'target_limited', 'cancelled'])(
  '%s is our own word, and stays',
  async (reason) => {
    const tested = blamingNobody(probe(reason), { selfTest: FAILING, resolverTest: unbelievable });
    expect(await outcome(tested, '192.0.2.1')).toBe(new ProbeFailure(reason, 'seen').message);
  },
);

it.each([
  ['found', 'www.example.org', probe()],
  ['did not find', 'nx.example.org', probe()],
  ['found and then could not reach', 'www.example.org', probe('connect_timeout')],
])('what resolvers that cannot be believed %s is no measurement', async (_what, host, tested) => {
  expect(await outcome(blamingNobody(tested, { selfTest: WELL, resolverTest: unbelievable }), host)).toBe(
    'This location has no working network of its own: its resolvers cannot be believed: answered NXDOMAIN for the root',
  );
});

it('an address needs no resolver', async () => {
  const tested = blamingNobody(probe(), { selfTest: WELL, resolverTest: unbelievable });
  expect(await outcome(tested, '192.0.2.1')).toEqual({ done: true });
});

it('where all is well a target is told what it did', async () => {
  const told = (tested: Probe, host: string) => outcome(blamingNobody(tested, { selfTest: WELL, resolverTest: believed }), host);
  expect(await told(probe('icmp_timeout'), 'www.example.org')).toBe('No echo reply came back: seen');
  expect(await told(probe(), 'nx.example.org')).toMatch(/^The name does not exist/);
});
