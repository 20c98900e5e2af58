import type { DnsRecord } from '@vedette/contract';
import { expect, it } from 'vitest';
import { presentRecord } from '@vedette/probes/dns';
import { decodeMessage } from '../../../packages/probes/src/dns/wire/message.ts';

/** A record whose RDATA is given as hex octets, as if received. */
function received(type: number, rdata: string): DnsRecord {
  const octets = Buffer.from(rdata.replaceAll(' ', ''), 'hex');
  const fixed = Buffer.from('000084000000000100000000 00 00000001 0000003c 0000'.replaceAll(' ', ''), 'hex');
  fixed.writeUInt16BE(type, 13);
  fixed.writeUInt16BE(octets.length, 21);
  return decodeMessage(Buffer.concat([fixed, octets])).answers[0]!;
}
const text = (value: string) => Buffer.from(value).toString('hex');

it.each([
  ['A', 1, 'c0000201', '192.0.2.1'],
  ['AAAA', 28, '20010db8000000000000000000000001', '2001:db8::1'],
  ['the root as a target', 15, '0000 00', '0 .'],
  ['TXT, joined without a space', 16, `01 ${text('a')} 02 ${text('bc')}`, 'abc'],
  ['TXT in UTF-8, split inside a letter', 16, '02 67c3 01 bc', 'gü'],
  ['TXT with octets that are no UTF-8', 16, '04 61ff5c0a', String.raw`a\255\\\010`],
  ['TXT with the text of such an octet', 16, `05 ${text(String.raw`a\255`)}`, String.raw`a\\255`],
  ['CAA likewise', 257, `00 05 ${text('issue')} ${text(String.raw`\255`)}`, { flag: 0, tag: 'issue', value: String.raw`\\255` }],
  ['URI, its quotes escaped', 256, `0001 0002 ${text('a"b')}`, String.raw`1 2 "a\"b"`],
  ['SSHFP', 44, '04 02 01ab', '4 2 01ab'],
  ['LOC, south and west', 29, '00 12 16 13 76c7c384 70f500f8 00989680', '42 58 0.444 S 70 6 18.888 W 0.00m 1.00m 10000.00m 10.00m'],
  ['TXT with a byte order mark', 16, '04 efbbbf61', '\ufeffa'],
  ['TXT of markup, as it is', 16, `09 ${text('</script>')}`, '</script>'],
  ['TXT without a string', 16, '', ''],
  ['SRV', 33, '0001 0002 0050 01 73 00', { priority: 1, weight: 2, port: 80, target: 's' }],
  [
    'SOA',
    6,
    '01 6d 00 01 72 00 00000001 00000002 00000003 00000004 00000005',
    { mname: 'm', rname: 'r', serial: 1, refresh: 2, retry: 3, expire: 4, minttl: 5 },
  ],
  ['CAA, its tag in lower case', 257, `80 05 ${text('ISSUE')} ${text('CA.test')}`, { flag: 128, tag: 'issue', value: 'CA.test' }],
  ['an alias-mode HTTPS', 65, '0000 01 61 00', '0 a'],
  ['RRSIG times', 46, '0001 0d 02 0000012c 6b36ec80 ffffffff 0001 00 ff', 'A 13 2 300 20270101000000 21060207062815 1 . /w=='],
  ['NSEC3 with an empty salt (RFC 5155 §3.3)', 50, '01 01 000c 00 02 ffff 0001 40', '1 1 12 - vvvg A'],
  ['NSEC3 with a salt', 50, '01 00 0000 02 aabb 05 0001020304 0006 400000000002', '1 0 0 aabb 000g40o4 A RRSIG'],
  ['NSEC with a type that has no name here', 47, '00 00 01 40 ff 01 80', '. A TYPE65280'],
  ['a type that we do not know (RFC 3597 §5)', 65_280, '0a0b', String.raw`\# 2 0a0b`],
  ['such a type without RDATA', 65_280, '', String.raw`\# 0`],
])('presents %s', (_, type, rdata, presentation) => {
  expect(presentRecord(received(type, rdata))).toEqual(presentation);
});
