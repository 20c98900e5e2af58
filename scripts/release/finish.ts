import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installer } from './installer.ts';

/** What a release is finished with. */
export interface Finishing {
  version: string;
  /** Where releases will be; empty where install.sh fetches nothing. */
  url: string;
  /** Secret key of minisign; undefined without signatures. */
  key: string | undefined;
}

/** The public key of minisign that belongs beside a secret one. */
export const publicKeyFile = (key: string): string => key.replace(/(\.key)?$/, '.pub');

/** Writes `install.sh`, `SHA256SUMS` and, with a key, `SHA256SUMS.minisig` beside the files of a release. */
export function finishRelease(out: string, { version, url, key }: Finishing): void {
  const publicKey = key === undefined ? '' : readFileSync(publicKeyFile(key), 'utf8').split('\n')[1]!;
  const tarballs = readdirSync(out).filter((name) => /^vedette-agent-.*\.tar\.[gx]z$/.test(name));
  writeFileSync(join(out, 'install.sh'), installer({ version, url, publicKey, hashes: sums(out, tarballs) }), { mode: 0o755 });
  writeFileSync(join(out, 'SHA256SUMS'), sums(out, readdirSync(out).toSorted()));
  // Without a prehash, so that openssl can check it: install.sh says how.
  if (key !== undefined)
    execFileSync('minisign', ['-S', '-l', '-s', key, '-m', join(out, 'SHA256SUMS'), '-t', `Vedette ${version}`], { stdio: 'inherit' });
}

const sums = (folder: string, names: readonly string[]): string =>
  names.length === 0 ? '' : execFileSync('sha256sum', ['--', ...names], { cwd: folder, encoding: 'utf8' });
