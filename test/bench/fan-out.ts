/* oxlint-disable no-console -- figures are what this prints */
// The fan-out of one gateway: node test/bench/fan-out.ts. Beside it, in the same run: one NATS request/reply, and the bare
// fan-out of the same messages and bytes (publish, wildcard inbox, a counter, nothing checked). Ratios count, not figures.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createAsker, createPresence, openBus } from '@vedette/bus';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { connect } from 'nats';
import { OutboundGate } from '../../packages/gateway/src/request/outbound-gate.ts';
import { Pools } from '../../packages/gateway/src/shares/pools.ts';
import { startNatsServer } from '../bus/nats-server.ts';
import { clock, eventually } from '../bus/world.ts';
import { median } from './figures.ts';

const PAIRS = 7;
const Result = Type.Object({
  host: Type.String(),
  ip_address: Type.String(),
  packets_sent: Type.Integer(),
  packets_received: Type.Integer(),
  icmp_requests: Type.Array(Type.Object({ bytes: Type.Integer(), icmp_seq: Type.Integer(), ttl: Type.Integer(), time_ms: Type.Number() })),
  rtt: Type.Object({ min: Type.Number(), avg: Type.Number(), max: Type.Number(), mdev: Type.Number() }),
  by: Type.String(),
  held_ms: Type.Optional(Type.Number()),
});
const result = Compile(Result);

const round = (value: number, digits = 2) => Number(value.toFixed(digits));

/** p50 of one after the other, ms. */
async function latency(rounds: number, once: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < rounds; n += 1) {
    const start = performance.now();
    await once();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** CPU of this process per call with 16 in flight, µs. */
async function cpu(rounds: number, once: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  let left = rounds;
  const worker = async () => {
    while (left-- > 0) await once();
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / rounds;
}

for (const locations of [5, 30, 100]) {
  const server = await startNatsServer();
  const responders = fork(new URL('fan-out-responders.ts', import.meta.url), [server.url, String(locations)]);
  await once(responders, 'message');
  const bus = await openBus({ url: server.url, name: 'bench', clock });
  const presence = createPresence({ bus, clock });
  const asker = createAsker({ bus, gatewayId: 'bench', presence, clock });
  const names = Array.from({ length: locations }, (_, n) => `loc-${n}`);
  await eventually(() => presence.beating().length === locations, 'all locations beat');

  const check = (value: unknown) => result.Check(value);
  const gate = new OutboundGate({
    demand: { account: 'bench', targets: [], jobs: locations, asks: undefined },
    pools: new Pools({ clock, parsers: 2, presence, renderers: { slots: () => 0 }, gateways: () => 1 }),
    rates: undefined,
    waitMs: 2_000,
    queueMs: 0,
  });
  const { signal } = new AbortController();
  const admit = (location: string) => gate.job('ping', location, undefined, signal);
  /** Asks every location once; the longest that a responder held its job, ms. */
  const askHolding = async (hold_ms: number): Promise<number> => {
    const spec = { host: 'example.test', count: 4, interval_ms: 200, wait_ms: 1000, hold_ms };
    const replies = await asker.ask({ kind: 'ping', spec, locations: names, budgetMs: 10_000, minBudgetMs: 50, check, admit });
    const failed = replies.find((reply) => reply.failure);
    if (failed) throw new Error(JSON.stringify(failed));
    return Math.max(...replies.map((reply) => (reply.result as { held_ms?: number }).held_ms ?? 0));
  };
  const ask = () => askHolding(0);
  /** Time beyond the slowest responder, ms. */
  const beyond = async () => {
    const start = performance.now();
    const held = await askHolding(30);
    return performance.now() - start - held;
  };

  const nats = await connect({ servers: server.url, noAsyncTraces: true });
  const waiting = new Map<string, { left: number; done: () => void }>();
  nats.subscribe('_INBOX.floor.*', {
    callback: (_error, { subject }) => {
      const wait = waiting.get(subject);
      if (wait === undefined) return;
      wait.left -= 1;
      if (wait.left === 0) {
        waiting.delete(subject);
        wait.done();
      }
    },
  });
  let sequence = 0;
  const job = JSON.stringify({
    v: '1.1',
    job: 'x'.repeat(16),
    attempt: 1,
    nonce: 'x'.repeat(32),
    kind: 'ping',
    budget_ms: 9_000,
    spec: { host: 'example.test', count: 4, interval_ms: 200, wait_ms: 1000, hold_ms: 0 },
  });
  const floor = () =>
    new Promise<void>((resolve) => {
      const reply = `_INBOX.floor.${(sequence += 1)}`;
      waiting.set(reply, { left: 2 * locations, done: resolve });
      for (const name of names) nats.publish(`floor.${name}`, job, { reply });
    });
  const single = () => nats.request('single.loc-0', job, { timeout: 5_000 });

  const rounds = Math.ceil(9_000 / locations);
  for (const warm of [ask, floor, single]) await cpu(rounds, warm);
  const samples: Record<'ask' | 'beyond' | 'floor' | 'single' | 'askCpu' | 'floorCpu', number[]> = {
    ask: [],
    beyond: [],
    floor: [],
    single: [],
    askCpu: [],
    floorCpu: [],
  };
  for (let pair = 0; pair < PAIRS; pair += 1) {
    samples.single.push(await latency(300, single));
    samples.ask.push(await latency(100, ask));
    samples.floor.push(await latency(100, floor));
    const over: number[] = [];
    for (let n = 0; n < 20; n += 1) over.push(await beyond());
    samples.beyond.push(median(over));
    samples.askCpu.push(await cpu(rounds, ask));
    samples.floorCpu.push(await cpu(rounds, floor));
  }
  const ratio = (over: number[], under: number[]) => round(median(over.map((value, index) => value / under[index]!)));
  const ms = (values: number[]) => round(median(values), 3);
  console.log(
    JSON.stringify({
      bench: 'fan-out',
      locations,
      ask_p50_ms: ms(samples.ask),
      bare_fan_out_p50_ms: ms(samples.floor),
      request_reply_p50_ms: ms(samples.single),
      beyond_slowest_p50_ms: ms(samples.beyond),
      beyond_over_request_reply: ratio(samples.beyond, samples.single),
      ask_over_bare_fan_out: ratio(samples.ask, samples.floor),
      ask_cpu_us: round(median(samples.askCpu), 1),
      bare_cpu_us: round(median(samples.floorCpu), 1),
      cpu_over_bare: ratio(samples.askCpu, samples.floorCpu),
      asks_per_s_of_one_core: Math.round(1e6 / median(samples.askCpu)),
    }),
  );
  asker.close();
  presence.close();
  await bus.close();
  await nats.close();
  responders.disconnect();
  await once(responders, 'exit');
  await server.stop();
}
