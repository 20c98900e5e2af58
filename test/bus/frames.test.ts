import { MAX_FRAME_BYTES, type BeatFrame } from '@vedette/bus/frames';
import { connect, type Msg, type NatsConnection } from 'nats';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startNatsServer, type NatsServer } from './nats-server.ts';
import { eventually, startAgent, startGateway, type TestGateway } from './world.ts';

let server: NatsServer;
let gw: TestGateway;
let nats: NatsConnection;
beforeEach(async () => {
  server = await startNatsServer();
  gw = await startGateway(server.url);
  nats = await connect({ servers: server.url });
});
afterEach(async () => {
  await nats.close();
  await gw.close();
  await server.stop();
});

const beat = (agent: string, overrides: object = {}): BeatFrame & object => ({
  agent,
  location: 'eu-fra',
  version: '9.9.9',
  protocol: { major: 1, minor_min: 0, minor_max: 1 },
  state: 'ready',
  capabilities: { kinds: ['ping'], v4: true, v6: false, icmp: 'kernel', h2: false, h3: false, vpn: 0 },
  slots: { ping: { used: 0, max: 64 } },
  jobs: 0,
  simulated: false,
  event_loop_delay_ms: 0,
  icmp_overhead_ms: 0,
  clock_ms: 0,
  selftest: { failing: 0, witnesses: 3 },
  ...overrides,
});

/** An agent written by somebody else: beats as told, and hands each job to `onJob`. */
async function fakeAgent(
  agent: string,
  overrides: object,
  onJob: (job: { job: string; attempt: number; nonce: string }, message: Msg) => void,
) {
  nats.subscribe('vedette.v1.job.ping.eu-fra', { queue: 'eu-fra', callback: (_error, message) => onJob(message.json(), message) });
  nats.subscribe(`vedette.v1.job.ping.eu-fra.${agent}`, { callback: (_error, message) => onJob(message.json(), message) });
  nats.publish(`vedette.v1.beat.eu-fra.${agent}`, JSON.stringify(beat(agent, overrides)));
  await nats.flush();
  await eventually(() => gw.presence.agents().some((seen) => seen.agent === agent), `${agent} beats`);
}

const answer = (agent: string, { job, attempt, nonce }: { job: string; attempt: number; nonce: string }) =>
  JSON.stringify({ type: 'final', job, attempt, nonce, agent, result: { host: 'a.test', by: agent } });

