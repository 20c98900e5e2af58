import { setImmediate } from 'node:timers/promises';
import type { AskOptions, LocationReply, Route } from '@vedette/bus';
import { type CentralContext, type DistributedOperation, parseTargets } from '@vedette/operations/kit';
import { failure, parseHost, type Pass, type Reason } from '@vedette/contract';
import { operations } from '@vedette/operations';
import { systemClock } from '@vedette/probes/net';
import { describe, expect, it } from 'vitest';
import { dispatcher } from '../../packages/gateway/src/request/dispatch.ts';
import type { Metrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { JobTotals } from '../../packages/gateway/src/metrics/job-totals.ts';
import { demandOf, OutboundGate } from '../../packages/gateway/src/request/outbound-gate.ts';
import { Pools } from '../../packages/gateway/src/shares/pools.ts';
import { TargetRates } from '../../packages/gateway/src/shares/target-rates.ts';
import { read } from '../operations/answer.ts';
import { SHUT } from '../operations/shut.ts';
import { partsOf } from './parts.ts';

const distributed = (wanted: string): DistributedOperation => {
  const found = operations.find(({ name }) => name === wanted);
  if (found?.kind !== 'distributed') throw new Error('not distributed');
  return found;
};
const pools = new Pools({
  clock: systemClock,
  parsers: 2,
  presence: { slots: () => 64 },
  renderers: { slots: () => 0 },
  gateways: () => 1,
});
const count = { inc() {}, dec() {}, startTimer: () => () => {} };
const context = { signal: new AbortController().signal, waivePrice() {} } as unknown as CentralContext;

/** Agents by location, each with the reason that it gives, or none where it measures. */
function setUp(
  operation: DistributedOperation,
  agents: Record<string, Reason | 'lacks' | undefined>,
  exits: readonly string[] = [],
  families: Record<string, readonly (4 | 6)[]> = {},
) {
  const asked: Pick<AskOptions, 'locations' | 'budgetMs' | 'lacking' | 'family'>[] = [];
  const measured = { ip_address: '192.0.2.1', answers: [], status_code: 200, html: '', response_headers: {} };
  let now = 0;
  const ask = async ({ locations, budgetMs, lacking, family, onReply }: AskOptions): Promise<LocationReply[]> => {
    asked.push({ locations, budgetMs, ...(lacking !== undefined && { lacking }), ...(family && { family }) });
    now += 1_000;
    const replies = locations.map((location, i) => {
      const lacks = agents[location] === 'lacks';
      const reason = agents[location] === 'lacks' ? 'unsupported' : agents[location];
      const head = { location, agent: 'a', simulated: false, agent_state: 'ready' as const };
      return {
        ...head,
        ...(reason
          ? { failure: failure(reason), lacks, ...(reason === 'agent_busy' && { retry_after_ms: 2_000 - i * 500 }) }
          : { result: measured }),
      };
    });
    for (const [index, reply] of replies.entries()) onReply?.(reply, index);
    return replies;
  };
  const presence = {
    isSimulated: () => false,
    isWell: (id: string, _kind: string, _needs: unknown, family: 4 | 6 = 4) => (families[id] ?? [4, 6]).includes(family),
    route: (id: string): Route => (exits.includes(id) ? { how: 'any' } : { how: 'none', why: 'no_vpn_exit' }),
  };
  const dispatch = dispatcher(
    { ...operation, deadline_ms: 5_000 },
    partsOf({
      asker: { ask },
      presence,
      known: { ids: Object.keys(agents) },
      catalogue: { ids: [], defaults: [], place: () => ({}) as never },
      ports: { ...SHUT, clock: { now: () => now, sleep: () => new Promise(() => {}) } },
      metrics: { inflight: count, jobDuration: count, jobTotals: new JobTotals() } as unknown as Metrics,
    }),
  );
  const locationsOf = (request: Record<string, unknown>, selection?: readonly string[]) =>
    dispatch.locations(selection, read(operation, request));
  const run = (request: Record<string, unknown>) => {
    const targets = Object.values(parseTargets(operation.targets, request));
    const prepared = { query: read(operation, request), targets, locations: locationsOf(request), cost: 0 };
    const gate = new OutboundGate({ demand: demandOf(operation, 'account', prepared), pools, rates: undefined, waitMs: 0, queueMs: 0 });
    return dispatch.run(prepared, { context, gate, go: undefined, onEntry: undefined, entries: undefined });
  };
  return { dispatch, asked, run, locationsOf };
}

it('admits the jobs of a big fleet before the central work beside begins: its questions left no full bucket, and it was always refused', async () => {
  const operation = distributed('dns-propagation');
  const locations = Array.from({ length: 401 }, (_, i) => `place-${i}`);
  const targets = [parseHost('example.org')!];
  const rates = new TargetRates({ clock: { now: () => 0 }, spares: [], gateways: () => 1 });
  let begun = 0;
  const { dispatch } = setUp(
    {
      ...operation,
      beside: async () => {
        begun++;
        (gate.question('example.org', undefined) as Pass)();
        return [];
      },
    },
    Object.fromEntries(locations.map((location) => [location, undefined])),
  );
  const prepared = { query: read(operation, { host: 'example.org', dns_types: 'A,AAAA,MX' }), targets, locations, cost: 0 };
  const gate = new OutboundGate({ demand: demandOf(operation, 'account', prepared), pools, rates, waitMs: 0, queueMs: 0 });
  await dispatch.run(prepared, { context, gate, go: undefined, onEntry: undefined, entries: undefined });
  expect(begun).toBe(1);
  await expect(dispatch.run(prepared, { context, gate, go: undefined, onEntry: undefined, entries: undefined })).rejects.toMatchObject({
    code: 'target_limited',
  });
  expect(begun).toBe(1);
});

it('fails by its code when no agent is there, even if the central work beside fails after that', async () => {
  let endBeside = () => {};
  const beside = new Promise<never>((_, reject) => (endBeside = () => reject(new Error('nobody waits any more'))));
  const { run } = setUp({ ...distributed('dns-propagation'), beside: () => beside }, { 'eu-fra': 'no_agent' });
  await expect(run({ host: 'example.org', dns_types: 'A' })).rejects.toMatchObject({ code: 'no_agent' });
  endBeside();
  await setImmediate(); // an unhandled rejection ends the process, and here the test run
});

it('says what an agent lacks that does not ping: ICMP was never named', async () => {
  const { asked, run } = setUp(distributed('ping-test'), { 'eu-fra': undefined });
  await run({ host: 'example.org' });
  expect(asked).toMatchObject([{ locations: ['eu-fra'], lacking: 'no right to send ICMP' }]);
});

describe('a report that would say nothing of the target', () => {
  const ping = (...reasons: (Reason | 'lacks' | undefined)[]) =>
    setUp(distributed('ping-test'), Object.fromEntries(reasons.map((reason, i) => [`place-${i}`, reason]))).run({ host: 'example.org' });

  it.each(['no_agent', 'agent_lost', 'agent_busy', 'internal', 'unsupported', 'cancelled'] as const)(
    '%s everywhere is a 503',
    async (reason) => {
      await expect(ping(reason, reason)).rejects.toMatchObject({
        code: 'no_agent',
        status: 503,
        message: expect.stringContaining(failure(reason).error),
      });
    },
  );
  it('says when to come back where all are busy: when the first expects a slot', async () => {
    await expect(ping('agent_busy', 'agent_busy', 'agent_busy')).rejects.toMatchObject({ code: 'no_agent', retryAfterS: 1 });
    await expect(ping('agent_busy', 'agent_lost')).rejects.toMatchObject({ code: 'no_agent', retryAfterS: 1 });
  });
  it('does not say so where none can: it was told every second what cannot work', async () => {
    await expect(ping('unsupported', 'unsupported')).rejects.toMatchObject({
      code: 'no_agent',
      retryAfterS: undefined,
      message: expect.not.stringContaining('sysctl'), // an engine that cannot shape echoes, say
    });
    await expect(ping('lacks', 'unsupported')).rejects.toMatchObject({
      code: 'no_agent',
      retryAfterS: undefined,
      message: expect.stringMatching(/\. Allow ICMP sockets: sysctl net\.ipv4\.ping_group_range=/),
    });
    await expect(ping('unsupported', 'agent_lost')).rejects.toMatchObject({ code: 'no_agent', retryAfterS: 1 });
  });
  it('is a 429 where the limit per target is among the reasons', async () => {
    await expect(ping('agent_lost', 'target_limited')).rejects.toMatchObject({ code: 'target_limited', status: 429, retryAfterS: 1 });
  });
  const requests = (name: string, ...reasons: (Reason | undefined)[]) => {
    const agents = Object.fromEntries(reasons.map((reason, i) => [`place-${i}`, reason]));
    return setUp(distributed(name), agents, Object.keys(agents)).run({ url: 'https://inner.test/' });
  };
  it.each(['geo-request', 'vpn-test'])('%s of a name that leads inwards is a 400, as of an inner address', async (name) => {
    await expect(requests(name, 'agent_lost', 'blocked_private_address')).rejects.toMatchObject({
      code: 'private_address',
      param: 'url',
      message: 'The target is not a public address: inner.test',
    });
  });
  it('geo-request is a report where one location found something else', async () => {
    for (const found of ['connect_timeout', undefined] as const)
      expect(await requests('geo-request', 'blocked_private_address', found)).toMatchObject({ locations: [{}, { location: 'place-1' }] });
  });
  it.each(['icmp_timeout', 'dns_nxdomain', 'blocked_private_address', undefined] as const)(
    '%s from one place makes it a report',
    async (reason) => {
      expect(await ping('agent_lost', 'target_limited', reason)).toMatchObject({
        locations: [{ reason: 'agent_lost' }, { reason: 'target_limited' }, { location: 'place-2' }],
      });
    },
  );
});

describe('an operation of few locations', () => {
  const agents = { old: undefined, able: undefined, other: undefined, more: undefined, fifth: undefined };

  it('is asked of one that can, unless the request names some, and of no more than it may be', () => {
    const { locationsOf } = setUp(distributed('port-scan'), agents, ['able', 'other']);
    const scan = { host: 'example.org', ports: '80' };
    expect(locationsOf(scan)).toEqual(['able']);
    expect(locationsOf(scan, ['old', 'other'])).toEqual(['old', 'other']);
    expect(locationsOf(scan, ['old', 'able', 'other', 'more'])).toHaveLength(4);
    expect(() => locationsOf(scan, Object.keys(agents))).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', param: 'locations', message: expect.stringContaining('at most 4 locations') }),
    );
    expect(setUp(distributed('port-scan'), agents).locationsOf(scan)).toEqual(['old']);
  });
});

