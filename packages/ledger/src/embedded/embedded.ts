import type { Log } from '@vedette/process/log';
import { lockDirectory } from './directory-lock.ts';
import type { User } from '@vedette/process/users';
import { layoutFor, prepareLayout } from './layout.ts';
import { stopLeftover } from './leftover.ts';
import { giveTo } from './ownership.ts';
import { ensureCluster, type PostgresServer, runPostgres } from './postgres.ts';

/**
 * Our own PostgreSQL in the data directory, reached by a Unix socket only. Survives kill -9 of anything: a server whose owner
 * was killed is stopped and started anew, with recovery. Throws `DirectoryHeldError` when another process has the directory.
 */
export async function startEmbeddedPostgres({ dataDir, log }: { dataDir: string; log: Log }): Promise<PostgresServer> {
  const layout = await prepareLayout(dataDir);
  const lock = await lockDirectory(layout.home);
  try {
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

/**
 * What root does for a gateway that will run its PostgreSQL as an unprivileged user: the cluster is made, since initdb wants a user with a name, and
 * all of it becomes that user's, whoever had it before. `capabilities` are what that user needs to get at our files. Throws `DirectoryHeldError` when
 * another process has the directory: its server is no leftover.
 */
export async function handOverPostgres({
  dataDir,
  user,
  capabilities,
  log,
}: {
  dataDir: string;
  user: User;
  capabilities: readonly string[];
  log: Log;
}): Promise<void> {
  const layout = await layoutFor(user, dataDir);
  const lock = await lockDirectory(layout.home);
  try {
    await stopLeftover(layout, log);
    await ensureCluster(layout, capabilities);
    await giveTo(user, layout.home);
  } finally {
    await lock.release();
  }
}