describe('agents of other versions', () => {
  it('one with a kind that no gateway knows yet is read, and asked for the others; one without a kind of ours is not asked for it', async () => {
    const later = { used: 0, max: 8 };
    await fakeAgent(
      'later',
      {
        capabilities: { kinds: ['ping', 'teleport'], v4: true, v6: false, icmp: 'kernel', h2: false, h3: false, vpn: 0 },
        slots: { ping: { used: 0, max: 64 }, teleport: later },
        counts: { runs: { teleport: { ms: 1, ends: { ok: 1 } } }, refused: {}, cancelled: {}, icmp_strays: {} },
      },
      (job, message) => message.respond(answer('later', job)),
    );
    expect((await gw.ask(['eu-fra'])).map(({ result }) => result)).toEqual([{ host: 'a.test', by: 'later' }]);
    const [reply] = await gw.ask(['eu-fra'], { kind: 'trace' });
    expect(reply!.failure?.reason).toBe('unsupported');
    expect(gw.presence.agents()[0]!.beat.slots.ping).toEqual({ used: 0, max: 64 });
  });

  it('a newer minor version that still speaks ours is asked, and its new fields are ignored', async () => {
    await fakeAgent('newer', { protocol: { major: 1, minor_min: 0, minor_max: 4 }, battery: 'full' }, (job, message) =>
      message.respond(JSON.stringify({ ...(JSON.parse(answer('newer', job)) as object), confidence: 0.9 })),
    );
    expect((await gw.ask(['eu-fra'])).map(({ result }) => result)).toEqual([{ host: 'a.test', by: 'newer' }]);
    expect(gw.presence.agents().map(({ agent, state, outdated }) => ({ agent, state, outdated }))).toEqual([
      { agent: 'newer', state: 'ready', outdated: false },
    ]);
  });

  it('an agent that lacks only what is optional is asked', async () => {
    await fakeAgent('older', { protocol: { major: 1, minor_min: 0, minor_max: 1 } }, (job, message) =>
      message.respond(answer('older', job)),
    );
    expect((await gw.ask(['eu-fra'])).map(({ result }) => result)).toEqual([{ host: 'a.test', by: 'older' }]);
    expect(gw.presence.agents().map(({ outdated }) => outdated)).toEqual([false]);
  });

  it.each([
    ['an older major version', { major: 0, minor_min: 0, minor_max: 9 }],
    ['a minor version that lacks what is needed', { major: 1, minor_min: 0, minor_max: 0 }],
    ['a minor version that has dropped ours', { major: 1, minor_min: 6, minor_max: 7 }],
  ])('%s is shown as outdated and not asked', async (_what, protocol) => {
    await fakeAgent('other', { protocol }, () => {
      throw new Error('was asked');
    });
    expect((await gw.ask(['eu-fra']))[0]!.failure).toEqual({ reason: 'unsupported', error: 'The agent cannot do this measurement' });
    expect(gw.presence.agents()[0]!.outdated).toBe(true);
    // Beside one that speaks ours, only that one is asked.
    const agent = await startAgent({ location: 'eu-fra', agent: 'current', url: server.url });
    await eventually(
      () => gw.presence.agents().some((seen) => seen.agent === 'current' && seen.state === 'ready'),
      'the current one beats',
    );
    for (let round = 0; round < 5; round += 1)
      expect((await gw.ask(['eu-fra'], { spec: { host: `${round}.test` } }))[0]!.agent).toBe('current');
    await agent.bus.close();
  });

  it('a job from a newer minor version runs; one from another major version, or of an unknown kind, is refused', async () => {
    const agent = await startAgent({ location: 'eu-fra', agent: 'fra-1', url: server.url });
    const frames: unknown[] = [];
    nats.subscribe('_INBOX.test.>', { callback: (_error, message) => void frames.push(message.json()) });
    await nats.flush();
    const job = (id: string, overrides: object) => {
      const frame = {
        v: '1.0',
        job: id,
        attempt: 1,
        nonce: '0123456789abcdef',
        kind: 'ping',
        budget_ms: 5_000,
        spec: { host: 'a.test' },
        ...overrides,
      };
      nats.publish('vedette.v1.job.ping.eu-fra.fra-1', JSON.stringify(frame), { reply: `_INBOX.test.${id}.eu-fra.1` });
    };
    job('j1', { v: '1.7', priority: 'high', spec: { host: 'a.test', colour: 'red' } });
    await eventually(() => frames.length === 2, 'ack and final');
    job('j2', { v: '2.0' });
    job('j3', { kind: 'teleport' });
    job('j4', { spec: {} });
    await eventually(() => frames.length === 5, 'three refusals');
    const head = (id: string) => ({ job: id, attempt: 1, nonce: '0123456789abcdef', agent: 'fra-1' });
    expect(frames).toEqual([
      { type: 'ack', ...head('j1') },
      { type: 'final', ...head('j1'), result: { host: 'a.test', by: 'fra-1' } },
      { type: 'nack', ...head('j2'), reason: 'unsupported' },
      { type: 'nack', ...head('j3'), reason: 'unsupported' },
      { type: 'nack', ...head('j4'), reason: 'invalid' },
    ]);
    await agent.bus.close();
  });

  it('the same attempt sent twice runs once, and once cancelled it does not run at all', async () => {
    const agent = await startAgent({ location: 'eu-fra', agent: 'fra-1', url: server.url });
    const types: string[] = [];
    nats.subscribe('_INBOX.test.>', { callback: (_error, message) => void types.push(message.json<{ job: string; type: string }>().type) });
    const job = (id: string) => {
      const frame = {
        v: '1.0',
        job: id,
        attempt: 1,
        nonce: '0123456789abcdef',
        kind: 'ping',
        budget_ms: 5_000,
        spec: { host: id, wait_ms: 50 },
      };
      nats.publish('vedette.v1.job.ping.eu-fra', JSON.stringify(frame), { reply: `_INBOX.test.${id}.eu-fra.1` });
    };
    job('j1');
    job('j1');
    await eventually(() => types.includes('final'), 'the final');
    job('j1');
    nats.publish('vedette.v1.cancel.eu-fra', JSON.stringify({ job: 'j2', attempt: 0, reason: 'client_gone' }));
    job('j2');
    job('j3');
    await eventually(() => types.filter((type) => type === 'final').length === 2, 'the final of the third');
    expect(types).toEqual(['ack', 'ack', 'final', 'ack', 'final']);
    expect(agent.log.started.length).toBe(2);
    await agent.bus.close();
  });
});

