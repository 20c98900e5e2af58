// The front of the API beside a raw node:http POST, in alternating pairs: node test/bench/front.ts. Ratios count, not figures.
// CPU is the server process's own account; wrk drives 32 connections.
import { median } from './figures.ts';
import { FrontClient, print } from './front-client.ts';

const PAIRS = Number(process.env['PAIRS'] ?? 5);

await using client = new FrontClient();
const raw = await client.server('raw');
for (const [mode, what, goal] of [
  ['free', 'key check, schema, quota header', 1.4],
  ['paid', 'the same and a durable debit', 1.65],
] as const) {
  const ours = await client.server(mode);
  await client.drive(raw, 32);
  await client.drive(ours, 32); // both warm
  const pairs: Record<'ours' | 'raw', Awaited<ReturnType<typeof client.drive>>>[] = [];
  for (let i = 0; i < PAIRS; i++) pairs.push({ raw: await client.drive(raw, 32), ours: await client.drive(ours, 32) });
  print({
    what,
    cpu_ratio: Number(median(pairs.map((pair) => pair.ours.cpuUs / pair.raw.cpuUs)).toFixed(2)),
    goal,
    user_cpu_ratio: Number(median(pairs.map((pair) => pair.ours.userUs / pair.raw.userUs)).toFixed(2)),
    ours_us: Number(median(pairs.map((pair) => pair.ours.cpuUs)).toFixed(1)),
    raw_us: Number(median(pairs.map((pair) => pair.raw.cpuUs)).toFixed(1)),
    ours_per_s: Math.round(median(pairs.map((pair) => pair.ours.perS))),
    raw_per_s: Math.round(median(pairs.map((pair) => pair.raw.perS))),
  });
  const [alone, rawAlone] = [await client.drive(ours, 1), await client.drive(raw, 1)];
  print({ what: `${what}, one at a time`, p50_ms: alone.p50Ms, raw_p50_ms: rawAlone.p50Ms });
}
