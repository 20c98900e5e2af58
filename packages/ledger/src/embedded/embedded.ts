import type { Log } from '@vedette/process/log';
import type { User } from '@vedette/process/users';
import { lockDirectory } from './directory-lock.ts';
import { assertCanStop, findLayout, homeOf, layoutFor, prepareLayout } from './layout.ts';
import { stopLeftover } from './leftover.ts';
import { giveTo } from './ownership.ts';
import { ensureCluster, type PostgresServer, runPostgres } from './postgres.ts';

/**
 * Our own PostgreSQL in the data directory, reached by a Unix socket only. Survives kill -9 of anything: a server whose owner
 * was killed is stopped and started anew, with recovery. Throws `DirectoryHeldError` when another process has the directory.
 */
export async function startEmbeddedPostgres({ dataDir, log }: { dataDir: string; log: Log }): Promise<PostgresServer> {
  const found = await findLayout(dataDir);
  const lock = await lockDirectory(found.home);
  try {
    const layout = await prepareLayout(found);
    await stopLeftover(layout, log);
    const server = await runPostgres(layout, log);
    return {
      url: server.url,
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
  /** What that user needs to get at our files. */
  capabilities: readonly string[];
  log: Log;
}

/**
 * Holds the database for one who prepares the data directory for a gateway. Throws `DirectoryHeldError` when another process has it: its server is no
 * leftover, and needs its files as they are; `StartError` where nobody could end the database.
 */
export async function holdPostgres(dataDir: string): Promise<HeldPostgres> {
  assertCanStop();
  const home = await homeOf(dataDir, undefined);
  const lock = await lockDirectory(home);
  return {
    /**
     * What root does for a gateway that will run its PostgreSQL as an unprivileged user: the cluster is made, since initdb wants a user with a name,
     * and all of it becomes that user's, whoever had it before.
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
