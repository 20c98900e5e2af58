import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startNatsServer, type NatsServer } from './nats-server.ts';
import {
  eventually,
  fakeProbe,
  seesReady,
  startAgent,
  startGateway,
  type AgentOptions,
  type TestAgent,
  type TestGateway,
} from './world.ts';

let server: NatsServer;
let closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  server = await startNatsServer();
});
afterEach(async () => {
  for (const close of closers) await close();
  closers = [];
});
afterAll(() => server.stop());

async function agentAt(location: string, agent: string, options: Partial<AgentOptions> = {}): Promise<TestAgent> {
  const started = await startAgent({ location, agent, url: server.url, ...options });
  closers.unshift(() => started.bus.close());
  return started;
}
async function gateway(agents: number, options: Parameters<typeof startGateway>[1] = {}): Promise<TestGateway> {
  const started = await startGateway(server.url, options);
  closers.unshift(() => started.close());
  await seesReady(started.presence, agents);
  return started;
}

it('gives one reply per location, in the order asked, results and failures alike', async () => {
  await agentAt('eu-fra', 'fra-1');
  await agentAt('us-ash', 'ash-1');
  const gw = await gateway(2);
  expect(await gw.ask(['us-ash', 'sg-sin', 'eu-fra'])).toEqual([
    { location: 'us-ash', agent: 'ash-1', agent_state: 'ready', simulated: true, result: { host: 'a.test', by: 'ash-1' } },
    {
      location: 'sg-sin',
      agent: '',
      agent_state: 'ready',
      simulated: false,
      failure: { reason: 'no_agent', error: 'No agent is connected at this location' },
    },
    { location: 'eu-fra', agent: 'fra-1', agent_state: 'ready', simulated: true, result: { host: 'a.test', by: 'fra-1' } },
  ]);
});

it('agents that can what another cannot share the jobs, though each job is looked at before it waits, and again after that', async () => {
  await agentAt('eu-fra', 'fra-1', { vpn: 1 });
  await agentAt('eu-fra', 'fra-2', { vpn: 1 });
  await agentAt('eu-fra', 'fra-3');
  const gw = await gateway(3);
  const taken: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    const [reply] = await gw.ask(['eu-fra'], { needsCapability: 'vpn', admit: () => Promise.resolve(() => {}) });
    taken.push(reply!.agent);
  }
  expect(taken.toSorted()).toEqual(['fra-1', 'fra-1', 'fra-2', 'fra-2']);
});

it('asks nobody at what is no id of a location', async () => {
  const agent = await agentAt('eu-fra', 'fra-1');
  const gw = await gateway(1);
  const replies = await gw.ask(['*', '>', 'eu-fra.fra-1', '']);
  expect(replies.map(({ failure }) => failure?.reason)).toEqual(['no_agent', 'no_agent', 'no_agent', 'no_agent']);
  expect(agent.log.started).toEqual([]);
});

it('carries a failure with what was measured', async () => {
  await agentAt('eu-fra', 'fra-1');
  const gw = await gateway(1);
  expect(await gw.ask(['eu-fra'], { spec: { host: 'a.test', fail: 'partial' } })).toEqual([
    {
      location: 'eu-fra',
      agent: 'fra-1',
      agent_state: 'ready',
      simulated: true,
      result: { host: 'a.test', by: 'fra-1' },
      failure: { reason: 'icmp_timeout', error: 'No echo reply came back: a.test' },
    },
  ]);
});

it('keeps the text of a defect on the agent', async () => {
  const agent = await agentAt('eu-fra', 'fra-1');
  const gw = await gateway(1);
  const [reply] = await gw.ask(['eu-fra'], { spec: { host: 'a.test', fail: 'defect' } });
  expect(reply!.failure).toEqual({ reason: 'internal', error: 'The measurement failed for a reason of our own' });
  expect(agent.defects).toEqual([new TypeError('a bug')]);
});

it('ends a probe that ignores its signal, before the gateway gives up', async () => {
  await agentAt('eu-fra', 'fra-1');
  const gw = await gateway(1);
  const [reply] = await gw.ask(['eu-fra'], { spec: { host: 'a.test', deaf: true }, budgetMs: 1_200 });
  expect(reply).toEqual({
    location: 'eu-fra',
    agent: 'fra-1',
    agent_state: 'ready',
    simulated: true,
    failure: { reason: 'internal', error: 'The measurement failed for a reason of our own' },
  });
});

