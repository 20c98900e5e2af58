// The kernel ICMP engine beside iputils ping: error of its times against a packet capture while its event loop is half
// busy, CPU per echo beside `ping -f`, CPU of a five-echo job beside spawning ping. Run from the root, as root:
// node test/bench/icmp.ts. One JSON line per figure. It works in a network of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@vedette/probes/net';
import { openKernelEngine } from '../../packages/probes/src/net/icmp/kernel/engine.ts';
import { World } from '../lab/world.ts';
import { median, quantile } from './figures.ts';

const TARGET = '198.18.0.2'; // answers after 20 ms, from user space
const PAIRS = 5;
const ECHOES = 200;
const GAP_MS = 5;
const FLOOD_ECHOES = 40_000;
const FLOOD_JOBS = 32;
const JOBS = 160;
const JOBS_AT_ONCE = 16;

const SET_UP = `
set -e
for name in near far; do ip netns add $name; ip -n $name link set lo up; done
ip link add e0 netns near type veth peer name e0 netns far
ip -n near addr add 198.18.0.1/24 dev e0; ip -n far addr add ${TARGET}/24 dev e0
ip -n near link set e0 up; ip -n far link set e0 up
ip netns exec near sysctl -qw net.ipv4.ping_group_range='0 2147483647'
ip netns exec far sysctl -qw net.ipv4.icmp_echo_ignore_all=1
`;

const print = (figure: Record<string, unknown>) => process.stdout.write(`${JSON.stringify({ bench: 'icmp', ...figure })}\n`);
const round = (value: number) => Number(value.toPrecision(3));
const times = async <T>(count: number, work: () => Promise<T>): Promise<T[]> => {
  const all: T[] = [];
  for (let i = 0; i < count; i++) all.push(await work());
  return all;
};
/** Runs JOBS jobs, JOBS_AT_ONCE at a time, as a busy agent does. */
async function manyAtOnce(job: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: JOBS_AT_ONCE }, () => times(JOBS / JOBS_AT_ONCE, job)));
}
const summary = (pairs: { ours: number; theirs: number }[], goal: number) => ({
  engine: round(median(pairs.map(({ ours }) => ours))),
  ping: round(median(pairs.map(({ theirs }) => theirs))),
  ratio: round(median(pairs.map(({ ours, theirs }) => ours / theirs))),
  goal,
});

/** What runs inside the network, each as a process of its own. Prints one JSON value. */
const ROLES = {
  /** Round trips in ms, by the engine, while the event loop is busy for 5 of every 10 ms. */
  async times() {
    const engine = await openKernelEngine(systemClock);
    const busy = setInterval(() => {
      const end = performance.now() + 5;
      while (performance.now() < end);
    }, 10);
    const rtts_ms: number[] = [];
    for await (const { reply } of engine.echoes(TARGET, { count: ECHOES, interval_ms: GAP_MS, wait_ms: 1000 }))
      if (reply) rtts_ms.push(reply.rtt_ms);
    clearInterval(busy);
    return rtts_ms;
  },
  /** CPU µs per echo, as fast as it goes. */
  async flood() {
    const engine = await openKernelEngine(systemClock);
    const flood = async (echoes: number) => {
      let left = echoes / 16;
      let replies = 0;
      const job = async () => {
        while (left-- > 0)
          for await (const { reply } of engine.echoes('127.0.0.1', { count: 16, interval_ms: 0, wait_ms: 1000 })) replies += reply ? 1 : 0;
      };
      await Promise.all(Array.from({ length: FLOOD_JOBS }, job));
      return replies;
    };
    await flood(FLOOD_ECHOES); // warm-up
    const before = process.cpuUsage();
    const replies = await flood(FLOOD_ECHOES);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / replies;
  },
  /** CPU ms per job of five echoes, 10 ms apart. */
  async jobs() {
    const engine = await openKernelEngine(systemClock);
    const job = async () => {
      let replies = 0;
      for await (const { reply } of engine.echoes('127.0.0.1', { count: 5, interval_ms: 10, wait_ms: 1000 })) replies += reply ? 1 : 0;
      if (replies !== 5) throw new Error(`${replies} of 5 replies`);
    };
    await manyAtOnce(job); // warm-up
    const before = process.cpuUsage();
    await manyAtOnce(job);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / JOBS;
  },
  /** CPU ms per job of five echoes by ping(8), the spawning included. */
  async spawns() {
    const job = async () => once(spawn('ping', ['-n', '-q', '-c', '5', '-i', '0.01', '127.0.0.1'], { stdio: 'ignore' }), 'exit');
    await times(5, job); // warm-up
    const before = cpuWithChildrenMs();
    await manyAtOnce(job);
    return (cpuWithChildrenMs() - before) / JOBS;
  },
};
type Role = keyof typeof ROLES;

