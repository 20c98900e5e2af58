import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { finishRelease } from '../../../scripts/release/finish.ts';
import { installer } from '../../../scripts/release/installer.ts';
import { compress, tar } from '../../../scripts/release/pack.ts';

/** `install.sh` of releases whose agent is a script of two lines, run by a user who is not root. */

const NOBODY = 65534;
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
const KEY_ID = Buffer.from('0123456789abcdef', 'hex');
/** All that the script may need. It prefers minisign to openssl; both are right, and openssl is there. */
const PROGRAMS = 'cat cp curl cut dirname gzip head id ln mkdir mktemp mv openssl rm sed sh sha256sum tail tar uname xz xzcat'.split(' ');
let at: string;
let home: string;

beforeEach(() => {
  at = mkdtempSync(join(tmpdir(), 'vedette-install-'));
  onTestFinished(() => rmSync(at, { recursive: true }));
  chmodSync(at, 0o755);
  home = join(at, 'home');
  mkdirSync(home);
  if (user.uid !== undefined) chownSync(home, user.uid, user.gid);
  mkdirSync(join(at, 'bin'));
  for (const name of PROGRAMS) {
    const path = ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
    if (path !== undefined) symlinkSync(path, join(at, 'bin', name));
  }
});

const openssl = (args: readonly string[], input: string | Buffer): Buffer => execFileSync('openssl', args, { input });

/** A secret key of openssl, and the second line of the `minisign.pub` that it would have. */
function createKey(): { secret: string; publicKey: string } {
  const secret = openssl(['genpkey', '-algorithm', 'ed25519'], '').toString();
  const spki = openssl(['pkey', '-pubout', '-outform', 'DER'], secret);
  return { secret, publicKey: Buffer.concat([Buffer.from('Ed'), KEY_ID, spki.subarray(-32)]).toString('base64') };
}
const key = createKey();

/** Writes the signature of a file as `minisign -S -l` does. */
function sign(path: string, secret: string): void {
  writeFileSync(join(at, 'secret.pem'), secret);
  const signed = (bytes: Buffer): Buffer => {
    writeFileSync(join(at, 'bytes'), bytes);
    return openssl(['pkeyutl', '-sign', '-rawin', '-inkey', join(at, 'secret.pem'), '-in', join(at, 'bytes')], '');
  };
  const signature = signed(readFileSync(path));
  const comment = 'Vedette';
  const lines = [
    'untrusted comment: a signature',
    Buffer.concat([Buffer.from('Ed'), KEY_ID, signature]).toString('base64'),
    `trusted comment: ${comment}`,
    signed(Buffer.concat([signature, Buffer.from(comment)])).toString('base64'),
  ];
  writeFileSync(`${path}.minisig`, `${lines.join('\n')}\n`);
}

/** Makes the files of a release below `releases/v<version>`, and its script; `agent` is what the launcher does. */
function release(version: string, { url = '', agent = `echo "vedette agent ${version}" "$@"` } = {}): { folder: string; script: string } {
  const folder = join(at, `releases/v${version}`);
  const name = `vedette-agent-${version}-linux-${process.arch}`;
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'vedette'), `#!/bin/sh\n${agent}\n`, { mode: 0o755 });
  const { path: packed } = tar(folder, [name], join(folder, `${name}.tar`), { epoch: 1_700_000_000, owners: 'root' });
  const files = (['xz', 'gz'] as const).map((kind) => compress(packed, kind));
  rmSync(packed);
  rmSync(join(folder, name), { recursive: true });
  const hashes = files.map(({ path, sha256 }) => `${sha256}  ${basename(path)}\n`).join('');
  writeFileSync(join(folder, 'SHA256SUMS'), hashes);
  sign(join(folder, 'SHA256SUMS'), key.secret);
  const script = join(at, `install-${version}.sh`);
  writeFileSync(script, installer({ version, url, publicKey: key.publicKey, hashes }));
  return { folder, script };
}

