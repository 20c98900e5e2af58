/* oxlint-disable no-console -- figures are what this prints */
// Resident memory of an idle agent beside a bare Node, in turn, and of the bundle under load for SECONDS: node test/bench/agent-memory.ts
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startNatsServer } from '../bus/nats-server.ts';
import { eventually, startGateway } from '../bus/world.ts';
import { median } from './figures.ts';

const PAIRS = 3;
const SECONDS = Number(process.env['SECONDS'] ?? 60);
/** Jobs that the bundle has at once under load. */
const AT_ONCE = 8;
/** Processes give the memory of their start back after ten seconds. */
const SETTLE_MS = 15_000;
const main = fileURLToPath(new URL('../../packages/agent/src/main.ts', import.meta.url));

/** Resident and proportional set size, MB. */
function memory({ pid }: ChildProcess) {
  const read = (file: string, key: string) =>
    Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))![1]) / 1024;
  return { rss: read('status', 'VmRSS'), pss: read('smaps_rollup', 'Pss') };
}

async function idle(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
  await sleep(SETTLE_MS);
  const used = memory(child);
  child.kill('SIGTERM');
  await once(child, 'exit');
  return used;
}

/** The bundle with jobs to do all the time, ping and http by turns; its memory after `SECONDS`, and what it has done. */
async function loaded(): Promise<{ rss: number; jobs: number; failed: number }> {
  const target = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  const gateway = await startGateway(server.url);
  const child = spawn(process.execPath, bundle, {
    env: { PATH: process.env.PATH, ...settings, MALLOC_ARENA_MAX: '1', VEDETTE_ALLOW_NETS: '127.0.0.0/8' },
    stdio: 'ignore',
  });
  await eventually(() => gateway.presence.beating().includes('bench'), 'the bundle beats');
  const until = performance.now() + SECONDS * 1000;
  const done = { jobs: 0, failed: 0 };
  const ping = {
    kind: 'ping' as const,
    spec: { host: '127.0.0.1', count: 2, interval_ms: 200, wait_ms: 1000, family: 4 },
    check: () => true,
  };
  const http = { kind: 'http' as const, spec: { url, family: 4 }, check: () => true };
  const work = async () => {
    while (performance.now() < until) {
      for (const job of [ping, http]) {
        const [reply] = await gateway.ask(['bench'], job);
        done.jobs += 1;
        if (reply?.result === undefined) {
          done.failed += 1;
          await sleep(100);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const { rss } = memory(child);
  child.kill('SIGTERM');
  await once(child, 'exit');
  await gateway.close();
  target.close();
  return { rss, ...done };
}

const round = (value: number) => Number(value.toFixed(2));

const server = await startNatsServer();
const settings = { VEDETTE_LOCATION: 'bench', VEDETTE_NATS_URL: server.url, VEDETTE_WITNESSES: '', VEDETTE_LOG_LEVEL: 'silent' };
const plain = () => idle(['--disable-warning=ExperimentalWarning', main], settings);
/** As `npm run agent` starts it: types already stripped, one malloc arena, a small young generation. */
const types = fileURLToPath(new URL('../../scripts/types.mjs', import.meta.url));
const tuned = () =>
  idle(['--disable-warning=ExperimentalWarning', `--import=${types}`, '--max-semi-space-size=1', main], {
    ...settings,
    MALLOC_ARENA_MAX: '1',
  });
const out = await mkdtemp(join(tmpdir(), 'vedette-bundle-'));
execFileSync(process.execPath, ['scripts/build-agent.ts', '--out', join(out, 'agent')], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
});
/** As its launcher starts it. */
const bundle = ['--max-semi-space-size=1', join(out, 'agent/agent.mjs')];
const bundled = () => idle(bundle, { ...settings, MALLOC_ARENA_MAX: '1' });
type Which = 'plain' | 'tuned' | 'bundled';
const rows: Record<Which | 'bare', { rss: number; pss: number }>[] = [];
for (let pair = 0; pair < PAIRS; pair += 1)
  rows.push({
    bare: await idle(['-e', 'setInterval(() => {}, 60000)'], {}),
    plain: await plain(),
    tuned: await tuned(),
    bundled: await bundled(),
  });
const underLoad = await loaded();
await server.stop();
await rm(out, { recursive: true });
const rss = (which: Which | 'bare') => round(median(rows.map((row) => row[which].rss)));
const ratio = (which: Which, of: 'rss' | 'pss') => round(median(rows.map((row) => row[which][of] / row.bare[of])));
console.log(
  JSON.stringify({
    bench: 'agent-memory',
    bare_rss_mb: rss('bare'),
    agent_rss_mb: rss('plain'),
    rss_ratio: ratio('plain', 'rss'),
    pss_ratio: ratio('plain', 'pss'),
    tuned_rss_mb: rss('tuned'),
    tuned_rss_ratio: ratio('tuned', 'rss'),
    tuned_pss_ratio: ratio('tuned', 'pss'),
    bundle_rss_mb: rss('bundled'),
    bundle_rss_ratio: ratio('bundled', 'rss'),
    bundle_pss_ratio: ratio('bundled', 'pss'),
    load_seconds: SECONDS,
    load_jobs: underLoad.jobs,
    load_failed: underLoad.failed,
    bundle_loaded_rss_mb: round(underLoad.rss),
  }),
);
