import { describe, expect, it } from 'vitest';
import { NameReader } from '../../../../packages/probes/src/dns/wire/name-reader.ts';
import { MalformedMessage } from '../../../../packages/probes/src/dns/wire/name.ts';

const bytes = (...parts: (string | number[] | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));
const LABEL_63 = 'a'.repeat(63);

describe('names in a message', () => {
  const header = Buffer.alloc(12);
  it.each([
    ['in lower case', bytes('\x03WWW\x07Example\0'), 0, 'www.example', 13],
    ['with what is not printable escaped', bytes([3, 0x2e, 0x5c, 7, 0]), 0, String.raw`\.\\\007`, 5],
    ['as the root', bytes('\0'), 0, '.', 1],
    ['through a pointer', bytes(header, '\x03org\0', '\x03www', [0xc0, 12]), 17, 'www.org', 23],
    ['through pointers to pointers', bytes(header, '\x03org\0', '\x01b', [0xc0, 12], '\x01a', [0xc0, 17]), 21, 'a.b.org', 25],
  ])('are read %s', (_, message, offset, text, end) => {
    expect(new NameReader(message).read(offset)).toMatchObject({ text, end });
  });

  it.each([
    ['a pointer to itself', bytes([0xc0, 0]), 0, 'a compression pointer does not lead back'],
    ['a pointer forward', bytes([0xc0, 4, 0, 0, 0]), 0, 'a compression pointer does not lead back'],
    ['two pointers to each other', bytes([0xc0, 2, 0xc0, 0]), 2, 'a compression pointer does not lead back'],
    ['a pointer into its own labels', bytes('\x01a', [0xc0, 0]), 0, 'a compression pointer does not lead back'],
    ['half a pointer', bytes([0xc0]), 0, 'a name runs past the end'],
    ['a label past the end', bytes('\x05ab'), 0, 'a name runs past the end'],
    ['no end', bytes('\x01a'), 0, 'a name runs past the end'],
    ['nothing', bytes(), 0, 'a name runs past the end'],
    ['label type 01 (RFC 6891 §5)', bytes([0x41, 0x61, 0]), 0, 'a label of an unknown type'],
    ['label type 10', bytes([0x80, 0x61, 0]), 0, 'a label of an unknown type'],
    ['more than 255 octets', bytes(`\x3f${LABEL_63}`.repeat(4), '\0'), 0, 'a name of more than 255 octets'],
    // Each label is followed by a pointer to the one before: all legal but for their sum.
    [
      'more than 255 octets by pointers',
      bytes(`\x3e${'a'.repeat(62)}\0`, ...[0, 64, 129, 194].map((at) => [0x3e, ...Buffer.alloc(62, 'a'), 0xc0, at])),
      259,
      'a name of more than 255 octets',
    ],
  ])('are refused with %s', (_, message, offset, error) => {
    expect(() => new NameReader(message).read(offset)).toThrow(new MalformedMessage(error));
  });

  it('are written out in the case received', () => {
    const message = bytes('\x03Org\0', '\x03WwW', [0xc0, 0]);
    expect(new NameReader(message).read(5).wire).toEqual(bytes('\x03WwW', '\x03Org\0'));
  });

  it('are read once, however many pointers lead there', () => {
    const message = bytes('\x03org\0', [0xc0, 0], '\x03www', [0xc0, 5]);
    const names = new NameReader(message);
    const first = names.read(5);
    message.fill(0xff, 0, 5); // reading it again would fail
    expect([first.text, names.read(7).text]).toEqual(['org', 'www.org']);
  });

  it('may be pointers to pointers as many as a message holds', () => {
    const chain = Array.from({ length: 8000 }, (_, i) => (i === 0 ? [1, 0x61, 0, 0] : [0xc0 | ((2 * i) >> 8), (2 * i) & 0xff])).flat();
    chain.splice(4, 2, 0xc0, 0);
    expect(new NameReader(Buffer.from(chain)).read(chain.length - 2)).toEqual({ text: 'a', wire: bytes('\x01a\0'), end: chain.length });
  });
});
