import { type AddressClass, classifyIp, formatIp, parseCidr, parseIp, unmapped } from '@vedette/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

// The neighbours just outside each block are there to catch a mask that is one bit off.
const CLASSES: [address: string, expected: AddressClass, source: string][] = [
  ['8.8.8.8', 'public', 'ordinary'],
  ['0.0.0.0', 'reserved', 'RFC 791 §3.2'],
  ['0.255.255.255', 'reserved', 'RFC 791 §3.2'],
  ['1.0.0.0', 'public', 'after 0/8'],
  ['9.255.255.255', 'public', 'before 10/8'],
  ['10.0.0.0', 'private', 'RFC 1918'],
  ['11.0.0.0', 'public', 'after 10/8'],
  ['100.63.255.255', 'public', 'before 100.64/10'],
  ['100.100.100.200', 'private', 'RFC 6598; a cloud metadata service'],
  ['100.128.0.0', 'public', 'after 100.64/10'],
  ['127.0.0.1', 'loopback', 'RFC 1122 §3.2.1.3'],
  ['127.255.255.255', 'loopback', 'RFC 1122 §3.2.1.3'],
  ['128.0.0.0', 'public', 'after 127/8'],
  ['168.63.129.16', 'reserved', 'a cloud host agent on a public address'],
  ['168.63.129.17', 'public', 'its neighbour'],
  ['169.254.169.254', 'link_local', 'RFC 3927; cloud metadata'],
  ['172.15.255.255', 'public', 'before 172.16/12'],
  ['172.31.255.255', 'private', 'RFC 1918'],
  ['172.32.0.0', 'public', 'after 172.16/12'],
  ['192.0.0.192', 'reserved', 'RFC 6890; a cloud metadata service'],
  ['192.0.1.0', 'public', 'after 192.0.0/24'],
  ['192.0.2.1', 'reserved', 'RFC 5737'],
  ['192.88.99.1', 'reserved', 'RFC 7526'],
  ['192.168.0.1', 'private', 'RFC 1918'],
  ['192.169.0.0', 'public', 'after 192.168/16'],
  ['198.17.255.255', 'public', 'before 198.18/15'],
  ['198.19.255.255', 'reserved', 'RFC 2544'],
  ['198.51.100.1', 'reserved', 'RFC 5737'],
  ['203.0.113.255', 'reserved', 'RFC 5737'],
  ['223.255.255.255', 'public', 'before multicast'],
  ['224.0.0.1', 'reserved', 'RFC 5771'],
  ['240.0.0.1', 'reserved', 'RFC 1112 §4'],
  ['255.255.255.255', 'reserved', 'RFC 919 §7'],
  ['2606:4700::1111', 'public', 'ordinary'],
  ['::', 'reserved', 'RFC 4291 §2.5.2'],
  ['::1', 'loopback', 'RFC 4291 §2.5.3'],
  ['::127.0.0.1', 'loopback', 'RFC 4291 §2.5.5.1, compatible'],
  ['::a9fe:a9fe', 'link_local', 'compatible form of cloud metadata'],
  ['::ffff:127.0.0.1', 'loopback', 'RFC 4291 §2.5.5.2, mapped'],
  ['::ffff:8.8.8.8', 'reserved', 'mapped forms are never on the wire'],
  ['::ffff:0:10.0.0.1', 'private', 'RFC 2765, translated'],
  ['64:ff9b::a9fe:a9fe', 'link_local', 'RFC 6052, NAT64'],
  ['64:ff9b:1::10.0.0.1', 'private', 'RFC 8215, local NAT64'],
  ['2002:7f00:1::', 'loopback', 'RFC 3056, 6to4'],
  ['2002:808:808::', 'reserved', '6to4 of a public address'],
  ['2001:0:4136:e378:8000:63bf:80ff:fffe', 'loopback', 'RFC 4380, Teredo: the last 32 bits inverted'],
  ['2001:db8::1', 'reserved', 'RFC 3849'],
  ['2001:1ff:ffff::', 'reserved', 'RFC 2928, 2001::/23'],
  ['2001:200::', 'public', 'after 2001::/23'],
  ['3fff::1', 'reserved', 'RFC 9637'],
  ['4000::1', 'reserved', 'outside 2000::/3'],
  ['5f00::1', 'reserved', 'RFC 9602'],
  ['fc00::1', 'private', 'RFC 4193'],
  ['fd00:ec2::254', 'private', 'RFC 4193; cloud metadata'],
  ['fe80::1', 'link_local', 'RFC 4291 §2.5.6'],
  ['fec0::1', 'private', 'RFC 3879'],
  ['ff02::1', 'reserved', 'RFC 4291 §2.7'],
];

describe('classifyIp', () => {
  it.each(CLASSES)('%s is %s (%s)', (address, expected) => {
    expect(classifyIp(parseIp(address)!)).toBe(expected);
  });
});

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
  it.each(['', '10.0.0.0/33', '::/129', '10.0.0.0/-1', '10.0.0.0/8/8', 'ten/8'])('refuses %j', (text) => {
    expect(parseCidr(text)).toBeUndefined();
  });
});