describe('what is not a frame', () => {
  it('is counted, and the answer still found', async () => {
    const bus = { rubbish: 0 };
    await fakeAgent('fra-1', {}, (job, message) => {
      const wrong = [
        '',
        'not json',
        '{"type":"final"',
        '[]',
        'null',
        '{}',
        JSON.stringify({ ...(JSON.parse(answer('fra-1', job)) as object), type: 'resignation' }),
        JSON.stringify({ ...(JSON.parse(answer('fra-1', job)) as object), nonce: 'guessed-by-a-stranger' }),
        JSON.stringify({ ...(JSON.parse(answer('fra-1', job)) as object), job: 'another' }),
        JSON.stringify({ ...(JSON.parse(answer('fra-1', job)) as object), result: undefined }),
        answer('fra-1', job).replace('a.test', 'a'.repeat(MAX_FRAME_BYTES)),
      ];
      bus.rubbish = wrong.length;
      for (const frame of wrong) message.respond(frame);
      message.respond(answer('fra-1', job));
      message.respond(answer('fra-1', job));
    });
    expect((await gw.ask(['eu-fra'])).map(({ result }) => result)).toEqual([{ host: 'a.test', by: 'fra-1' }]);
    await eventually(() => gw.events.includes('late eu-fra'), 'the second answer counts as late');
    expect(gw.events).toEqual([...Array<string>(bus.rubbish).fill('invalid eu-fra'), 'late eu-fra']);
  });

  it('as a beat is counted, and shows no agent', async () => {
    const publish = (subject: string, data: string) => nats.publish(subject, data);
    publish('vedette.v1.beat.eu-fra.fra-1', 'not json');
    publish('vedette.v1.beat.eu-fra.fra-1', JSON.stringify(beat('fra-2')));
    publish('vedette.v1.beat.us-ash.fra-1', JSON.stringify(beat('fra-1')));
    publish('vedette.v1.beat.eu-fra.fra-1', JSON.stringify(beat('fra-1', { state: 'excellent' })));
    await eventually(() => gw.events.length === 4, 'four refusals');
    expect(gw.events).toEqual(Array<string>(4).fill('invalid ')); // a stranger names no label
    expect(gw.presence.agents()).toEqual([]);
  });

  it('as a job is dropped by the agent', async () => {
    const agent = await startAgent({ location: 'eu-fra', agent: 'fra-1', url: server.url });
    const subject = 'vedette.v1.job.ping.eu-fra';
    nats.publish(subject, 'not json', { reply: '_INBOX.test.j1.eu-fra.1' });
    nats.publish(subject, JSON.stringify({ v: '1.0', job: 'a.*', attempt: 1 }), { reply: '_INBOX.test.j1.eu-fra.1' });
    nats.publish(subject, '{}');
    nats.publish('vedette.v1.cancel.eu-fra', 'not json');
    await eventually(() => agent.finished.length === 4, 'four refusals');
    expect(agent.finished).toEqual(Array<string>(4).fill('refused invalid_frame'));
    await agent.bus.close();
  });
});
