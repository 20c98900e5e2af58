import { existsSync } from 'node:fs';
import { chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { backUp, reachEmbeddedPostgres, restore, startEmbeddedPostgres } from '@vedette/ledger';
import { Command } from 'commander';
import type { CliContext, Database } from '../context/context.ts';
import { table } from '../context/table.ts';

/** Files of the data directory without which clients and operators could not go on as before; everything else there is made or fetched anew. */
const SECRETS = ['bootstrap-key', 'admin-token'];

const WHERE = `
Reads VEDETTE_DATABASE_URL, or the database in VEDETTE_DATA_DIR (./data), as the gateway does: run the command with the gateway's settings, as its user or as root.`;

export function backupCommand({ database, show, version, doctor }: CliContext): Command {
  return new Command('backup')
    .argument('<file>', 'a new file, readable only by the current user; - is the standard output')
    .addHelpText('after', `${WHERE}\n\nExample:\n  $ vedette backup vedette-$(date -u +%F).sql.gz`)
    .action(async (file: string) => {
      const head = { version, created_at: doctor.now().toISOString().replace(/\.\d+/, ''), secrets: await secretsIn(database.dataDir) };
      const rows = await withDatabase(database, reachEmbeddedPostgres, (url) => writeWhole(file, (to) => backUp(url, to, head)));
      if (file !== '-') show({ file, rows }, () => `${counts(rows)}\n\nIn ${file}. It holds secrets: keep it like a key.`);
    });
}

export function restoreCommand({ database, show }: CliContext): Command {
  return new Command('restore')
    .argument('<file>', 'a file of "vedette backup"; - is the standard input')
    .addHelpText('after', `${WHERE}\n\nExample:\n  $ VEDETTE_DATA_DIR=./data vedette restore vedette-2026-11-22.sql.gz`)
    .action(async (file: string) => {
      const input = file === '-' ? process.stdin : (await open(file)).createReadStream(); // before there is a database for nothing
      const { head, rows } = await withDatabase(database, startEmbeddedPostgres, (url) =>
        pipeline(input, createGunzip(), (chunks: AsyncIterable<Buffer>) =>
          restore(url, chunks, { secrets: (secrets) => keepSecrets(database.dataDir, secrets) }),
        ).catch((cause: NodeJS.ErrnoException) => {
          // zlib's messages do not name the file.
          throw cause.code?.startsWith('Z_') ? new Error(`this file is not a complete backup: ${cause.message}`, { cause }) : cause;
        }),
      );
      show({ created_at: head.created_at, rows }, () => `${counts(rows)}\n\nAs of ${head.created_at}. Start its gateway.`);
    });
}

const counts = (rows: Readonly<Record<string, number>>): string => table(['table', 'rows'], Object.entries(rows));

/** Works with the operator's database, else with that of the data directory, which `open` brings up. */
async function withDatabase<T>(
  { url, dataDir, log }: Database,
  open: typeof reachEmbeddedPostgres,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (url !== undefined) return work(url);
  const server = await open({ dataDir, log });
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

async function secretsIn(dataDir: string): Promise<Record<string, string>> {
  const files = SECRETS.map(async (name) => [name, await readFile(join(dataDir, name), 'utf8').catch(absent)] as const);
  return Object.fromEntries((await Promise.all(files)).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Writes those that we know. One that is there already is another system's, and stays: then nothing is restored. */
async function keepSecrets(dataDir: string, secrets: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const { uid, gid } = await stat(dataDir);
  for (const name of SECRETS) {
    const text = secrets[name];
    const path = join(dataDir, name);
    if (text === undefined || text === (await readFile(path, 'utf8').catch(absent))) continue;
    await writeFile(path, text, { mode: 0o600, flag: 'wx', flush: true });
    if (process.getuid?.() === 0) await chown(path, uid, gid);
  }
}

/** Writes a new file, gzipped, whole or not at all: it gets its name when it is on the disk. */
async function writeWhole<T>(file: string, work: (to: Writable) => Promise<T>): Promise<T> {
  if (file === '-') return gzipped(process.stdout, work);
  const assertNew = (): void => {
    if (existsSync(file)) throw new Error(`${file} exists already`);
  };
  assertNew();
  const fresh = `${file}.${process.pid}.new`;
  const handle = await open(fresh, 'wx', 0o600);
  try {
    const done = await gzipped(handle.createWriteStream({ flush: true }), work);
    assertNew();
    await rename(fresh, file);
    return done;
  } finally {
    await handle.close();
    await rm(fresh, { force: true });
  }
}

async function gzipped<T>(to: NodeJS.WritableStream, work: (to: Writable) => Promise<T>): Promise<T> {
  const gzip = createGzip();
  const written = pipeline(gzip, to);
  written.catch(() => undefined); // awaited below; what fails meanwhile fails the work
  try {
    const done = await work(gzip);
    gzip.end();
    await written;
    return done;
  } catch (cause) {
    gzip.destroy();
    throw cause;
  }
}
