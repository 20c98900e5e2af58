import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, type Rights, startChild } from '@vedette/process/child';
import type { Log } from '@vedette/process/log';
import { backOff, supervise } from '@vedette/process/supervise';
import { Client } from 'pg';
import { isThere, type Layout } from './layout.ts';
import { readPostmasterFile } from './leftover.ts';
import { assertNamed, giveTo, userWithAccount } from './ownership.ts';

/** Recovery after a crash is part of a start. */
const START_TIMEOUT_MS = 120_000;
const FIRST_DELAY_MS = 250;
const LAST_LINES = 5;
/** The role and the database that initdb creates. */
const SUPERUSER = 'vedette';
const DATABASE = 'postgres';

/** Beside the cluster. */
export const PASSWORD_FILE = 'password';

export interface PostgresServer {
  /** A connection string that `pg` and libpq understand. */
  url: string;
  /** Fast shutdown: transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
}

/** Runs the cluster of a layout, and makes it first if it is missing. A server that dies is started again until `stop`. */
export async function runPostgres(layout: Layout, log: Log): Promise<PostgresServer> {
  await ensureCluster(layout, []);
  const password = await ensurePassword(layout, log);
  await admit(layout, 'scram-sha-256');
  let server = await startServer(layout, log);
  const supervised = supervise(server.child, {
    again: async () => (server = await startServer(layout, log)).child,
    // The children of a killed postmaster hold the shared memory for a moment, and a full disk lasts longer than that.
    delayMs: backOff(FIRST_DELAY_MS),
    onEnd: ({ error }, delay_ms) =>
      log.error({ err: error, reason: server.lastLines(), delay_ms }, 'PostgreSQL ended by itself; starting it again'),
    onFailure: (error, delay_ms) => log.error({ reason: (error as Error).message, delay_ms }, 'PostgreSQL does not start; trying again'),
  });

  return {
    url: urlOf(layout, password),
    async stop() {
      await supervised.stop();
      // The folder made for a path that was too long for a socket.
      if (!layout.socket.startsWith(layout.home)) await rm(layout.socket, { recursive: true, force: true });
    },
  };
}

interface Running {
  child: Child;
  lastLines(): string;
}

async function startServer(layout: Layout, log: Log): Promise<Running> {
  // The error of a child whose folder is missing names its program.
  if (!(await isThere(layout.cluster))) throw new Error(`its folder is gone: ${layout.cluster}`);
  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: layout.socket,
    unix_socket_permissions: '0700',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    timezone: 'UTC',
    shared_buffers: '64MB',
    max_connections: '100',
    max_wal_size: '512MB',
    // Reservations come and go by the thousand: their space is taken back soon.
    autovacuum_naptime: '10s',
    // No process that waits for replicas: 1 MB. Debian's PostgreSQL 15 has to know all of these settings.
    max_logical_replication_workers: '0',
  };
  const lines: string[] = [];
  const child = startChild({
    command: join(layout.bin, 'postgres'),
    args: ['-D', layout.cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    endSignal: 'SIGINT', // fast shutdown, PostgreSQL docs §18.5
    rights: rightsOf(layout),
    cwd: layout.home,
    onLine(line) {
      lines.push(line);
      if (lines.length > LAST_LINES) lines.shift();
      log.debug({ line }, 'postgres');
    },
  });
  const lastLines = (): string => lines.join(' | ');
  const ended = child.gone.then(({ error }) =>
    Promise.reject(new Error(`PostgreSQL did not start: ${error?.message ?? lastLines()}`, { cause: error })),
  );
  await Promise.race([untilReady(child.process, layout), ended]);
  return { child, lastLines };
}

async function untilReady(child: ChildProcess, layout: Layout): Promise<void> {
  await once(child, 'spawn');
  for (let waited = 0; waited < START_TIMEOUT_MS && child.exitCode === null && child.signalCode === null; waited += 10) {
    const postmaster = await readPostmasterFile(layout.cluster);
    if (postmaster?.pid === child.pid && postmaster?.ready) return;
    await sleep(10);
  }
  child.kill('SIGQUIT');
  throw new Error(`PostgreSQL was not ready after ${START_TIMEOUT_MS / 1000} s`);
}

/** Makes a missing cluster by initdb under another name first, so that a cluster is complete or absent. */
export async function ensureCluster(layout: Layout, capabilities: readonly string[]): Promise<void> {
  const { cluster, user } = layout;
  if (await isThere(join(cluster, 'PG_VERSION'))) return;
  if (!user) assertNamed();
  const fresh = `${cluster}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  // initdb requires a user with a name, and ours has none: the cluster belongs to another user until it is complete.
  const maker = user && (await userWithAccount());
  if (maker) await giveTo(maker, fresh);
  const lines: string[] = [];
  const { gone } = startChild({
    command: join(layout.bin, 'initdb'),
    args: ['-D', fresh, '-U', SUPERUSER, '-A', 'reject', '--locale=C', '-E', 'UTF8'],
    endSignal: 'SIGTERM',
    rights: maker && { user: maker, capabilities },
    cwd: layout.home,
    onLine: (line) => lines.push(line),
  });
  const { code, error } = await gone;
  if (code !== 0) throw new Error(`initdb failed: ${error?.message ?? lines.slice(-LAST_LINES).join(' | ')}`, { cause: error });
  if (user) await giveTo(user, fresh);
  await rename(fresh, cluster);
}

/** Says how those prove who they are that reach the socket. */
const admit = (layout: Layout, method: 'scram-sha-256' | 'trust'): Promise<void> =>
  writeWhole(layout, join(layout.cluster, 'pg_hba.conf'), `# Written at every start.\nlocal all all ${method}\n`);

/**
 * The superuser's password, which is random, and kept beside the cluster for our user alone. Set before the server that other users can
 * reach starts.
 */
async function ensurePassword(layout: Layout, log: Log): Promise<string> {
  const path = join(layout.home, PASSWORD_FILE);
  const kept = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (kept !== '') return kept;
  const password = randomBytes(24).toString('base64url');
  // The folder of its socket is closed to other users, but safety must not depend on that: trust lasts for this one session.
  await admit(layout, 'trust');
  const { child } = await startServer(layout, log);
  try {
    const client = new Client(urlOf(layout, ''));
    await client.connect();
    await client.query(`ALTER ROLE ${SUPERUSER} PASSWORD '${password}'`);
    await client.end();
  } finally {
    await child.stop();
  }
  await writeWhole(layout, path, `${password}\n`);
  return password;
}

export const urlOf = ({ socket }: Pick<Layout, 'socket'>, password: string): string =>
  `postgresql:///${DATABASE}?host=${encodeURIComponent(socket)}&user=${SUPERUSER}&password=${password}`;

/** Writes a file for PostgreSQL's user alone, whole or not at all, and follows no link in its place. */
async function writeWhole({ user }: Layout, path: string, text: string): Promise<void> {
  await rm(`${path}.new`, { force: true });
  await writeFile(`${path}.new`, text, { flag: 'wx', mode: 0o600 });
  if (user) await giveTo(user, `${path}.new`);
  await rename(`${path}.new`, path);
}

/** A server needs no capability of ours. */
const rightsOf = ({ user }: Layout): Rights | undefined => user && { user, capabilities: [] };
