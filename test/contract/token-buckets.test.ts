import { type Claim, longestWait, takeAll } from '@vedette/probes/host';
import { TokenBuckets } from '@vedette/contract/tools';
import { describe, expect, it } from 'vitest';

function setUp(rate = { perS: 10, burst: 20 }, parts?: () => number) {
  const clock = { at: 0, now: () => clock.at };
  const buckets = new TokenBuckets(clock, rate, parts);
  /** Takes what is there, as a caller does. */
  const claim = (key: string, count: number): boolean => {
    if (buckets.waitMs(key, count) > 0) return false;
    buckets.take(key, count);
    return true;
  };
  return { clock, buckets, claim };
}

describe('a bucket', () => {
  it('is full at first, refills continuously and never beyond its burst', () => {
    const { clock, buckets, claim } = setUp();
    expect([claim('a', 15), claim('a', 5), claim('a', 1), claim('b', 20)]).toEqual([true, true, false, true]);
    expect(buckets.waitMs('a', 1)).toBe(100);
    clock.at = 100;
    expect([claim('a', 1), claim('a', 1)]).toEqual([true, false]);
    clock.at = 3_600_000;
    expect([claim('a', 20), claim('a', 1)]).toEqual([true, false]);
  });
  it('that is full admits any one claim, and then nothing until its debt is paid', () => {
    const { clock, buckets, claim } = setUp();
    expect([claim('a', 100), claim('a', 1)]).toEqual([true, false]);
    expect(buckets.waitMs('a', 1)).toBe(8_100);
    expect(buckets.waitMs('a', 1_000)).toBe(10_000);
    clock.at = 8_100;
    expect([claim('a', 1), claim('a', 1)]).toEqual([true, false]);
  });
  it('that is not full does not', () => {
    const { claim } = setUp();
    expect([claim('a', 1), claim('a', 100), claim('a', 19)]).toEqual([true, false, true]);
  });
  it('refills by its part of the rate where others hold buckets for the same keys, as many as there are now', () => {
    let parts = 4;
    const { clock, buckets, claim } = setUp(undefined, () => parts);
    claim('a', 20);
    expect(buckets.waitMs('a', 1)).toBe(400);
    clock.at = 400;
    expect([claim('a', 1), claim('a', 1)]).toEqual([true, false]);
    parts = 1;
    expect(buckets.waitMs('a', 1)).toBe(100);
  });
});

it('a debt is not forgotten for 9,999 other keys, and asking in vain keeps it remembered; memory is bounded', () => {
  const { claim } = setUp();
  const others = (count: number, round: string) => {
    for (let i = 0; i < count; i++) claim(`${round} ${i}`, 1);
  };
  claim('hot', 100);
  others(9_999, 'first');
  expect(claim('hot', 1)).toBe(false);
  others(9_999, 'second');
  expect(claim('hot', 1)).toBe(false);
  others(20_000, 'third');
  expect(claim('hot', 1)).toBe(true);
});

it('of several claims the one that waits longest is told', () => {
  const { buckets } = setUp();
  const claims: Claim[] = ['a', 'b', 'c'].map((key, i) => ({ buckets, key, count: 10 + 5 * i }));
  expect(longestWait(claims)).toBeUndefined();
  takeAll(claims);
  expect(longestWait(claims)).toEqual({ claim: claims[2], waitMs: 2_000 });
});
