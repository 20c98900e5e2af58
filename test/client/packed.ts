import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../repo/pages.ts';

/** Builds @vedette/client, packs it by npm, and unpacks it where npm would in the project of this folder. */
export function installClient(folder: string): void {
  const built = join(folder, 'built');
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/build-client.ts', '--out', built], { cwd: ROOT });
  const [packed] = JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', folder, built], { encoding: 'utf8' })) as {
    filename: string;
  }[];
  const home = join(folder, 'node_modules/@vedette/client');
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, packed!.filename), '-C', home, '--strip-components=1']);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
}
