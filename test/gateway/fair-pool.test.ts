import type { Pass } from '@vedette/contract';
import { systemClock } from '@vedette/probes/net';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairPool, type FairPoolOptions } from '../../packages/gateway/src/shares/fair-pool.ts';
import { runs } from '../runs.ts';

/** A clock by the hand of the test: whoever sleeps wakes when it is told to. */
function handClock() {
  const sleepers: { ms: number; wake: () => void }[] = [];
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const sleeper = { ms, wake: resolve };
      sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        sleepers.splice(sleepers.indexOf(sleeper), 1);
        reject(signal.reason as Error);
      });
    });
  const time = { ms: 0 };
  return { sleepers, time, clock: { now: () => time.ms, sleep } };
}
/** Promises that were settled have told so. */
const told = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

const WAIT_MS = 2_000;

function setUp(permits: number, options: Partial<FairPoolOptions> = {}) {
  const { clock, time, sleepers } = handClock();
  const size = { permits };
  const semaphore = new FairPool({ clock, total: () => size.permits, ...options });
  /** Asks so many times at once; what was given, and what became of those that wait. */
  const ask = (account: string, times = 1) => {
    const asked = { given: [] as Pass[], refused: 0, late: [] as (Pass | undefined)[] };
    for (let n = 0; n < times; n++) {
      const permit = semaphore.acquire(account, WAIT_MS);
      if (permit instanceof Promise) void permit.then((pass) => asked.late.push(pass));
      else if (permit === undefined) asked.refused += 1;
      else asked.given.push(permit);
    }
    return asked;
  };
  return { semaphore, size, sleepers, time, ask };
}

describe('an account', () => {
  it('alone has the use of three quarters; twice as many as there are permits may wait, the rest is refused', () => {
    const { semaphore, ask } = setUp(32);
    const { given, refused } = ask('flooder', 100);
    expect([given.length, refused]).toEqual([24, 100 - 24 - 64]);
    expect(semaphore.usage).toEqual({ held: 24, waiting: 64, max: 32, refused: 12 });
  });
  it.each([
    [1, [1]],
    [2, [1, 1]],
    [3, [2, 1]],
    [4, [3, 1]],
    [5, [4, 1]],
    [6, [5, 1]],
    [16, [12, 2, 1, 1]],
    [32, [24, 4, 2, 1, 1]],
    [256, [192, 32, 16, 8, 4, 2, 1, 1]],
  ])('that comes after floods finds some, however many these are: of %i', (permits, found) => {
    const { ask } = setUp(permits);
    expect(found.map((_, i) => ask(`account ${i}`, 300).given.length)).toEqual(found);
    expect(found.reduce((sum, n) => sum + n)).toBe(permits);
  });
  it.each([2, 4, 32])('alone has all of %i permits where none is reserved; who comes gets the next', async (permits) => {
    const { semaphore, ask } = setUp(permits, { reserves: false });
    const flood = ask('flooder', 3 * permits);
    expect(flood.given).toHaveLength(permits);
    const { late } = ask('newcomer');
    flood.given.pop()!();
    await told();
    expect(late).toEqual([expect.any(Function)]);
    expect([flood.late.filter(Boolean), semaphore.usage.held]).toEqual([[], permits]);
  });
  it('that holds least is served first, and the one that asked first of two that hold as much', async () => {
    const { ask } = setUp(4);
    const flood = ask('flooder', 5);
    const last = ask('second');
    const third = ask('third');
    const fourth = ask('fourth');
    for (const asked of [third, fourth]) {
      last.given.pop()?.();
      flood.given.pop()?.();
      await told();
      expect(asked.late).toEqual([expect.any(Function)]);
    }
    expect(flood.late).toEqual([]);
  });
  it('that floods gets back what others leave, down to the last quarter', async () => {
    const { semaphore, ask } = setUp(8);
    const flood = ask('flooder', 10);
    const other = ask('other', 1);
    expect([flood.given.length, other.given.length]).toEqual([6, 1]);
    other.given.pop()!();
    await told();
    expect(flood.late).toEqual([]);
    flood.given.pop()!();
    await told();
    expect(flood.late).toHaveLength(1);
    expect(semaphore.usage).toEqual({ held: 6, waiting: 3, max: 8, refused: 0 });
  });
});

