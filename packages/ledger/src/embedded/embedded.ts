import type { Log } from '@vedette/process/log';
import { lockDirectory } from './directory-lock.ts';
import { prepareLayout } from './layout.ts';
import { stopLeftover } from './leftover.ts';
import { type PostgresServer, runPostgres } from './postgres.ts';

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
