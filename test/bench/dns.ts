// CPU per query of the DNS engine beside dnsperf's on the same local server, and the time of all 18 types of dns-lookup
// beside that of one query. Run from the root: node test/bench/dns.ts. Needs nsd and dnsperf. One JSON line per figure.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { createAddressPolicy, type Resolver } from '@vedette/contract';
import { createResolver, DNS_QUESTIONS, DNS_TYPE_NAMES } from '../../packages/probes/src/dns/index.ts';
import { systemClock } from '../../packages/probes/src/net/clock.ts';
import { startNsd } from '../probes/dns/nsd.ts';

const ORIGIN = 'bench.test';
const PAIRS = 7;
const QUERIES = 20_000;
const IN_FLIGHT = 64;
const DNSPERF_S = 2;
const LOOKUPS = 200;
const REST_MS = 2;

const zone = `$ORIGIN ${ORIGIN}.
$TTL 300
@ SOA ns1 host 1 3600 600 86400 60
@ NS ns1
ns1 A 127.0.0.1
* A 192.0.2.1
@ A 192.0.2.1
@ AAAA 2001:db8::1
@ MX 10 mx1
mx1 A 192.0.2.10
@ TXT "v=spf1 ip4:192.0.2.0/24 -all"
_dmarc TXT "v=DMARC1; p=reject"
default._bimi TXT "v=BIMI1; l=https://bench.test/l.svg"
_mta-sts TXT "v=STSv1; id=20260101"
_smtp._tls TXT "v=TLSRPTv1; rua=mailto:t@bench.test"
_acme-challenge TXT "abcdef"
@ CAA 0 issue "ca.example"
@ HTTPS 1 . alpn=h2,h3
@ TLSA 3 1 1 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
@ SRV 10 5 5060 ns1
@ DNSKEY 257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==
@ DS 12345 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
@ RRSIG A 13 2 300 20270101000000 20260101000000 12345 bench.test. oJB1W6WNGv+ldvQ3WDG0MQkg5IEhjRip8WTrPYGv07h108dUKGMeDPKijVCHX3DDKdfb+v6oB9wfuh3DTJXUAQ==
`;

const print = (figure: Record<string, unknown>) => process.stdout.write(`${JSON.stringify({ bench: 'dns', ...figure })}\n`);
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
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

/** Each run after a rest, as a request comes: in a tight loop server and client never sleep, and one query takes 25 µs. */
async function medianMs(runs: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    await systemClock.sleep(REST_MS);
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
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

  const DNS_TYPES = DNS_TYPE_NAMES.filter((name) => name !== 'CNAME' && name !== 'PTR');
  const all = () =>
    Promise.all(DNS_TYPES.map((name) => resolver.query(DNS_QUESTIONS[name].prefix + ORIGIN, DNS_QUESTIONS[name].type, { fresh: true })));
  const answers = await all();
  const ratios: { one: number; all: number }[] = [];
  await medianMs(LOOKUPS, all);
  for (let i = 0; i < PAIRS; i++) {
    const one = await medianMs(LOOKUPS, () => resolver.query(ORIGIN, 'A', { fresh: true }));
    ratios.push({ one, all: await medianMs(LOOKUPS, all) });
  }
  print({
    what: '18 types of one name beside one query, p50 ms',
    answered: answers.filter((answer) => answer.answers.length > 0).length,
    one: round(median(ratios.map((pair) => pair.one))),
    all: round(median(ratios.map((pair) => pair.all))),
    ratio: round(median(ratios.map((pair) => pair.all / pair.one))),
    goal: 3,
  });
} finally {
  resolver.close();
  await nsd.stop();
  await rm(directory, { recursive: true, force: true });
}
