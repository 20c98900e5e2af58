import { expect, it } from 'vitest';
import { Slots } from '../../../packages/operations/src/kit/slots.ts';

const STAYS = new AbortController().signal;

it('runs so many at once, the rest in their order, also after one that failed', async () => {
  const slots = new Slots(2);
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const run = (n: number) =>
    slots.run(STAYS, () => {
      begun.push(n);
      return new Promise<number>((resolve, reject) => ends.push(() => (n === 1 ? reject(new Error('failed')) : resolve(n))));
    });
  const runs = [1, 2, 3, 4].map((n) => run(n));
  const settled = Promise.allSettled(runs);
  await Promise.resolve();
  expect(begun).toEqual([1, 2]);
  ends[0]!();
  await expect(runs[0]).rejects.toThrow('failed');
  expect(begun).toEqual([1, 2, 3]);
  ends[1]!();
  await runs[1];
  expect(begun).toEqual([1, 2, 3, 4]);
  for (const end of ends) end();
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
});

it('whoever leaves while waiting gives its turn away', async () => {
  const slots = new Slots(1);
  let end = () => {};
  const first = slots.run(STAYS, () => new Promise<void>((resolve) => (end = resolve)));
  const gone = new AbortController();
  const left = slots.run(gone.signal, () => Promise.resolve('never'));
  const next = slots.run(STAYS, () => Promise.resolve('next'));
  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  end();
  await first;
  expect(await next).toBe('next');
  await expect(slots.run(gone.signal, () => Promise.resolve('ran'))).resolves.toBe('ran'); // there is room: it is for the work to heed its signal
});
