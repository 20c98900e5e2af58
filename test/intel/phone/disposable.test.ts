import { createPhones, NumberList } from '@vedette/intel/phone';
import { expect, it } from 'vitest';

it('keeps a list as sorted numbers, and counts what is none', () => {
  const { bytes, unreadable } = NumberList.compile([
    '+447400123456',
    '14155552671',
    '14155552671',
    ' 46701740605 ',
    '123',
    '0123456789',
    'x',
    '',
  ]);
  expect(unreadable).toBe(4);
  const list = new NumberList(bytes);
  expect(list.rows).toBe(3);
  expect([447_400_123_456, 14_155_552_671, 46_701_740_605].map((number) => list.has(number))).toEqual([true, true, true]);
  expect([447_400_123_457, 1, 999_999_999_999_999].map((number) => list.has(number))).toEqual([false, false, false]);
});

it('reads a list that begins anywhere in a file, and one that is empty', () => {
  const { bytes } = NumberList.compile(['14155552671']);
  const file = new Uint8Array(bytes.length + 3);
  file.set(bytes, 3);
  expect(new NumberList(file.subarray(3)).has(14_155_552_671)).toBe(true);
  expect(new NumberList(new Uint8Array()).has(14_155_552_671)).toBe(false);
});

it('replaces what a source said before', () => {
  const phones = createPhones();
  phones.setDisposable('test', new NumberList(NumberList.compile(['447400123456']).bytes));
  expect(phones.isDisposable('+447400123456')).toBe(true);
  phones.setDisposable('test', new NumberList(new Uint8Array()));
  expect(phones.isDisposable('+447400123456')).toBe(false);
});
