import { expect, it } from 'vitest';
import { geohash } from '../../packages/gateway/src/locations/geohash.ts';

it('is the geohash that everybody makes of a point', () => {
  expect(geohash(57.64911, 10.40744)).toBe('u4pruyd'); // of the page that described it first
  expect(geohash(-25.382708, -49.265506)).toBe('6gkzwgj');
  expect(geohash(50.11, 8.68)).toMatch(/^u0yj/); // Frankfurt
});

it('has one at the ends of the world', () => {
  expect([geohash(90, 180), geohash(-90, -180), geohash(0, 0)]).toEqual(['zzzzzzz', '0000000', 's000000']);
});
