// dns-lookup with all types beside one UDP query of the same engine, and beside kdig and dnsperf asking the same in parallel.
// Twice: on loopback, where that many queries cost as many times the work of one and nothing else, and with a server 5 ms away.
// Run from the root: node test/bench/dns-lookup.ts. Needs nsd, kdig and dnsperf. JSON lines.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createAddressPolicy } from '@vedette/probes/host';
import type { Endpoint } from '@vedette/contract';
import { createResolver, DNS_QUESTIONS } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { dnsLookup } from '../../packages/operations/src/dns-lookup/index.ts';
import { LOOKUP_TYPES } from '../../packages/operations/src/dns-lookup/types.ts';
import { dnsContext } from '../operations/dnssec-status/context.ts';
import { startNsd } from '../probes/dns/nsd.ts';
import { farAway } from './far-away.ts';
import { median } from './figures.ts';
import { answer } from '../operations/answer.ts';

const ORIGIN = 'bench.test';
const ROUNDS = 7;
const RUNS = 300;
const DNSPERF_S = 2;
const FAR_MS = 5;
const REST_MS = 2;

const zone = `$ORIGIN ${ORIGIN}.
$TTL 300
@ SOA ns1 host 1 3600 600 86400 60
@ NS ns1
ns1 A 127.0.0.1
@ A 192.0.2.1
@ AAAA 2001:db8::1
@ MX 10 ns1
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

const run = promisify(execFile);
const round = (value: number) => Number(value.toFixed(3));

/** Each run after a rest, as a request comes: in a tight loop server and client never sleep, and one query takes a fraction of the time. */
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

/** The median over rounds of one query, of the operation, and of their ratio. */
async function measure(server: Endpoint, runs: number) {
  const resolver = createResolver({ servers: [server], policy: createAddressPolicy(), clock: systemClock, cache: false });
  const one = () => resolver.query(ORIGIN, 'A', { fresh: true });
  const context = dnsContext(resolver);
  const all = () => answer(dnsLookup, { host: ORIGIN, dns_types: LOOKUP_TYPES.join(',') }, context);
  try {
    await medianMs(runs, all);
    const rounds: { one: number; all: number }[] = [];
    for (let i = 0; i < ROUNDS; i++) rounds.push({ one: await medianMs(runs, one), all: await medianMs(runs, all) });
    return {
      one_query: round(median(rounds.map((pair) => pair.one))),
      operation: round(median(rounds.map((pair) => pair.all))),
      ratio: round(median(rounds.map((pair) => pair.all / pair.one))),
    };
  } finally {
    resolver.close();
  }
}

const print = (figure: Record<string, unknown>) => process.stdout.write(`${JSON.stringify({ bench: 'dns-lookup', ...figure })}\n`);
const nsd = await startNsd(ORIGIN, zone);
const directory = await mkdtemp(join(tmpdir(), 'vedette-bench-lookup-'));
try {
  const { address, port } = nsd.endpoint;
  print({ what: `all types, server ${FAR_MS} ms away, p50 ms`, ...(await measure(await farAway(nsd.endpoint, FAR_MS), 50)), goal: 3 });
  print({ what: 'all types, server on loopback, p50 ms', ...(await measure(nsd.endpoint, RUNS)), goal: 3 });

  const questions = LOOKUP_TYPES.filter((type) => type !== 'RRSIG').map((type) => DNS_QUESTIONS[type]);
  const kdig = () =>
    Promise.all(questions.map(({ prefix, type }) => run('kdig', [`@${address}`, '-p', String(port), '+short', prefix + ORIGIN, type])));
  const names = join(directory, 'names');
  await writeFile(names, questions.map(({ prefix, type }) => `${prefix}${ORIGIN} ${type}\n`).join(''));
  const dnsperfArgs = ['-s', address, '-p', String(port), '-d', names, '-l', String(DNSPERF_S), '-q', String(questions.length)];
  const { stdout } = await run('dnsperf', dnsperfArgs);
  print({
    what: 'the same questions on loopback, ms',
    kdig_processes_in_parallel: round(await medianMs(10, kdig)),
    dnsperf_mean_with_all_in_flight: round(Number(/Average Latency \(s\):\s+([\d.]+)/.exec(stdout)?.[1]) * 1000),
  });
} finally {
  await nsd.stop();
  await rm(directory, { recursive: true, force: true });
}

const script = fileURLToPath(new URL('dns-lookup-one-type.ts', import.meta.url));
// The servers are in a process namespace too: all of them end with the script, even if it is killed.
const isolated = ['--net', '--pid', '--fork', '--kill-child', 'sh', '-c', 'ip link set lo up && exec "$0" "$1"', process.execPath, script];
process.stdout.write((await run('unshare', isolated)).stdout);
