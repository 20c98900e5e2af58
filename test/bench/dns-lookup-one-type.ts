// dns-lookup of one type beside kdig: a resolver and the zone's own server 5 ms away each, first for names that are new to us, then for one that
// both know. In a network namespace of its own, where port 53 is free; `dns-lookup.ts` runs it there. JSON lines.
import { createAddressPolicy } from '@vedette/probes/host';
import { createResolver } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { dnsLookup } from '../../packages/operations/src/dns-lookup/index.ts';
import { outputOf, serveZones } from '../mail/dnssec/zone-servers.ts';
import { answer } from '../operations/answer.ts';
import { dnsContext } from '../operations/dnssec-status/context.ts';
import { farAway } from './far-away.ts';
import { median } from './figures.ts';

const FAR_MS = 5;
const RUNS = 100;
const GOAL = 1.5;
const ZONE_SERVER = '127.0.0.53';

const zones = [
  { name: '.' },
  { name: 'test', records: `ns A ${ZONE_SERVER}` },
  { name: 'full.test', records: Array.from({ length: RUNS }, (_, i) => `www${i} A 192.0.2.1`).join('\n') },
];
const servers = await serveZones(zones);
await farAway(servers.authoritative, FAR_MS, { address: ZONE_SERVER, port: 53 });
const near = await farAway(servers.recursive, FAR_MS);
const policy = createAddressPolicy({ allowNets: ['127.0.0.0/8'] });
const resolver = createResolver({ servers: [near], policy, clock: systemClock, cache: true });
const context = dnsContext(resolver);

async function ours(host: string): Promise<number> {
  const started = performance.now();
  await answer(dnsLookup, { host, dns_types: 'A' }, context);
  return performance.now() - started;
}

/** What kdig says that it waited, without the time that its process takes to start. */
async function kdig(host: string): Promise<number> {
  const output = await outputOf('kdig', [`@${near.address}`, '-p', String(near.port), host, 'A']);
  return Number(/ in ([\d.]+) ms/.exec(output)![1]);
}

async function compare(what: string, hostOf: (run: number) => string): Promise<void> {
  const pairs: { ours: number; kdig: number }[] = [];
  for (let run = 0; run < RUNS; run++) {
    const host = hostOf(run);
    await kdig(host); // known to the resolver for both
    pairs.push({ ours: await ours(host), kdig: await kdig(host) });
  }
  const [operation, peer] = [median(pairs.map((pair) => pair.ours)), median(pairs.map((pair) => pair.kdig))];
  const figure = { what, operation_ms: operation, kdig_ms: peer, ratio: median(pairs.map((pair) => pair.ours / pair.kdig)), goal: GOAL };
  const text = JSON.stringify({ bench: 'dns-lookup', ...figure }, (_, value: unknown) =>
    typeof value === 'number' ? Number(value.toFixed(2)) : value,
  );
  process.stdout.write(`${text}\n`);
}

try {
  await compare(`one type, names new to us, servers ${FAR_MS} ms away, p50`, (run) => `www${run}.full.test`);
  await compare(`one type, a name asked before, servers ${FAR_MS} ms away, p50`, () => 'www.full.test');
} finally {
  resolver.close();
  await servers.close();
}
