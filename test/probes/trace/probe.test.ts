import { ProbeFailure, type ProbePorts } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import { createTargetLimits } from '@vedette/probes/target-limits';
import { trace, type TraceResult } from '@vedette/probes/trace';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { fakeResolver } from '../../intel/fake-resolver.ts';
import { virtualClock } from '../ping/virtual-clock.ts';
import { type Answering, fakePaths } from './fake-paths.ts';

// Documentation addresses stand for public ones.
const policy = createAddressPolicy({ allowNets: ['192.0.2.0/24', '198.51.100.0/24', '2001:db8::/32'] });
const TARGET = '192.0.2.10';
const job = {
  host: 'a.test',
  family: 0 as const,
  protocol: 'icmp' as const,
  port: 0,
  rounds: 3,
  max_hops: 30,
  flows: 1,
  interval_ms: 200,
  wait_ms: 1000,
};
const reply = (rtt_ms: number) => ({ address: TARGET, kind: 'echo_reply' as const, type: 0, rtt_ms });
const router = (ttl: number, rtt_ms = ttl * 10) => ({ address: `198.51.100.${ttl}`, rtt_ms });
/** Routers in a row, and the target behind them. */
const straight =
  (length: number): Answering =>
  ({ ttl }) =>
    ttl < length ? router(ttl) : reply(length * 10);

function world(
  answering: Answering,
  {
    budget_ms = 20_000,
    limits = {},
    health,
  }: { budget_ms?: number; limits?: Partial<ProbePorts['limits']>; health?: ProbePorts['health'] } = {},
) {
  const clock = virtualClock();
  const icmp = fakePaths(clock, answering);
  const stop = new AbortController();
  const unused = () => {
    throw new Error('a trace needs no such thing');
  };
  const ports: ProbePorts = {
    clock,
    icmp,
    resolver: fakeResolver({ 'a.test': { A: [TARGET] }, 'inner.test': { A: ['10.0.0.1'] } }),
    dialler: { policy, tcp: unused, operatorTcp: unused },
    limits: { ...createTargetLimits({ clock, enabled: false, spares: [] }), ...limits },
    exits: [],
    ca: [],
    patterns: { match: unused, groups: unused },
    isDenied: () => false,
    userAgent: 'test',
    signal: stop.signal,
    budget_ms,
    ...(health && { health }),
  };
  return { ports, icmp, clock, stop, run: (change: Partial<typeof job> = {}) => trace.run({ ...job, ...change }, ports) };
}

const addresses = ({ hops }: TraceResult) => hops.map(({ answers }) => answers.map(({ ip_address }) => ip_address));
const failureOf = (run: Promise<unknown>): Promise<ProbeFailure> =>
  run.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => (error instanceof ProbeFailure ? error : Promise.reject(error as Error)),
  );

it('sums up what each hop answered', async () => {
  const { run } = world(({ ttl }, nth) => (ttl === 1 ? { ...router(1), rtt_ms: [10, 14, 12][nth]! } : straight(2)({ ttl } as never, nth)));
  const result = await run();
  expect(result).toEqual({
    ip_address: TARGET,
    reached: true,
    stopped_by: 'target',
    packets_sent: expect.any(Number) as number,
    packets_received: expect.any(Number) as number,
    hops: [
      {
        hop: 1,
        packets_sent: 3,
        packets_received: 3,
        answers_limited: false,
        rtt: { min: 10, avg: 12, max: 14, mdev: 1.633 },
        answers: [
          {
            ip_address: '198.51.100.1',
            kind: 'icmp',
            type: 11,
            code: 0,
            packets_received: 3,
            rtt: { min: 10, avg: 12, max: 14, mdev: 1.633 },
            ttl: 64,
            flows: [0],
            labels: [],
          },
        ],
      },
      expect.objectContaining({ hop: 2, packets_sent: 3, answers: [expect.objectContaining({ ip_address: TARGET, kind: 'echo_reply' })] }),
    ],
    elapsed_ms: expect.any(Number) as number,
  });
  expect(Value.Check(trace.result, result)).toBe(true);
});