it('refuses a result larger than a frame on the agent', async () => {
  await agentAt('eu-fra', 'fra-1');
  const gw = await gateway(1);
  const [reply] = await gw.ask(['eu-fra'], { spec: { host: 'a.test', size: 300_000 } });
  expect(reply!.failure).toEqual({ reason: 'too_large', error: 'The answer is larger than the limit' });
});

it('refuses a result that breaks the schema of the probe', async () => {
  await agentAt('eu-fra', 'fra-1');
  const gw = await gateway(1);
  const [reply] = await gw.ask(['eu-fra'], { check: () => false });
  expect(reply).toEqual({
    location: 'eu-fra',
    agent: 'fra-1',
    agent_state: 'ready',
    simulated: true,
    failure: { reason: 'internal', error: 'The measurement failed for a reason of our own: the agent sent an invalid result' },
  });
});

it('tells each reply as it comes', async () => {
  await agentAt('eu-fra', 'fra-1');
  await agentAt('us-ash', 'ash-1');
  const gw = await gateway(2);
  const seen: string[] = [];
  await gw.ask(['us-ash', 'eu-fra'], { onReply: (reply, index) => void seen.push(`${index} ${reply.location}`) });
  expect(seen.toSorted()).toEqual(['0 us-ash', '1 eu-fra']);
});

it('hears two frames of an agent: that it took the job, and what came of it', async () => {
  await agentAt('eu-fra', 'fra-1');
  const gw = await gateway(1);
  const frames: string[] = [];
  gw.bus.subscribe('_INBOX.gw1.>', ({ data }) => frames.push((JSON.parse(Buffer.from(data).toString()) as { type: string }).type));
  await gw.bus.flush();
  const [reply] = await gw.ask(['eu-fra'], { spec: { host: 'a.test' } });
  expect(reply!.result).toEqual({ host: 'a.test', by: 'fra-1' });
  expect(frames).toEqual(['ack', 'final']);
});

it('stops the probe when the client has gone', async () => {
  const agent = await agentAt('eu-fra', 'fra-1');
  const gw = await gateway(1);
  const client = new AbortController();
  const asked = gw.ask(['eu-fra'], { spec: { host: 'a.test', wait_ms: 4_000 }, signal: client.signal });
  await eventually(() => agent.log.started.length === 1, 'the probe starts');
  for (const { bus } of [agent, gw]) await bus.flush(); // the ack has come
  client.abort();
  expect(await asked).toEqual([
    {
      location: 'eu-fra',
      agent: 'fra-1',
      agent_state: 'ready',
      simulated: true,
      failure: { reason: 'cancelled', error: 'The measurement was cancelled' },
    },
  ]);
  await eventually(() => agent.log.aborted.length === 1, 'the signal of the probe aborts');
  expect(agent.finished).toEqual(['cancelled client_gone']);
});

it('stops the probes of a request whose own callback throws, and nobody else’s', async () => {
  const agents = [await agentAt('eu-fra', 'fra-1'), await agentAt('us-ash', 'ash-1')];
  const gw = await gateway(2);
  const other = gw.ask(['us-ash'], { spec: { host: 'b.test', wait_ms: 500 } });
  const failed = gw.ask(['nowhere', 'eu-fra', 'us-ash'], {
    spec: { host: 'a.test', wait_ms: 20_000 },
    budgetMs: 30_000,
    onReply: () => {
      throw new TypeError('a bug');
    },
  });
  await expect(failed).rejects.toEqual(new TypeError('a bug'));
  await eventually(() => agents.every(({ log }) => log.aborted.length === 1), 'its probes stop');
  expect((await other)[0]!.result).toEqual({ host: 'b.test', by: 'ash-1' });
  expect(gw.asker.oldestAgeMs()).toBe(0);
});

