import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../repo/pages.ts';
import { type OneMachine, startOneMachine } from './one-machine.ts';
import { openScreen } from './screen.ts';

/** A busy machine may take its time. */
const SOON = { timeout: 30_000 };
let machine: OneMachine;
const home = mkdtempSync(join(tmpdir(), 'vedette-home-'));
/** The command as the page has it installed. */
const VEDETTE = join(home, 'vedette');
let env: Record<string, string>;

beforeAll(async () => {
  symlinkSync(join(ROOT, 'vedette'), VEDETTE);
  machine = await startOneMachine({ VEDETTE_OWN_TARGETS: '127.0.0.0/8' });
  env = { PATH: `${home}:${process.env['PATH']}`, HOME: home, VEDETTE_URL: machine.url, VEDETTE_API_KEY: machine.key };
});
afterAll(async () => {
  await machine?.stop();
  rmSync(home, { recursive: true, force: true });
});

/** A command without a terminal. */
const vedette = async (words: string[], more: Record<string, string> = {}) => {
  const run = promisify(execFile)(VEDETTE, words, { env: { ...env, ...more } });
  return run.then(
    (told) => ({ ...told, code: 0 }),
    (error: unknown) => error as { stdout: string; stderr: string; code: number },
  );
};
const PLACES = ['eu-fra', 'sg-sin', 'us-ash'];
const sorted = (lines: string[]) => lines.toSorted();
/** Measured times differ. */
const withoutTimes = (line: string) => line.replaceAll(/ +\d+\.?\d*(?= )/g, ' #').replaceAll(/ +/g, ' ');

it('grows a table on a terminal, and leaves the whole of it there with the price', async () => {
  const screen = openScreen([VEDETTE, 'ping', '127.0.0.1'], { env });
  expect(await screen.ended).toBe(0);
  const [head, ...rest] = screen.lines();
  expect(head).toMatch(/^LOCATION +ADDRESS +SENT +LOSS % +MIN MS +AVG MS +MAX MS +STATE$/);
  expect(sorted(rest.slice(0, 3)).map(withoutTimes)).toEqual(PLACES.map((place) => `${place} 127.0.0.1 # # # # # ok, simulated`));
  expect(rest[3]).toBe('3 locations, none failed');
  expect(rest[4]).toMatch(/^5 credits, \d+ left$/);
  expect(rest).toHaveLength(5);
  expect(screen.written().startsWith('\u001b[?25l')).toBe(true);
  expect(screen.written()).toContain('\u001b[?25h');
});

it('sets failures off in red, but for NO_COLOR, and the words stay', async () => {
  for (const more of [{}, { NO_COLOR: '1' }]) {
    const screen = openScreen([VEDETTE, 'tcp', '127.0.0.1', '1', '--attempts', '1'], { env: { ...env, ...more } });
    expect(await screen.ended).toBe(0);
    expect(screen.lines()[1]).toMatch(/target: connect_refused$/);
    expect(screen.isColoured(1)).toBe(!('NO_COLOR' in more));
  }
});

it('cuts rows to a narrow terminal: none wraps, and none is drawn twice', async () => {
  const screen = openScreen([VEDETTE, 'ping', '127.0.0.1'], { env, columns: 32 });
  expect(await screen.ended).toBe(0);
  const lines = screen.lines();
  expect(lines).toHaveLength(6);
  expect(lines.filter((line) => line.length > 32)).toEqual([]);
  expect(sorted(lines.slice(1, 4)).map((line) => line.slice(0, 6))).toEqual(PLACES);
  expect(lines.slice(1, 4).every((line) => line.endsWith('ok, simulated'))).toBe(true);
});

it('prints lines and no escape sequence where there is no terminal, or a dumb one', async () => {
  const { stdout } = await vedette(['ping', '127.0.0.1']);
  expect(sorted(stdout.split('\n').slice(0, 3)).map((line) => line.split('  ')[0])).toEqual(PLACES);
  expect(stdout).not.toContain('\u001b');
  const screen = openScreen([VEDETTE, 'ping', '127.0.0.1'], { env: { ...env, TERM: 'dumb', CI: '1' } });
  await screen.ended;
  expect(screen.written()).not.toContain('\u001b');
});

