import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const DEMO = fileURLToPath(new URL('demo.ts', import.meta.url));

function start(demo: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', DEMO, ...args], {
    env: { DEMO: demo, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const heard: string[] = [];
  const told: string[] = [];
  const stdout = createInterface({ input: child.stdout }).on('line', (line) => heard.push(line));
  createInterface({ input: child.stderr }).on('line', (line) => told.push(line));
  const ended = once(child, 'close').then(([code, signal]) => ({ how: (code ?? signal) as number | string, heard, told }));
  return { child, ended, firstLine: once(stdout, 'line') };
}

const messageOf = (line: string): string => (JSON.parse(line) as { msg: string }).msg;

it.each(['SIGTERM', 'SIGINT'] as const)('stops once on %s, however often it comes, and ends with 0', async (signal) => {
  const { child, ended, firstLine } = start('', ['--one', '--another']);
  await firstLine;
  child.kill(signal);
  child.kill(signal);
  expect(await ended).toEqual({ how: 0, heard: ['started --one --another', 'stopping'], told: [] });
});

it('ends at once on SIGTERM while it starts', async () => {
  const { child, ended, firstLine } = start('slow start');
  await firstLine;
  child.kill('SIGTERM');
  expect(await ended).toEqual({ how: 0, heard: ['starting'], told: [] });
});

it('tells in words what an operator must change, and ends with 1', async () => {
  expect(await start('bad settings').ended).toEqual({ how: 1, heard: [], told: ['demo: DEMO must be better'] });
});

it.each(['--verison', 'status', '-h', '--one=1', '', 'constructor'])(
  'refuses the argument %j in words, whatever it starts',
  async (arg) => {
    expect(await start('', ['--one', arg, '--version']).ended).toEqual({
      how: 1,
      heard: [],
      told: [`demo: unknown argument: ${arg}; there are --one, --another, --help, --version, and settings (docs/settings.md)`],
    });
  },
);

it('says its version, and the arguments that it takes, and does not start', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(await start('', ['--version']).ended).toEqual({ how: 0, heard: [`demo ${version}`], told: [] });
  expect(await start('defect', ['--help', '--one']).ended).toEqual({
    how: 0,
    heard: [
      'npm run demo -- [arguments], with settings in the environment (docs/settings.md)',
      '  --one        the first',
      '  --another    the second',
      '  --help       say this',
      '  --version    say the version',
    ],
    told: [],
  });
});

it.each(['all', 'gateway', 'agent'])('%s refuses an argument that it does not take', (name) => {
  const main = fileURLToPath(new URL(`../../packages/${name}/src/main.ts`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, '--verison'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^vedette(| gateway| agent): unknown argument: --verison; there are .*--help, --version, and settings \(docs\/settings\.md\)\n$/,
  );
});

it('logs a defect as the rest of its log, with all that is known of it, and ends with 1', async () => {
  const { how, told } = await start('defect', [], { DEMO_PORT: '8080', VEDETTE_LOG_LEVEL: 'error' }).ended;
  expect(how).toBe(1);
  expect(told.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      level: 60,
      time: expect.any(Number),
      pid: expect.any(Number),
      hostname: hostname(),
      name: 'demo-log',
      port: '8080',
      msg: 'a bug',
      err: { type: 'TypeError', message: 'a bug: deeper', stack: expect.stringContaining('demo.ts') },
    },
  ]);
});

it('logs for people where its error output is a terminal', async () => {
  const child = spawn('python3', ['-c', 'import pty, sys; pty.spawn(sys.argv[1:])', process.execPath, DEMO], {
    env: { PATH: process.env.PATH, DEMO: 'defect' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const shown = Buffer.concat(await Array.fromAsync(child.stdout as AsyncIterable<Buffer>)).toString();
  expect(shown).toMatch(/^[0-9:.]{12} fatal demo-log: a bug err=\{/m);
});

it('logs nothing where the log is to be silent, but still says what an operator must change', async () => {
  const silent = { VEDETTE_LOG_LEVEL: 'silent' };
  expect(await start('defect', [], silent).ended).toEqual({ how: 1, heard: [], told: [] });
  expect(await start('bad settings', [], silent).ended).toEqual({ how: 1, heard: [], told: ['demo: DEMO must be better'] });
});

it('stops in order and ends with 1 when it loses what it cannot do without', async () => {
  const { how, heard, told } = await start('lost').ended;
  expect([how, heard, told.map(messageOf)]).toEqual([1, ['started ', 'stopping'], ['the bus is gone']]);
});

it('tells what it has lost before it stops, which may take long or fail', async () => {
  const { how, told } = await start('lost, and cannot stop').ended;
  expect([how, told.map(messageOf)]).toEqual([1, ['the bus is gone', 'stuck']]);
});

it('ends with 1 when it cannot stop', async () => {
  const { child, ended, firstLine } = start('cannot stop');
  await firstLine;
  child.kill('SIGTERM');
  const { how, told } = await ended;
  expect([how, told.map(messageOf)]).toEqual([1, ['stuck']]);
});
