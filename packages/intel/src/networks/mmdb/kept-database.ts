import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Mmdb } from './mmdb.ts';

const NAME = /^cities-\d{4}-\d{2}-\d{2}-\d+\.mmdb$/;

/**
 * Puts a database into a file of the folder, unless it is there already, and says where; undefined where that cannot be. Older files are
 * deleted; a process that reads one still has it open. Rejects with a RangeError for bytes that are not a MaxMind DB.
 */
export async function keepDatabase(bytes: Uint8Array, folder: string): Promise<string | undefined> {
  const { built } = new Mmdb(bytes).head;
  const name = `cities-${built.toISOString().slice(0, 10)}-${bytes.length}.mmdb`;
  const path = join(folder, name);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!(await isWhole(path, bytes.length))) {
      await writeFile(`${path}.${process.pid}`, bytes, { mode: 0o600 });
      await rename(`${path}.${process.pid}`, path);
    }
    for (const other of await readdir(folder)) if (NAME.test(other) && other !== name) await rm(join(folder, other), { force: true });
    return path;
  } catch {
    return undefined; // the disk is full, or the folder is not writable
  }
}

const isWhole = async (path: string, bytes: number): Promise<boolean> =>
  stat(path).then(
    ({ size }) => size === bytes,
    () => false,
  );
