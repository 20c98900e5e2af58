// CPU per query of the DNS engine beside dnsperf's on the same local server. Run from the root: node test/bench/dns.ts.
// Needs nsd and dnsperf. One JSON line.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { createAddressPolicy } from '@vedette/probes/host';
import type { Resolver } from '@vedette/contract';
import { createResolver } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { startNsd } from '../probes/dns/nsd.ts';
import { median } from './figures.ts';

const ORIGIN = 'bench.test';
const PAIRS = 7;
const QUERIES = 20_000;
const IN_FLIGHT = 64;
const DNSPERF_S = 2;

const zone = `$ORIGIN ${ORIGIN}.
$TTL 300
@ SOA ns1 host 1 3600 600 86400 60
@ NS ns1
ns1 A 127.0.0.1
* A 192.0.2.1
`;

const print = (figure: Record<string, unknown>) => process.stdout.write(`${JSON.stringify({ bench: 'dns', ...figure })}\n`);
const round = (value: number) => Number(value.toFixed(3));

/** CPU µs a query: names differ, so that neither cache nor coalescing answers, and each worker has its signal as each request would. */
async function engineCpu(resolver: Resolver): Promise<number> {
  const before = process.cpuUsage();
  let next = 0;
  const worker = async () => {
    const { signal } = new AbortController();
    while (next < QUERIES) await resolver.query(`n${next++}.${ORIGIN}`, 'A', { fresh: true, signal });
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / QUERIES;
}

async function dnsperfCpu(port: number, names: string): Promise<number> {
  const args = ['-s', '127.0.0.1', '-p', String(port), '-d', names, '-l', String(DNSPERF_S), '-c', '8', '-q', String(IN_FLIGHT)];
  const child = spawn('/bin/sh', ['-c', `dnsperf ${args.join(' ')}; cat /proc/$$/stat`]);
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  await once(child, 'close');
  const completed = Number(/Queries completed:\s+(\d+)/.exec(out)?.[1]);
  // cutime and cstime of the shell, whose only child dnsperf was; 10 ms a tick.
  const ticks = out
    .slice(out.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
    .map(Number);
  return ((ticks[0]! + ticks[1]!) * 10_000) / completed;
}

const nsd = await startNsd(ORIGIN, zone);
const directory = await mkdtemp(join(tmpdir(), 'vedette-bench-dns-'));
const resolver = createResolver({ servers: [nsd.endpoint], policy: createAddressPolicy(), clock: systemClock, cache: false });
try {
  const names = join(directory, 'names');
  await writeFile(names, Array.from({ length: QUERIES }, (_, i) => `n${i}.${ORIGIN} A\n`).join(''));
  await engineCpu(resolver); // warm-up

  const pairs: { engine: number; dnsperf: number }[] = [];
  for (let i = 0; i < PAIRS; i++) {
    const engine = await engineCpu(resolver);
    pairs.push({ engine, dnsperf: await dnsperfCpu(nsd.endpoint.port, names) });
  }
  print({
    what: 'CPU per query, µs',
    engine: round(median(pairs.map((pair) => pair.engine))),
    dnsperf: round(median(pairs.map((pair) => pair.dnsperf))),
    ratio: round(median(pairs.map((pair) => pair.engine / pair.dnsperf))),
    goal: 2.5,
  });
} finally {
  resolver.close();
  await nsd.stop();
  await rm(directory, { recursive: true, force: true });
}
