import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type PostgresServer, startEmbeddedPostgres } from '@vedette/ledger';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findLayout, prepareLayout } from '../../packages/ledger/src/embedded/layout.ts';
import { runPostgres } from '../../packages/ledger/src/embedded/postgres.ts';
import { createAccount, openLedger, silent, sql } from '../ledger/servers.ts';
import { OWN_ENV } from '../own-env.ts';

const MAIN = join(import.meta.dirname, '../../packages/cli/src/main.ts');
const DEBIAN_BIN = '/usr/lib/postgresql/15/bin';

let folder: string;
const servers = new Set<PostgresServer>();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'));
  await chmod(folder, 0o755); // else root's database would be elsewhere
});
afterEach(async () => {
  for (const server of servers) await server.stop();
  servers.clear();
  await rm(folder, { recursive: true, force: true });
});

const start = async (dataDir: string): Promise<PostgresServer> => {
  const server = await startEmbeddedPostgres({ dataDir, log: silent });
  servers.add(server);
  return server;
};
const stop = async (server: PostgresServer): Promise<void> => {
  servers.delete(server);
  await server.stop();
};

/** Runs the program, as an operator does. Rejects where it ends with another status than 0. */
const withSettings = (env: Record<string, string>, ...words: string[]) =>
  promisify(execFile)(process.execPath, [MAIN, ...words], { env: { ...OWN_ENV, ...env }, encoding: 'buffer' });
const vedette = (dataDir: string, ...words: string[]) => withSettings({ VEDETTE_DATA_DIR: dataDir }, ...words);

/** An account, and what it has spent. */
async function spendSomething(url: string): Promise<void> {
  const ledger = await openLedger(url);
  const account = await createAccount(ledger, 1_000);
  await ledger.settle(await ledger.reserve({ account, cost: 7, operation: 'ping-test', deadlineMs: 10_000 }));
  await ledger.close();
}
const books = (url: string) =>
  sql(url, 'SELECT a.id, spent::integer, e.reservation_id FROM accounts a JOIN entries e ON e.account_id = a.id');

it('backs up while the database runs and while it does not, and brings all of it back when the data directory is lost', async () => {
  const dataDir = join(folder, 'data');
  const running = await start(dataDir);
  await spendSomething(running.url);
  await writeFile(join(dataDir, 'bootstrap-key'), 'vdt_key\n', { mode: 0o600 });
  const file = join(folder, 'running.sql.gz');
  const { stdout } = await vedette(dataDir, '--json', 'backup', file);
  expect(JSON.parse(stdout.toString())).toMatchObject({ file, rows: { accounts: 1, entries: 1 } });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await expect(vedette(dataDir, 'backup', file)).rejects.toThrow(`${file} exists already`);
  await expect(vedette(dataDir, 'restore', file)).rejects.toThrow(`is in use by process ${process.pid}`);
  const expected = await books(running.url);
  await stop(running);

  // The gateway is stopped: the command starts the database itself, and stops it.
  const { stdout: piped } = await vedette(dataDir, 'backup', '-');
  await writeFile(join(folder, 'stopped.sql.gz'), piped);
  await expect(vedette(dataDir, 'restore', file)).rejects.toThrow('the database is not empty');

  await rename(dataDir, `${dataDir}.lost`);
  await expect(vedette(dataDir, 'backup', '-')).rejects.toThrow(`there is no database in ${dataDir}`);
  for (const name of ['running.sql.gz', 'stopped.sql.gz']) {
    await rm(dataDir, { recursive: true, force: true });
    await vedette(dataDir, 'restore', join(folder, name));
    expect(await readFile(join(dataDir, 'bootstrap-key'), 'utf8')).toBe('vdt_key\n');
    expect((await stat(join(dataDir, 'bootstrap-key'))).mode & 0o777).toBe(0o600);
    const restored = await start(dataDir);
    expect(await books(restored.url)).toEqual(expected);
    await stop(restored);
  }
});

it('leaves no file where something cannot be read', async () => {
  const dataDir = join(folder, 'data');
  const running = await start(dataDir);
  await spendSomething(running.url);
  const file = join(folder, 'vedette.sql.gz');
  // One table cannot be read, behind others that were written.
  await sql(
    running.url,
    'CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader; REVOKE SELECT ON usage_daily FROM reader',
  );
  const asReader = `${running.url}&options=${encodeURIComponent('-c role=reader')}`;
  await expect(withSettings({ VEDETTE_DATABASE_URL: asReader }, 'backup', file)).rejects.toThrow('permission denied for table usage_daily');
  expect(await readdir(folder)).toEqual(['data']);
  await stop(running);
});

it('restores nothing from a file that is missing, none of ours or cut off, and says so in a sentence', async () => {
  const [file, dataDir] = [join(folder, 'vedette.sql.gz'), join(folder, 'new')];
  const said = (path: string) =>
    vedette(dataDir, 'restore', path).then(
      () => undefined,
      ({ stderr }: { stderr: Buffer }) => stderr.toString(),
    );
  expect(await said(file)).toBe(`vedette: ENOENT: no such file or directory, open '${file}'\n`);
  expect(await readdir(folder)).toEqual([]);
  await writeFile(file, 'no gzip');
  expect(await said(file)).toBe('vedette: this file is not a complete backup: incorrect header check\n');
  await writeFile(file, gzipSync('anything').subarray(0, -4));
  expect(await said(file)).toBe('vedette: this file is not a complete backup: unexpected end of file\n');
});

it('carries everything over to another major version of PostgreSQL, which cannot read the files of the one before', async () => {
  const dataDir = join(folder, 'data');
  const layout = { ...(await prepareLayout(await findLayout(dataDir))), bin: DEBIAN_BIN };
  const old = await runPostgres(layout, silent);
  servers.add(old);
  await spendSomething(old.url);
  const expected = await books(old.url);
  const file = join(folder, 'vedette.sql.gz');
  await writeFile(file, (await withSettings({ VEDETTE_DATABASE_URL: old.url }, 'backup', '-')).stdout);
  await stop(old);

  await expect(startEmbeddedPostgres({ dataDir, log: silent })).rejects.toThrow('initialized by PostgreSQL version 15');
  await rename(layout.home, `${layout.home}.15`);
  await vedette(dataDir, 'restore', file);
  const server = await start(dataDir);
  expect(await books(server.url)).toEqual(expected);
});
