import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Role, writeArtefacts } from './release/artefacts.ts';
import { createBuilder } from './release/build.ts';
import { finishRelease, publicKeyFile } from './release/finish.ts';
import { compress, tar } from './release/pack.ts';

/**
 * `npm run release [-- --out <folder> --key <secret key of minisign> --url <address> agent gateway renderer]`: the files of a release, of what is committed.
 * Two runs on the same commit and packages of Debian write the same bytes (docs/releasing.md).
 */

const ROLES: readonly Role[] = ['agent', 'gateway', 'renderer'];
const PROGRAMS = { debootstrap: 'debootstrap', patchelf: 'patchelf', xz: 'xz-utils', unshare: 'util-linux', git: 'git' };

class ReleaseError extends Error {}

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Throws, with what to do, where this machine cannot make a release. */
function assertAble(key: string | undefined): void {
  if (process.getuid?.() !== 0) throw new ReleaseError('a release is built in roots of Debian, by debootstrap and chroot: run it as root');
  const wanted = Object.entries({ ...PROGRAMS, ...(key !== undefined && { minisign: 'minisign' }) });
  const missing = wanted.filter(([program]) => spawnSync('sh', ['-c', 'command -v "$0"', program]).status !== 0).map(([, name]) => name);
  if (missing.length > 0)
    throw new ReleaseError(`missing: ${missing.join(', ')}. As root:  apt-get install -y --no-install-recommends ${missing.join(' ')}`);
  if (key !== undefined && !existsSync(publicKeyFile(key)))
    throw new ReleaseError(`the public key belongs beside the secret one, as ${publicKeyFile(key)}`);
  if (git('status', '--porcelain') !== '')
    throw new ReleaseError('a release is made of a commit, and there are changes: commit or remove them');
}

function main(): void {
  const options = {
    out: { type: 'string', default: 'dist/release' },
    key: { type: 'string' },
    url: { type: 'string', default: '' },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const roles = ROLES.filter((role) => positionals.length === 0 || positionals.includes(role));
  const unknown = positionals.filter((name) => !(ROLES as readonly string[]).includes(name));
  if (unknown.length > 0) throw new ReleaseError(`there is no ${unknown.join(', ')}; there are ${ROLES.join(', ')}`);
  assertAble(values.key);
  const out = resolve(values.out);
  if (existsSync(out) && readdirSync(out).length > 0) throw new ReleaseError(`${out} is not empty`);
  mkdirSync(out, { recursive: true });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const release = { version, commit: git('rev-parse', 'HEAD'), epoch: Number(git('log', '-1', '--format=%ct')), out };
  const folder = mkdtempSync(join(tmpdir(), 'vedette-release-'));
  try {
    const builder = createBuilder('deploy/Dockerfile', {
      folder,
      given: { REVISION: release.commit },
      epoch: release.epoch,
      log: (line) => say(line.slice(0, 160)),
    });
    for (const role of roles) writeArtefacts(role, builder.build(role), release, say);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  writeChart(version, release.epoch, out);
  rmSync(join(out, '.work'), { recursive: true });
  finishRelease(out, { version, url: values.url, key: values.key });
  say(`${out}: release ${version} of ${release.commit}${values.key === undefined ? ', without a signature' : ''}`);
}

/** The Helm chart as Helm packs it: in a folder of its name. */
function writeChart(version: string, epoch: number, out: string): void {
  const work = join(out, '.work');
  cpSync('deploy/helm', join(work, 'vedette'), { recursive: true });
  const { path } = compress(tar(work, ['vedette'], join(work, 'chart.tar'), { epoch, owners: 'root' }).path, 'gz');
  renameSync(path, join(out, `vedette-${version}.tgz`));
}

try {
  main();
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  process.stderr.write(`vedette release: ${error.message}\n`);
  process.exitCode = 1;
}
