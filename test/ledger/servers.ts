import { cp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLedger, type Ledger, type LedgerOptions, type Operator, type PostgresServer } from '@vedette/ledger';
import type { Log } from '@vedette/process/log';
import { Client } from 'pg';
import { type Layout, findLayout, prepareLayout } from '../../packages/ledger/src/embedded/layout.ts';
import { runPostgres } from '../../packages/ledger/src/embedded/postgres.ts';
import { scratchFolder } from '../scratch.ts';

/** The engines that every test of the ledger runs against: our own binaries, and Debian's. */
export const ENGINES = ['embedded', 'debian'] as const;
export type Engine = (typeof ENGINES)[number];

const DEBIAN_BIN = '/usr/lib/postgresql/15/bin';

export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

export const clock = {
  now: () => performance.now(),
  sleep: async (ms: number, signal?: AbortSignal) => {
    await sleep(ms, undefined, signal ? { signal } : {});
  },
};

export interface TestServer extends PostgresServer {
  layout: Layout;
  dataDir: string;
}

/** The data directory of a server that has ended. */
let ended: Promise<string> | undefined;

/** A cluster of our own binaries, made once for all test files of a worker: initdb takes as long as most of their tests. */
const madeOnce = (): Promise<string> =>
  (ended ??= (async () => {
    const dataDir = scratchFolder('ledger');
    const server = await runPostgres(await prepareLayout(await findLayout(dataDir)), silent);
    await server.stop();
    return dataDir;
  })());

/** A server on a cluster of its own; `stop` removes it. */
export async function startServer(engine: Engine, parent?: string): Promise<TestServer> {
  const dataDir = scratchFolder('ledger', parent);
  try {
    if (engine === 'embedded') await cp(join(await madeOnce(), 'pg'), join(dataDir, 'pg'), { recursive: true });
    const prepared = await prepareLayout(await findLayout(dataDir));
    const layout = engine === 'embedded' ? prepared : { ...prepared, bin: await existing(DEBIAN_BIN) };
    const server = await runPostgres(layout, silent);
    return {
      url: server.url,
      layout,
      dataDir,
      async stop() {
        await server.stop();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  } catch (cause) {
    await rm(dataDir, { recursive: true, force: true });
    throw cause;
  }
}

async function existing(directory: string): Promise<string> {
  await stat(directory).catch((cause: unknown) => {
    throw new Error(`${directory} is missing: apt-get install postgresql-15`, { cause });
  });
  return directory;
}

let databases = 0;

/** An empty database on the server. */
export async function createDatabase(server: PostgresServer): Promise<string> {
  const name = `t${process.pid}_${++databases}`;
  await sql(server.url, `CREATE DATABASE ${name}`);
  return server.url.replace('/postgres?', `/${name}?`);
}

/** One statement on a connection of its own. */
export async function sql<R extends object>(url: string, text: string, values: unknown[] = []): Promise<R[]> {
  const client = new Client(url);
  client.on('error', () => undefined); // a server that goes breaks the query too, and that one tells
  await client.connect();
  try {
    return (await client.query(text, values)).rows as R[];
  } finally {
    await client.end();
  }
}

/** Whose acts those of a test are. */
export const OPERATOR: Operator = { actor: 'admin (test)', address: '127.0.0.1' };

export const openLedger = (url: string, options: Partial<LedgerOptions> = {}): Promise<Ledger> =>
  createLedger({ url, clock, log: silent, ...options });

/** An account with so many credits a month, and nothing spent. */
export async function createAccount(ledger: Ledger, monthly_credits: number, overage_limit = 0): Promise<{ id: string }> {
  const plan = `plan-${crypto.randomUUID()}`;
  await ledger.admin.setPlan(OPERATOR, plan, { monthly_credits, overage_allowed: overage_limit > 0, overage_limit });
  return await ledger.admin.createAccount(OPERATOR, { name: 'test', plan, overage_enabled: overage_limit > 0 });
}