describe('who waits', () => {
  it('waits so long and no longer', async () => {
    const { semaphore, sleepers, ask } = setUp(1);
    const { given } = ask('a');
    const { late } = ask('b');
    expect(sleepers.map(({ ms }) => ms)).toEqual([WAIT_MS]);
    sleepers[0]!.wake();
    await told();
    expect(late).toEqual([undefined]);
    given[0]!();
    expect(semaphore.usage).toEqual({ held: 0, waiting: 0, max: 1, refused: 1 });
  });
  it('leaves when its request has ended, and does not begin once it has', async () => {
    const { semaphore } = setUp(1);
    void semaphore.acquire('a', WAIT_MS);
    const control = new AbortController();
    const waiting = semaphore.acquire('b', WAIT_MS, control.signal);
    control.abort();
    expect(await waiting).toBeUndefined();
    expect(semaphore.acquire('b', WAIT_MS, control.signal)).toBeUndefined();
    expect(semaphore.usage).toEqual({ held: 1, waiting: 0, max: 1, refused: 0 });
  });
  it('has its timer stopped when it is served', async () => {
    const { sleepers, ask } = setUp(1);
    const { given } = ask('a');
    ask('b');
    given[0]!();
    await told();
    expect(sleepers).toEqual([]);
  });
  it('gives way, the newest of the account with most waiting first, where too many wait', async () => {
    const { semaphore, ask } = setUp(2);
    const flood = ask('flooder', 1 + 4);
    ask('second', 2);
    const third = ask('third', 2);
    await told();
    expect([flood.refused, flood.late]).toEqual([0, [undefined, undefined, undefined]]);
    expect(semaphore.usage.refused).toBe(3);
    expect(third).toEqual({ given: [], refused: 0, late: [] });
    expect(ask('third').refused).toBe(1);
  });
  it('is served when there are more permits than before, by the next who asks', async () => {
    const { size, ask } = setUp(1);
    ask('a');
    const { late } = ask('b');
    size.permits = 4;
    expect(ask('c').given).toHaveLength(1);
    await told();
    expect(late).toEqual([expect.any(Function)]);
  });
});

it('forgets accounts that have nothing', () => {
  const { semaphore, ask } = setUp(2);
  for (let i = 0; i < 1_000; i++) ask(`account ${i}`).given[0]!();
  expect(semaphore.usage).toEqual({ held: 0, waiting: 0, max: 2, refused: 0 });
});

type Step =
  | { kind: 'ask'; account: number }
  | { kind: 'give back' | 'out of time' | 'leave'; which: number }
  | { kind: 'resize'; permits: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('ask' as const), account: fc.nat(4) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('give back' as const, 'out of time' as const, 'leave' as const), which: fc.nat(50) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resize' as const), permits: fc.integer({ min: 1, max: 20 }) }) },
);

interface Ask {
  account: number;
  control: AbortController;
  state: 'waiting' | 'held' | 'over';
  pass: Pass | undefined;
  settled: number;
}

/** Plays the steps beside a list of all that was asked, and holds every grant against the rule. */
async function play(permits: number, steps: readonly Step[]): Promise<void> {
  const { semaphore, size, sleepers } = setUp(permits);
  const asks: Ask[] = [];
  const inState = (state: Ask['state']) => asks.filter((ask) => ask.state === state);
  const heldBy = (account: number) => inState('held').filter((ask) => ask.account === account).length;
  const free = () => size.permits - inState('held').length;
  const mayHave = (account: number) => free() > Math.max(1, size.permits / 4) || heldBy(account) < free();
  const broken: string[] = [];
  const settle = (ask: Ask, pass: Pass | undefined) => {
    ask.settled += 1;
    if (pass !== undefined && !mayHave(ask.account)) broken.push('a permit was given against the rule');
    const least = Math.min(...inState('waiting').map(({ account }) => heldBy(account)));
    if (pass !== undefined && ask.state === 'waiting' && heldBy(ask.account) > least) broken.push('somebody else held less');
    ask.state = pass === undefined ? 'over' : 'held';
    ask.pass = pass;
  };
  const does = async (action: Step): Promise<void> => {
    if (action.kind === 'resize') size.permits = action.permits;
    else if (action.kind === 'ask') {
      const ask: Ask = { account: action.account, control: new AbortController(), state: 'waiting', pass: undefined, settled: 0 };
      const permit = semaphore.acquire(`${ask.account}`, WAIT_MS, ask.control.signal);
      if (permit instanceof Promise) {
        asks.push(ask);
        void permit.then((pass) => settle(ask, pass));
      } else {
        await told(); // whoever waited was served before
        ask.state = 'over';
        asks.push(ask);
        settle(ask, permit);
      }
    } else if (action.kind === 'give back') {
      const held = inState('held');
      const ask = held[action.which % held.length];
      if (ask === undefined) return;
      ask.state = 'over';
      ask.pass!();
    } else if (action.kind === 'leave') {
      const waiting = inState('waiting');
      waiting[action.which % waiting.length]?.control.abort();
    } else sleepers[action.which % sleepers.length]?.wake();
  };
  const consistent = () => {
    expect(semaphore.usage).toMatchObject({ held: inState('held').length, waiting: inState('waiting').length, max: size.permits });
    expect(asks.every(({ state, settled }) => settled === (state === 'waiting' ? 0 : 1))).toBe(true);
    expect(sleepers.length).toBe(inState('waiting').length);
  };
  for (const action of steps) {
    await does(action);
    await told();
    consistent();
    // Those who wait hear of more permits than before at the next ask.
    const inVain = action.kind === 'ask' && inState('waiting').some(({ account }) => mayHave(account));
    if (inVain) broken.push('somebody waits for what is there');
  }
  while (inState('held').length > 0) {
    await does({ kind: 'give back', which: 0 });
    await told();
  }
  expect(inState('waiting'), 'nobody starves').toEqual([]);
  consistent();
  expect(broken).toEqual([]);
}

