/* oxlint-disable no-console -- figures are what this prints */
// Resident memory of an idle agent beside a bare Node, in turn: node test/bench/agent-memory.ts
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startNatsServer } from '../bus/nats-server.ts';
import { median } from './figures.ts';

const PAIRS = 3;
const SETTLE_MS = 4_000;
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
  child.kill('SIGTERM'); // ends in order, which writes the compile cache
  await once(child, 'exit');
  return used;
}

const round = (value: number) => Number(value.toFixed(2));

const server = await startNatsServer();
const cache = await mkdtemp(join(tmpdir(), 'vedette-compile-cache-'));
const settings = { VEDETTE_LOCATION: 'bench', VEDETTE_NATS_URL: server.url, VEDETTE_WITNESSES: '', VEDETTE_LOG_LEVEL: 'silent' };
const plain = () => idle(['--disable-warning=ExperimentalWarning', main], settings);
/** Types already stripped and code compiled by an earlier start, one malloc arena, a small young generation. */
const tuned = () =>
  idle(['--disable-warning=ExperimentalWarning', '--max-semi-space-size=1', main], {
    ...settings,
    NODE_COMPILE_CACHE: cache,
    MALLOC_ARENA_MAX: '1',
  });
await tuned(); // fills the cache
const rows: Record<'bare' | 'plain' | 'tuned', { rss: number; pss: number }>[] = [];
for (let pair = 0; pair < PAIRS; pair += 1)
  rows.push({ bare: await idle(['-e', 'setInterval(() => {}, 60000)'], {}), plain: await plain(), tuned: await tuned() });
await server.stop();
await rm(cache, { recursive: true });
const rss = (which: 'bare' | 'plain' | 'tuned') => round(median(rows.map((row) => row[which].rss)));
const ratio = (which: 'plain' | 'tuned', of: 'rss' | 'pss') => round(median(rows.map((row) => row[which][of] / row.bare[of])));
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
  }),
);