it('shares one run between identical jobs, and stops it when the last waiter leaves', async () => {
  const agent = await agentAt('eu-fra', 'fra-1');
  const gw = await gateway(1);
  const clients = [new AbortController(), new AbortController()];
  const spec = { host: 'a.test', wait_ms: 500 };
  const asked = clients.map(({ signal }) => gw.ask(['eu-fra'], { spec, signal }));
  const other = gw.ask(['eu-fra'], { spec: { host: 'b.test', wait_ms: 500 } });
  await eventually(() => agent.log.started.length === 2, 'two different jobs start');
  clients[0]!.abort();
  expect((await asked[0]!)[0]!.failure?.reason).toBe('cancelled');
  expect((await asked[1]!)[0]!.result).toEqual({ host: 'a.test', by: 'fra-1' });
  expect((await other)[0]!.result).toEqual({ host: 'b.test', by: 'fra-1' });
  expect(agent.log).toEqual({ started: ['fra-1', 'fra-1'], aborted: [] });

  const last = new AbortController();
  const alone = gw.ask(['eu-fra'], { spec, signal: last.signal });
  await eventually(() => agent.log.started.length === 3, 'a third run starts');
  last.abort();
  await alone;
  await eventually(() => agent.log.aborted.length === 1, 'the run stops with its last waiter');
});

it('answers a kind that the agents do not know, and a job that breaks its schema', async () => {
  await agentAt('eu-fra', 'fra-1');
  const gw = await gateway(1);
  const [unknown] = await gw.ask(['eu-fra'], { kind: 'vpn' });
  expect(unknown).toMatchObject({ failure: { reason: 'unsupported', error: 'The agent cannot do this measurement' } });
  expect(unknown).not.toHaveProperty('lacks');
  const [lacking] = await gw.ask(['eu-fra'], { kind: 'vpn', lacking: 'no right to send ICMP' });
  expect(lacking).toMatchObject({ lacks: true, failure: { error: 'The agent cannot do this measurement: no right to send ICMP' } });
  const [invalid] = await gw.ask(['eu-fra'], { spec: { host: 7 } });
  expect(invalid!.failure).toEqual({
    reason: 'internal',
    error: 'The measurement failed for a reason of our own: the agent refused the job',
  });
});

it('asks only where a needed capability is', async () => {
  await agentAt('eu-fra', 'fra-1');
  await agentAt('us-ash', 'ash-1', { vpn: 1 });
  await agentAt('us-ash', 'ash-2');
  const gw = await gateway(3);
  const replies = await gw.ask(['eu-fra', 'us-ash'], { needsCapability: 'vpn' });
  expect(replies.map(({ agent, failure }) => [agent, failure?.reason])).toEqual([
    ['', 'no_vpn_exit'],
    ['ash-1', undefined],
  ]);
});

it('asks nobody without the capability when the one that has it is full', async () => {
  const exit = await agentAt('us-ash', 'ash-1', { vpn: 1, slots: 1 });
  await agentAt('us-ash', 'ash-2');
  const gw = await gateway(2);
  const first = gw.ask(['us-ash'], { needsCapability: 'vpn', spec: { host: 'a.test', wait_ms: 500 } });
  await eventually(() => exit.log.started.length === 1, 'it is full');
  const [second] = await gw.ask(['us-ash'], { needsCapability: 'vpn', spec: { host: 'b.test' } });
  expect(second!.failure?.reason).toBe('agent_busy');
  expect((await first)[0]!.result).toEqual({ host: 'a.test', by: 'ash-1' });
});

it('asks a degraded agent only when its location has no better one, and says so', async () => {
  const state = { degraded: true };
  await agentAt('eu-fra', 'fra-1', { degraded: () => state.degraded });
  await agentAt('us-ash', 'ash-1', { degraded: () => true });
  await agentAt('us-ash', 'ash-2');
  const gw = await gateway(1);
  await eventually(() => gw.presence.agents().length === 3, 'three agents beat');
  for (let round = 0; round < 5; round += 1) {
    const replies = await gw.ask(['eu-fra', 'us-ash'], { spec: { host: `${round}.test` } });
    expect(replies.map(({ agent, agent_state }) => [agent, agent_state])).toEqual([
      ['fra-1', 'degraded'],
      ['ash-2', 'ready'],
    ]);
  }
});

it('sheds what too short a budget cannot serve', async () => {
  await agentAt('eu-fra', 'fra-1');
  const gw = await gateway(1);
  const [late] = await gw.ask(['eu-fra'], { budgetMs: 60 });
  expect(late!.failure).toEqual({ reason: 'agent_busy', error: 'The agents of this location are busy: too little time is left' });
});

