/* oxlint-disable no-console -- figures are what this prints */
// Proportional memory of all processes of `npm start`, SECONDS after its ready line, when no request was made: node test/bench/rest-memory.ts [command ...]
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SECONDS = Number(process.env['SECONDS'] ?? 60);
/** The second start finds the browser, the database and the compiled code there. */
const STARTS = Number(process.env['STARTS'] ?? 2);
const [command = 'npm', ...args] = process.argv.length > 2 ? process.argv.slice(2) : ['npm', 'start'];

const read = (pid: string, file: string): string => readFileSync(`/proc/${pid}/${file}`, 'latin1');

/** All processes below one, itself included. */
function treeOf(root: number): string[] {
  const children = new Map<string, string[]>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const stat = read(pid, 'stat');
      const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]!;
      children.set(parent, [...(children.get(parent) ?? []), pid]);
    } catch {
      // It ended meanwhile.
    }
  const below = (pid: string): string[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return below(String(root));
}

/** What a process is, by its command line: `gateway`, `npm`, `postgres`. */
function nameOf(pid: string): string {
  const words = read(pid, 'cmdline').split('\0');
  const ours = words.map((word) => /packages\/(\w+)\/src\/(?:main|(.*))\.ts$/.exec(word)).find((match) => match !== null);
  if (ours) return [ours[1], ours[2]].filter(Boolean).join('/');
  return words[0]!.replace(/^.*\//, '').replace(/[: ].*/, '');
}

/** Of all processes of a kind, in megabytes. */
interface Memory {
  count: number;
  pss: number;
  rss: number;
}

/** The memory of each kind of process. */
function memoryOf(root: ChildProcess): Map<string, Memory> {
  const kinds = new Map<string, Memory>();
  for (const pid of treeOf(root.pid!)) {
    const rollup = read(pid, 'smaps_rollup');
    const megabytes = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) / 1024;
    const kind = kinds.get(nameOf(pid)) ?? { count: 0, pss: 0, rss: 0 };
    kinds.set(nameOf(pid), {
      count: kind.count + 1,
      pss: kind.pss + megabytes('Pss'),
      rss: kind.rss + megabytes('Rss'),
    });
  }
  return kinds;
}

/** Starts it, and measures it at rest. */
async function atRest(dataDir: string): Promise<void> {
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, VEDETTE_DATA_DIR: dataDir, VEDETTE_PORT: '0', VEDETTE_OPS_PORT: '0', VEDETTE_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = (async () => {
    for await (const line of createInterface(child.stdout)) if (line.startsWith('vedette ready ')) return true;
    return false;
  })();
  if (!(await ready)) throw new Error('it ended before it was ready');
  child.stdout.resume();
  const readyAfter = performance.now() - began;
  await sleep(SECONDS * 1000);
  const kinds = memoryOf(child);
  const total = [...kinds.values()].reduce((sum, { pss }) => sum + pss, 0);
  child.kill('SIGTERM');
  await once(child, 'exit');
  const rounded = [...kinds].map(([name, { count, pss, rss }]) => [name, { count, pss_mb: round(pss), rss_mb: round(rss) }]);
  console.log(
    JSON.stringify({
      bench: 'rest-memory',
      command: [command, ...args].join(' '),
      ready_s: round(readyAfter / 1000),
      total_pss_mb: round(total),
      ...Object.fromEntries(rounded),
    }),
  );
}

const round = (value: number): number => Math.round(value * 10) / 10;

const dataDir = await mkdtemp(join(tmpdir(), 'vedette-rest-'));
for (let start = 0; start < STARTS; start += 1) await atRest(dataDir);
await rm(dataDir, { recursive: true });
