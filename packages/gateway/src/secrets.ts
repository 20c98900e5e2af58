import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A secret of ours in the data dir, readable by our user alone: what is there, be it of another gateway that starts just now, or a new one. */
export function keptSecret(dataDir: string, name: string, create: () => string): string {
  const path = join(dataDir, name);
  const kept = read(path);
  if (kept) return kept;
  mkdirSync(dataDir, { recursive: true });
  // Whole or not at all: a full disk would leave an empty file, which is no secret.
  const fresh = `${path}.${process.pid}.new`;
  try {
    writeFileSync(fresh, `${create()}\n`, { mode: 0o600 });
    if (read(path) === '') rmSync(path);
    linkSync(fresh, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  return read(path)!;
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
};