/** Flags of `npm run agent`: with Node's own the size of the young heap, and what a run costs, hang on all else that is loaded. */
const AGENT_FLAGS = ['--max-semi-space-size=1', '--disable-warning=ExperimentalWarning'];

/** Our own CPU to the microsecond, plus that of ended children in ticks of 10 ms. */
function cpuWithChildrenMs(): number {
  const { user, system } = process.cpuUsage();
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (user + system) / 1000 + (Number(fields[13]) + Number(fields[14])) * 10;
}

async function compare(): Promise<void> {
  const world = await World.open();
  try {
    await world.run(undefined, ['bash', '-c', SET_UP]);
    const responder = join(import.meta.dirname, '../probes/net/icmp/responder.py');
    await (await world.spawn('far', ['python3', responder, `${TARGET}=after20`])).line(/^ready$/);
    const role = async (name: Role): Promise<unknown> =>
      JSON.parse(
        await world.run('near', ['env', 'MALLOC_ARENA_MAX=1', process.execPath, ...AGENT_FLAGS, import.meta.filename, name]),
      ) as unknown;

    const errors = await times(PAIRS, async () => ({
      ours: await timesError(world, async () => (await role('times')) as number[]),
      theirs: await timesError(world, () => pingTimes(world)),
    }));
    print({ what: 'p99 of |time - captured time|, µs, engine with its loop 50 % busy', echoes: ECHOES, ...summary(errors, 0.5) });

    const floods = await times(PAIRS, async () => ({ ours: (await role('flood')) as number, theirs: await pingFloodCpu(world) }));
    print({ what: 'CPU per echo at full speed, µs, beside ping -f', ...summary(floods, 1.2) });

    const jobs = await times(PAIRS, async () => ({ ours: (await role('jobs')) as number, theirs: (await role('spawns')) as number }));
    print({ what: `CPU of a five-echo job, ms, beside spawning ping; ${JOBS_AT_ONCE} at once`, ...summary(jobs, 0.08) });
  } finally {
    await world.close();
  }
}

async function pingTimes(world: World): Promise<number[]> {
  const output = await world.run('near', ['ping', '-n', '-c', String(ECHOES), '-i', String(GAP_MS / 1000), TARGET]);
  const found = [...output.matchAll(/icmp_seq=(\d+) .*time=([\d.]+) ms/g)].map(([, seq, time]) => [Number(seq), Number(time)] as const);
  return found.toSorted(([a], [b]) => a - b).map(([, time]) => time);
}

/** CPU µs per echo of `ping -f`, from the ticks of a shell that ran nothing else. */
async function pingFloodCpu(world: World): Promise<number> {
  const output = await world.run('near', ['sh', '-c', `ping -n -q -f -c ${FLOOD_ECHOES} 127.0.0.1; cat /proc/$$/stat`]);
  const ticks = output
    .slice(output.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
    .map(Number);
  return ((ticks[0]! + ticks[1]!) * 10_000) / Number(/(\d+) received/.exec(output)![1]);
}

/** The p99 of how far the times of one run are from what went over the wire, µs. */
async function timesError(world: World, run: () => Promise<number[]>): Promise<number> {
  const filter = `icmp and host ${TARGET}`;
  const capture = await world.spawn('near', [
    'tcpdump',
    '-i',
    'e0',
    '-n',
    '-tt',
    '--time-stamp-precision=nano',
    '-l',
    '--immediate-mode',
    filter,
  ]);
  await capture.line(/listening on/);
  const measured = await run();
  await sleep(200);
  capture.kill('SIGINT');
  await capture.ended;
  const sent = new Map<string, number>();
  const captured = new Map<string, number>();
  for (const line of capture.lines) {
    const [, seconds, nanos, kind, echo] = /^(\d+)\.(\d+) IP .* ICMP echo (request|reply), (id \d+, seq \d+)/.exec(line) ?? [];
    if (echo === undefined) continue;
    const at = (Number(seconds) % 1000) * 1000 + Number(nanos) / 1e6; // small enough for a double to hold nanoseconds
    if (kind === 'request') sent.set(echo, at);
    else captured.set(echo, at - sent.get(echo)!);
  }
  const truth = [...sent.keys()].map((echo) => captured.get(echo));
  if (measured.length !== ECHOES || truth.length !== ECHOES)
    throw new Error(`${measured.length} times for ${truth.length} captured echoes`);
  return quantile(
    measured.map((time, index) => Math.abs(time - truth[index]!) * 1000),
    0.99,
  );
}

const role = process.argv[2] as Role | undefined;
if (role === undefined) await compare();
else process.stdout.write(JSON.stringify(await ROLES[role]()));