describe('what leaves', () => {
  it('goes no farther than the target, as soon as that is known', async () => {
    const { run, icmp } = world(straight(3)); // 30 ms away, and a packet leaves every 2 ms
    await run();
    const [first, ...later] = [0, 1, 2].map((round) => icmp.sent.filter(({ at }) => Math.floor(at / 200) === round).map(({ ttl }) => ttl));
    expect(first!.length).toBeLessThan(30);
    expect(later).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('is sent by the clock, whatever comes back', async () => {
    const { run, icmp } = world(({ ttl }) => (ttl === 2 ? undefined : straight(4)({ ttl } as never, 0)));
    await run();
    expect(icmp.sent.filter(({ ttl }) => ttl === 1).map(({ at }) => Math.floor(at / 200))).toEqual([0, 1, 2]);
  });

  it('waits for a silent target once, and then goes three hops beyond the last answer', async () => {
    const { run, icmp } = world(({ ttl }) => (ttl <= 4 ? router(ttl) : undefined));
    const result = await run();
    expect(icmp.sent).toHaveLength(30 + 2 * 7);
    expect(result).toMatchObject({ reached: false, stopped_by: 'silence' });
    expect(result.hops).toHaveLength(4);
  });

  it('goes out in every flow', async () => {
    const { run, icmp } = world(({ ttl, flow }) =>
      ttl === 2 ? { address: `198.51.100.${flow + 100}`, rtt_ms: 5 } : straight(3)({ ttl } as never, 0),
    );
    const result = await run({ flows: 4 });
    expect(new Set(icmp.sent.map(({ flow }) => flow))).toEqual(new Set([0, 1, 2, 3]));
    expect(result.hops[1]!.answers.map(({ ip_address, flows }) => [ip_address, flows])).toEqual([
      ['198.51.100.100', [0]],
      ['198.51.100.101', [1]],
      ['198.51.100.102', [2]],
      ['198.51.100.103', [3]],
    ]);
  });

  it('is counted before: for the most that it can be', async () => {
    const taken: unknown[] = [];
    const { run, icmp } = world(straight(3), { limits: { trace: (...what) => void taken.push([...what, icmp.sent.length]) } });
    await run({ flows: 2 });
    expect(taken).toEqual([[TARGET, 180, 'a.test', 0]]);
  });

  it('is nothing where the target has its share', async () => {
    const { run, icmp } = world(straight(3), {
      limits: {
        trace() {
          throw new ProbeFailure('target_limited', TARGET);
        },
      },
    });
    expect((await failureOf(run())).code).toBe('target_limited');
    expect(icmp.sent).toEqual([]);
  });

  it('is nothing where the name leads inside', async () => {
    const { run, icmp } = world(straight(3));
    expect((await failureOf(run({ host: 'inner.test' }))).code).toBe('blocked_private_address');
    expect(icmp.sent).toEqual([]);
  });
});

describe('where a path ends', () => {
  it('is the router that passes nothing on', async () => {
    const { run } = world(({ ttl }) => (ttl < 4 ? router(ttl) : { ...router(4), type: 3, code: 13 }));
    const result = await run();
    expect(result).toMatchObject({ reached: false, stopped_by: 'unreachable' });
    expect(result.hops.at(-1)).toMatchObject({ hop: 4, answers: [{ type: 3, code: 13 }] });
  });

  it('is the target that refuses by ICMP: that is its answer, too', async () => {
    const { run } = world(({ ttl }) => (ttl < 4 ? router(ttl) : { address: TARGET, rtt_ms: 40, type: 3, code: 10 }));
    expect(await run()).toMatchObject({ reached: true, stopped_by: 'target', hops: { length: 4 } });
  });

  it('is the third sight of a router that others are between', async () => {
    const { run } = world(({ ttl }) => router(ttl < 3 ? ttl : 3 + (ttl % 2), 10));
    const result = await run();
    expect(result).toMatchObject({ reached: false, stopped_by: 'loop' });
    expect(addresses(result).map(([address]) => address!.split('.').at(-1))).toEqual(['1', '2', '4', '3', '4', '3', '4']);
  });

  it('is not a router that answers twice in a row, as before a NAT', async () => {
    const { run } = world(({ ttl }) => (ttl <= 4 ? router(1) : straight(6)({ ttl } as never, 0)));
    expect(await run()).toMatchObject({ reached: true, stopped_by: 'target', hops: { length: 6 } });
  });

  it('is the last hop that it may take', async () => {
    const { run } = world(({ ttl }) => router(ttl));
    expect(await run({ max_hops: 4 })).toMatchObject({ reached: false, stopped_by: 'max_hops', hops: { length: 4 } });
  });

  it('is the deadline, with what was measured', async () => {
    const { run } = world(({ ttl }) => (ttl < 4 ? router(ttl) : undefined), { budget_ms: 2_000 });
    const result = await run({ rounds: 16, interval_ms: 1_000 });
    expect(result).toMatchObject({ reached: false, stopped_by: 'deadline', hops: { length: 3 } });
    expect(result.elapsed_ms).toBeLessThanOrEqual(2_000);
  });
});

describe('loss', () => {
  const limits = ({ hops }: TraceResult) => hops.map(({ answers_limited }) => answers_limited);

  it('of answers is told from loss on the path: a later hop lost fewer', async () => {
    const { run } = world(({ ttl }, nth) => (ttl === 2 && nth % 2 === 1 ? undefined : straight(4)({ ttl } as never, 0)));
    const result = await run({ rounds: 6 });
    expect(result.hops.map(({ packets_sent, packets_received }) => packets_sent - packets_received)).toEqual([0, 3, 0, 0]);
    expect(limits(result)).toEqual([false, true, false, false]);
  });

  it('of a router that says nothing is none', async () => {
    const { run } = world(({ ttl }) => (ttl === 2 ? undefined : straight(4)({ ttl } as never, 0)));
    const result = await run();
    expect(result.hops[1]).toMatchObject({ packets_sent: 3, packets_received: 0, answers_limited: true, answers: [], rtt: { avg: 0 } });
  });

  it('behind which nothing is better is loss', async () => {
    const { run } = world(({ ttl }, nth) => (ttl >= 2 && nth % 2 === 1 ? undefined : straight(3)({ ttl } as never, 0)));
    expect(limits(await run({ rounds: 6 }))).toEqual([false, false, false]);
  });

  it('of a last router that answered the first packets only is a limit', async () => {
    const { run } = world(({ ttl }, nth) => (ttl > 3 || (ttl === 3 && nth >= 6) ? undefined : router(ttl)));
    expect(limits(await run({ rounds: 12, interval_ms: 50 }))).toEqual([false, false, true]);
  });
});

it('counts inner hops and does not name them', async () => {
  const { run } = world(({ ttl }) => (ttl === 1 ? { address: '10.1.2.3', rtt_ms: 1 } : straight(3)({ ttl } as never, 0)));
  const result = await run();
  expect(addresses(result)).toEqual([[''], ['198.51.100.2'], [TARGET]]);
  expect(result.hops[0]).toMatchObject({ packets_sent: 3, packets_received: 3 });
  expect(JSON.stringify(result)).not.toContain('10.1.2.3');
});

describe('a trace that only routers near us answer', () => {
  /** Witnesses as told; and what they were asked about, and since when. */
  const doubting = (verdict: 'good' | 'bad' | 'unknown') => {
    const asked: unknown[] = [];
    const doubt = async (...about: unknown[]) => (asked.push(about), verdict);
    return { asked, health: { doubt, heard() {} } };
  };
  const near: Answering = ({ ttl }) => (ttl <= 2 ? router(ttl) : undefined);

  it.each(['icmp', 'udp', 'tcp'] as const)('over %s is our own silence where the witnesses are silent too', async (protocol) => {
    const { asked, health } = doubting('bad');
    const failure = await failureOf(world(near, { health }).run({ protocol: protocol as 'icmp' }));
    expect(failure).toMatchObject({
      code: protocol === 'tcp' ? 'connect_timeout' : 'icmp_timeout',
      partial: { reached: false, hops: { length: 2 } },
    });
    expect(asked).toEqual([[`${protocol}4`, 0]]);
  });

  it.each(['good', 'unknown'] as const)('is a path that ends there where the witnesses are %s', async (verdict) => {
    const { asked, health } = doubting(verdict);
    expect(await world(near, { health }).run()).toMatchObject({ reached: false, stopped_by: 'silence', hops: { length: 2 } });
    expect(asked).toHaveLength(1);
  });

  it('asks no witness where the target has answered', async () => {
    const { asked, health } = doubting('bad');
    expect(await world(straight(3), { health }).run()).toMatchObject({ reached: true });
    expect(asked).toEqual([]);
  });
});

describe('a trace without an answer', () => {
  it('is silence, whatever it is the fault of', async () => {
    const failure = await failureOf(world(() => undefined).run());
    expect(failure).toMatchObject({ code: 'icmp_timeout', partial: { ip_address: TARGET, reached: false, hops: [], packets_sent: 36 } });
    expect(Value.Check(trace.result, failure.partial)).toBe(true);
  });

  it('that this machine did not send is the fault of its network', async () => {
    const failure = await failureOf(world(() => ({ unsent: 'ENETUNREACH' })).run());
    expect(failure).toMatchObject({ code: 'no_network', seen: 'ENETUNREACH', partial: { packets_sent: 0 } });
  });

  it('is impossible for an engine that knows no senders of errors', async () => {
    const { ports } = world(straight(3));
    const { paths: _, ...blind } = ports.icmp;
    expect((await failureOf(trace.run(job, { ...ports, icmp: blind }))).code).toBe('unsupported');
  });

  it('that nobody waits for any more ends at once', async () => {
    const { run, stop, icmp } = world(straight(3));
    const failing = failureOf(run());
    stop.abort(new Error('gone'));
    expect((await failing).code).toBe('cancelled');
    expect(icmp.sent.length).toBeLessThan(3);
  });
});
