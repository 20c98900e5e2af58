import { expect, it } from 'vitest';
import { Reader } from '../../../../packages/probes/src/dns/wire/reader.ts';
import { readServiceParams } from '../../../../packages/probes/src/dns/wire/svcb.ts';

const read = (hex: string) => readServiceParams(new Reader(Buffer.from(hex.replaceAll(' ', ''), 'hex')));
const text = (value: string) => Buffer.from(value, 'latin1').toString('hex');

it.each([
  ['RFC 9460 D.2: no parameters', '', ''],
  ['D.2: port', '0003 0002 0035', 'port=53'],
  ['D.2: a generic key', `029b 0005 ${text('hello')}`, 'key667="hello"'],
  ['D.2: a generic key with an octet beyond ASCII', `029b 0009 ${text('hello\u00d2qoo')}`, String.raw`key667="hello\210qoo"`],
  [
    'D.2: two ipv6hints',
    '0006 0020 20010db8000000000000000000000001 20010db8000000000000000000530001',
    'ipv6hint=2001:db8::1,2001:db8::53:1',
  ],
  ['D.2: an ipv6hint written with an IPv4 tail', '0006 0010 20010db801220344 00000000c0000221', 'ipv6hint=2001:db8:122:344::c000:221'],
  [
    'D.2: mandatory, alpn, ipv4hint',
    `0000 0004 0001 0004 0001 0009 02 ${text('h2')} 05 ${text('h3-19')} 0004 0004 c0000201`,
    'mandatory=alpn,ipv4hint alpn="h2,h3-19" ipv4hint=192.0.2.1',
  ],
  [
    'D.2: an alpn with a backslash and a comma',
    `0001 000c 08 ${text(String.raw`f\oo,bar`)} 02 ${text('h2')}`,
    String.raw`alpn="f\\\\oo\\,bar,h2"`,
  ],
  ['keys without a value', '0002 0000 0008 0000 029b 0000', 'no-default-alpn ohttp key667'],
  ['ech in base64', '0005 0003 010203', 'ech=AQID'],
  ['dohpath', `0007 0010 ${text('/dns-query{?dns}')}`, 'dohpath="/dns-query{?dns}"'],
  ['a mandatory key that nobody knows', '0000 0002 029b', 'mandatory=key667'],
  ['a port of three octets, as it is', '0003 0003 003500', String.raw`key3="\0005\000"`],
  ['an ipv4hint of five octets, as it is', '0004 0005 4142434445', 'key4="ABCDE"'],
  ['an alpn whose length lies, as it is', '0001 0002 0541', String.raw`key1="\005A"`],
  ['an empty alpn, as it is', '0001 0000', 'key1'],
])('presents %s', (_, hex, presentation) => {
  expect(read(hex)).toBe(presentation);
});
