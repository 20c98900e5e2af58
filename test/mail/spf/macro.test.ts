import { parseIp } from '@vedette/contract';
import { expect, it } from 'vitest';
import { expand, parseDomainSpec } from '../../../packages/mail/src/spf/macro.ts';

const values = { ip: parseIp('192.0.2.1')!, sender: 'Ann@mail.test', helo: 'h.test', domain: 'mail.test', validatedName: '' };

it.each([1, 2, 24, 25, 26, 200, 16_000])('keeps the labels that fit in 253 octets of %i macros (RFC 7208 §7.3)', (count) => {
  const labels = 'mail.test.'.repeat(Math.min(count, 30)).split('.').slice(0, -1);
  while (`${labels.join('.')}.org`.length > 253) labels.shift();
  expect(expand(parseDomainSpec(`${'%{d}.'.repeat(count)}org.`), values)).toBe(`${labels.join('.')}.org`);
});