it('never gives more than there are, nor against the rule, and loses none, whatever happens', async () => {
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 120 }), play), { numRuns: runs(500) });
});

describe('after a refusal', () => {
  it('its account waits for a moment only, until it was left in peace for a while; others wait as long as ever', async () => {
    const { ask, sleepers, time } = setUp(4, { afterRefusal: { forMs: 2_000, waitMs: 100 } });
    const waits = () => sleepers.at(-1)!.ms;
    expect(ask('flooder', 3 + 8)).toMatchObject({ given: { length: 3 }, refused: 0 });
    expect(new Set(sleepers.map(({ ms }) => ms))).toEqual(new Set([WAIT_MS]));
    expect(ask('flooder').refused).toBe(1);
    /** Ends the longest wait of all, which is a refusal too, so that there is room for another. */
    const oneLess = async () => {
      sleepers.shift()!.wake();
      await told();
    };
    await oneLess();
    time.ms = 1_999;
    ask('flooder');
    expect(waits()).toBe(100);
    ask('newcomer', 2);
    expect(waits()).toBe(WAIT_MS);
    await oneLess();
    time.ms += 2_000;
    ask('flooder');
    expect(waits()).toBe(WAIT_MS);
  });
});

describe('bytes that accounts share', () => {
  const poolOf = (bytes: number) => new FairPool({ clock: systemClock, total: () => bytes });

  it('an account alone has three quarters; out of the rest it gets what it holds less than', () => {
    const bytes = poolOf(100);
    expect(bytes.take('a', 75)).toBeTypeOf('function');
    expect(bytes.take('a', 1)).toBeUndefined();
    expect(bytes.take('b', 20)).toBeTypeOf('function');
    expect(bytes.usage).toEqual({ held: 95, waiting: 0, max: 100, refused: 1 });
  });

  it('that come back go to the account that holds least, and once', async () => {
    const bytes = poolOf(100);
    const [first, second] = [bytes.take('a', 70)!, bytes.take('b', 25)!];
    const order: string[] = [];
    const waiting = ['a', 'c'].map(async (account) => {
      const pass = await bytes.acquire(account, 5_000, undefined, 30);
      order.push(account);
      return pass!;
    });
    expect(bytes.usage.waiting).toBe(60);
    first();
    first();
    for (const pass of await Promise.all(waiting)) pass();
    expect(order).toEqual(['a', 'c']);
    second();
    expect(bytes.usage).toMatchObject({ held: 0, waiting: 0 });
  });

  it('are not given to a short request of an account whose long one waits', async () => {
    const bytes = poolOf(100);
    const all = bytes.take('a', 50)!;
    const long = bytes.acquire('a', 5_000, undefined, 40);
    expect(long).toBeInstanceOf(Promise);
    expect(bytes.take('a', 10)).toBeUndefined();
    expect(bytes.take('b', 10)).toBeTypeOf('function');
    all();
    expect(await long).toBeTypeOf('function');
  });

  it('a request that waits too long gets none, nor does one that leaves, and neither stays', async () => {
    const bytes = poolOf(100);
    const all = bytes.take('a', 75)!;
    expect(await bytes.acquire('a', 20, undefined, 30)).toBeUndefined();
    const control = new AbortController();
    const waiting = bytes.acquire('a', 5_000, control.signal, 30);
    control.abort(new Error('gone'));
    expect(await waiting).toBeUndefined();
    all();
    expect(bytes.usage).toEqual({ held: 0, waiting: 0, max: 100, refused: 1 });
  });
});
