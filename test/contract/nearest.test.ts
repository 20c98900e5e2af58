import { editDistance, nearest } from '@vedette/contract/tools';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('nearest', () => {
  const names = ['host', 'dns_types', 'locations', 'A', 'MX', 'TLS-RPT'];
  it.each([
    ['hosts', 'host'],
    ['Host', 'host'],
    ['hsot', 'host'],
    [' MX', 'MX'],
    ['a', 'A'],
    ['dns_type', 'dns_types'],
    ['tlsrpt', 'TLS-RPT'],
    ['url', undefined],
    ['B', undefined],
    ['', undefined],
    ['host'.repeat(100), undefined],
  ])('of %s is %s', (text, name) => {
    expect(nearest(text, names)).toBe(name);
  });
});

describe('editDistance', () => {
  it.each([
    ['gmail', 'gmail', 0],
    ['gmial', 'gmail', 1],
    ['gmal', 'gmail', 1],
    ['gmaill', 'gmail', 1],
    ['gnail', 'gmail', 1],
    ['abcdef', 'fedcba', 3],
    ['a', 'abcdef', 3],
  ])('%s to %s is %i', (a, b, distance) => {
    expect(editDistance(a, b, 2)).toBe(distance);
  });
  it('is symmetric', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
    fc.assert(fc.property(word, word, (a, b) => editDistance(a, b, 9) === editDistance(b, a, 9)));
  });
});
