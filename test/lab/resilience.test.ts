import { globSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { lab, shareSystem, system } from './opened.ts';
import { HOSTILE_HOST, regionalAddress, REGIONS, region, WEB_HOSTS } from './plan.ts';
import { describeLab } from './preflight.ts';
import type { Answer } from './system.ts';
import { WORLD_DIR } from './world.ts';

const ALL = REGIONS.map(({ id }) => id);
/** One that nothing is done to in most tests, and one that suffers. */
const VICTIM = 'us-ash';
/** Addresses that answer; a job for each is a job of its own, and no target limit is in the way. */
const TARGETS = [...REGIONS.map(regionalAddress), WEB_HOSTS.tlsGood.v4, WEB_HOSTS.plain.v4];
/** Four echoes 200 ms apart, the longest round trip, and what a loaded machine adds. */
const PING_MS = 600 + 2 * 60 + 400;
/** A ping long enough for something to happen in the middle of it, and how long it takes, as above. */
const LONG = { options: { count: 9 } };
const LONG_PING_MS = PING_MS + 5 * 200;

describeLab('every entry, whatever happens', () => {
  shareSystem();

  const ping = (host: string, port = 8080) => system.post('ping-test', { host }, { port });
  /** Pings addresses for long; resolves once the victim's agent has sent an echo to each, which it does after its acknowledgement. */
  const pingLong = async (addresses: readonly string[], port = 8080) => {
    const capture = await lab.spawn(VICTIM, ['tcpdump', '-n', '-l', '-i', 'eth0', 'icmp[icmptype] = icmp-echo']);
    await capture.line(/listening on/);
    const started = performance.now();
    const answers = Promise.all(addresses.map((host) => system.post('ping-test', { host, ...LONG }, { port })));
    answers.catch(() => undefined); // it is awaited after what happens meanwhile
    const isReached = (lines: readonly string[]) => (address: string) =>
      lines.some((line) => line.includes(`> ${address}: ICMP echo request`));
    await capture.until((lines) => addresses.every(isReached(lines)));
    capture.kill('SIGINT');
    return { answers, started };
  };
  const outcomes = ({ status, body }: Answer) => ({
    status,
    entries: Object.fromEntries((body.locations ?? []).map((entry: any) => [entry.location, entry.reason ?? 'answered'])),
  });
  const complete = (except: Record<string, string> = {}) => ({
    status: 200,
    entries: { ...Object.fromEntries(ALL.map((id) => [id, 'answered'])), ...except },
  });
  /** Asks again until every location answers: nothing is restarted by hand. */
  const untilComplete = async (timeout_ms = 30_000) => {
    const until = performance.now() + timeout_ms;
    let last = outcomes(await ping('www.lab-good.com'));
    while (performance.now() < until && !isDeepStrictEqual(last, complete())) {
      await sleep(100);
      last = outcomes(await ping('www.lab-good.com'));
    }
    expect(last).toEqual(complete());
  };
  /** Two agents at the victim's location, and nothing else unusual. */
  const withTwins = async () => {
    for (const name of ['a', 'b'] as const) if (!system.agent(VICTIM, name)?.running) await system.startAgent(VICTIM, name);
    await system.untilAgents({ [VICTIM]: 2 });
  };
  /** Agent `a` at the victim's location, and no twin. */
  const alone = async () => {
    system.agent(VICTIM, 'b')?.kill('SIGTERM');
    await system.agent(VICTIM, 'b')?.ended;
    if (!system.agent(VICTIM).running) await system.startAgent(VICTIM);
    await system.untilAgents({ [VICTIM]: 1 });
  };

  it('rolling restart of every agent under load: every request gets one complete answer', async () => {
    const rolling = { still: true };
    onTestFinished(() => void (rolling.still = false));
    const answers: Answer[] = [];
    const client = async (offset: number) => {
      for (let turn = offset; rolling.still; turn += 2) answers.push(await ping(TARGETS[turn % TARGETS.length]!));
    };
    const clients = [client(0), client(1)];
    for (const id of ALL) {
      const old = system.agent(id);
      await system.startAgent(id, 'b');
      await system.untilAgents({ [id]: 2 });
      old.kill('SIGTERM');
      expect(await old.ended).toBe(0);
    }
    rolling.still = false;
    await Promise.all(clients);
    expect(answers.length).toBeGreaterThan(ALL.length);
    expect(answers.map(outcomes)).toEqual(answers.map(() => complete()));
    await alone();
  }, 120_000);

  it('rolling restart of a second gateway under load: what it has taken it finishes, and the first goes on', async () => {
    const second = await system.startGateway({ port: 8081 });
    await system.untilAgents(Object.fromEntries(ALL.map((id) => [id, 1])), { port: 8081 });
    const slow = { url: `http://${HOSTILE_HOST.name}/slow` };
    const started = [1, 2, 3].map(() => system.post('geo-request', slow, { port: 8081 }));
    for (let tries = 0; tries < 100 && (await system.requestsInFlight(8081)) < 3; tries++) await sleep(10);
    second.kill('SIGTERM');
    const others = TARGETS.slice(4).map((host) => ping(host));
    const answers = await Promise.all([...started, ...others]);
    expect(answers.map(outcomes)).toEqual(answers.map(() => complete()));
    expect(await second.ended).toBe(0);

    const again = await system.startGateway({ port: 8081 });
    await system.untilAgents(Object.fromEntries(ALL.map((id) => [id, 1])), { port: 8081 });
    expect(outcomes(await ping('www.lab-good.com', 8081))).toEqual(complete());
    again.kill('SIGTERM');
    await again.ended;
  }, 180_000);

  it('agent killed mid-job, alone: its location says so, soon, and the others answer', async () => {
    const { answers } = await pingLong([WEB_HOSTS.web.v4]);
    system.agent(VICTIM).kill('SIGKILL');
    const [answer] = await answers;
    expect(outcomes(answer!)).toEqual(complete({ [VICTIM]: 'agent_lost' }));
    expect(answer!.elapsed_ms).toBeLessThan(5_000);
    // Afterwards nobody listens there: known in milliseconds, not at a deadline.
    const next = await ping('www.lab-good.com');
    expect(outcomes(next).entries[VICTIM]).toBeOneOf(['no_agent', 'agent_lost']);
    expect(next.elapsed_ms).toBeLessThan(PING_MS);
    await alone();
    expect(outcomes(await ping('www.lab-good.com'))).toEqual(complete());
  });

  it('agent killed mid-job after its ack, with a twin: one more run, and no entry is lost', async () => {
    await withTwins();
    const { answers, started } = await pingLong(TARGETS);
    system.agent(VICTIM).kill('SIGKILL');
    const killed_ms = performance.now() - started;
    expect((await answers).map(outcomes)).toEqual(TARGETS.map(() => complete()));
    // What was run, up to 0.6 s until it is noticed, and one more run.
    for (const { elapsed_ms } of await answers) expect(elapsed_ms).toBeLessThan(killed_ms + 600 + LONG_PING_MS + 400);
  });

  it('agent dead before its ack, with a twin: the second attempt costs no more than 400 ms', async () => {
    await withTwins();
    await system.agent(VICTIM).freeze();
    const started = TARGETS.slice(0, 4).map((host) => ping(host));
    for (let tries = 0; tries < 100 && (await system.requestsInFlight()) < started.length; tries++) await sleep(10);
    system.agent(VICTIM).kill('SIGKILL');
    const answers = await Promise.all(started);
    expect(answers.map(outcomes)).toEqual(answers.map(() => complete()));
    for (const { elapsed_ms } of answers) expect(elapsed_ms).toBeLessThan(PING_MS + 400);
  });

  it('agent frozen: with a twin nobody notices, alone its location says so and comes back by itself', async () => {
    await withTwins();
    await system.agent(VICTIM).freeze();
    expect((await Promise.all(TARGETS.slice(0, 4).map((host) => ping(host)))).map(outcomes)).toEqual(
      TARGETS.slice(0, 4).map(() => complete()),
    );
    system.agent(VICTIM).kill('SIGCONT');
    await alone();
    await system.agent(VICTIM).freeze();
    const answer = await ping('www.lab-good.com');
    expect(outcomes(answer)).toEqual(complete({ [VICTIM]: 'agent_lost' }));
    expect(answer.elapsed_ms).toBeLessThan(10_500);
    system.agent(VICTIM).kill('SIGCONT');
    await untilComplete();
  }, 180_000);

  it('region cut from the core mid-job: agent lost; healed: back by itself', async () => {
    const { answers } = await pingLong([WEB_HOSTS.web.v4]);
    const heal = await lab.faults.cutFromCore(VICTIM);
    const [answer] = await answers;
    expect(outcomes(answer!)).toEqual(complete({ [VICTIM]: 'agent_lost' }));
    expect(answer!.elapsed_ms).toBeLessThan(10_500);
    await heal();
    await untilComplete();
  }, 180_000);

  it('region cut from the internet: no target is blamed for it, the others are as ever', async () => {
    await lab.faults.cutFromInternet(VICTIM);
    expect(outcomes(await ping(WEB_HOSTS.web.v4))).toEqual(complete({ [VICTIM]: 'no_network' }));
  });

  it('agent that starts without the internet: asked all the same where there is no better one, and its failure is its own', async () => {
    await lab.faults.cutFromInternet(VICTIM);
    system.agent(VICTIM).kill('SIGTERM');
    await system.agent(VICTIM).ended;
    await system.startAgent(VICTIM);
    const state = async () => (await system.get('/v2/locations')).body.locations.find(({ id }: any) => id === VICTIM).state;
    for (let tries = 0; tries < 100 && (await state()) !== 'degraded'; tries++) await sleep(100);
    const { body } = await ping(WEB_HOSTS.web.v4);
    expect(body.locations.find(({ location }: any) => location === VICTIM)).toMatchObject({
      agent_state: 'degraded',
      reason: 'no_network',
    });
    await lab.faults.healAll();
    system.agent(VICTIM).kill('SIGTERM');
    await system.agent(VICTIM).ended;
    await system.startAgent(VICTIM);
    await untilComplete();
  }, 180_000);

  it('client gone: the agent closes its connection to the target', async () => {
    const asked = system.post('geo-request', { url: `http://${HOSTILE_HOST.name}/never`, locations: ['eu-fra'] }, { timeout_s: 1 });
    await expect(asked).rejects.toThrow(/timed out/);
    const connections = async () =>
      (await lab.exec('eu-fra', ['ss', '-Htn', 'state', 'established', 'dst', HOSTILE_HOST.v4])).stdout.trim();
    for (let tries = 0; tries < 40 && (await connections()) !== ''; tries++) await sleep(50);
    expect(await connections()).toBe('');
  });

  it('bus killed: requests fail at once, not at their deadline; restarted: everything is back', async () => {
    const { answers } = await pingLong([WEB_HOSTS.web.v4]);
    system.nats.kill('SIGKILL');
    await system.nats.ended;
    expect((await answers)[0]!.status).toBeOneOf([200, 503]);
    const down = await ping('www.lab-good.com');
    expect(down.status).toBe(503);
    expect(down.elapsed_ms).toBeLessThan(1_000);
    await system.startNats();
    await untilComplete();
  }, 180_000);

  it('bus frozen: no request outlives its deadline; thawed: everything is back', async () => {
    await system.nats.freeze();
    const frozen = await ping('www.lab-good.com');
    expect(frozen.status).toBe(503);
    expect(frozen.elapsed_ms).toBeLessThan(10_500);
    system.nats.kill('SIGCONT');
    await untilComplete();
  }, 180_000);

  it.each(['+3600', '-3600'])(
    'clocks stepped by %s s in mid-job: times stay true',
    async (step) => {
      const clock = `${WORLD_DIR}/clock`;
      lab.world.write(clock, '+0');
      // Node measures on the monotonic clock; a step changes only the wall clock.
      const under = [
        'env',
        `LD_PRELOAD=${globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]}`,
        `FAKETIME_TIMESTAMP_FILE=${clock}`,
        'FAKETIME_NO_CACHE=1',
        'FAKETIME_DONT_FAKE_MONOTONIC=1',
      ];
      const gateway = await system.startGateway({ port: 8081, under });
      for (const name of ['a', 'b'] as const) {
        system.agent(VICTIM, name)?.kill('SIGTERM');
        await system.agent(VICTIM, name)?.ended;
      }
      await system.startAgent(VICTIM, 'a', { under });
      await system.untilAgents(Object.fromEntries(ALL.map((id) => [id, 1])), { port: 8081 });
      const { answers } = await pingLong([WEB_HOSTS.web.v4], 8081);
      writeFileSync(lab.world.path(clock), step);
      const [answer] = await answers;
      expect(outcomes(answer!)).toEqual(complete());
      const { rtt } = answer!.body.locations.find((entry: any) => entry.location === VICTIM).ping_output;
      expect(Math.abs(rtt.avg - 2 * region(VICTIM).delay_ms)).toBeLessThan(3);
      expect(answer!.body.elapsed_ms).toBeLessThan(LONG_PING_MS);
      // The stepped processes go on as before.
      expect(outcomes(await ping('www.lab-plain.com', 8081))).toEqual(complete());
      gateway.kill('SIGTERM');
      await gateway.ended;
    },
    60_000,
  );
});
