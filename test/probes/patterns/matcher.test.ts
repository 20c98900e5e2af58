import { expect, it } from 'vitest';
import { systemClock } from '@vedette/probes/net';
import { PatternMatcher, fromRe2 } from '@vedette/probes/patterns';

const open = (): PatternMatcher & AsyncDisposable => {
  const matcher = new PatternMatcher(systemClock);
  return Object.assign(matcher, { [Symbol.asyncDispose]: () => matcher.close() });
};
const { signal } = new AbortController();
const tests = (pattern: string, ...texts: string[]) => [{ pattern: fromRe2(pattern), texts }];
/** Takes 2^40 steps. */
const BOMB = tests('^(a+)+$', `${'a'.repeat(40)}!`);

it('answers for each pattern whether it is in any of its texts', async () => {
  await using matcher = open();
  const asked = [...tests('b', 'a', 'b'), ...tests('b', 'a'), ...tests('b')];
  expect(await matcher.match(asked, signal)).toEqual([true, false, false]);
  expect(await matcher.match([], signal)).toEqual([]);
});

it('gives up on a pattern that takes years, stays awake meanwhile, and answers the next', async () => {
  await using matcher = open();
  let turns = 0;
  const awake = setInterval(() => turns++, 5);
  const [bomb, next] = await Promise.all([matcher.match(BOMB, signal), matcher.match(tests('b', 'b'), signal)]);
  clearInterval(awake);
  expect(bomb).toBeUndefined();
  expect(next).toEqual([true]);
  expect(turns).toBeGreaterThan(10);
});

it('does not let whoever has gone wait, nor begin for them', async () => {
  await using matcher = open();
  const gone = new AbortController();
  const first = matcher.match(BOMB, signal);
  const waiting = matcher.match(BOMB, gone.signal);
  gone.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(await first).toBeUndefined();
  expect(await matcher.match(tests('b', 'b'), signal)).toEqual([true]);
});

it('survives a thread that runs out of memory', async () => {
  await using matcher = open();
  // A class that case folding makes a million states of, in a text that makes it be compiled.
  const texts = Array.from({ length: 400 }, (_, index) => 'ü'.repeat(200_000) + String(index));
  expect(await matcher.match([{ pattern: /x/u, texts }], signal)).toBeUndefined();
  expect(await matcher.match(tests('b', 'b'), signal)).toEqual([true]);
});
