// Bulk requests of 500 items from memory beside single requests about the same items, in alternating pairs: node test/bench/bulk.ts.
// Every item has its own durable debit on both sides. wrk drives 32 connections of single requests; the reader of lines counts them.
import { request } from 'node:http';
import { median } from './figures.ts';
import { FrontClient, KEY, print, SECONDS, type Server } from './front-client.ts';

const PAIRS = Number(process.env['PAIRS'] ?? 3);
const ITEMS = 500;

const SUBJECTS = [
  { operation: 'phone-validator', subject: 'number', options: {}, items: Array.from({ length: ITEMS }, (_, i) => `+44207183${8000 + i}`) },
  {
    operation: 'ip-reputation',
    subject: 'ip',
    options: { disable_reverse_dns: true },
    items: Array.from({ length: ITEMS }, (_, i) => `${11 + (i % 79)}.${(i * 53) % 256}.${(i * 101) % 256}.${1 + (i % 250)}`),
  },
];

/** One bulk request: its lines with a report. */
const bulk = ({ port }: Server, operation: string, body: string) =>
  new Promise<number>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': KEY };
    const sent = request({ port, path: `/v2/${operation}/bulk`, method: 'POST', headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
      let text = '';
      response.setEncoding('latin1');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text.split('"status":200').length - 1));
    });
    sent.once('error', reject);
    sent.end(body);
  });

/** So many bulk requests at a time, for SECONDS. */
async function drive(server: Server, operation: string, body: string, atOnce: number): Promise<{ perS: number; cpuUs: number }> {
  const before = await server.cpu();
  const start = performance.now();
  let items = 0;
  const client = async () => {
    while (performance.now() - start < SECONDS * 1_000) {
      const answered = await bulk(server, operation, body);
      items += answered;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  const seconds = (performance.now() - start) / 1_000;
  const after = await server.cpu();
  return { perS: items / seconds, cpuUs: (after.cpuUs - before.cpuUs) / items };
}

await using client = new FrontClient();
for (const { operation, subject, options, items } of SUBJECTS) {
  const server = await client.server(`paid-${operation}`);
  const body = JSON.stringify({ items, ...options });
  const singles = items.map((item) => ({ [subject]: item, ...options }));
  if ((await bulk(server, operation, body)) !== ITEMS) throw new Error('items without a report');
  await client.drive(server, 32, operation, singles); // both warm
  const pairs: { single: { perS: number; cpuUs: number }; one: { perS: number; cpuUs: number }; four: { perS: number; cpuUs: number } }[] =
    [];
  for (let i = 0; i < PAIRS; i++)
    pairs.push({
      single: await client.drive(server, 32, operation, singles),
      one: await drive(server, operation, body, 1),
      four: await drive(server, operation, body, 4),
    });
  print({
    what: `${operation}, bulk requests of ${ITEMS} items from memory, with a durable debit each`,
    items_per_s: Math.round(median(pairs.map(({ one }) => one.perS))),
    items_per_s_of_four: Math.round(median(pairs.map(({ four }) => four.perS))),
    goal: 5_000,
    single_per_s: Math.round(median(pairs.map(({ single }) => single.perS))),
    ratio: Number(median(pairs.map(({ one, single }) => one.perS / single.perS)).toFixed(2)),
    ratio_of_four: Number(median(pairs.map(({ four, single }) => four.perS / single.perS)).toFixed(2)),
    cpu_us: Math.round(median(pairs.map(({ one }) => one.cpuUs))),
    cpu_us_of_four: Math.round(median(pairs.map(({ four }) => four.cpuUs))),
    single_cpu_us: Math.round(median(pairs.map(({ single }) => single.cpuUs))),
  });
}
