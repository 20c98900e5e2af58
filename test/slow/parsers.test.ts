import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ParserEnded, ParserPool, startsHere } from '@vedette/message/parser';
import { systemClock } from '@vedette/probes/net';
import { afterAll, expect, it } from 'vitest';
import { descendants, isAlive } from '../system/processes.ts';

const MESSAGES = 10_000;
/** Of so many messages one ends its parser, in the one way or the other. */
const EVERY = 100;
const ENDINGS = [
  ['die', 'died'],
  ['throw', 'defect'],
  ['eat', 'memory'],
  ['misfit', 'no_answer'],
] as const;

const log = { debug() {}, info() {}, error() {}, warn() {} };
const ends = new Map<string, number>();
const pool = new ParserPool({
  clock: systemClock,
  log,
  starter: startsHere(fileURLToPath(new URL('../message/parser/reader.ts', import.meta.url)), systemClock),
  required: false,
  onEnd: ({ why }) => void ends.set(why, (ends.get(why) ?? 0) + 1),
});
afterAll(() => pool.close());

const others = new Set(descendants(process.pid));

const read = async (message: string): Promise<string> =>
  (await pool.read('message', Buffer.from(message, 'latin1'))).reading.body.body_text;
const descriptors = (): number => readdirSync('/proc/self/fd').length;
const whyNot = (message: string): Promise<string> =>
  read(message).then(
    () => 'read',
    (error: unknown) => (error instanceof ParserEnded ? error.why : String(error)),
  );

it('a message that would never end is ended after ten seconds of CPU time', { timeout: 120_000 }, async () => {
  expect(await whyNot('spin 120000')).toBe('cpu');
  expect(await read('length next')).toBe('4');
});

it('a message that waits for ever, at no cost, is ended after a minute', { timeout: 120_000 }, async () => {
  expect(await whyNot('sleep')).toBe('time');
});

it('ten thousand messages, and parsers that are killed under them, leak nothing', { timeout: 900_000 }, async () => {
  const big = `length ${'x'.repeat(100_000)}`;
  const many = async (count: number, salt: number): Promise<number> => {
    let unread = 0;
    for (let i = salt; i < count; i += 2) {
      const ending = i % EVERY === 0 ? ENDINGS[(i / EVERY) % ENDINGS.length]! : undefined;
      if (ending !== undefined) unread += (await whyNot(ending[0])) === ending[1] ? 0 : 1;
      else if ((await read(i % 10 === 0 ? big : 'length abc')) !== (i % 10 === 0 ? '100000' : '3')) unread += 1;
    }
    return unread;
  };
  expect(await many(400, 0)).toBe(0); // warm
  globalThis.gc?.();
  const before = { descriptors: descriptors(), bytes: process.memoryUsage().rss };
  expect(await Promise.all([many(MESSAGES, 0), many(MESSAGES, 1)])).toEqual([0, 0]);
  await expect.poll(() => pool.usage.running - pool.usage.idle, { timeout: 10_000 }).toBe(0);
  expect(pool.usage.running).toBeLessThanOrEqual(3);
  // Three pipes and a few of Node's own for each parser more than there was before.
  expect(descriptors()).toBeLessThanOrEqual(before.descriptors + 12);
  expect(process.memoryUsage().rss - before.bytes).toBeLessThan(64 * 1024 * 1024);
  const parsers = (): number[] => descendants(process.pid).filter((pid) => !others.has(pid) && isAlive(pid));
  expect(parsers()).toHaveLength(pool.usage.running);
  expect(ends.get('died')).toBeGreaterThanOrEqual(MESSAGES / EVERY / 2);
  pool.close();
  await expect.poll(parsers, { timeout: 5_000 }).toEqual([]);
  expect(pool.usage).toEqual({ running: 0, idle: 0 });
});
