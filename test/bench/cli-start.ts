import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median } from './figures.ts';

/**
 * How long `vedette` takes from its start to its end, in a checkout and in a release, beside `node -e 0`: with Node's compile cache, and without what an earlier start
 * has left there. The gateway is one JSON answer on loopback. On a busy machine the CPU time says more than the clock does.
 */

const RUNS = 21;
const GOAL_MS = 150;

const folder = mkdtempSync(join(tmpdir(), 'vedette-start-'));
const gateway = createServer((_, response) =>
  response.setHeader('content-type', 'application/json').end('{"asn":"AS64496","elapsed_ms":1}'),
).listen(0, '127.0.0.1');
await once(gateway, 'listening');

/** A gateway's release as it lies on a disk (deploy/release), of this checkout's files: its types are stripped by Node itself. */
function release(): string {
  const home = join(folder, 'release');
  cpSync('deploy/release/vedette', join(home, 'vedette'));
  writeFileSync(join(home, 'ROLE'), 'gateway');
  symlinkSync(process.execPath, join(home, 'node'));
  for (const name of ['packages', 'node_modules']) symlinkSync(resolve(name), join(home, name));
  return join(home, 'vedette');
}

const HELP = ['--help'];
const ASK = ['asn', 'AS64496', '--json'];
const GUARD = [...ASK, '--fail-if', 'elapsed_ms > 5'];
const inRelease = release();
const CASES: [name: string, command: string, args: string[], isCold?: true][] = [
  ['node -e 0', process.execPath, ['-e', '0']],
  ...Object.entries({ checkout: resolve('vedette'), release: inRelease }).flatMap(([where, command]): typeof CASES => [
    [`${where}: --help`, command, HELP],
    [`${where}: a report`, command, ASK],
    [`${where}: a report with --fail-if`, command, GUARD],
    [`${where}: a report, first start`, command, ASK, true],
  ]),
];

/** CPU time of all children that have ended (proc(5)), in ms. */
function childrenCpuMs(): number {
  const [, , , , , , , , , , , , , user, system] = readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(user) + Number(system)) * 10;
}

let caches = 0;
async function timesOf([name, command, args, isCold]: (typeof CASES)[number]): Promise<{ ms: number; cpuMs: number }> {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    VEDETTE_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    VEDETTE_API_KEY: 'vdt_test',
    ...(isCold && { NODE_COMPILE_CACHE: join(folder, `cold-${caches++}`) }),
  };
  const [began, cpuBefore] = [performance.now(), childrenCpuMs()];
  const [code] = (await once(spawn(command, args, { env, stdio: 'ignore' }), 'exit')) as [number];
  const ms = performance.now() - began;
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return { ms, cpuMs: childrenCpuMs() - cpuBefore };
}

try {
  for (const one of CASES) await timesOf(one); // fills the cache
  const times = CASES.map(() => [] as { ms: number; cpuMs: number }[]);
  // One after the other, so that whatever else this machine does meets all of them.
  for (let run = 0; run < RUNS; run++) for (const [i, one] of CASES.entries()) times[i]!.push(await timesOf(one));
  const medians = times.map((all) => median(all.map(({ ms }) => ms)));
  // A tick of the kernel is 10 ms: their mean is finer.
  const cpu = times.map((all) => all.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / RUNS);
  for (const [i, [name]] of CASES.entries()) {
    const figures = [medians[i]!, cpu[i]!].map((ms) => `${ms.toFixed(0).padStart(5)} ms`);
    const ratio = (cpu[i]! / cpu[0]!).toFixed(1).padStart(5);
    process.stdout.write(
      `${name.padEnd(36)}${figures[0]}  CPU${figures[1]}, ${ratio} of the first${medians[i]! > GOAL_MS ? `; over ${GOAL_MS} ms` : ''}\n`,
    );
  }
} finally {
  gateway.close();
  rmSync(folder, { recursive: true });
}
