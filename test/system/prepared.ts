import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createNetworks, useEmbedded } from '@vedette/intel/networks';
import { startEmbeddedPostgres } from '@vedette/ledger';
import { silent } from '../ledger/servers.ts';
import { scratchFolder } from '../scratch.ts';

/** The environment's word for where the folder is: processes that a test starts to start a machine have it, too. */
const FOLDER = 'PREPARED_MACHINE';

/**
 * What a first start makes in its data directory, made once for all system tests of a run: an empty cluster of PostgreSQL and the snapshot of
 * networks, a third of a start's work. Tests of the first start name a data directory, and have nothing prepared.
 */
export default async function prepare(): Promise<() => void> {
  const folder = scratchFolder('prepared');
  const networks = join(folder, 'networks');
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: silent });
  await Promise.all([postgres.disk.check(), useEmbedded(createNetworks(networks), networks)]);
  await postgres.stop();
  rmSync(join(folder, 'pg', 'holder.pid'), { force: true });
  process.env[FOLDER] = folder;
  // A third of a gateway's start is compiling: the first one that ends in peace leaves the others its code. Children with users of their own have none.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Puts what is prepared into a data directory that does not have it. */
export function takeOver(dataDir: string, parts: readonly ('networks' | 'pg')[]): void {
  const folder = process.env[FOLDER];
  if (folder === undefined) return;
  const missing = parts.filter((part) => !existsSync(join(dataDir, part))).map((part) => join(folder, part));
  // Who starts there takes them for its own user.
  if (missing.length > 0) execFileSync('cp', ['-r', '--preserve=mode', ...missing, dataDir]);
}
