import { parseHost } from '@vedette/contract';
import { labelsOf, parseAddress, parseOwner } from '@vedette/operations/kit';
import { describe, expect, it } from 'vitest';

describe('parseOwner: what else is a name of the DNS (RFC 2181 §11)', () => {
  it.each([
    ['.', '.'],
    ['*.Example.org.', '*.example.org'],
    ['*.bücher.example', '*.xn--bcher-kva.example'],
    ['-a.test', '-a.test'],
    ['a-.-b-.TEST', 'a-.-b-.test'],
    ['*.-a.test', '*.-a.test'],
    ['-a.xn--bcher-kva.example', '-a.xn--bcher-kva.example'],
    ['0/25.Odd.test', '0/25.odd.test'],
    ['0/25.2.0.192.in-addr.arpa.', '0/25.2.0.192.in-addr.arpa'],
    ['a.*.bücher.example', 'a.*.xn--bcher-kva.example'],
    ['*.*.a.test', '*.*.a.test'],
    [String.raw`A\.b.odd.test`, String.raw`a\.b.odd.test`],
    [String.raw`a\\b.odd.test`, String.raw`a\\b.odd.test`],
    [String.raw`sp\032ace.odd.test`, String.raw`sp\032ace.odd.test`],
    [String.raw`o\255ct.odd.test`, String.raw`o\255ct.odd.test`],
    [String.raw`\000.odd.test.`, String.raw`\000.odd.test`],
    // One name has one form, however it was written.
    [String.raw`\076o\c\097lhost.test`, 'localhost.test'],
    [String.raw`x.\108ocalhost`, 'x.localhost'],
    [String.raw`a\046b.odd.test`, String.raw`a\.b.odd.test`],
    [String.raw`a\@b.odd.test`, 'a@b.odd.test'],
    [`${String.raw`\255`.repeat(63)}.test`, `${String.raw`\255`.repeat(63)}.test`],
  ])('%j is %s, and no host', (text, host) => {
    expect([parseOwner(text), parseHost(text)]).toEqual([{ kind: 'name', host }, undefined]);
  });

  it.each(['example.org', 'EXAMPLE.Org.', 'bücher.example', '_dmarc.example.org', '::1', '[::1]', '192.0.2.1', '192.0.2.1.'])(
    '%j is the host',
    (text) => {
      expect([parseOwner(text), parseHost(text)]).toEqual([parseHost(text), expect.anything()]);
    },
  );

  it.each([
    '',
    '..',
    '*',
    '*.',
    '*a.test',
    'a.*',
    '192.0.2',
    '127.1',
    '0x7f.0.0.1',
    '0300.0.2.1',
    '3221225985',
    '１９２.0.2.1',
    '192.0.2.0/24',
    'example.org/index',
    'http://example.org/',
    String.raw`a\256.test`,
    String.raw`a\25`,
    'a.test\\',
    String.raw`a.\049`,
    String.raw`\120n--.test`,
    `${String.raw`\255`.repeat(64)}.test`,
    `${`${String.raw`\255`.repeat(63)}.`.repeat(4)}test`,
    'a@b.test',
    'a..b',
    '*.192.0.2.1',
    '1.2.3.4.5',
    '*.::1',
    'a/b',
    '-f x',
    '-oProxyCommand=x.test',
    '$(id).test',
    `-${'a'.repeat(63)}.test`,
    `*.${'a.'.repeat(126)}a`,
    '*.a\u0000b',
    'a.0x10',
    'xn--',
    '-a.xn--.test',
  ])('refuses %j', (text) => {
    expect(parseOwner(text)).toBeUndefined();
  });
});

it('a name is cut where its labels meet', () => {
  expect([String.raw`a\.b.c`, String.raw`a\\.b`, '.', 'a'].map(labelsOf)).toEqual([
    [String.raw`a\.b`, 'c'],
    [String.raw`a\\`, 'b'],
    [],
    ['a'],
  ]);
});

describe('parseAddress', () => {
  it.each([
    ['192.0.2.1', { kind: 'ipv4', host: '192.0.2.1' }],
    ['2001:DB8::0:1', { kind: 'ipv6', host: '2001:db8::1' }],
    ['::ffff:192.0.2.1', { kind: 'ipv4', host: '192.0.2.1' }],
    ['::FFFF:c000:201', { kind: 'ipv4', host: '192.0.2.1' }],
    ['0:0:0:0:0:ffff:c000:0201', { kind: 'ipv4', host: '192.0.2.1' }],
  ])('%j is %o', (text, expected) => {
    expect(parseAddress(text)).toEqual(expected);
  });

  it.each([
    '',
    ' 192.0.2.1',
    '192.0.2.1 ',
    '192.0.2.1.',
    '192.0.2',
    '192.0.513',
    '3221225985',
    '0xc0000201',
    '0300.0.2.1',
    '192.0.2.01',
    '192.0.2.256',
    '192.0.2.1/32',
    '192.0.2.1:80',
    '192。0。2。1',
    '１92.0.2.1',
    '[2001:db8::1]',
    'fe80::1%eth0',
    '2001:db8::1%25',
    '2001:db8:::1',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    'example.org',
  ])('%j is none', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});
