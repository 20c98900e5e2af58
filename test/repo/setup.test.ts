import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

/** The set-up, in a clone that holds nothing but its scripts, with programs that write down what is asked of them. */

const ARCH = process.arch === 'arm64' ? 'arm64' : 'x64';
const isRoot = process.getuid?.() === 0;

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode); // whatever the umask
}

const program = (...lines: string[]): string => `#!/bin/sh\n${lines.join('\n')}\n`;

/** The pinned Node: `npm ci` on it makes node_modules, and it says what it was called with. */
const PINNED = program(
  '[ "${1:-}" != --version ] || { echo v26.0.0; exit; }',
  'case $* in',
  `  *" ci "*) rm -rf node_modules; mkdir -p node_modules/node-linux-${ARCH}/bin; cp "$0" node_modules/node-linux-${ARCH}/bin/node ;;`,
  'esac',
  'echo "pinned: $* (first in the path: $(node --version))" >>ran',
);

interface CloneOptions {
  /** A program that this machine does not have is wanted. */
  lacks?: boolean;
  /** What `npm pack` fetches. */
  registry?: string;
}

function makeClone({ lacks = false, registry = PINNED }: CloneOptions = {}) {
  const clone = makeFolder();
  cpSync('scripts', join(clone, 'scripts'), { recursive: true });
  if (lacks) {
    const path = join(clone, 'scripts/setup.sh');
    put(path, readFileSync(path, 'utf8').replace("'nats-server=nats-server'", "'vedette-none=vedette-none'"));
  }
  put(join(clone, 'scripts/debian.sh'), program('echo "debian: $*" >>ran'));
  put(join(clone, 'scripts/binaries.sha256'), `${hash('sha256', PINNED)} node-linux-${ARCH} 26.0.0 sha512-x\n`);
  put(join(clone, 'package-lock.json'), '{}\n');
  const bin = join(clone, 'bin');
  put(join(bin, 'node'), program('[ "${1:-}" != --version ] || { echo v18.19.1; exit; }', 'echo "old: $*" >>ran'), 0o755);
  // An `npm` of Node's, which an old Node runs where none is named.
  put(join(clone, 'registry/package/bin/node'), registry, 0o755);
  const pack = 'while [ "$1" != --pack-destination ]; do shift; done; tar -czf "$2/node.tgz" -C registry package; echo "packed: $3" >>ran';
  put(join(bin, 'npm'), program('# a script for node', `[ "$1" = pack ] || exec node "$0" "$@"`, pack), 0o755);
  const run = (env: Record<string, string> = {}, what = 'run') => {
    const { status, stderr } = spawnSync('sh', ['-c', 'umask 077; exec sh "$@"', 'sh', join(clone, 'scripts/setup.sh'), what], {
      env: { ...process.env, PATH: `${bin}:${process.env['PATH']}`, VEDETTE_INSTALL: 'no', ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ran = spawnSync('cat', [join(clone, 'ran')], { encoding: 'utf8' }).stdout;
    return { status, stderr, ran };
  };
  return { clone, run };
}

it('npm runs on the pinned Node, which comes first: on an old one it leaves out what that is too old for', () => {
  const { clone, run } = makeClone();
  const first = run();
  expect(first.stderr).toContain('fetching Node 26.0.0, which npm runs on');
  expect(first.status).toBe(0);
  const npm = join(clone, 'bin/npm');
  const ci = `pinned: ${npm} ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error (first in the path: v26.0.0)\n`;
  expect(first.ran).toMatch(new RegExp(`^packed: node-linux-${ARCH}@26.0.0\n${ci.replaceAll(/[()/.*+]/g, '\\$&')}`));
  expect(first.ran).not.toContain('old:');
  expect(statSync(join(clone, 'node_modules')).mode & 0o777).toBe(0o755); // roles are other users
  // What is installed is not fetched again, and nothing is left.
  put(join(clone, 'package-lock.json'), '{"lockfileVersion": 3}\n');
  const second = run();
  expect(second.status).toBe(0);
  expect(second.ran.match(/^packed/gm)).toHaveLength(1);
  expect(second.ran.split(ci)).toHaveLength(3);
  expect(spawnSync('ls', ['-A', clone], { encoding: 'utf8' }).stdout).not.toContain('.vedette-node');
});

it('npm is not run on what another run left, nor is a run beside it disturbed', () => {
  const { clone, run } = makeClone();
  // Half-written by a run that was killed, and one that is at work: this test's process.
  const [dead, alive] = [join(clone, '.vedette-node.4194305/node'), join(clone, `.vedette-node.${process.pid}/node`)];
  for (const path of [dead, alive]) put(path, program('echo "foreign: $*" >>ran'), 0o755);
  const { status, ran } = run();
  expect({ status, foreign: ran.includes('foreign') }).toEqual({ status: 0, foreign: false });
  expect([dead, alive].map((path) => existsSync(path))).toEqual([false, true]);
});

it('a Node that is not the pinned one runs no npm', () => {
  const { status, stderr, ran } = makeClone({ registry: PINNED.replace('pinned:', 'stolen:') }).run();
  expect({ status, ran }).toEqual({ status: 1, ran: `packed: node-linux-${ARCH}@26.0.0\n` });
  expect(stderr).toContain(`the registry's node-linux-${ARCH}@26.0.0 is not what scripts/binaries.sha256 pins`);
});

it('the agent is built in a production install: what bundles it comes beside what is there', () => {
  const { clone, run } = makeClone();
  run();
  put(join(clone, 'node_modules/.vedette-chromium'), 'there');
  const { status, ran } = run({}, 'build');
  expect(status).toBe(0);
  expect(ran.trimEnd().split('\n').at(-1)).toContain('/npm install --no-save --ignore-scripts');
  expect(readFileSync(join(clone, 'node_modules/.vedette-chromium'), 'utf8')).toBe('there');
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  expect(scripts['build:agent']).toMatch(/^sh scripts\/setup\.sh build && /);
});

it('VEDETTE_INSTALL=no installs nothing of the distribution, says the command, and ends where it cannot go on', () => {
  const { status, stderr, ran } = makeClone({ lacks: true }).run();
  expect({ status, ran }).toEqual({ status: 1, ran: '' });
  expect(stderr).toMatch(
    /missing: vedette-none\. Nothing is installed: VEDETTE_INSTALL=no\. .*apt-get install -y --no-install-recommends vedette-none/,
  );
});

it('with a bus elsewhere no nats-server is wanted', () => {
  expect(makeClone({ lacks: true }).run({ VEDETTE_NATS_URL: 'nats://127.0.0.1:1' })).toMatchObject({ status: 0 });
});

const hasFetcher = ['curl', 'wget'].some((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);
it.runIf(hasFetcher)(
  'a machine without npm gets it, and Node, from the registry that is named, and runs neither where it is not the pinned one',
  () => {
    const { clone, run } = makeClone();
    const served = (name: string, version: string, files: string) => {
      const folder = join(clone, `served/${name}/-`);
      mkdirSync(folder, { recursive: true });
      const archive = join(folder, `${name}-${version}.tgz`);
      expect(spawnSync('tar', ['-czf', archive, '-C', join(clone, files), 'package']).status).toBe(0);
      return archive;
    };
    put(join(clone, 'npm/package/bin/npm-cli.js'), '#!/usr/bin/env node');
    served(`node-linux-${ARCH}`, '26.0.0', 'registry');
    const npm = served('npm', '1.0.0', 'npm');
    const pins = join(clone, 'scripts/binaries.sha256');
    writeFileSync(pins, `${readFileSync(pins, 'utf8')}${hash('sha256', readFileSync(npm))} npm 1.0.0 archive\n`);
    const tools = join(clone, 'tools');
    mkdirSync(tools);
    for (const name of readdirSync('/usr/bin'))
      if (!/^(npm|node|nodejs)$/.test(name)) symlinkSync(join('/usr/bin', name), join(tools, name));
    const env = { PATH: tools, npm_config_registry: `file://${join(clone, 'served')}/`, VEDETTE_NATS_URL: 'nats://127.0.0.1:1' };
    const first = run(env);
    expect(first).toMatchObject({ status: 0, ran: expect.stringMatching(/^pinned: \S+\/package\/bin\/npm-cli\.js ci --omit=dev/) });
    rmSync(join(clone, 'node_modules'), { recursive: true });
    appendFileSync(npm, 'x');
    const second = run(env);
    expect(second).toMatchObject({ status: 1, ran: first.ran, stderr: expect.stringContaining("the registry's npm@1.0.0 is not what") });
  },
);

it('VEDETTE_INSTALL takes yes and no', () => {
  expect(makeClone().run({ VEDETTE_INSTALL: 'off' })).toEqual({
    status: 1,
    stderr: 'vedette setup: VEDETTE_INSTALL must be yes or no, and is off\n',
    ran: '',
  });
});

it.skipIf(!isRoot)('root is told what is installed before it is, and how to decline', () => {
  const { clone, run } = makeClone({ lacks: true });
  put(join(clone, 'scripts/debian.sh'), program('echo "debian: $*" >>ran; exit 100'));
  const { status, stderr, ran } = run({ VEDETTE_INSTALL: 'yes' });
  expect(status).toBe(1);
  expect(ran).toMatch(/^debian: vedette-none/);
  const [told, failed] = stderr.split('\n');
  expect(told).toContain('installing from the distribution, as root (VEDETTE_INSTALL=no declines): vedette-none');
  expect(failed).toContain('that failed; the command was:  apt-get update && apt-get install');
});

const POSTINST = program(
  'set -e',
  '{ command -v invoke-rc.d; command -v deb-systemd-invoke; } >"$DPKG_ROOT/ran"',
  'invoke-rc.d --skip-systemd-native vedette-trial start',
  'deb-systemd-invoke start vedette-trial.service',
  'read -r answer && echo "answer: $answer" >>"$DPKG_ROOT/ran" || :',
);

// A /usr/sbin/policy-rc.d for the time of the installation stayed after Ctrl-C or a lost terminal, and from then on no upgrade of the machine's own restarted a service.
it('a package that is installed starts no service, is not answered, and nothing on the machine says so', () => {
  const folder = makeFolder();
  const root = join(folder, 'root');
  for (const path of [
    'var/lib/dpkg/info',
    'var/lib/dpkg/updates',
    'var/lib/apt/lists/partial',
    'var/cache/apt/archives/partial',
    'var/log/apt',
    'etc/apt',
  ])
    mkdirSync(join(root, path), { recursive: true });
  const fields = 'Package: vedette-trial\nVersion: 1\nArchitecture: all\nMaintainer: Nobody <nobody@example.org>\n';
  put(join(folder, 'package/DEBIAN/control'), `${fields}Description: starts services\n`);
  put(join(folder, 'package/DEBIAN/postinst'), POSTINST, 0o755);
  chmodSync(join(folder, 'package/DEBIAN'), 0o755);
  const deb = join(folder, 'trial.deb');
  expect(spawnSync('dpkg-deb', ['--root-owner-group', '-b', join(folder, 'package'), deb]).status).toBe(0);
  const bytes = readFileSync(deb);
  put(
    join(folder, 'Packages'),
    `${fields}Filename: ./trial.deb\nSize: ${bytes.length}\nSHA256: ${hash('sha256', bytes)}\nDescription: x\n`,
  );
  put(join(root, 'var/lib/dpkg/status'), '');
  put(join(root, 'etc/apt/sources.list'), `deb [trusted=yes] file:${folder} ./\n`);
  put(
    join(folder, 'apt.conf'),
    `Dir "${root}/"; Dir::Bin::dpkg "/usr/bin/dpkg"; Dir::Bin::methods "/usr/lib/apt/methods"; Dir::State::status "${root}/var/lib/dpkg/status";
     DPkg::Options { "--root=${root}"; "--force-script-chrootless"; "--force-not-root"; "--log=/dev/null"; };
     APT::Sandbox::User "root"; Acquire::Languages "none";\n`,
  );
  const { status, stdout, stderr } = spawnSync('sh', ['scripts/debian.sh', 'vedette-trial'], {
    env: { ...process.env, APT_CONFIG: join(folder, 'apt.conf') },
    input: 'yes\n',
    encoding: 'utf8',
  });
  expect(`${stdout}${stderr}`).toContain('Setting up vedette-trial');
  expect(status).toBe(0);
  const here = join(process.cwd(), 'scripts/no-services');
  expect(readFileSync(join(root, 'ran'), 'utf8')).toBe(`${here}/invoke-rc.d\n${here}/deb-systemd-invoke\n`);
  // What would have to be taken back, and is not when a signal ends this.
  for (const script of ['setup.sh', 'debian.sh'])
    expect(readFileSync(`scripts/${script}`, 'utf8')).not.toMatch(/>\s*\/(usr|etc|var)\b|policy-rc/);
});
