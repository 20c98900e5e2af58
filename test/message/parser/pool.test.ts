import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PARSER_MAIN, ParserPool, type Starter, startsHere } from '@vedette/message/parser';
import { systemClock } from '@vedette/probes/net';
import { afterAll, describe, expect, it } from 'vitest';
import type { ConfinementName } from '../../../packages/message/src/parser/launch.ts';
import { descendants, isAlive } from '../../system/processes.ts';

const READER = fileURLToPath(new URL('./reader.ts', import.meta.url));

function setUp(main = READER, clock = systemClock) {
  const ends: string[] = [];
  const warnings: object[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (fields: object) => void warnings.push(fields) };
  const pool = new ParserPool({ clock, log, starter: startsHere(main, clock), required: false, onEnd: ({ why }) => void ends.push(why) });
  afterAll(() => pool.close());
  const read = async (message: string) => (await pool.read('message', Buffer.from(message, 'latin1'))).reading.body.body_text;
  return { pool, read, ends, warnings };
}

it('what reads messages in production starts in the closest confinement, and reads one', async () => {
  const { pool, read, warnings } = setUp(PARSER_MAIN);
  expect(await read('From: a@example.org\r\nSubject: Hello\r\n\r\nWords')).toBe('Words');
  expect([pool.sandbox, warnings]).toEqual(['all', []]);
});

it('says so where none starts', async () => {
  const { read, warnings } = setUp('/nowhere/reader.ts');
  await expect(read('count')).rejects.toMatchObject({ why: 'no_start' });
  expect(warnings).toHaveLength(1);
});

describe('the sandbox of a machine', () => {
  /** A pool on a machine that allows some confinements; `unclear` says how often it does not even say that. */
  function machine(allowed: readonly ConfinementName[], { required = false, unclear = 0 } = {}) {
    const tried: ConfinementName[] = [];
    const started: ConfinementName[] = [];
    const here = startsHere(READER, systemClock);
    const starter: Starter = {
      async isAllowed(confinement) {
        tried.push(confinement);
        if (tried.length <= unclear) throw new Error('a trial was killed');
        return allowed.includes(confinement);
      },
      start(confinement) {
        started.push(confinement);
        return here.start('all');
      },
    };
    const told: { sandbox?: string }[] = [];
    const log = { debug() {}, info() {}, error() {}, warn: (fields: object) => void told.push(fields) };
    const pool = new ParserPool({ clock: systemClock, log, starter, required, onEnd() {} });
    afterAll(() => pool.close());
    return { pool, tried, started, told, read: () => pool.read('message', Buffer.from('count')) };
  }

  it('is the closest that it allows, found out once and told', async () => {
    const { pool, tried, started, told, read } = machine(['no_rights', 'node_alone']);
    expect(pool.sandbox).toBe('unknown');
    await read();
    await read();
    expect([pool.sandbox, tried, told]).toEqual(['no_rights', ['all', 'no_rights'], [{ sandbox: 'no_rights' }]]);
    expect(new Set(started)).toEqual(new Set(['no_rights']));
  });

  it('is refused once where the whole is required and less is allowed: no parser starts', async () => {
    const { pool, tried, started, told, read } = machine(['no_rights', 'node_alone'], { required: true });
    for (let i = 0; i < 2; i++) await expect(read()).rejects.toMatchObject({ why: 'no_sandbox' });
    expect([pool.sandbox, tried, started, told]).toEqual(['refused', ['all', 'no_rights'], [], [{ sandbox: 'refused' }]]);
  });

  it('is what is required where the whole is allowed', async () => {
    const { pool, read } = machine(['all', 'no_rights', 'node_alone'], { required: true });
    await read();
    expect(pool.sandbox).toBe('all');
  });

  it('is not lowered by a trial that says nothing: it is tried again', async () => {
    const { pool, tried, read } = machine(['all', 'no_rights', 'node_alone'], { unclear: 1 });
    await expect(read()).rejects.toMatchObject({ why: 'no_start' });
    await read();
    expect([pool.sandbox, tried]).toEqual(['all', ['all', 'all']]);
  });
});

/** The parsers of ours that run the reader, their network namespace with each. */
const readers = (): { pid: number; network: string }[] =>
  descendants(process.pid).flatMap((pid) => {
    try {
      const isReader = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('reader.ts');
      return isReader ? [{ pid, network: readlinkSync(`/proc/${pid}/ns/net`) }] : [];
    } catch {
      return []; // it has gone
    }
  });

