import { ProbeFailure, type ProbePorts } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import { mtu } from '@vedette/probes/mtu';
import { createTargetLimits } from '@vedette/probes/target-limits';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { fakeResolver } from '../../intel/fake-resolver.ts';
import { virtualClock } from '../ping/virtual-clock.ts';
import { type Answering, fakePaths } from '../trace/fake-paths.ts';

const policy = createAddressPolicy({ allowNets: ['192.0.2.0/24', '2001:db8::/32'] });
const [A, AAAA] = ['192.0.2.10', '2001:db8::10'];

function world(answering: Answering, limits: Partial<ProbePorts['limits']> = {}, health?: ProbePorts['health']) {
  const clock = virtualClock();
  const icmp = fakePaths(clock, answering);
  const unused = () => {
    throw new Error('no such thing is needed');
  };
  const ports: ProbePorts = {
    clock,
    icmp,
    resolver: fakeResolver({ 'both.test': { A: [A], AAAA: [AAAA] }, 'four.test': { A: [A] }, 'inner.test': { A: ['10.0.0.1'] } }),
    dialler: { policy, tcp: unused, operatorTcp: unused },
    limits: { ...createTargetLimits({ clock, enabled: false, spares: [] }), ...limits },
    exits: [],
    ca: [],
    patterns: { match: unused, groups: unused },
    isDenied: () => false,
    userAgent: 'test',
    signal: new AbortController().signal,
    budget_ms: 20_000,
    ...(health && { health }),
  };
  return { icmp, run: (host: string) => mtu.run({ host }, ports) };
}
const reply = ({ address }: { address: string }) => ({ address, kind: 'echo_reply' as const, type: 0, rtt_ms: 20 });
const failureOf = (run: Promise<unknown>): Promise<ProbeFailure> =>
  run.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => (error instanceof ProbeFailure ? error : Promise.reject(error as Error)),
  );

it('measures both families, each with its own limit, and names no inner router', async () => {
  const { run, icmp } = world((packet) => {
    const bytes = packet.bytes ?? 0;
    if (bytes > 1_500) return { unsent: 'EMSGSIZE', interface_mtu: 1_500 };
    if (packet.address === A && bytes > 1_420) return { address: '10.1.2.3', type: 3, code: 4, mtu: 1_420, rtt_ms: 5 };
    if (packet.address === AAAA && bytes > 1_400) return undefined;
    return reply(packet);
  });
  const result = await run('both.test');
  expect(result).toMatchObject({
    ipv4: { ip_address: A, state: 'small', path_mtu: 1_420, interface_mtu: 1_500, routers: [{ ip_address: '', mtu: 1_420 }] },
    ipv6: { ip_address: AAAA, state: 'black_hole', routers: [] },
  });
  expect(result.ipv6.path_mtu).toBeGreaterThan(1_392);
  expect(result.ipv6.path_mtu).toBeLessThanOrEqual(1_400);
  expect(Value.Check(mtu.result, result)).toBe(true);
  // What the interface refused was not sent.
  expect(result.ipv4).toMatchObject({ packets_sent: 2, packets_received: 1 });
  expect(icmp.sent.filter(({ address }) => address === A)).toHaveLength(3);
});

it('leaves a family empty that the host does not have', async () => {
  const result = await world(reply).run('four.test');
  expect(result.ipv4.state).toBe('full');
  expect(result.ipv6).toMatchObject({ ip_address: '', state: '', packets_sent: 0 });
});

it('fails where no family is answered, by the reason that says most', async () => {
  expect(await failureOf(world(() => undefined).run('four.test'))).toMatchObject({
    code: 'icmp_timeout',
    partial: { ipv4: { state: 'silent' } },
  });
  expect((await failureOf(world(() => ({ unsent: 'ENETUNREACH' })).run('both.test'))).code).toBe('no_network');
});

it('does not blame the path for a family whose echoes no witness answers either', async () => {
  const doubted: string[] = [];
  const health: ProbePorts['health'] = {
    doubt(capability) {
      doubted.push(capability);
      return Promise.resolve('bad');
    },
    heard() {},
  };
  const { run } = world((packet) => (packet.address === A ? reply(packet) : undefined), {}, health);
  expect(await run('both.test')).toMatchObject({ ipv4: { state: 'full' }, ipv6: { ip_address: AAAA, state: 'unsent', path_mtu: 0 } });
  expect(doubted).toEqual(['icmp6']);
});

it('sends nothing to an inner address, nor where the target has its share', async () => {
  const inner = world(reply);
  expect((await failureOf(inner.run('inner.test'))).code).toBe('blocked_private_address');
  const limited = world(reply, {
    trace() {
      throw new ProbeFailure('target_limited', A);
    },
  });
  expect((await failureOf(limited.run('four.test'))).code).toBe('target_limited');
  expect([...inner.icmp.sent, ...limited.icmp.sent]).toEqual([]);
});
