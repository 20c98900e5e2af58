import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNkey, withLocations } from '../wire/credentials.ts';

/** The key of that name in the folder, made if it is missing. */
export function identity(folder: string, name: string): { name: string; path: string; publicKey: string } {
  const path = join(folder, `${name}.nkey`);
  const publicPath = `${path}.pub`;
  if (!existsSync(path) || !existsSync(publicPath)) {
    const { seed, publicKey } = createNkey();
    writeWhole(path, `${seed}\n`, 0o600);
    writeWhole(publicPath, `${publicKey}\n`);
  }
  return { name, path, publicKey: readFileSync(publicPath, 'utf8').trim() };
}

/** Has a gateway's key file tell which locations have a key, so that it shows those whose agent never came. */
export function nameLocations(path: string, agents: readonly { location: string }[]): void {
  const before = readFileSync(path, 'utf8');
  const after = withLocations(
    before,
    agents.map(({ location }) => location),
  );
  if (after !== before) writeWhole(path, after);
}

/**
 * Writes a file whole or not at all: a seed has no other copy, and a full disk or a kill would leave half of it. The readers of an existing
 * file may read its replacement; `mode` is for one that is new.
 */
export function writeWhole(path: string, text: string, mode?: number): void {
  const was = statSync(path, { throwIfNoEntry: false });
  const fresh = `${path}.new`;
  rmSync(fresh, { force: true });
  try {
    writeFileSync(fresh, text, { flag: 'wx', mode: was ? 0o600 : mode, flush: true });
    if (was) {
      chownSync(fresh, was.uid, was.gid);
      chmodSync(fresh, was.mode & 0o7777);
    }
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** The names of so many keys of a role. */
export const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i + 1}`);

/** The names wanted and those that have a key in the folder, each once. */
export function withKept(folder: string, role: 'gateway' | 'agent' | 'pretended' | 'renderer', wanted: readonly string[]): string[] {
  const kept = readdirSync(folder).flatMap((file) => new RegExp(`^${role}-(.+)\\.nkey$`).exec(file)?.[1] ?? []);
  return [...new Set([...wanted, ...kept.toSorted()])];
}
