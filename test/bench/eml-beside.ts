/**
 * What hostile messages of one account do to the requests of another: account-info of one client, one after the other, alone and while four
 * clients send messages that are made to be slow. The figure is the ratio of the two p99 in one run; nice 10 and places of their own keep it near 1
 * where there is a core for each of both.
 */
import { HOSTILE_MESSAGES } from '../intel/message/hostile.ts';
import { startWorld } from '../system/hostile-world.ts';
import { quantile } from './figures.ts';

const REQUESTS = 2_000;
const LANES = 4;

const hostileMessages = Object.values(HOSTILE_MESSAGES).map((make) =>
  make(5_000_000)
    .subarray(0, 5 * 1024 ** 2)
    .toString('base64'),
);
const world = await startWorld({ VEDETTE_LIMITS: 'off' });
const [hostile = '', other = ''] = [...(await world.account('hostile', 1)), ...(await world.account('other', 1))];

const over = new AbortController();
const counts = new Map<number, number>();
async function send(lane: number): Promise<void> {
  for (let i = lane; !over.signal.aborted; i += LANES) {
    const eml_base64 = hostileMessages[i % hostileMessages.length];
    const response = await world.post('eml-insights', { eml_base64 }, { 'x-api-key': hostile });
    await response.arrayBuffer();
    counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
  }
}

async function times(): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const started = performance.now();
    const response = await world.post('account-info', {}, { 'x-api-key': other });
    await response.arrayBuffer();
    all.push(performance.now() - started);
  }
  return all;
}

await times(); // warm
const alone = await times();
const sending = Array.from({ length: LANES }, (_, lane) => send(lane));
const beside = await times();
over.abort();
await Promise.all(sending);
await world.close();

const figures = (all: readonly number[]): string => `p50 ${quantile(all, 0.5).toFixed(2)} ms, p99 ${quantile(all, 0.99).toFixed(2)} ms`;
process.stdout.write(`account-info alone: ${figures(alone)}\n`);
process.stdout.write(`beside hostile messages of 5 MB (${JSON.stringify(Object.fromEntries(counts))} by status): ${figures(beside)}\n`);
process.stdout.write(`p99, ratio: ${(quantile(beside, 0.99) / quantile(alone, 0.99)).toFixed(2)}\n`);
