/**
 * Durable debits per second: reserve and settle in groups, beside one commit per request, on each engine, with the CPU time
 * that one debit costs this process and the server. Run from the root: `node test/bench/ledger.ts`; ACCOUNTS and SECONDS may be set.
 */
import { readFile } from 'node:fs/promises';
import { Pool } from 'pg';
import { readPostmasterFile } from '../../packages/ledger/src/embedded/leftover.ts';
import { createAccount, createDatabase, ENGINES, openLedger, startServer, type TestServer } from '../ledger/servers.ts';

const seconds = Number(process.env['SECONDS'] ?? 3);
const accounts = Number(process.env['ACCOUNTS'] ?? 100);
const TICK_MS = 10; // USER_HZ is 100 on every Linux

/** CPU ms of a server's living processes, by process. */
async function serverCpu(server: TestServer): Promise<Map<string, number>> {
  const { pid } = (await readPostmasterFile(server.layout.cluster))!;
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  const cpu = new Map<string, number>();
  for (const child of [String(pid), ...children]) {
    const fields = (await readFile(`/proc/${child}/stat`, 'utf8').catch(() => '')).split(') ').at(-1)!.split(' ');
    cpu.set(child, (Number(fields[11]) + Number(fields[12])) * TICK_MS); // utime, stime: proc_pid_stat(5)
  }
  return cpu;
}

/** Runs `workers` loops of `request` for the time set, and prints what came of it. */
async function drive(server: TestServer, what: string, workers: number, request: (i: number) => Promise<void>): Promise<void> {
  const times: number[] = [];
  const [serverBefore, processBefore, start] = [await serverCpu(server), process.cpuUsage(), performance.now()];
  const end = start + seconds * 1000;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (let i = worker; performance.now() < end; i += workers) {
        const before = performance.now();
        await request(i);
        times.push(performance.now() - before);
      }
    }),
  );
  const took = performance.now() - start;
  const own = process.cpuUsage(processBefore);
  const serverMs = [...(await serverCpu(server))].reduce((sum, [pid, ms]) => sum + ms - (serverBefore.get(pid) ?? 0), 0);
  times.sort((a, b) => a - b);
  const quantile = (q: number): string => (times[Math.floor(q * (times.length - 1))] ?? 0).toFixed(2).padStart(8);
  const perSecond = Math.round((times.length / took) * 1000);
  const micros = (ms: number): string => ((ms * 1000) / times.length).toFixed(1).padStart(7);
  process.stdout.write(
    `${what.padEnd(50)}${String(perSecond).padStart(8)}/s${quantile(0.5)}${quantile(0.99)}${micros((own.user + own.system) / 1000)}${micros(serverMs)}\n`,
  );
}

process.stdout.write(`${''.padEnd(50)}   debits  p50 ms  p99 ms  CPU µs: own, server\n`);
for (const engine of ENGINES) {
  const server = await startServer(engine);
  try {
    const url = await createDatabase(server);
    const ledger = await openLedger(url);
    const payers = await Promise.all(Array.from({ length: accounts }, () => createAccount(ledger, 1e15)));
    const debit = async (i: number): Promise<void> => {
      const account = payers[i % accounts]!;
      await ledger.settle(await ledger.reserve({ account, operation: 'dns-lookup', cost: 1, deadlineMs: 10_000 }));
    };
    for (const inFlight of [1, 32, 4096]) await drive(server, `${engine}: reserve + settle, ${inFlight} in flight`, inFlight, debit);
    const discrepancies = await ledger.audit();
    if (discrepancies.length > 0) throw new Error(`the ledger does not add up: ${JSON.stringify(discrepancies[0])}`);
    await ledger.close();

    const pool = new Pool({ connectionString: url, max: 32 });
    pool.on('error', () => undefined); // the server stops before its idle connections
    await pool.query('CREATE TABLE naive (id integer PRIMARY KEY, credits bigint NOT NULL)');
    await pool.query('INSERT INTO naive SELECT i, 1e15 FROM generate_series(0, $1::integer - 1) AS i', [accounts]);
    const naive = async (i: number): Promise<void> => {
      await pool.query({
        name: 'naive',
        text: 'UPDATE naive SET credits = credits - 1 WHERE id = $1 AND credits >= 1',
        values: [i % accounts],
      });
    };
    for (const inFlight of [1, 32])
      await drive(server, `${engine}: naive, an UPDATE and a commit each, ${inFlight} in flight`, inFlight, naive);
    await pool.end();
  } finally {
    await server.stop();
  }
}
