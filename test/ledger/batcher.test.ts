import { expect, it } from 'vitest';
import { createBatcher } from '../../packages/ledger/src/store/batcher.ts';

/** A store whose commits end when the test says so. */
function slowStore(options = { maxBatch: 10, maxQueue: 100 }) {
  const batches: number[][] = [];
  const ends: ((outcome: (string | Error)[] | Error) => void)[] = [];
  const submit = createBatcher<number, string>((items) => {
    batches.push(items);
    return new Promise((resolve, reject) => {
      ends.push((outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)));
    });
  }, options);
  return { batches, submit, end: (outcome: (string | Error)[] | Error) => ends.shift()!(outcome) };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

it('opens a batch at once, and gathers what comes while it runs into the next', async () => {
  const { batches, submit, end } = slowStore();
  const first = submit(1);
  await turn();
  const others = [submit(2), submit(3)];
  await turn();
  expect(batches).toEqual([[1]]);
  end(['one']);
  expect(await first).toBe('one');
  await turn();
  expect(batches).toEqual([[1], [2, 3]]);
  end(['two', new Error('three')]);
  expect(await Promise.allSettled(others)).toEqual([
    { status: 'fulfilled', value: 'two' },
    { status: 'rejected', reason: new Error('three') },
  ]);
});

it('takes no more than the limit into one batch', async () => {
  const { batches, submit, end } = slowStore({ maxBatch: 2, maxQueue: 100 });
  const all = Promise.all([1, 2, 3].map(submit));
  await turn();
  end(['a', 'b']);
  await turn();
  end(['c']);
  expect(await all).toEqual(['a', 'b', 'c']);
  expect(batches).toEqual([[1, 2], [3]]);
});

it('tells everybody who waits when the store is away, and starts anew', async () => {
  const { batches, submit, end } = slowStore();
  const running = submit(1);
  await turn();
  const waiting = submit(2);
  end(new Error('away'));
  expect((await Promise.allSettled([running, waiting])).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = submit(3);
  await turn();
  end(['back']);
  expect(await next).toBe('back');
  expect(batches).toEqual([[1], [3]]);
});

it('refuses what the queue does not hold', async () => {
  const { submit, end } = slowStore({ maxBatch: 1, maxQueue: 2 });
  const held = [submit(1), submit(2)];
  await expect(submit(3)).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 });
  await turn();
  end(['a']);
  await turn();
  end(['b']);
  expect(await Promise.all(held)).toEqual(['a', 'b']);
});