it('a parser that is killed while it starts has its heir in the same sandbox: one death, or a slow start, took it from all', async () => {
  const before = new Set(readers().map(({ pid }) => pid));
  const { pool, read } = setUp();
  await pool.confinement();
  const asked = read('count');
  await expect.poll(() => readers().filter(({ pid }) => !before.has(pid)), { timeout: 30_000, interval: 5 }).not.toEqual([]);
  for (const { pid } of readers()) if (!before.has(pid)) process.kill(pid, 'SIGKILL');
  await asked.catch(() => undefined); // refused, or read by an heir
  expect(await read('count')).toBe('0');
  const ours = readlinkSync('/proc/self/ns/net');
  expect(readers().filter(({ network }) => network === ours)).toEqual([]);
  expect(pool.sandbox).toBe('all');
});

it('a message waits 20 s for a start that goes on, and the next one has it: under load none ever got there', async () => {
  const late = {
    now: systemClock.now,
    sleep: async (ms: number, signal?: AbortSignal) => (ms === 20_000 ? undefined : systemClock.sleep(ms, signal)),
  };
  const { read, ends } = setUp(READER, late);
  await expect(read('count')).rejects.toMatchObject({ why: 'no_start' });
  await expect.poll(() => read('count').catch(() => 'late'), { timeout: 30_000 }).toBe('0');
  expect(ends).toEqual([]);
});

/** Children of ours that run. */
const busy = (): number[] =>
  descendants(process.pid).filter((pid) => {
    const { status, stdout } = spawnSync('ps', ['-o', 'stat=,args=', '-p', String(pid)], { encoding: 'utf8' });
    return status === 0 && stdout.startsWith('R') && stdout.includes('reader.ts');
  });

it('no parser outlives who started it, not even one that is busy, or one of which nobody closed the pipe', async () => {
  const owner = spawn(process.execPath, [fileURLToPath(new URL('./owner.ts', import.meta.url))], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string];
  expect(line).toBe('busy');
  const parsers = descendants(owner.pid!);
  expect(parsers).toHaveLength(2);
  owner.kill('SIGKILL');
  await expect.poll(() => parsers.filter(isAlive), { timeout: 30_000 }).toEqual([]);
});

describe('a pool', () => {
  const { pool, read, ends } = setUp();

  it('has one parser read one message after the other, of any length, and another one ready', async () => {
    expect(await read('count')).toBe('0');
    await expect.poll(() => pool.usage, { timeout: 10_000 }).toEqual({ running: 2, idle: 2 });
    expect(await read('length ')).toBe('0');
    expect(await read(`length ${'x'.repeat(5 * 1024 * 1024)}`)).toBe(String(5 * 1024 * 1024));
    expect(await read('noise')).toBe('quiet');
    expect([pool.usage, ends]).toEqual([{ running: 2, idle: 2 }, []]);
  });

  it('has a message read again, by a parser that has read nothing, where its own died', async () => {
    await read('count');
    ends.splice(0);
    expect(await read('wither')).toBe('fresh');
    expect(ends).toEqual(['died']);
  });

  it('has the next message read by another parser where a message has spoilt its own', async () => {
    await read('count');
    ends.splice(0);
    await read('spoil');
    await expect.poll(() => ends, { timeout: 10_000 }).toEqual(['died']);
    expect(await read('length next')).toBe('4');
  });

  it('has a message read again that somebody killed the parser of', async () => {
    await read('count');
    const asked = read('linger');
    let [pid] = busy();
    await expect.poll(() => ([pid] = busy()), { timeout: 30_000, interval: 10 }).toHaveLength(1);
    process.kill(pid!, 'SIGKILL');
    expect(await asked).toBe('fresh');
  });

  it('replaces a parser after 200 messages', async () => {
    ends.splice(0);
    const counts: number[] = [];
    while (!ends.includes('closed')) counts.push(Number(await read('count')));
    expect(Math.max(...counts)).toBe(199);
    expect(await read('length next')).toBe('4');
  });

  it.each([
    ['kills its parser', 'die', ['died', 'died']],
    ['has its parser wait for what never comes', 'hang', ['died', 'died']],
    ['takes more objects than there may be', 'heap', ['memory']],
    ['takes more memory than there may be', 'eat', ['memory']],
    ['makes its reader throw', 'throw', ['defect']],
    ['is answered by what is no reading', 'misfit', ['no_answer']],
    ['is answered by nothing', 'nothing', ['no_answer']],
    ['is answered by what is no JSON', 'garbage', ['no_answer']],
    ['is answered by 17 MB', 'long', ['long_answer']],
  ])('refuses a message that %s, and reads the next one', async (_what, message, why) => {
    ends.splice(0);
    await expect(read(message)).rejects.toMatchObject({ why: why[0] });
    expect(ends).toEqual(why);
    expect(await read('length next')).toBe('4');
  });
});
