import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A secret of ours in the data dir: what is there, or a new one, readable by our user alone. */
export function keptSecret(dataDir: string, name: string, create: () => string): string {
  const path = join(dataDir, name);
  const kept = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  if (kept !== '') return kept;
  mkdirSync(dataDir, { recursive: true });
  const secret = create();
  // Whole or not at all: a full disk would leave an empty file, which is no secret.
  writeFileSync(`${path}.new`, `${secret}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return secret;
}
