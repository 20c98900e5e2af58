/**
 * An import of passive DNS through the admin API, and pages while and after it: rows per second, bytes per row, what a page takes, what a debit
 * takes meanwhile. Run from the root: `node test/bench/passive-dns.ts`; ROWS may be set. The gateway's part and the command's run in this one process.
 */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAdminClient } from '../../packages/cli/src/context/admin-client.ts';
import { importPassiveDns } from '../../packages/cli/src/passive-dns/import.ts';
import { startAdminServer, TOKEN } from '../cli/admin-server.ts';
import { createAccount, sql } from '../ledger/servers.ts';

const ROWS = Number(process.env['ROWS'] ?? 10_000_000);
/** One in so many names is at one address, as behind a network of caches. */
const CROWD = 40;
const CROWDED = '93.184.215.14';
const NOW = Math.floor(Date.now() / 1000);

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const quantile = (times: number[], q: number): string =>
  `${(times.toSorted((a, b) => a - b)[Math.floor(q * (times.length - 1))] ?? 0).toFixed(1)} ms`;

/** Names in no order of their addresses, a few of each domain. */
function line(n: number): string {
  const mixed = Math.imul(n, 0x9e37_79b1) >>> 0;
  const address = n % CROWD === 0 ? CROWDED : `${1 + (mixed % 9)}.${(mixed >>> 8) & 255}.${(mixed >>> 16) & 255}.${mixed >>> 24}`;
  const rrname = n % CROWD === 0 ? `www.customer-${n}.org` : `host${n % 7}.domain-${Math.floor(n / 3)}.com`;
  return `{"rrname":"${rrname}.","rrtype":"A","rdata":"${address}","time_first":${NOW - 9_000_000},"time_last":${NOW - (mixed % 8_000_000)},"count":3}\n`;
}

async function write(path: string): Promise<void> {
  const out = createWriteStream(path);
  for (let n = 0; n < ROWS; n += 1_000) {
    const chunk = Array.from({ length: Math.min(1_000, ROWS - n) }, (_, i) => line(n + i)).join('');
    if (!out.write(chunk)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

async function timed(count: number, work: () => Promise<unknown>, pause = 0): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
    if (pause > 0) await sleep(pause);
  }
  return times;
}

const folder = await mkdtemp(join(tmpdir(), 'pdns-bench-'));
const server = await startAdminServer();
try {
  const path = join(folder, 'rows.json');
  await write(path);
  const { ledger } = server;
  const payer = await createAccount(ledger, 1e12);
  const debit = async () => {
    await ledger.settle(await ledger.reserve({ account: payer, cost: 1, operation: 'reverse-ip', deadlineMs: 10_000 }));
  };
  const calm = await timed(200, debit);
  const page = (number: number) => () => ledger.passiveDns.namesAt(CROWDED, number);
  const imported = new AbortController();
  const meanwhile = (async () => {
    const times = { pages: [] as number[], debits: [] as number[] };
    while (!imported.signal.aborted) {
      times.pages.push(...(await timed(1, page(1))));
      times.debits.push(...(await timed(1, debit, 500)));
    }
    return times;
  })();
  const admin = createAdminClient({ url: server.url, token: async () => TOKEN, operator: 'bench', fetch });
  const began = performance.now();
  const done = await importPassiveDns(path, {}, { admin, progress: say, now: () => performance.now(), sleep: (ms) => sleep(ms) });
  const seconds = (performance.now() - began) / 1000;
  imported.abort();
  const during = await meanwhile;
  say(JSON.stringify(done));
  say(`${ROWS} rows in ${seconds.toFixed(0)} s: ${Math.round(ROWS / seconds)}/s`);
  say(`page 1 while importing: p50 ${quantile(during.pages, 0.5)}, p99 ${quantile(during.pages, 0.99)}`);
  say(
    `a debit: p50 ${quantile(calm, 0.5)}, p99 ${quantile(calm, 0.99)}; while importing p50 ${quantile(during.debits, 0.5)}, p99 ${quantile(during.debits, 0.99)}`,
  );
  const [size] = await sql<{ bytes: number }>(server.databaseUrl, `SELECT pg_total_relation_size('passive_dns')::float8 AS bytes`);
  say(`${Math.round(size!.bytes / done.added)} bytes a row, indexes included`);
  for (const number of [1, 20, 100, 200]) {
    const times = await timed(200, page(number));
    say(`page ${number}: ${(await page(number)()).length} names, p50 ${quantile(times, 0.5)}, p99 ${quantile(times, 0.99)}`);
  }
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