it('restores the cursor on Ctrl-C, and exits with 130', async () => {
  const screen = openScreen([VEDETTE, 'ping', '127.0.0.1', '--watch', '60'], { env });
  await expect.poll(() => screen.lines().some((line) => line.includes('left')), SOON).toBe(true);
  screen.type('\u0003');
  expect(await screen.ended).toBe(130);
  const hidden = openScreen([VEDETTE, 'ping', '192.0.2.1'], { env: { ...env, VEDETTE_URL: await silentGateway() } });
  await expect.poll(() => hidden.written().includes('\u001b[?25l'), SOON).toBe(true);
  hidden.type('\u0003');
  expect(await hidden.ended).toBe(130);
  expect(hidden.written().lastIndexOf('\u001b[?25h')).toBeGreaterThan(hidden.written().lastIndexOf('\u001b[?25l'));
});

/** The address of a gateway that never answers. */
async function silentGateway(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('exits as the page says against a real gateway', async () => {
  expect((await vedette(['ping', '127.0.0.1', '--fail-if', 'locations.exists(l, l.ping_output.packets_sent == 4)'])).code).toBe(1);
  expect((await vedette(['ping', '127.0.0.1', '--fail-if', 'locations.exists(l, l.ping_output.packets_sent == 3)'])).code).toBe(0);
  expect(await vedette(['ping', '10.0.0.1'])).toMatchObject({ code: 3, stderr: expect.stringContaining('not a public address') });
  expect((await vedette(['ping'])).code).toBe(2);
  expect((await vedette(['account'], { VEDETTE_API_KEY: 'vdt_none' })).code).toBe(3);
  expect(await vedette(['account'], { VEDETTE_URL: 'http://127.0.0.1:1' })).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('vedette login'),
  });
});

it('asks about a list, whose sums change in one line of a terminal', async () => {
  const list = join(home, 'numbers');
  writeFileSync(list, '+4930901820\n+1\n');
  const piped = await vedette(['phone', '--file', list]);
  expect(piped).toMatchObject({ code: 0, stderr: '2 of 2 items: 2 reports, 0 errors, 2 credits\n' });
  const lines = piped.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { index: number; item: string });
  expect(lines.toSorted((one, other) => one.index - other.index)).toMatchObject([{ item: '+4930901820' }, { item: '+1' }]);
  const screen = openScreen(['sh', '-c', `exec "$0" phone --file "$1" >/dev/null`, VEDETTE, list], { env, columns: 40 });
  expect(await screen.ended).toBe(0);
  expect(screen.lines().join('')).toBe('2 of 2 items: 2 reports, 0 errors, 2 credits');
  expect(screen.written()).toContain('\u001b[?25h');
});

it('says errors in a narrow terminal in full, without an escape sequence', async () => {
  const screen = openScreen([VEDETTE, 'ping', '10.0.0.1'], { env: { ...env, NO_COLOR: '1' }, columns: 32 });
  expect(await screen.ended).toBe(3);
  expect(screen.lines().join('')).toMatch(/^vedette: The target is not a public address/);
});

it('prints the report of the API as JSON', async () => {
  const { stdout } = await vedette(['ping', '127.0.0.1', '--json', '--from', 'eu-fra']);
  const report = JSON.parse(stdout) as { host: string; locations: { location: string }[] };
  expect(report).toMatchObject({ host: '127.0.0.1', locations: [{ location: 'eu-fra' }] });
});

it('draws a page into a file', async () => {
  const [page, picture] = [join(home, 'page.html'), join(home, 'page.png')];
  writeFileSync(page, '<h1>Hello</h1>');
  expect((await vedette(['html-to-png', page, '--out', picture])).code).toBe(0);
  expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
});

