import { cidrOf, formatCidr, formatIp, parseCidr, parseIp, unmapped } from '@vedette/contract/net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('parseIp', () => {
  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '01.2.3.4',
    '0x7f.0.0.1',
    '127.1',
    '2130706433',
    '1.2.3.4 ',
    '::1%eth0',
    '[::1]',
    '1::2::3',
    ':::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '::1.2.3',
    '::1.2.3.256',
    '1:2:3:4:5:6:7:1.2.3.4',
    '12345::',
    'g::1',
    '1:2:3:4:5:6:7:8::',
  ])('refuses %j', (text) => {
    expect(parseIp(text)).toBeUndefined();
  });

  it('reads back every IPv4 address it prints', () => {
    fc.assert(fc.property(fc.ipV4(), (text) => formatIp(parseIp(text)!) === text));
  });

  it('agrees with the URL parser on IPv6 text (RFC 5952)', () => {
    fc.assert(fc.property(fc.ipV6(), (text) => `[${formatIp(parseIp(text)!)}]` === new URL(`http://[${text}]/`).hostname));
  });
});

it.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['::ffff:0.0.0.0', '0.0.0.0'],
  ['192.0.2.1', '192.0.2.1'],
  ['::192.0.2.1', '::c000:201'], // compatible, not mapped
  ['::ffff:0:192.0.2.1', '::ffff:0:c000:201'], // translated, not mapped
  ['::1:0:0', '::1:0:0'],
  ['2001:db8::1', '2001:db8::1'],
])('%s stands for %s (RFC 4291 §2.5.5.2)', (text, expected) => {
  expect(formatIp(unmapped(parseIp(text)!))).toBe(expected);
});

describe('parseCidr', () => {
  it('drops host bits and takes a bare address as one host', () => {
    expect(parseCidr('192.0.2.77/24')).toEqual(parseCidr('192.0.2.0/24'));
    expect(parseCidr('2001:db8::1')).toEqual({ version: 6, base: parseIp('2001:db8::1')!.value, bits: 128 });
  });
  // A mapped network matched nothing before: addresses are compared unmapped.
  it.each([
    ['::ffff:192.0.2.77/120', '192.0.2.0/24'],
    ['::ffff:c000:24d', '192.0.2.77/32'],
    ['::ffff:192.0.2.77/128', '192.0.2.77/32'],
    ['::ffff:0.0.0.0/96', '0.0.0.0/0'],
    ['::/0', '::/0'],
    ['::192.0.2.0/120', '::c000:200/120'], // compatible, not mapped
  ])('reads %s as %s', (text, expected) => {
    expect(formatCidr(parseCidr(text)!)).toBe(expected);
  });
  it.each(['::ffff:192.0.2.0/95', '::ffff:0:0/64', '::ffff:0:0/0'])('refuses %s: half of it would match nothing', (text) => {
    expect(parseCidr(text)).toBeUndefined();
  });
  it.each(['', '10.0.0.0/33', '::ffff:0:0/129', '::/129', '10.0.0.0/-1', '10.0.0.0/8/8', 'ten/8'])('refuses %j', (text) => {
    expect(parseCidr(text)).toBeUndefined();
  });
});

it('makes networks of addresses as they are, mapped ones too', () => {
  expect(formatCidr(cidrOf(parseIp('::ffff:192.0.2.77')!, 120)!)).toBe('::ffff:c000:200/120');
  expect(cidrOf(parseIp('192.0.2.77')!, 33)).toBeUndefined();
});