describe('the family of a request', () => {
  const places = { none: undefined, four: undefined, both: undefined, six: undefined };
  const families = { none: [], four: [4], both: [4, 6], six: [6] } as const;
  const V6 = '2001:db8::1';

  it.each([
    ['ping-test', { host: 'example.org' }, 'four'],
    ['ping-test', { host: 'example.org', options: { family: 6 } }, 'both'],
    ['ping-test', { host: V6 }, 'both'],
    ['ping-test', { host: '192.0.2.1' }, 'four'],
    ['geo-request', { url: 'http://example.org/' }, 'four'],
    ['geo-request', { url: `http://[${V6}]/` }, 'both'],
    ['geo-request', { url: 'http://example.org/', options: { family: 6 } }, 'both'],
    ['tcp-test', { host: V6, port: 80 }, 'both'],
    ['traceroute', { host: 'example.org', family: 6 }, 'both'],
    ['mtu-test', { host: V6 }, 'both'],
    ['dns-propagation', { host: 'example.org', dns_types: 'A' }, 'four'],
    ['dns-propagation', { host: V6, dns_types: 'PTR' }, 'four'],
    ['dns-propagation', { host: 'example.org', dns_types: 'A', options: { server: V6 } }, 'both'],
    ['port-scan', { host: V6, ports: '80' }, 'both'],
  ] as const)('takes locations that have it: %s %j', (name, request, wanted) => {
    const { locationsOf } = setUp(distributed(name), places, Object.keys(places), families);
    expect(locationsOf(request, name === 'port-scan' ? undefined : ['any:1'])).toEqual([wanted]);
  });

  it('goes with the job, so that an agent is asked that has it', async () => {
    const { asked, run } = setUp(distributed('ping-test'), places, Object.keys(places), families);
    await run({ host: V6 });
    await run({ host: 'example.org' });
    expect(asked.map(({ family }) => family)).toEqual([6, undefined]);
  });
});

