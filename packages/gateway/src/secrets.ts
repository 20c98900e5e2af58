import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A secret of ours in the data dir: what is there, or a new one, readable by our user alone. */
export function keptSecret(dataDir: string, name: string, create: () => string): string {
  const path = join(dataDir, name);
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  mkdirSync(dataDir, { recursive: true });
  const secret = create();
  writeFileSync(path, `${secret}\n`, { mode: 0o600 });
  return secret;
}