it('asks for a key without showing it, keeps it for its user alone, and asks by it', async () => {
  const bare = { PATH: env['PATH']!, HOME: home };
  const screen = openScreen([VEDETTE, 'login', machine.url, '--profile', 'here'], { env: bare });
  await expect.poll(() => screen.lines().join('\n'), SOON).toContain('API key: ');
  const left = openScreen([VEDETTE, 'login', machine.url, '--profile', 'here'], { env: bare });
  await expect.poll(() => left.lines().join('\n'), SOON).toContain('API key: ');
  left.type('\u0003');
  expect(await left.ended).toBe(130);
  screen.type(`${machine.key}\r`);
  expect(await screen.ended).toBe(0);
  expect(screen.written()).not.toContain(machine.key.slice(-16));
  expect(screen.lines().join('\n')).toMatch(/here: http:\/\/127\.0\.0\.1:\d+, \d+ credits left/);
  expect(statSync(join(home, '.config/vedette/profiles.json')).mode & 0o777).toBe(0o600);
  const { stdout } = await promisify(execFile)(VEDETTE, ['phone', '+4930901820'], { env: bare });
  expect(stdout).toMatch(/^valid +yes$/m);
});

it.each(['bash', 'zsh', 'fish'])('prints a script for %s, which knows commands, flags and locations', async (shell) => {
  expect((await vedette(['complete', shell])).stdout).toContain('vedette complete --');
});

it('completes names of commands, flags, choices and locations', async () => {
  const completed = async (...words: string[]) =>
    (await vedette(['complete', '--', ...words])).stdout.split('\n').map((line) => line.split('\t')[0]);
  expect(await completed('pi')).toEqual(expect.arrayContaining(['ping', 'ping-test']));
  expect(await completed('keys', '')).toEqual(expect.arrayContaining(['list', 'create', 'rotate', 'revoke']));
  expect(await completed('ping', '127.0.0.1', '--fr')).toContain('--from');
  expect(await completed('usage', '--')).toEqual(expect.arrayContaining(['--days', '--key', '--account', '--csv']));
  // A shell does not wait long for a list of locations.
  await expect.poll(() => completed('ping', '127.0.0.1', '--from', ''), SOON).toEqual(expect.arrayContaining(PLACES));
  const second = () => completed('ping', '127.0.0.1', '--from', 'eu-fra,us');
  await expect.poll(second, SOON).toEqual(['eu-fra,us-ash', expect.stringMatching(/^:\d$/), '']);
  expect(await completed('cert', 'a.test', '--starttls', '')).toEqual(expect.arrayContaining(['smtp', 'imap']));
});

/** Shells as they start without anyone's files, and what a start-up file would hold. */
const SHELLS = [
  ['bash', ['--norc', '--noprofile', '-i'], 'source <(vedette complete bash)'],
  ['zsh', ['-f', '-i'], 'autoload -U compinit && compinit -u -D && source <(vedette complete zsh)'],
  ['fish', ['--no-config', '-i'], 'vedette complete fish | source'],
] as const;
const has = (shell: string) => ['/usr/bin', '/bin'].some((folder) => existsSync(join(folder, shell)));

describe.each(SHELLS)('in a real %s', (shell, args, load) => {
  it.skipIf(!has(shell))('TAB completes commands, flags, and locations behind a comma', async () => {
    const screen = openScreen([shell, ...args], { env: { ...env, PS1: '> ', TERM: 'xterm-256color' }, columns: 160 });
    const shows = (text: string) => expect.poll(() => screen.lines().join('\n'), SOON).toContain(text);
    screen.type(`${load}; echo load""ed\r`);
    await shows('loaded');
    for (const [typed, completed] of [
      ['vedette tracero', 'vedette traceroute'],
      ['vedette ping 127.0.0.1 --fro', 'vedette ping 127.0.0.1 --from'],
      ['vedette ping 127.0.0.1 --from eu-fra,us', 'vedette ping 127.0.0.1 --from eu-fra,us-ash'],
    ] as const) {
      screen.type(`${typed}\t`);
      await shows(completed);
      screen.type('\u0015'); // the line goes
    }
    screen.type('exit\r');
    await screen.ended;
  });
});