describe('an operation of one location', () => {
  const url = 'http://example.org/';

  it('has none before any work where nobody has an exit', () => {
    const { locationsOf } = setUp(distributed('vpn-test'), { 'eu-fra': undefined });
    expect(() => locationsOf({ url })).toThrow(expect.objectContaining({ code: 'no_vpn_exit', retryAfterS: undefined }));
  });
  it('goes on to the next location until one could try, within the time that is left', async () => {
    const agents = { none: undefined, full: 'target_limited', dead: 'agent_lost', well: undefined, unasked: undefined } as const;
    const { asked, run } = setUp(distributed('vpn-test'), agents, ['full', 'dead', 'well', 'unasked']);
    expect(await run({ url })).toMatchObject({ location: 'well', accessible: true });
    expect(asked).toEqual([
      { locations: ['full'], budgetMs: 5_000 },
      { locations: ['dead'], budgetMs: 4_000 },
      { locations: ['well'], budgetMs: 3_000 },
    ]);
  });
  it('fails by its code when every exit is down, and says when they will have been checked again', async () => {
    const { run } = setUp(distributed('vpn-test'), { 'eu-fra': 'no_vpn_exit' }, ['eu-fra']);
    await expect(run({ url })).rejects.toMatchObject({ code: 'no_vpn_exit', retryAfterS: 2 });
  });
});
