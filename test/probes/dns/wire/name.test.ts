import { parseOwner } from '@vedette/operations/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NameReader } from '../../../../packages/probes/src/dns/wire/name-reader.ts';
import { reverseName } from '@vedette/probes/dns';
import { encodeName } from '../../../../packages/probes/src/dns/wire/name.ts';

const bytes = (...parts: (string | number[] | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));
const LABEL_63 = 'a'.repeat(63);

it('an owner that a client writes is asked for octet by octet, and its text is that of the name in an answer', () => {
  const escaped = (label: Uint8Array) => [...label].map((octet) => `\\${String(octet).padStart(3, '0')}`).join('');
  const labels = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(labels, (parts) => {
      const owner = parseOwner(`${parts.map(escaped).join('.')}.test`);
      fc.pre(owner !== undefined); // "xn--" of no label
      const wire = encodeName(owner.host)!;
      const octets = [...parts.map((part) => Buffer.from([part.length, ...part])), Buffer.from('\x04test\0')];
      expect(wire.toString('latin1')).toBe(
        Buffer.concat(octets)
          .toString('latin1')
          .replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
      );
      expect(new NameReader(wire).read(0).text).toBe(owner.host);
    }),
  );
});

describe('encodeName', () => {
  it.each([
    ['.', '\0'],
    ['org', '\x03org\0'],
    ['Example.ORG.', '\x07example\x03org\0'],
    ['_443._tcp.example.org', '\x04_443\x04_tcp\x07example\x03org\0'],
    [String.raw`host\.master.org`, '\x0bhost.master\x03org\0'],
    [String.raw`\000\255.org`, '\x02\0\xff\x03org\0'],
    [`${LABEL_63}.org`, `\x3f${LABEL_63}\x03org\0`],
  ])('writes %s', (text, wire) => {
    expect(encodeName(text)).toEqual(bytes(wire));
  });

  it.each([
    '',
    '..',
    '.org',
    'a..org',
    'org..',
    `${LABEL_63}a.org`,
    'bücher.org',
    String.raw`a\999.org`,
    'org\\',
    `${`${LABEL_63}.`.repeat(3)}${'a'.repeat(62)}`,
    'a.'.repeat(1000),
  ])('refuses %s', (text) => {
    expect(encodeName(text)).toBeUndefined();
  });

  it('takes 255 octets and no more (RFC 1035 §3.1)', () => {
    const longest = `${`${LABEL_63}.`.repeat(3)}${'a'.repeat(61)}`;
    expect(encodeName(longest)?.length).toBe(255);
  });

  it('is undone by NameReader, whatever the octets', () => {
    const labels = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(labels, (parts) => {
        const wire = Buffer.concat([...parts.map((part) => Buffer.from([part.length, ...part])), Buffer.from([0])]);
        const { text } = new NameReader(wire).read(0);
        expect(encodeName(text)?.toString('latin1')).toBe(wire.toString('latin1').replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
      }),
    );
  });
});

it.each([
  ['192.0.2.1', '1.2.0.192.in-addr.arpa'],
  ['2001:db8::1', '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
  ['example.org', undefined],
])('reverseName of %s is %s', (address, name) => {
  expect(reverseName(address)).toBe(name);
});
