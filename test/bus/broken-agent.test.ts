import type { JobFrame } from '@vedette/bus/frames';
import { openBus, type Bus } from '@vedette/bus';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startNatsServer, type NatsServer } from './nats-server.ts';
import { clock, seesReady, startAgent, startGateway, type TestAgent, type TestGateway } from './world.ts';

// An agent that is broken, or in other hands, beside one that is well: three to four of ten requests failed.
let server: NatsServer;
let gw: TestGateway;
let well: TestAgent;
let broken: Bus;
let ended: AbortController;
beforeEach(async () => {
  ended = new AbortController();
  server = await startNatsServer();
  gw = await startGateway(server.url);
  well = await startAgent({ location: 'eu-fra', agent: 'fra-well', url: server.url });
});
afterEach(async () => {
  ended.abort();
  await Promise.all([well.bus.close(), broken.close()]);
  await gw.close();
  await server.stop();
});

type Answer = (job: JobFrame, reply: (frame: object | string) => void) => void;

/** Beats as an agent does, and takes jobs as one does. */
async function startBroken(answer: Answer): Promise<void> {
  broken = await openBus({ url: server.url, name: 'broken', clock });
  const onJob = ({ data, reply: to }: { data: Uint8Array; reply?: string }) => {
    const job = JSON.parse(new TextDecoder().decode(data)) as JobFrame;
    const { job: id, attempt, nonce } = job;
    const head = { job: id, attempt, nonce, agent: 'fra-broken' };
    answer(job, (frame) => broken.publish(to ?? '', typeof frame === 'string' ? frame : JSON.stringify({ ...head, ...frame })));
  };
  broken.subscribe('vedette.v1.job.ping.eu-fra', onJob, { queue: 'eu-fra' });
  broken.subscribe('vedette.v1.job.ping.eu-fra.fra-broken', onJob);
  const beat = {
    agent: 'fra-broken',
    location: 'eu-fra',
    version: '1.0.0',
    protocol: { major: 1, minor_min: 0, minor_max: 1 },
    state: 'ready',
    capabilities: { kinds: ['ping'], v4: true, v6: true, icmp: 'kernel', h2: true, h3: false, vpn: 0 },
    slots: { ping: { used: 0, max: 64 } },
    jobs: 1,
    simulated: false,
    event_loop_delay_ms: 0,
    icmp_overhead_ms: 0,
    clock_ms: 0,
    selftest: { failing: 0, witnesses: 3 },
  };
  void (async () => {
    while (!ended.signal.aborted) {
      broken.publish('vedette.v1.beat.eu-fra.fra-broken', JSON.stringify(beat));
      await clock.sleep(100);
    }
  })();
  await seesReady(gw.presence, 2);
}

/** How many of so many requests, one after the other, had no measurement. */
async function failures(requests: number, budgetMs = 5_000): Promise<number> {
  let failed = 0;
  for (let n = 0; n < requests; n += 1) {
    const [reply] = await gw.ask(['eu-fra'], { spec: { host: `${n}.test` }, budgetMs });
    if (reply!.result === undefined) failed += 1;
  }
  return failed;
}
const ejections = () => gw.events.filter((event) => event.startsWith('ejected'));

const MODES: [what: string, answer: Answer][] = [
  ['refuses every job', (_job, reply) => reply({ type: 'nack', reason: 'invalid' })],
  ['knows no kind', (_job, reply) => reply({ type: 'nack', reason: 'unsupported' })],
  ['answers with what is no frame', (_job, reply) => reply('{"type":')],
  [
    'breaks its final',
    (_job, reply) => {
      reply({ type: 'ack' });
      reply({ type: 'final' });
    },
  ],
  ['sends what is no result', (_job, reply) => reply({ type: 'final', result: { nonsense: true } })],
  [
    'fails by itself',
    (_job, reply) => reply({ type: 'final', failure: { reason: 'internal', error: 'The measurement failed for a reason of our own' } }),
  ],
];

it.each(MODES)('one that %s costs no request its answer, and is left out', async (_what, answer) => {
  await startBroken(answer);
  expect(await failures(40)).toBe(0);
  expect(ejections()).toEqual(['ejected eu-fra fra-broken ping 30000']);
});

it('one that takes jobs and says nothing, but beats, costs one at most: the first, when nobody knew who had it', async () => {
  await startBroken(() => {});
  expect(await failures(40)).toBeLessThanOrEqual(1);
  expect(ejections()).toEqual(['ejected eu-fra fra-broken ping 30000']);
});

it('one that never ends what it took is left out after three, or a few more while we are stalled', async () => {
  await startBroken((_job, reply) => reply({ type: 'ack' }));
  expect(await failures(25, 1_000)).toBeLessThanOrEqual(8); // of 12 or so
  expect(ejections()).toEqual(['ejected eu-fra fra-broken ping 30000']);
});
