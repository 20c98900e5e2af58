import { expect, it } from 'vitest';
import { initialIdOf, whatServerSaid } from '../../../packages/probes/src/net/http3/initial.ts';

const CLIENT = Buffer.from('01020304', 'hex');
const SERVER = Buffer.from('a1a2', 'hex');
/** A long header (RFC 8999 §5.1) with these versions behind it. */
const negotiation = (...versions: number[]) =>
  Buffer.concat([
    Buffer.from('8000000000', 'hex'),
    Buffer.of(CLIENT.length),
    CLIENT,
    Buffer.of(SERVER.length),
    SERVER,
    ...versions.map((version) => Buffer.from(version.toString(16).padStart(8, '0'), 'hex')),
  ]);

it('reads the versions that a server has instead of ours', () => {
  expect(whatServerSaid(negotiation(0xff00001d, 0x6b3343cf), [])).toEqual({ kind: 'versions', versions: [0xff00001d, 0x6b3343cf] });
});

// Of quiche (BoringSSL) as a server that speaks `other` alone, when it was offered h3.
const CLOSE = {
  id: Buffer.from('ea5e0ce568f796aa4249e191e67e5bde', 'hex'),
  datagram: Buffer.from(
    'ca00000001144320cdb28940dd3c9d733e0ab8e96144920f357a14b9b9a9bd74b4c9d9a6346372090d1efccc4c2e9d004016a5ebeedadc991186cc008a57e20d7a6883432bd838b1',
    'hex',
  ),
};

it('reads why a server closed, with the id of its client and no other', () => {
  expect(whatServerSaid(CLOSE.datagram, [CLIENT, CLOSE.id])).toEqual({ kind: 'close', code: 0x178, reason: '' });
  expect(whatServerSaid(CLOSE.datagram, [CLIENT])).toBeUndefined();
  expect(whatServerSaid(Buffer.from(CLOSE.datagram.map((octet, at) => (at === 60 ? octet ^ 1 : octet))), [CLOSE.id])).toBeUndefined();
});

it.each<[string, Buffer]>([
  ['a list with our own version (RFC 9000 §6.2)', negotiation(1, 0xff00001d)],
  ['an empty list', negotiation()],
  ['nothing', Buffer.alloc(0)],
  ['a short header', Buffer.alloc(40, 0x41)],
  ['a header that is cut short', negotiation(1).subarray(0, 12)],
  ['ids that are longer than the datagram', Buffer.from('8000000000ff0102', 'hex')],
  ['an Initial packet that is longer than the datagram', Buffer.from('c000000001020a0b02010000ffff01020304', 'hex')],
  [
    'an Initial packet of somebody else',
    Buffer.concat([Buffer.from('c000000001020a0b0201000040', 'hex'), Buffer.of(64), Buffer.alloc(64, 7)]),
  ],
])('reads nothing into %s', (_what, datagram) => {
  expect(whatServerSaid(datagram, [CLIENT])).toBeUndefined();
});

it('knows the id of an Initial packet, and of no other', () => {
  expect(initialIdOf(Buffer.from('c000000001020a0b020100', 'hex'))).toEqual(Buffer.from('0a0b', 'hex'));
  expect(initialIdOf(Buffer.from('e000000001020a0b020100', 'hex'))).toBeUndefined();
  expect(initialIdOf(negotiation(1))).toBeUndefined();
});

it('ends on whatever a stranger sends', () => {
  let seed = 1;
  const octet = (): number => (seed = (seed * 48_271) % 0x7fffffff) & 0xff;
  for (let round = 0; round < 2_000; round++) {
    const datagram = Buffer.from(Array.from({ length: octet() }, octet));
    if (datagram.length > 6) datagram.set([0xc0, 0, 0, 0, round % 2, datagram[5]! & 7], 0);
    expect(() => whatServerSaid(datagram, [CLIENT])).not.toThrow();
  }
});
