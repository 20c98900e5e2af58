import { expect, it } from 'vitest';
import { createMetrics } from '../../packages/gateway/src/metrics.ts';
import { Overload, type Visit, STRANGERS } from '../../packages/gateway/src/overload.ts';

/** An overload guard on a clock of the test's own, with its timer never running by itself. */
function guard(limited = true) {
  const time = { ms: 0 };
  const overload = new Overload({ clock: { now: () => time.ms }, metrics: createMetrics(), limited });
  return {
    overload,
    /** Enters as often as it may, `times` at most. */
    enter(name: string, times: number): Visit[] {
      return Array.from({ length: times }, () => overload.enter(name)).filter((visit) => visit !== undefined);
    },
    /** Goes on to the end of the period, in which the event loop was so late. */
    period(lateMs: number) {
      for (let i = 0; i < 5; i++) overload.sample(lateMs);
    },
    /** A request of so much time of our own, and as much of others'. */
    serve(visit: Visit, ownMs: number) {
      visit.begin();
      time.ms += ownMs;
      visit.away();
      time.ms += 10_000;
      visit.back();
      visit.answered();
    },
  };
}

it('leaves a quarter of the places to whoever comes next, and gives nobody more than a quarter beside others', () => {
  const { overload, enter, period } = guard();
  expect(overload.limit).toBe(128);
  const flood = enter('a', 1000);
  expect(flood).toHaveLength(96);
  // b came when a had all that one may have alone: it finds room all the same.
  const others = enter('b', 20);
  expect(others).toHaveLength(20);
  for (const visit of flood) visit.release();
  expect(enter('a', 1000)).toHaveLength(32);
  // Whoever asks no more is forgotten.
  for (const visit of others) visit.release();
  for (let i = 0; i < 12; i++) period(0);
  expect(enter('a', 1000).length).toBeGreaterThan(60);
  overload.close();
});

it('keys that nobody knows count as one asker, until it is known whose they are', () => {
  const { overload, enter } = guard();
  enter('a', 1);
  const strangers = enter(STRANGERS, 1000);
  expect(strangers).toHaveLength(32);
  strangers[0]!.admit('b');
  expect(enter(STRANGERS, 1000)).toHaveLength(1);
  overload.close();
});

it('follows our own time, not that of the targets', () => {
  const { overload, enter, serve, period } = guard();
  const limits = (ownMs: number, lateMs: number) =>
    Array.from({ length: 3 }, () => {
      for (const visit of enter('a', 1000)) serve(visit, ownMs);
      const kept = enter('a', 1000);
      period(lateMs);
      for (const visit of kept) visit.release();
      return Math.round(overload.limit);
    });
  expect(limits(5, 5)).toEqual([134, 141, 148]); // fast, and more were wanted
  expect(limits(40, 0)).toEqual([133, 120, 108]); // slow in our hands
  expect(limits(0, 40)).toEqual([97, 87, 79]); // slow before it came into them
  expect(limits(500, 500)).toEqual([71, 64, 64]); // never below what the ledger's batches want
  overload.close();
});

it('does not blame few requests for what is slow', () => {
  const { overload, enter, period } = guard();
  const few = enter('a', 10);
  for (let i = 0; i < 10; i++) period(500);
  expect([few.length, overload.limit]).toEqual([10, 128]);
  overload.close();
});

it('a visit is given back once, however the request ends', () => {
  const { overload, enter, serve } = guard();
  const [served, left] = enter('a', 2);
  serve(served!, 1);
  served!.release();
  left!.away(); // its client leaves while it waits for a target
  left!.release();
  left!.back();
  expect(enter('a', 1000)).toHaveLength(96);
  overload.close();
});

it('without limits nobody is refused', () => {
  const { enter, period, overload } = guard(false);
  expect(enter('a', 10_000)).toHaveLength(10_000);
  for (let i = 0; i < 100; i++) period(1_000);
  expect(overload.limit).toBe(Infinity);
});
