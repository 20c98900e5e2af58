import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from '@vedette/process/child';
import { supervise } from '@vedette/process/supervise';
import { expect, it, onTestFinished, vi } from 'vitest';

const sh = (script: string, more: { graceMs?: number; onLine?: (line: string) => void } = {}): Child =>
  startChild({ command: '/bin/sh', args: ['-c', script], endSignal: 'SIGTERM', ...more });
/** Not one that has ended, and whose foster parent is slow to notice. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

it.each(['TERM', 'INT'])('ends with its owner, by SIG%s, when that is killed', async (signal) => {
  const owner = spawn(process.execPath, [fileURLToPath(new URL('owner.ts', import.meta.url)), signal], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string];
  const [pid, endsWithUs] = line.split(' ');
  expect(endsWithUs).toBe('true');
  // Before it is the program, setpriv(1) may not have come to say how it is to end.
  await expect.poll(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim(), { timeout: 10_000 }).toBe('sleep');
  owner.kill('SIGKILL');
  await expect.poll(() => isAlive(Number(pid)), { timeout: 10_000 }).toBe(false);
});

it.skipIf(process.getuid?.() !== 0)('runs as another user with the capabilities that it is left', async () => {
  const lines: string[] = [];
  const child = startChild({
    command: '/bin/sh',
    args: ['-c', '{ id -u; id -G; grep -E "^(CapInh|CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs)" /proc/self/status; } | tr "\\n\\t" "  " >&2'],
    endSignal: 'SIGTERM',
    rights: { user: { uid: 2_100_000_001, gid: 2_100_000_002 }, capabilities: ['net_raw'] },
    onLine: (line) => lines.push(line),
  });
  expect((await child.gone).code).toBe(0);
  const only = (1 << 13).toString(16).padStart(16, '0');
  const sets = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((set) => `${set}: ${only}`).join(' ');
  await expect.poll(() => lines.join('').trim(), { timeout: 30_000 }).toBe(`2100000001 2100000002 ${sets} NoNewPrivs: 1`);
});

// As in a container with --cap-drop ALL: without CAP_SETPCAP setpriv(1) refused what it was asked for, and nothing of another user's started.
it.skipIf(process.getuid?.() !== 0).each([
  ['setuid,+setgid', 0n],
  ['setuid,+setgid,+net_raw', 1n << 13n],
])('runs as another user where root itself has only +%s', (has, left) => {
  const script = fileURLToPath(new URL('small-root.ts', import.meta.url));
  const { stdout, stderr } = spawnSync('setpriv', [`--bounding-set=-all,+${has}`, '--', process.execPath, script, 'net_raw'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout.trim()).toBe(`2100000001 CapEff: ${left.toString(16).padStart(16, '0')} NoNewPrivs: 1`);
});

it('is in a session of its own, and its lines are heard', async () => {
  const lines: string[] = [];
  const child = sh('ps -o sid= -p $$ >&2; echo done >&2', { onLine: (line) => lines.push(line.trim()) });
  expect(await child.gone).toEqual({ code: 0, signal: null });
  await expect.poll(() => lines, { timeout: 30_000 }).toEqual([String(child.process.pid), 'done']);
});

it('is killed when it does not end in time', async () => {
  const lines: string[] = [];
  const child = sh('trap "" TERM; echo deaf >&2; while :; do sleep 0.05; done', { graceMs: 200, onLine: (line) => lines.push(line) });
  await expect.poll(() => lines, { timeout: 30_000 }).toEqual(['deaf']);
  await child.stop();
  expect(await child.gone).toEqual({ code: null, signal: 'SIGKILL' });
  await child.stop(); // nothing to do
});

it('that cannot be started has gone, and tells why', async () => {
  const child = startChild({ command: '/bin/true', args: [], endSignal: 'SIGTERM', cwd: '/nowhere', onLine() {} });
  expect(await child.gone).toEqual({ code: null, signal: null, error: expect.objectContaining({ code: 'ENOENT' }) });
  await child.stop();
});

it.each(['given', 'our own'])('is started by the setpriv(1) of the PATH that is %s', async (which) => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-setpriv-'));
  writeFileSync(join(folder, 'setpriv'), '#!/bin/sh\necho "$*" >&2\n');
  chmodSync(join(folder, 'setpriv'), 0o755);
  if (which === 'our own') vi.stubEnv('PATH', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const lines: string[] = [];
  const child = startChild({
    command: 'program',
    args: ['a'],
    endSignal: 'SIGINT',
    ...(which === 'given' && { env: { PATH: folder } }),
    onLine: (line) => lines.push(line),
  });
  await child.gone;
  await expect.poll(() => lines, { timeout: 30_000 }).toEqual(['--pdeathsig INT --no-new-privs -- program a']);
});

it('is started again when it ends, later each time, until it is stopped', async () => {
  const delays: [string, number][] = [];
  const children: Child[] = [];
  let failing = 2;
  const start = (script: string): Child => {
    const child = sh(script);
    children.push(child);
    return child;
  };
  const supervised = supervise(start('exit 3'), {
    again() {
      if (failing-- > 0) throw new Error('no memory');
      return start(children.length < 3 ? 'exit 3' : 'exec sleep 600');
    },
    delayMs: (count) => 10 * 2 ** count,
    onEnd: ({ code }, delay) => void delays.push([`ended with ${code}`, delay]),
    onFailure: (error, delay) => void delays.push([String(error), delay]),
  });
  await expect.poll(() => children.length, { timeout: 30_000 }).toBe(4);
  const last = children[3]!;
  expect(isAlive(last.process.pid!)).toBe(true);
  await supervised.stop();
  expect(await last.gone).toEqual({ code: null, signal: 'SIGTERM' });
  expect(children.length).toBe(4);
  expect(delays).toEqual([
    ['ended with 3', 10],
    ['Error: no memory', 20],
    ['Error: no memory', 40],
    ['ended with 3', 80],
    ['ended with 3', 160],
  ]);
});

it('is not started again when it is stopped while it waits for that', async () => {
  let again = 0;
  const supervised = supervise(sh('exit 0'), {
    again: () => (again++, sh('exit 0')),
    delayMs: () => 60_000,
    onEnd() {},
    onFailure() {},
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  await supervised.stop();
  expect(again).toBe(0);
});
