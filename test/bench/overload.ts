// Ten times the rate that one machine can sustain, for a minute, from clients that do not wait for their answers: what accepted requests, refusals and
// memory do, and how soon it is over. node test/bench/overload.ts; a JSON line for each phase, with what counts as ratios of the calm one. Env: SECONDS.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startOneMachine } from '../system/one-machine.ts';
import { quantile } from './figures.ts';

const OVERLOAD_S = Number(process.env['SECONDS'] ?? 60);
const CALM_S = 15;
const RECOVERY_S = 5;
/** Those that come first still wait for as long as a burst may (ADR 20). */
const BURST_S = 3;
const FACTOR = 10;
/** How often clients are sent off, ms. */
const TICK_MS = 10;
/** As many as there are, the limit of one address is not what is measured. */
const ADDRESSES = 50;

interface Load {
  port: number;
  key: string;
  perS: number;
  seconds: number;
}

interface Outcome {
  /** Of each status, 0 where the connection broke: how many, and their latencies in ms. */
  statuses: Record<number, { count: number; p50: number; p99: number }>;
  /** How many 200s each second had, by when they were asked for. */
  good: number[];
  /** The 99th percentile, in ms, of those that were asked for later than `BURST_S`. */
  laterP99: number;
}

/** Asks at a rate, whatever comes back, from a process of its own. */
async function load(wanted: Load): Promise<Outcome> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(wanted)], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const [outcome] = (await once(child, 'message')) as [Outcome];
  return outcome;
}

async function ask({ port, key, perS, seconds }: Load): Promise<Outcome> {
  const agents = Array.from({ length: ADDRESSES }, (_, i) => new Agent({ keepAlive: true, localAddress: `127.0.0.${i + 1}` }));
  const latencies = new Map<number, number[]>();
  const good = Array.from({ length: seconds }, () => 0);
  const later: number[] = [];
  const answers: Promise<void>[] = [];
  const start = performance.now();
  for (let sent = 0; sent < perS * seconds;) {
    const due = Math.min(Math.floor(((performance.now() - start) / 1000) * perS), perS * seconds);
    for (; sent < due; sent++) answers.push(one(sent));
    await sleep(TICK_MS);
  }
  await Promise.all(answers);
  const statuses = [...latencies].map(([status, all]) => [
    status,
    { count: all.length, p50: quantile(all, 0.5), p99: quantile(all, 0.99) },
  ]);
  return { statuses: Object.fromEntries(statuses), good, laterP99: quantile(later, 0.99) };

  function one(number: number): Promise<void> {
    const begun = performance.now();
    return new Promise((resolve) => {
      const end = (status: number): void => {
        latencies.set(status, [...(latencies.get(status) ?? []), performance.now() - begun]);
        if (status === 200) good[Math.min(Math.floor((begun - start) / 1000), seconds - 1)]!++;
        if (status === 200 && begun - start > BURST_S * 1000) later.push(performance.now() - begun);
        resolve();
      };
      // Each a target of its own: identical jobs would share a run.
      const body = JSON.stringify({ host: `127.1.${(number >> 8) & 255}.${number & 255}` });
      const asked = request(
        {
          port,
          host: '127.0.0.1',
          path: '/v2/ping-test',
          method: 'POST',
          agent: agents[number % ADDRESSES]!,
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
        },
        (response) =>
          response
            .resume()
            .on('end', () => end(response.statusCode ?? 0))
            .on('error', () => end(0)),
      );
      asked.on('error', () => end(0)).end(body);
    });
  }
}

const figures = ({ statuses, good }: Outcome): object => ({
  answers: Object.fromEntries(
    Object.entries(statuses).map(([status, { count, p50, p99 }]) => [status, { count, p50_ms: Math.round(p50), p99_ms: Math.round(p99) }]),
  ),
  good_per_s: Math.round(good.reduce((sum, count) => sum + count, 0) / good.length),
});
const print = (phase: string, values: object): void => void process.stdout.write(`${JSON.stringify({ phase, ...values })}\n`);

async function measure(): Promise<void> {
  const vedette = await startOneMachine({ VEDETTE_OWN_TARGETS: '127.0.0.0/8' });
  try {
    const pid = execFileSync('pgrep', ['-P', String(vedette.process.pid), '-f', 'packages/gateway/src/main.ts'], {
      encoding: 'utf8',
    }).trim();
    const rssMb = () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
    const handles = () => readdirSync(`/proc/${pid}/fd`).length;
    const at = { port: Number(new URL(vedette.url).port), key: vedette.key };
    let sustained = 0;
    for (let perS = 20; perS <= 640; perS = Math.round(perS * 1.4)) {
      const { statuses } = await load({ ...at, perS, seconds: 5 });
      if (Object.keys(statuses).some((status) => status !== '200')) break;
      sustained = perS;
    }
    const calm = await load({ ...at, perS: sustained, seconds: CALM_S });
    const before = { rss_mb: Math.round(rssMb()), handles: handles() };
    print('calm', { sustained_per_s: sustained, ...figures(calm), ...before });

    const rss: number[] = [];
    const watch = setInterval(() => rss.push(Math.round(rssMb())), 10_000);
    const attacked = await load({ ...at, perS: FACTOR * sustained, seconds: OVERLOAD_S });
    clearInterval(watch);
    const refused = Object.entries(attacked.statuses).filter(([status]) => status !== '200');
    print('overload', {
      asked_per_s: FACTOR * sustained,
      ...figures(attacked),
      p99_ratio: Number((attacked.statuses[200]!.p99 / calm.statuses[200]!.p99).toPrecision(3)),
      p99_ratio_after_burst: Number((attacked.laterP99 / calm.laterP99).toPrecision(3)),
      refusal_p99_ms: Math.round(Math.max(...refused.map(([, { p99 }]) => p99))),
      rss_mb_each_10_s: rss,
    });

    const after = await load({ ...at, perS: sustained, seconds: RECOVERY_S });
    await sleep(RECOVERY_S * 1000);
    print('recovery', {
      ...figures(after),
      good_by_second: after.good,
      p99_ratio: Number((after.statuses[200]!.p99 / calm.statuses[200]!.p99).toPrecision(3)),
      rss_mb: Math.round(rssMb()),
      handles: handles(),
    });
  } finally {
    await vedette.stop();
  }
}

if (process.send !== undefined) process.send(await ask(JSON.parse(process.argv[2]!) as Load), () => process.exit(0));
else await measure();
