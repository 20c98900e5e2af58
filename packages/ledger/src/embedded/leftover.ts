import { readFile, readlink, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@vedette/process/log';
import { processState } from '@vedette/process/orphans';
import type { Layout } from './layout.ts';

/** How long a server is given to end by itself before the next stronger signal. */
const PATIENCE_MS = 5_000;

/** The lines of postmaster.pid: pid, data directory, start, port, socket directory, address, shared memory, state. */
export interface PostmasterFile {
  pid: number;
  socket: string;
  ready: boolean;
}

export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  return pid > 1 ? { pid, socket: lines[4] ?? '', ready: lines[7] === 'ready' } : undefined;
}

/**
 * Stops a server whose owner was killed. The caller holds the directory's lock, so a server that runs on this cluster has no owner. Leaves
 * its socket folder behind only where it is ours to reuse.
 */
export async function stopLeftover({ cluster, home }: Layout, log: Log): Promise<void> {
  const left = await readPostmasterFile(cluster);
  if (!left) return;
  if (await isPostgresOf(left.pid, cluster)) {
    log.warn({ pid: left.pid }, 'stopping the PostgreSQL that a killed process left running');
    // A stopped process takes no signal but SIGCONT. Fast shutdown first, then immediate (recovery follows), PostgreSQL docs §18.5.
    for (const signal of ['SIGCONT', 'SIGINT', 'SIGQUIT'] as const) {
      kill(left.pid, signal);
      if (signal !== 'SIGCONT' && (await ended(left.pid))) break;
    }
    if (isAlive(left.pid)) throw new Error(`PostgreSQL process ${left.pid} on ${cluster} does not stop`);
  }
  await removeLocks(left, cluster);
  if (left.socket !== '' && !left.socket.startsWith(home)) await rm(left.socket, { recursive: true, force: true });
}

// Process ids are reused: only a `postgres` that works in this cluster is ours to stop.
async function isPostgresOf(pid: number, cluster: string): Promise<boolean> {
  const [program, directory] = await Promise.all([readlink(`/proc/${pid}/exe`), readlink(`/proc/${pid}/cwd`)]).catch(() => ['', '']);
  return basename(program) === 'postgres' && directory === cluster;
}

async function ended(pid: number): Promise<boolean> {
  for (let waited = 0; waited < PATIENCE_MS && isAlive(pid); waited += 20) await sleep(20);
  return !isAlive(pid);
}

/**
 * PostgreSQL considers a lock file held while its process exists. An ended process exists until its parent collects it, which the first
 * process of a container may never do. A pid may also belong to another process by now. PostgreSQL still finds the users of the old
 * server's shared memory, because its key comes from the directory's inode.
 */
async function removeLocks({ pid, socket }: PostmasterFile, cluster: string): Promise<void> {
  if (await isPostgresOf(pid, cluster)) return;
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  if (socket !== '') await rm(join(socket, '.s.PGSQL.5432.lock'), { force: true });
}

function isAlive(pid: number): boolean {
  const { state = 'X' } = processState(pid) ?? {};
  return state !== 'X' && state !== 'Z';
}

function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
