// ip-reputation without the DNS beside an authorised route that does nothing, in alternating pairs: node test/bench/ip-reputation.ts.
// Once free and once with a durable debit; one connection, and wrk's own percentiles. Ratios count, not figures.
import { median } from './figures.ts';
import { FrontClient, print } from './front-client.ts';

const PAIRS = Number(process.env['PAIRS'] ?? 5);
/** Addresses of small networks and large ones, on lists and not. */
const bodies = Array.from({ length: 79 }, (_, i) => ({
  ip: `${11 + i}.${(i * 53) % 256}.${(i * 101) % 256}.${1 + i}`,
  disable_reverse_dns: true,
}));

await using client = new FrontClient();
for (const [mode, what] of [
  ['', 'free'],
  ['paid', 'with a durable debit'],
] as const) {
  const trivial = await client.server(mode === '' ? 'free' : mode);
  const ours = await client.server(mode === '' ? 'ip-reputation' : `${mode}-ip-reputation`);
  const driveOurs = (connections: number) => client.drive(ours, connections, 'ip-reputation', bodies);
  await client.drive(trivial, 32);
  await driveOurs(32); // both warm
  for (const connections of [1, 32]) {
    const pairs: Record<'ours' | 'trivial', Awaited<ReturnType<typeof driveOurs>>>[] = [];
    for (let i = 0; i < PAIRS; i++) pairs.push({ trivial: await client.drive(trivial, connections), ours: await driveOurs(connections) });
    const ratio = (figure: 'p50Ms' | 'p99Ms' | 'cpuUs') =>
      Number(median(pairs.map((pair) => pair.ours[figure] / pair.trivial[figure])).toFixed(2));
    print({
      what: `ip-reputation without the DNS, ${what}, ${connections} at a time`,
      p50_ratio: ratio('p50Ms'),
      goal: 1.5,
      p99_ratio: ratio('p99Ms'),
      cpu_ratio: ratio('cpuUs'),
      p50_ms: median(pairs.map((pair) => pair.ours.p50Ms)),
      p99_ms: median(pairs.map((pair) => pair.ours.p99Ms)),
      trivial_p50_ms: median(pairs.map((pair) => pair.trivial.p50Ms)),
      cpu_us: Math.round(median(pairs.map((pair) => pair.ours.cpuUs))),
    });
  }
}
