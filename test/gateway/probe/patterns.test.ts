import { expect, it } from 'vitest';
import { Matching } from '../../../packages/gateway/src/probe-modules/patterns.ts';

it('stops a pattern that would take years, and with its time that of all of the scrape is over', () => {
  const years = () => /^(a|aa)+$/.test(`${'a'.repeat(80)}!`);
  const matching = new Matching();
  expect([matching.inTime(() => false), matching.inTime(() => true)]).toEqual([false, true]);
  expect(matching.inTime(years)).toBeUndefined();
  // Nobody waits for so long once more for each of two hundred locations.
  expect(matching.inTime(() => true)).toBeUndefined();
  expect(new Matching().inTime(() => true)).toBe(true);
});
it('tells what is wrong with the match itself', () => {
  expect(() =>
    new Matching().inTime(() => {
      throw new TypeError('ours');
    }),
  ).toThrow('ours');
});