async function install(script: string, ...args: string[]): Promise<{ status: number | null; said: string }> {
  const env = { PATH: join(at, 'bin'), HOME: home };
  const child = spawn('/bin/sh', [script, ...args], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'], ...user });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, said };
}

const installed = (): string => join(home, '.local/share/vedette');
const current = (): string => readlinkSync(join(installed(), 'vedette-agent'));
const nameOf = (version: string): string => `vedette-agent-${version}-linux-${process.arch}`;

it('installs without root, from a folder, and upgrades: the earlier version stays beside it', async () => {
  const old = release('1.0.0');
  expect(await install(old.script, '--from', old.folder)).toEqual({
    status: 0,
    said: expect.stringMatching(/vedette agent 1\.0\.0 agent --version\n.*1\.0\.0 is installed.*\n.*vedette agent join -\n$/),
  });
  expect(current()).toBe(nameOf('1.0.0'));
  const next = release('1.1.0');
  expect(await install(next.script, '--from', next.folder)).toMatchObject({ status: 0 });
  expect(current()).toBe(nameOf('1.1.0'));
  expect(readdirSync(installed()).toSorted()).toEqual(['vedette-agent', nameOf('1.0.0'), nameOf('1.1.0')]);
  // Back again: nothing is fetched.
  rmSync(old.folder, { recursive: true });
  expect(await install(old.script, '--from', old.folder)).toMatchObject({ status: 0 });
  expect(current()).toBe(nameOf('1.0.0'));
});

it('fetches from the address that the release was made with, and joins by a token', async () => {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const path = join(at, 'releases', url);
    if (existsSync(path)) response.end(readFileSync(path));
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { script } = release('1.0.0', { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
  writeFileSync(join(home, 'token'), 'vdtj_x');
  const { status, said } = await install(script, '--token-file', join(home, 'token'));
  expect(said).toContain(`vedette agent 1.0.0 agent join --token-file ${join(home, 'token')}`);
  expect({ status, asked }).toEqual({
    status: 0,
    asked: [expect.stringMatching(new RegExp(`^/v1\\.0\\.0/${RegExp.escape(nameOf('1.0.0'))}\\.tar\\.(xz|gz)$`))],
  });
});

it.each([
  [
    'a tarball that differs by a byte',
    ({ folder }: { folder: string }) => {
      for (const name of readdirSync(folder)) if (name.includes('.tar.')) writeFileSync(join(folder, name), 'x', { flag: 'a' });
    },
    /its SHA-256 differs\. Nothing is installed/,
  ],
  ['a folder without the files', ({ folder }: { folder: string }) => rmSync(folder, { recursive: true }), /there is no vedette-agent-/],
] as const)('refuses %s', async (_, spoil, sentence) => {
  const made = release('1.0.0');
  spoil(made);
  expect(await install(made.script, '--from', made.folder)).toEqual({ status: 1, said: expect.stringMatching(sentence) });
  expect(readdirSync(installed())).toEqual([]);
});

it('refuses an agent that does not run on the machine, and keeps the one that does', async () => {
  const old = release('1.0.0');
  await install(old.script, '--from', old.folder);
  const next = release('1.1.0', { agent: 'exit 127' });
  expect(await install(next.script, '--from', next.folder)).toEqual({
    status: 1,
    said: expect.stringContaining('does not run on this machine'),
  });
  expect(readdirSync(installed()).toSorted()).toEqual(['vedette-agent', nameOf('1.0.0')]);
  expect(current()).toBe(nameOf('1.0.0'));
});

it('installs another version than its own where its checksums are signed', async () => {
  const { script } = release('1.0.0');
  const next = release('1.1.0');
  expect(await install(script, '--from', next.folder, '--version', 'v1.1.0')).toMatchObject({ status: 0 });
  expect(current()).toBe(nameOf('1.1.0'));
});

it('refuses checksums that another key has signed, and checksums that were changed', async () => {
  const { script } = release('1.0.0');
  const next = release('1.1.0');
  const sums = join(next.folder, 'SHA256SUMS');
  const attempt = () => install(script, '--from', next.folder, '--version', '1.1.0');
  sign(sums, createKey().secret);
  expect(await attempt()).toEqual({ status: 1, said: expect.stringContaining('the signature of SHA256SUMS is not ours') });
  sign(sums, key.secret);
  writeFileSync(sums, '\n', { flag: 'a' });
  expect(await attempt()).toEqual({ status: 1, said: expect.stringContaining('the signature of SHA256SUMS is not ours') });
  expect(readdirSync(installed())).toEqual([]);
});

it('installs what `npm run release -- --key` has signed, by minisign and by openssl', async () => {
  const secret = join(at, 'minisign.key');
  execFileSync('minisign', ['-G', '-W', '-s', secret, '-p', join(at, 'minisign.pub')], { stdio: 'ignore' });
  const folders = ['1.0.0', '1.1.0'].map((version) => {
    const { folder } = release(version);
    rmSync(join(folder, 'SHA256SUMS.minisig'));
    rmSync(join(folder, 'SHA256SUMS'));
    finishRelease(folder, { version, url: '', key: secret });
    return folder;
  });
  const attempt = () => install(join(folders[0]!, 'install.sh'), '--from', folders[1]!, '--version', '1.1.0');
  expect(await attempt()).toMatchObject({ status: 0 });
  rmSync(installed(), { recursive: true });
  symlinkSync('/usr/bin/minisign', join(at, 'bin/minisign'));
  expect(await attempt()).toMatchObject({ status: 0 });
  expect(current()).toBe(nameOf('1.1.0'));
  expect(readFileSync(join(folders[1]!, 'SHA256SUMS'), 'utf8').match(/ {2}.*/g)).toEqual(
    ['install.sh', `${nameOf('1.1.0')}.tar.gz`, `${nameOf('1.1.0')}.tar.xz`].map((name) => `  ${name}`),
  );
  writeFileSync(join(folders[1]!, 'SHA256SUMS'), '\n', { flag: 'a' });
  expect(await attempt()).toMatchObject({ status: 1, said: expect.stringContaining('the signature of SHA256SUMS is not ours') });
});

it('leaves alone what it did not install', async () => {
  const { script, folder } = release('1.0.0');
  mkdirSync(join(home, 'opt/vedette-agent'), { recursive: true });
  if (user.uid !== undefined) chownSync(join(home, 'opt'), user.uid, user.gid);
  const { status, said } = await install(script, '--from', folder, '--prefix', join(home, 'opt'));
  expect({ status, said }).toEqual({ status: 1, said: expect.stringContaining('was not installed by this script') });
  expect(readdirSync(join(home, 'opt'))).toEqual(['vedette-agent']);
});
