import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ParserEnded, ParserPool, startsAt } from '@vedette/message/parser';
import { systemClock } from '@vedette/probes/net';
import { expect, it, onTestFinished } from 'vitest';
import { ParserProcess } from '../../../packages/message/src/parser/process.ts';
import { descendants, isAlive } from '../../system/processes.ts';
import { OWN_ENV } from '../../own-env.ts';

/** Somebody else, where we are root. */
const OTHER = process.getuid?.() === 0 ? { uid: 2_099_999_000, gid: 2_099_999_000 } : {};
/** How long processes may take to start and to end on a busy machine. */
const PATIENT = { timeout: 60_000 };
const scriptOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Starts a host, and as often as is asked for. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-host-'));
  if (OTHER.uid !== undefined) chownSync(folder, OTHER.uid, OTHER.gid);
  chmodSync(folder, 0o700);
  let host: ChildProcess;
  const start = (): void => {
    const env = { ...OWN_ENV, VEDETTE_PARSER_FOLDER: folder };
    host = spawn(process.execPath, [scriptOf('./host-process.ts')], { ...OTHER, env, stdio: ['ignore', 'inherit', 'inherit'] });
  };
  start();
  onTestFinished(() => {
    host.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  return { folder, start, host: () => host, parsers: () => descendants(host.pid!).filter(isAlive) };
}

function poolAt(folder: string) {
  const ends: string[] = [];
  const details: string[] = [];
  const log = { debug() {}, info() {}, error() {}, warn() {} };
  const onEnd = ({ why, message }: { why: string; message: string }): void => {
    ends.push(why);
    details.push(message);
  };
  const pool = new ParserPool({ clock: systemClock, log, starter: startsAt(folder, systemClock), required: true, onEnd });
  onTestFinished(() => pool.close());
  const read = async (message: string) => (await pool.read('message', Buffer.from(message, 'latin1'))).reading.body.body_text;
  return { pool, read, ends, details };
}

it('has another user read messages, in the whole sandbox, of any length', async () => {
  const { folder, parsers } = setUp();
  const { pool, read, ends } = poolAt(folder);
  expect(await read('count')).toBe('0');
  expect(pool.sandbox).toBe('all');
  await expect.poll(() => pool.usage, PATIENT).toEqual({ running: 2, idle: 2 });
  expect(parsers().map((pid) => statSync(`/proc/${pid}`).uid)).toEqual([1, 2].map(() => OTHER.uid ?? process.getuid?.()));
  const [pid] = parsers();
  expect(readlinkSync(`/proc/${pid}/ns/net`)).not.toBe(readlinkSync('/proc/self/ns/net'));
  expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
  expect(await read(`length ${'x'.repeat(5 * 1024 * 1024)}`)).toBe(String(5 * 1024 * 1024));
  expect(ends).toEqual([]);
  pool.close();
  await expect.poll(parsers, PATIENT).toEqual([]);
});

it.each([
  ['kills its parser', 'die', ['died', 'died'], /SIGABRT/],
  ['takes more objects than there may be', 'heap', ['memory'], /./],
  ['takes more memory than there may be', 'eat', ['memory'], / bytes|SIG/], // the kernel's limit may come before our next look
  ['makes its reader throw', 'throw', ['defect'], /a defect/],
  ['is answered by 17 MB', 'long', ['long_answer'], /./],
])('refuses a message that %s, as where the gateway starts parsers', async (_what, message, why, detail) => {
  const { folder, parsers } = setUp();
  const { read, pool, ends, details } = poolAt(folder);
  await expect(read(message)).rejects.toMatchObject({ why: why[0] });
  expect(ends).toEqual(why);
  expect(details[0]).toMatch(detail);
  expect(await read('length next')).toBe('4');
  await expect.poll(() => parsers().length === pool.usage.running, PATIENT).toBe(true);
});

it('the CPU time of a parser is seen, which limits what a message may take', async () => {
  const { folder } = setUp();
  const parser = new ParserProcess(await startsAt(folder, systemClock).start('all'), systemClock);
  onTestFinished(() => parser.end(new ParserEnded('closed', 'the test is over')));
  await parser.ready();
  const before = parser.usage!.cpuMs;
  await parser.read(Buffer.from('\u0001spin 1000'));
  expect(parser.usage!.cpuMs).toBeGreaterThan(before);
});

it('a parser that takes nothing of what it is sent ends with its connection all the same', async () => {
  const { folder, parsers } = setUp();
  const { pid, input, kill, gone } = await startsAt(folder, systemClock).start('all');
  process.kill(pid!, 'SIGSTOP');
  input.write(Buffer.alloc(8 * 1024 * 1024));
  await systemClock.sleep(100);
  kill();
  input.destroy();
  await gone;
  await expect.poll(parsers, PATIENT).toEqual([]);
});

it('no parser outlives its gateway, not even one that is busy', async () => {
  const { folder, parsers } = setUp();
  const gateway = spawn(process.execPath, [scriptOf('./host-client.ts'), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: gateway.stdout }), 'line')) as [string];
  expect(line).toBe('busy');
  expect(parsers()).toHaveLength(2);
  gateway.kill('SIGKILL');
  await expect.poll(parsers, PATIENT).toEqual([]);
});

it('no parser outlives its host, and messages are read once there is another one', async () => {
  const { folder, start, host, parsers } = setUp();
  const { pool, read, ends } = poolAt(folder);
  await read('count');
  await expect.poll(() => pool.usage.idle, PATIENT).toBe(2);
  const old = parsers();
  read('spin 60000').catch(() => undefined); // it is read again, for ten seconds, where another host comes in time
  host().kill('SIGKILL');
  await expect.poll(() => old.filter(isAlive), PATIENT).toEqual([]);
  await expect.poll(() => ends, PATIENT).toEqual(['died', 'died']);
  start();
  expect(await read('count')).toBe('0');
});

it('a host that is told to end does so when its gateway needs no parser any more', async () => {
  const { folder, host } = setUp();
  const { pool, read } = poolAt(folder);
  const asked = read('spin 1000');
  await expect.poll(() => pool.usage.running, PATIENT).toBeGreaterThan(0);
  const gone = once(host(), 'exit');
  host().kill('SIGTERM');
  expect(await asked).toBe('done');
  pool.close();
  expect(await gone).toEqual([0, null]);
});
