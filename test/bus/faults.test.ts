import { type LocationReply, subjects } from '@vedette/bus';
import { ApiError } from '@vedette/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startNatsServer, type NatsServer } from './nats-server.ts';
import { killAll, spawnAgent } from './processes.ts';
import { eventually, seesNobody, seesReady, startGateway, type TestGateway } from './world.ts';

let server: NatsServer;
let gw: TestGateway;
beforeEach(async () => {
  server = await startNatsServer();
  gw = await startGateway(server.url);
});
afterEach(async () => {
  killAll();
  await gw.close();
  await server.stop();
});

const spawn = (agent: string, location = 'eu-fra') => spawnAgent(server.url, location, agent);
const lost = { reason: 'agent_lost', error: 'The agent stopped answering' };
/** Several different jobs at once, so that with two agents each gets some. */
const askMany = (count: number, spec: object, budgetMs = 10_000) =>
  Promise.all(Array.from({ length: count }, (_, n) => gw.ask(['eu-fra'], { spec: { host: `${n}.test`, ...spec }, budgetMs }))).then((all) =>
    all.flat(),
  );

const summary = (replies: LocationReply[]) => replies.map(({ agent, failure }) => `${agent} ${failure?.reason ?? 'answered'}`);

describe('an agent killed', () => {
  it('before its ack: the other one answers', async () => {
    const [one] = [await spawn('fra-1'), await spawn('fra-2')];
    await seesReady(gw.presence, 2);
    await one.freeze(); // takes jobs off the wire no more, so it cannot ack them
    const asked = askMany(8, {});
    await sleep(50);
    one.signal('SIGKILL');
    const replies = await asked;
    expect(summary(replies)).toEqual(Array(8).fill('fra-2 answered'));
    expect(new Set(gw.events.filter((event) => event.startsWith('hedge')))).toEqual(new Set(['hedge no_ack won']));
  });

  it('before its ack and alone: the server says so', async () => {
    const one = await spawn('fra-1');
    await seesReady(gw.presence, 1);
    await one.freeze();
    const asked = gw.ask(['eu-fra'], { budgetMs: 60_000 });
    await sleep(50);
    one.signal('SIGKILL');
    expect((await asked)[0]!.failure).toEqual(lost);
  });

  it('after its ack: two missed beats later the other one answers, however many jobs it had', async () => {
    const [one] = [await spawn('fra-1'), await spawn('fra-2')];
    await seesReady(gw.presence, 2);
    const asked = askMany(60, { wait_ms: 1_000 });
    await eventually(() => gw.presence.agents().reduce((sum, { beat }) => sum + beat.jobs, 0) === 60, 'the agents have all jobs');
    const mine = await one.started();
    expect(mine).toBeGreaterThan(10); // more than there are hedges
    one.signal('SIGKILL');
    const replies = await asked;
    expect(summary(replies)).toEqual(Array(60).fill('fra-2 answered'));
    expect(gw.events.filter((event) => event.startsWith('hedge'))).toEqual(Array(mine).fill('hedge no_responders won'));
  });

  it('after its ack and alone: its entry says so long before the deadline', async () => {
    const one = await spawn('fra-1');
    await spawn('ash-1', 'us-ash');
    await seesReady(gw.presence, 2);
    const asked = gw.ask(['eu-fra', 'us-ash'], { spec: { host: 'a.test', wait_ms: 2_000 }, budgetMs: 60_000 });
    await eventually(() => gw.presence.agents().every(({ beat }) => beat.jobs > 0), 'both agents are at work');
    one.signal('SIGKILL');
    const replies = await asked;
    expect(replies.map(({ agent, result, failure }) => ({ agent, result, failure }))).toEqual([
      { agent: 'fra-1', result: undefined, failure: lost },
      { agent: 'ash-1', result: { host: 'a.test', by: 'ash-1' }, failure: undefined },
    ]);
  });

  it('while idle: its location has nobody, at once', async () => {
    const one = await spawn('fra-1');
    await seesReady(gw.presence, 1);
    one.signal('SIGKILL');
    await one.ended;
    await seesNobody(gw.bus, 'eu-fra');
    const [reply] = await gw.ask(['eu-fra'], { budgetMs: 60_000 });
    expect(reply!.failure).toEqual({ reason: 'no_agent', error: 'No agent is connected at this location' });
  });
});

describe('an agent frozen', () => {
  it('before it could ack: the one that still beats answers', async () => {
    const [one] = [await spawn('fra-1'), await spawn('fra-2')];
    await seesReady(gw.presence, 2);
    // The server picks either; most likely some of these go to the frozen one.
    for (let round = 0; round < 8; round += 1) {
      await one.freeze();
      const [reply] = await gw.ask(['eu-fra'], { spec: { host: `${round}.test` } });
      expect(`${reply!.agent} ${reply!.failure?.reason ?? 'answered'}`).toBe('fra-2 answered');
      one.thaw();
      await sleep(50);
    }
  });

  it('and alone: given up before one that lives has beaten three times, and asked again once it thaws', async () => {
    const [one] = [await spawn('fra-1'), await spawn('ash-1', 'us-ash')];
    await seesReady(gw.presence, 2);
    await one.freeze();
    let beats = 0;
    gw.bus.subscribe(subjects.beat('us-ash', 'ash-1'), () => (beats += 1));
    await gw.bus.flush();
    const [reply] = await gw.ask(['eu-fra'], { budgetMs: 60_000 });
    expect(reply!.failure).toEqual(lost);
    // One when all were asked for it, and the next of its own accord.
    expect(beats).toBeGreaterThan(0);
    expect(beats).toBeLessThan(3);
    one.thaw();
    await eventually(() => gw.presence.agents().every(({ silent_ms }) => silent_ms < 2_000), 'it beats again');
    expect(summary(await gw.ask(['eu-fra']))).toEqual(['fra-1 answered']);
  });

  it('is replaced, and what it says when it thaws counts as late', async () => {
    const [one] = [await spawn('fra-1'), await spawn('fra-2')];
    await seesReady(gw.presence, 2);
    const asked = askMany(8, { wait_ms: 300 });
    await eventually(() => gw.presence.agents().every(({ beat }) => beat.jobs > 0), 'both agents are at work');
    const mine = await one.started();
    await one.freeze();
    const replies = await asked;
    expect(summary(replies)).toEqual(Array(8).fill('fra-2 answered'));
    one.thaw();
    await eventually(() => gw.events.filter((event) => event === 'late eu-fra').length === mine, 'each of its answers comes late');
  });
});

