import { afterEach, expect, it } from 'vitest';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { Overload, type Visit, STRANGERS } from '../../packages/gateway/src/door/overload.ts';

const opened: Overload[] = [];
afterEach(() => {
  for (const overload of opened.splice(0)) overload.close();
});

/** An overload guard on a clock of the test's own, with its timer never running by itself. */
function guard(limited = true) {
  const time = { ms: 0 };
  const metrics = createMetrics();
  const overload = new Overload({ clock: { now: () => time.ms }, metrics, limited });
  opened.push(overload);
  return {
    /** Enters as often as it may, `times` at most. */
    enter(name: string, times: number): Visit[] {
      return Array.from({ length: times }, () => overload.enter(name)).filter((visit) => visit !== undefined);
    },
    /** Goes on to the end of the period, in which the event loop was so late; the limit from then on. */
    async period(lateMs: number): Promise<number> {
      for (let i = 0; i < 5; i++) overload.sample(lateMs);
      return Math.round((await metrics.concurrencyLimit.get()).values[0]!.value);
    },
    /** A request of so much time of our own, and as much of others'. */
    serve(visit: Visit, ownMs: number) {
      visit.admit('a');
      visit.begin();
      time.ms += ownMs;
      visit.away();
      time.ms += 10_000;
      visit.back();
      visit.answered();
      visit.release();
    },
  };
}
const leave = (visits: readonly Visit[]) => {
  for (const visit of visits) visit.release();
};

it('takes a burst of one account, also beside somebody who asks now and then', () => {
  const { enter } = guard();
  // 96 it was, and 32 beside a monitor.
  expect(enter('a', 100)).toHaveLength(100);
  leave(enter('monitor', 1));
  expect(enter('b', 100)).toHaveLength(100);
  enter('monitor', 1);
  expect(enter(STRANGERS, 100)).toHaveLength(100);
});

it('leaves the last quarter to whoever holds little', () => {
  const { enter } = guard();
  const flood = enter('a', 1000);
  expect(flood).toHaveLength(384);
  // b came when a had all that one may have alone: it finds room all the same, and leaves as much.
  expect(enter('b', 1000)).toHaveLength(64);
  expect(enter('c', 1000)).toHaveLength(32);
  leave(flood);
  expect(enter('a', 1000)).toHaveLength(288);
});

it('keys that nobody knows count as one asker, until it is known whose they are', () => {
  const { enter } = guard();
  enter('a', 1);
  const strangers = enter(STRANGERS, 1000);
  expect(strangers).toHaveLength(383);
  strangers[0]!.admit('b');
  expect(enter(STRANGERS, 1000)).toHaveLength(1);
});

it('heads whose bodies do not come close the door for nobody', () => {
  const { enter } = guard();
  // With 32 of each of four accounts it was shut.
  const waiting: Visit[] = [];
  for (const name of ['a', 'b', 'c', 'd'])
    for (let i = 0; i < 512; i++)
      for (const visit of enter(name, 1)) {
        visit.admit(name);
        waiting.push(visit);
      }
  expect(waiting).toHaveLength(4 * 512);
  expect(enter('e', 100)).toHaveLength(100);
  // When they all come at once there is room for so many.
  const begun = waiting.filter((visit) => {
    try {
      visit.begin();
      return true;
    } catch {
      return false;
    }
  });
  expect(begun.length).toBeGreaterThan(300);
  expect(begun.length).toBeLessThanOrEqual(412);
  expect(enter('f', 1)).toHaveLength(1);
});

it('follows our own time, not that of the targets', async () => {
  const { enter, serve, period } = guard();
  const limits = async (ownMs: number, lateMs: number) => {
    const after: number[] = [];
    for (let i = 0; i < 3; i++) {
      for (let request = 0; request < 10; request++) for (const visit of enter('a', 1)) serve(visit, ownMs);
      const kept = enter('a', 1000);
      after.push(await period(lateMs));
      leave(kept);
    }
    return after;
  };
  expect(await limits(5, 5)).toEqual([538, 564, 593]); // fast, and more were wanted
  expect(await limits(40, 0)).toEqual([533, 480, 432]); // slow in our hands
  expect(await limits(0, 40)).toEqual([389, 350, 315]); // slow before it came into them
  expect(await limits(500, 500)).toEqual([283, 255, 230]);
});

it('does not blame few requests for what is slow', async () => {
  const { enter, period } = guard();
  enter('a', 10);
  for (let i = 0; i < 10; i++) expect(await period(500)).toBe(512);
});

it('forgets what it learnt in overload, whether anybody asks or not', async () => {
  const { enter, period } = guard();
  const flood = enter('a', 1000);
  for (let i = 0; i < 20; i++) await period(500);
  leave(flood);
  let limit = 0;
  for (let i = 0; i < 30; i++) limit = await period(0);
  expect(limit).toBeGreaterThanOrEqual(512);
  expect(enter('a', 1000).length).toBeGreaterThanOrEqual(384);
});

it('a visit is given back once, however the request ends', async () => {
  const { enter, serve, period } = guard();
  const [served, left, back] = enter('a', 3);
  serve(served!, 1);
  served!.release();
  left!.away(); // its client leaves while it waits for a target
  left!.release();
  left!.back();
  // Whose request it is, is not forgotten while it waits.
  back!.away();
  await period(0);
  back!.back();
  expect(enter('a', 1000)).toHaveLength(383);
});

it('without limits nobody is refused', async () => {
  const { enter, period } = guard(false);
  expect(enter('a', 10_000)).toHaveLength(10_000);
  for (let i = 0; i < 100; i++) expect(await period(1_000)).toBe(Infinity);
});
