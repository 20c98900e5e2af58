import { ownTargets, prefixOf } from '@vedette/probes/host';
import { expect, it } from 'vitest';

it.each([
  ['own.test', true],
  ['www.OWN.test', true],
  ['notown.test', false],
  ['test', false],
  ['198.51.100.9', true],
  ['198.51.101.9', false],
  ['2001:db8::1', true],
  ['2001:db8:0:0::1', true],
  ['2001:db8::2', false],
])('%s is one of the own targets: %s', (target, own) => {
  expect(ownTargets(['Own.test', '198.51.100.0/24', '2001:db8::1'])(target)).toBe(own);
  expect(ownTargets([])(target)).toBe(false);
});

it.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2:3::4', '2001:db8:1::/48'],
])('the prefix of %s is %s', (address, prefix) => {
  expect(prefixOf(address)).toBe(prefix);
});
