import type { Log } from '@vedette/process/log';
import { StartError } from '@vedette/process/start-error';
import type { User } from '@vedette/process/users';
import { join } from 'node:path';
import { readFile, stat } from 'node:fs/promises';
import { DirectoryHeldError, lockDirectory } from './directory-lock.ts';
import { type Disk, DiskReserve } from './disk-reserve.ts';
import { assertCanStop, findLayout, homeOf, layoutFor, prepareLayout } from './layout.ts';
import { readPostmasterFile, stopLeftover } from './leftover.ts';
import { assertNamed, giveTo } from './ownership.ts';
import { ensureCluster, PASSWORD_FILE, type PostgresServer, runPostgres, urlOf } from './postgres.ts';

export interface EmbeddedPostgres extends PostgresServer {
  /** The disk that its files are on. */
  disk: Disk;
}

/**
 * Our own PostgreSQL in the data directory, reached by a Unix socket only. Survives kill -9 of anything: a server whose owner
 * was killed is stopped and started anew, with recovery. Throws `DirectoryHeldError` when another process has the directory.
 */
export async function startEmbeddedPostgres({ dataDir, log }: { dataDir: string; log: Log }): Promise<EmbeddedPostgres> {
  const found = await findLayout(dataDir);
  const lock = await lockDirectory(found.home);
  try {
    const layout = await prepareLayout(found);
    await stopLeftover(layout, log);
    const server = await runPostgres(layout, log);
    return {
      url: server.url,
      disk: new DiskReserve(layout.home, { log }),
      async stop() {
        await server.stop();
        await lock.release();
      },
    };
  } catch (cause) {
    await lock.release();
    throw cause;
  }
}

/** The database of a data directory, which no other process starts until it is let go of. */
export interface HeldPostgres {
  handOver(to: NewOwner): Promise<void>;
  release(): Promise<void>;
}

export interface NewOwner {
  user: User;
  /** The rights which that user needs to reach our files. */
  capabilities: readonly string[];
  log: Log;
}

/**
 * Holds the database for one who prepares the data directory for a gateway. Throws `DirectoryHeldError` when another process holds the
 * directory: its server runs, and needs its files as they are; `StartError` when the database could not be ended.
 */
export async function holdPostgres(dataDir: string): Promise<HeldPostgres> {
  assertCanStop();
  const home = await homeOf(dataDir, undefined);
  const isNew = !(await stat(join(home, 'cluster')).catch(() => undefined));
  if (isNew && process.getuid?.() !== 0) assertNamed(); // who runs it is going to set it up
  const lock = await lockDirectory(home);
  return {
    /**
     * Prepares, as root, the database of a gateway that runs PostgreSQL as an unprivileged user. It makes the cluster, since initdb
     * requires a user with a name, and gives all files to that user.
     */
    async handOver({ user, capabilities, log }) {
      const layout = await layoutFor(user, home);
      await stopLeftover(layout, log);
      await ensureCluster(layout, capabilities);
      await giveTo(user, layout.home);
    },
    release: lock.release,
  };
}

/**
 * The PostgreSQL of a data directory, for who reads it beside its gateway: the one that runs, else one that is started until `stop`. Throws
 * `StartError` when the database is missing, when only another user could start it, or when its gateway has not made it yet.
 */
export async function reachEmbeddedPostgres({ dataDir, log }: { dataDir: string; log: Log }): Promise<PostgresServer> {
  const { home, user } = await findLayout(dataDir);
  const cluster = join(home, 'cluster');
  const { uid: owner } = await stat(cluster).catch((cause: unknown) => {
    throw new StartError(`there is no database in ${dataDir}`, { cause });
  });
  try {
    if (owner === (user?.uid ?? process.getuid?.())) return await startEmbeddedPostgres({ dataDir, log });
    // It belongs to another user: starting it here would take it from that user.
    await (await lockDirectory(home)).release();
  } catch (cause) {
    if (!(cause instanceof DirectoryHeldError)) throw cause;
    const [password, running] = await Promise.all([readFile(join(home, PASSWORD_FILE), 'utf8'), readPostmasterFile(cluster)]);
    if (running?.ready !== true) throw new StartError(`${cause.message}, whose database is not ready`, { cause });
    return { url: urlOf(running, password.trim()), stop: async () => undefined };
  }
  throw new StartError(`the database in ${dataDir} is user ${owner}'s: start its gateway, or run this as that user`);
}
