// The front of the API beside a raw node:http POST, in alternating pairs: node test/bench/front.ts. Ratios count, not figures.
// CPU is the server process's own account; wrk drives 32 connections.
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './figures.ts';

const PAIRS = Number(process.env['PAIRS'] ?? 5);
const SECONDS = Number(process.env['SECONDS'] ?? 3);
const KEY = 'key-of-the-bench';
const SERVER = fileURLToPath(new URL('front-server.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'vedette-bench-'));
const script = join(folder, 'post.lua');
writeFileSync(
  script,
  `wrk.method = "POST"\nwrk.body = '{"host":"example.org"}'\nwrk.headers["Content-Type"] = "application/json"\nwrk.headers["X-API-Key"] = "${KEY}"\n`,
);

interface Cpu {
  userUs: number;
  cpuUs: number;
}

interface Run {
  requests: number;
  /** Of the server, µs a request. */
  cpuUs: number;
  /** Without the kernel's share, most of which is one write and waking the client. */
  userUs: number;
  p50Ms: number;
}

const running: ChildProcess[] = [];

async function server(mode: string): Promise<{ port: number; cpu(): Promise<Cpu> }> {
  const child = fork(SERVER, [mode, join(folder, mode), KEY], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  running.push(child);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    port,
    async cpu() {
      child.send('cpu');
      const [cpu] = (await once(child, 'message')) as [Cpu];
      return cpu;
    },
  };
}

async function drive({ port, cpu }: Awaited<ReturnType<typeof server>>, connections: number): Promise<Run> {
  const before = await cpu();
  const text = execFileSync(
    'wrk',
    ['-t1', `-c${connections}`, `-d${SECONDS}s`, '--latency', '-s', script, `http://127.0.0.1:${port}/v2/echo`],
    { encoding: 'utf8' },
  );
  if (/Non-2xx/.test(text)) throw new Error(text);
  const requests = Number(/(\d+) requests in/.exec(text)![1]);
  const [, value, unit] = /50%\s+([\d.]+)(us|ms|s)/.exec(text)!;
  const after = await cpu();
  const each = (name: keyof Cpu) => (after[name] - before[name]) / requests;
  return { requests, cpuUs: each('cpuUs'), userUs: each('userUs'), p50Ms: Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us'] };
}

const print = (figure: object): void => void process.stdout.write(`${JSON.stringify(figure)}\n`);

try {
  const raw = await server('raw');
  for (const [mode, what, goal] of [
    ['free', 'key check, schema, quota header', 1.4],
    ['paid', 'the same and a durable debit', 1.65],
  ] as const) {
    const ours = await server(mode);
    await drive(raw, 32);
    await drive(ours, 32); // both warm
    const pairs: { ours: Run; raw: Run }[] = [];
    for (let i = 0; i < PAIRS; i++) pairs.push({ raw: await drive(raw, 32), ours: await drive(ours, 32) });
    print({
      what,
      cpu_ratio: Number(median(pairs.map((pair) => pair.ours.cpuUs / pair.raw.cpuUs)).toFixed(2)),
      goal,
      user_cpu_ratio: Number(median(pairs.map((pair) => pair.ours.userUs / pair.raw.userUs)).toFixed(2)),
      ours_us: Number(median(pairs.map((pair) => pair.ours.cpuUs)).toFixed(1)),
      raw_us: Number(median(pairs.map((pair) => pair.raw.cpuUs)).toFixed(1)),
      ours_per_s: Math.round(median(pairs.map((pair) => pair.ours.requests / SECONDS))),
      raw_per_s: Math.round(median(pairs.map((pair) => pair.raw.requests / SECONDS))),
    });
    const [alone, rawAlone] = [await drive(ours, 1), await drive(raw, 1)];
    print({ what: `${what}, one at a time`, p50_ms: alone.p50Ms, raw_p50_ms: rawAlone.p50Ms });
  }
} finally {
  for (const child of running) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
}
