import { expect, it } from 'vitest';
import { Slots } from '../../packages/bus/src/serve/slots.ts';

const full = (max: number, used: number) => {
  const slots = new Slots(max);
  for (let n = 0; n < used; n += 1) slots.take();
  return slots;
};

it('takes as many jobs as there are places', () => {
  const slots = full(2, 1);
  expect([slots.take(), slots.take(), slots.used]).toEqual([true, false, 2]);
  slots.release();
  expect(slots.take()).toBe(true);
});

it('leaves the queue group after 2 s above 90 %, and comes back below 70 %', () => {
  const slots = full(10, 10);
  expect([slots.open(0), slots.open(1_999), slots.open(2_000)]).toEqual([true, true, false]);
  slots.release(); // 9 of 10
  slots.release();
  slots.release(); // 7 of 10
  expect(slots.open(2_100)).toBe(false);
  slots.release(); // 6 of 10
  expect(slots.open(2_200)).toBe(true);
});

it('forgets a crowd that went away in between', () => {
  const slots = full(10, 10);
  expect(slots.open(0)).toBe(true);
  slots.release(); // 9 of 10 is not above 90 %
  expect(slots.open(1_000)).toBe(true);
  slots.take();
  expect([slots.open(1_500), slots.open(3_400), slots.open(3_500)]).toEqual([true, true, false]);
});
