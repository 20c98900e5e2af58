import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Child, startChild } from '@vedette/process/child';
import type { Log } from '@vedette/process/log';
import { supervise } from '@vedette/process/supervise';
import type { Layout } from './layout.ts';
import { readPostmasterFile } from './leftover.ts';

/** Recovery after a crash is part of a start. */
const START_TIMEOUT_MS = 120_000;
const RESTART_DELAY_MS = 250;
const LAST_LINES = 5;
/** The role and the database that initdb creates. */
const SUPERUSER = 'vedette';
const DATABASE = 'postgres';

export interface PostgresServer {
  /** A connection string that `pg` and libpq understand. */
  url: string;
  /** Fast shutdown: transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
}

/** Runs the cluster of a layout, made first where there is none. A server that dies is started again until `stop`. */
export async function runPostgres(layout: Layout, log: Log): Promise<PostgresServer> {
  if (!(await exists(join(layout.cluster, 'PG_VERSION')))) await createCluster(layout);
  let server = await startServer(layout, log);
  const supervised = supervise(server.child, {
    again: async () => (server = await startServer(layout, log)).child,
    // The children of a killed postmaster hold the shared memory for a moment, and a full disk lasts longer than that.
    delayMs: () => RESTART_DELAY_MS,
    onEnd: ({ error }) => log.error({ err: error, reason: server.lastLines() }, 'PostgreSQL ended by itself; starting it again'),
    onFailure: (err) => log.error({ err }, 'PostgreSQL does not start'),
  });

  return {
    url: `postgresql:///${DATABASE}?host=${encodeURIComponent(layout.socket)}&user=${SUPERUSER}`,
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
  };
  const lines: string[] = [];
  const child = startChild({
    command: join(layout.bin, 'postgres'),
    args: ['-D', layout.cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    endSignal: 'SIGINT', // fast shutdown, PostgreSQL docs §18.5
    user: credentials(layout),
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

/** initdb under another name first: a cluster is there complete or not at all. */
async function createCluster(layout: Layout): Promise<void> {
  const fresh = `${layout.cluster}.new`;
  await rm(fresh, { recursive: true, force: true });
  await promisify(execFile)(
    join(layout.bin, 'initdb'),
    // Whoever may enter the socket's folder is trusted: it is closed to others.
    ['-D', fresh, '-U', SUPERUSER, '-A', 'trust', '--locale=C', '-E', 'UTF8'],
    { ...credentials(layout), cwd: layout.home },
  );
  await rename(fresh, layout.cluster);
}

const credentials = ({ user }: Layout): { uid: number; gid: number } | undefined => user && { uid: user.uid, gid: user.gid };

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined;