describe('the server', () => {
  it('killed and restarted: what was in flight ends at once, what comes meanwhile fails at once, then all is well', async () => {
    await spawn('fra-1');
    await seesReady(gw.presence, 1);
    const inFlight = gw.ask(['eu-fra', 'nowhere'], { spec: { host: 'a.test', wait_ms: 30_000 }, budgetMs: 60_000 });
    await eventually(() => gw.presence.agents()[0]!.beat.jobs === 1, 'the agent is at work');
    const { beat: before } = gw.presence.agents()[0]!;
    await server.kill();
    expect((await inFlight).map(({ failure }) => failure)).toEqual([
      { reason: 'agent_lost', error: 'The agent stopped answering: the connection to the message bus was lost' },
      { reason: 'no_agent', error: 'No agent is connected at this location' },
    ]);
    await expect(gw.ask(['eu-fra'])).rejects.toEqual(new ApiError('bus_unavailable', '', { retryAfterS: 1 }));
    await server.start();
    await eventually(() => gw.bus.connected(), 'the gateway is back');
    await eventually(() => gw.presence.agents()[0]!.beat.clock_ms > before.clock_ms, 'the agent is back');
    expect((await gw.ask(['eu-fra'])).map(({ result }) => result)).toEqual([{ host: 'a.test', by: 'fra-1' }]);
  });

  it('frozen: nothing hangs, and all is well when it thaws', async () => {
    await spawn('fra-1');
    await seesReady(gw.presence, 1);
    const inFlight = gw.ask(['eu-fra'], { spec: { host: 'a.test', wait_ms: 30_000 }, budgetMs: 60_000 });
    await eventually(() => gw.presence.agents()[0]!.beat.jobs === 1, 'the agent is at work');
    await server.freeze();
    const unheard = gw.ask(['eu-fra'], { budgetMs: 60_000 });
    expect((await inFlight)[0]!.failure).toEqual(lost);
    await eventually(() => !gw.bus.connected(), 'the gateway notices');
    expect((await unheard)[0]!.failure?.reason).toBe('agent_lost');
    await expect(gw.ask(['eu-fra'])).rejects.toEqual(new ApiError('bus_unavailable', '', { retryAfterS: 1 }));
    server.thaw();
    await eventually(() => gw.bus.connected(), 'the gateway is back');
    await seesReady(gw.presence, 1);
    expect((await gw.ask(['eu-fra'])).map(({ result }) => result)).toEqual([{ host: 'a.test', by: 'fra-1' }]);
  });
});

describe('a gateway that waits for half a second', () => {
  let quick: TestGateway;
  beforeEach(async () => {
    quick = await startGateway(server.url, { patienceMs: 500 });
  });
  afterEach(() => quick.close());

  it('knows within a second that the server is frozen: it took 2.6 s', async () => {
    await server.freeze();
    await sleep(1_000);
    await expect(quick.ask(['eu-fra'])).rejects.toEqual(new ApiError('bus_unavailable', '', { retryAfterS: 1 }));
    server.thaw();
    await eventually(() => quick.bus.connected(), 'it is back');
  });

  it('does not take its own stall for the server’s', async () => {
    const changes: boolean[] = [];
    quick.bus.onChange((connected) => changes.push(connected));
    for (let stalls = 0; stalls < 3; stalls += 1) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
      await sleep(100);
    }
    expect(changes).toEqual([]);
  });
});

describe('a rolling restart', () => {
  it('of all agents under load loses no answer', async () => {
    let agents = [await spawn('fra-1'), await spawn('fra-2')];
    await seesReady(gw.presence, 2);
    const rolled = new AbortController();
    const failures: unknown[] = [];
    let answered = 0;
    const client = async (n: number) => {
      for (let round = 0; !rolled.signal.aborted; round += 1) {
        const [reply] = await gw.ask(['eu-fra'], { spec: { host: `${n}-${round}.test`, wait_ms: 40 } });
        if (reply!.failure) failures.push(reply);
        else answered += 1;
        await sleep(1);
      }
    };
    const clients = Array.from({ length: 8 }, (_, n) => client(n));
    const codes: (number | string)[] = [];
    for (let generation = 2; generation <= 3; generation += 1) {
      for (const [index, agent] of agents.entries()) {
        agent.signal('SIGTERM');
        codes.push(await agent.ended);
        agents = agents.with(index, await spawn(`fra-${index + 1}-generation-${generation}`));
      }
    }
    rolled.abort();
    await Promise.all(clients);
    expect(failures).toEqual([]);
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(answered).toBeGreaterThan(50);
  });
});