describe('a job that needs a permit', () => {
  const setUp = async () => {
    const agents = [await agentAt('eu-fra', 'fra-1'), await agentAt('us-ash', 'ash-1')];
    return { agents, gw: await gateway(2) };
  };

  it('gives it back when it has ended, however it ends', async () => {
    const { gw } = await setUp();
    const given: string[] = [];
    const admit = (location: string) => () => void given.push(location);
    await gw.ask(['eu-fra', 'us-ash'], { admit });
    expect(given.toSorted()).toEqual(['eu-fra', 'us-ash']);
    const leave = new AbortController();
    const left = gw.ask(['eu-fra'], { admit, spec: { host: 'a.test', wait_ms: 4_000 }, signal: leave.signal });
    leave.abort();
    await left;
    expect(given).toHaveLength(3);
  });
  it('is not published where there is none: the location is busy', async () => {
    const { agents, gw } = await setUp();
    const [fra, ash] = await gw.ask(['eu-fra', 'us-ash'], { admit: (location) => (location === 'eu-fra' ? undefined : () => {}) });
    expect(fra).toMatchObject({ failure: { reason: 'agent_busy', error: 'The agents of this location are busy' }, retry_after_ms: 1_000 });
    expect(ash!.result).toEqual({ host: 'a.test', by: 'ash-1' });
    expect(agents[0]!.log.started).toEqual([]);
  });
  it('waits for it alone, and with the time that is left then', async () => {
    const { agents, gw } = await setUp();
    const permit = Promise.withResolvers<() => void>();
    const replies: string[] = [];
    const done = gw.ask(['eu-fra', 'us-ash'], {
      admit: (location) => (location === 'eu-fra' ? permit.promise : () => {}),
      onReply: ({ location }) => void replies.push(location),
    });
    await eventually(() => replies.length === 1, 'the other location answers meanwhile');
    expect(agents[0]!.log.started).toEqual([]);
    permit.resolve(() => {});
    expect((await done).map(({ failure }) => failure)).toEqual([undefined, undefined]);
    expect(replies).toEqual(['us-ash', 'eu-fra']);
  });
  it.each([
    ['nobody waits for the answer any more', 'cancelled'],
    ['too little time is left', 'agent_busy'],
  ] as const)('is not published, and the permit is free again, when it comes and %s', async (why, reason) => {
    const { agents, gw } = await setUp();
    const permit = Promise.withResolvers<() => void>();
    const leave = new AbortController();
    const asked = gw.ask(['eu-fra'], { admit: () => permit.promise, budgetMs: 200, signal: leave.signal });
    if (reason === 'cancelled') leave.abort();
    else await new Promise((resolve) => setTimeout(resolve, 250));
    let free = false;
    permit.resolve(() => (free = true));
    expect((await asked)[0]).toMatchObject({
      failure: { reason, error: expect.stringContaining(reason === 'cancelled' ? 'cancelled' : why) },
    });
    expect([free, agents[0]!.log.started]).toEqual([true, []]);
  });
});

it('asks another agent when one is full, and says busy when all are', async () => {
  const agents = [await agentAt('eu-fra', 'fra-1', { slots: 1 }), await agentAt('eu-fra', 'fra-2', { slots: 1 })];
  const gw = await gateway(2);
  const spec = (n: number) => ({ host: `${n}.test`, wait_ms: 800 });
  const both = [gw.ask(['eu-fra'], { spec: spec(1) }), gw.ask(['eu-fra'], { spec: spec(2) })];
  await eventually(() => agents.every(({ log }) => log.started.length === 1), 'both agents are full');
  const [third] = await gw.ask(['eu-fra'], { spec: spec(3) });
  expect(third).toMatchObject({
    failure: { reason: 'agent_busy', error: 'The agents of this location are busy' },
    retry_after_ms: 1_000, // as long as a job takes before any has ended
  });
  const replies = (await Promise.all(both)).flat();
  expect(replies.map(({ failure }) => failure)).toEqual([undefined, undefined]);
});

it('measures several kinds side by side', async () => {
  await agentAt('eu-fra', 'fra-1', { probes: (log) => [fakeProbe('pinger', log), fakeProbe('namer', log, { kind: 'dns' })] });
  const gw = await gateway(1);
  const kinds = await Promise.all(['ping', 'dns'].map((kind) => gw.ask(['eu-fra'], { kind })));
  expect(kinds.flat().map(({ result }) => result)).toEqual([
    { host: 'a.test', by: 'pinger' },
    { host: 'a.test', by: 'namer' },
  ]);
});
