import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `node nats-server.ts URL`: puts the nats-server that scripts/binaries.sha256 pins into node_modules, from a place that the operator names: its Debian package,
 * an archive of its makers, or the program itself. The program's hash decides, and nothing of it runs before.
 */

const PINS = readFileSync('scripts/binaries.sha256', 'utf8');
const [, pinned = '', version = ''] = new RegExp(`^(\\S+) nats-server-${process.arch} (\\S+)`, 'm').exec(PINS) ?? [];
const PLACES = [
  'usr/sbin/nats-server',
  `nats-server-v${version}-linux-${process.arch === 'x64' ? 'amd64' : 'arm64'}/nats-server`,
  'nats-server',
];

const [, , url = ''] = process.argv;
const target = `node_modules/.vedette-nats-${version}`;
mkdirSync('node_modules', { recursive: true });
const folder = mkdtempSync(`${target}.`);
try {
  const source = new URL(url);
  const bytes = source.protocol === 'file:' ? readFileSync(fileURLToPath(source)) : await download(source);
  const file = join(folder, 'nats-server');
  writeFileSync(file, bytes);
  if (source.pathname.endsWith('.deb')) execFileSync('dpkg-deb', ['--extract', file, join(folder, 'unpacked')]);
  else if (/\.(tar\.gz|tgz)$/.test(source.pathname)) {
    mkdirSync(join(folder, 'unpacked'));
    execFileSync('tar', ['-xzf', file, '-C', join(folder, 'unpacked')]);
  }
  const program = [...PLACES.map((path) => join(folder, 'unpacked', path)), file].find((path) => hashOf(path) === pinned);
  if (program === undefined) throw new Error(`it is not the nats-server ${version} that scripts/binaries.sha256 pins`);
  if (program !== file) renameSync(program, file);
  rmSync(join(folder, 'unpacked'), { recursive: true, force: true });
  for (const path of [folder, file]) chmodSync(path, 0o755); // its user is another one
  rmSync(target, { recursive: true, force: true });
  renameSync(folder, target);
} catch (error) {
  process.stderr.write(`vedette setup: VEDETTE_NATS_SERVER_URL: ${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function download(source: URL): Promise<Buffer> {
  const answer = await fetch(source);
  if (!answer.ok) throw new Error(`${source.host} answered ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

function hashOf(path: string): string {
  try {
    return hash('sha256', readFileSync(path));
  } catch {
    return ''; // it is not in there
  }
}
