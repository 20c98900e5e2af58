import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertStrongToken } from '@vedette/process/settings';
import { StartError } from '@vedette/process/start-error';
import type { GatewaySettings } from './config.ts';

/** A secret of ours in the data dir, readable by our user alone: what is there, be it of another gateway that starts just now, or a new one. */
export function keptSecret(dataDir: string, name: string, create: () => string): string {
  const path = join(dataDir, name);
  const kept = read(path);
  if (kept) return kept;
  mkdirSync(dataDir, { recursive: true });
  // Whole or not at all: a full disk would leave an empty file in place of the secret.
  const fresh = `${path}.${process.pid}.new`;
  try {
    writeFileSync(fresh, `${create()}\n`, { mode: 0o600 });
    if (read(path) === '') rmSync(path);
    linkSync(fresh, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  return read(path)!;
}

/** The token of /admin: the setting's, else the one that is kept, which may have come with a backup. Throws a `StartError` where that can be guessed. */
export function adminToken({ VEDETTE_ADMIN_TOKEN, VEDETTE_DATA_DIR }: GatewaySettings): string {
  if (VEDETTE_ADMIN_TOKEN !== undefined) return VEDETTE_ADMIN_TOKEN;
  const token = keptSecret(VEDETTE_DATA_DIR, 'admin-token', () => randomBytes(32).toString('base64url'));
  try {
    assertStrongToken(token);
  } catch (cause) {
    throw new StartError(`the token in ${join(VEDETTE_DATA_DIR, 'admin-token')}: ${(cause as Error).message}`, { cause });
  }
  return token;
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return undefined;
  }
};

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
