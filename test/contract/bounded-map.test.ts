import { BoundedMap } from '@vedette/contract/tools';
import { expect, it } from 'vitest';

it('forgets what was set longest ago, whatever was read since', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3],
  ]);
  expect(map.get('a')).toBeUndefined();
});

it('takes a key that is set again as the newest', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});

it('counts sizes where it is told them', () => {
  const map = new BoundedMap<string, string>(5, (text) => text.length);
  map.set('a', 'xx');
  map.set('b', 'xx');
  map.set('a', 'x');
  map.delete('none');
  map.set('c', 'xx');
  expect([...map].map(([key]) => key)).toEqual(['b', 'a', 'c']); // 2 + 1 + 2
  map.delete('b');
  map.set('d', 'xx');
  expect([...map].map(([key]) => key)).toEqual(['a', 'c', 'd']);
  map.set('e', 'xxx');
  expect([...map].map(([key]) => key)).toEqual(['d', 'e']);
});

it('does not keep what alone is too large', () => {
  const map = new BoundedMap<string, string>(5, (text) => text.length);
  map.set('a', 'x');
  map.set('b', 'xxxxxx');
  expect([...map]).toEqual([]);
  map.set('c', 'xxxxx');
  expect([...map]).toEqual([['c', 'xxxxx']]);
});
