import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allFields, firstAddresses, firstField, type Part, rawFields, readMime } from '@vedette/message/mime';
import { attachment, mail, message, multipart, part, raw } from '../message/messages/builder.ts';
import { tree } from './tree.ts';

const crlf = (...each: string[]) => raw(each.map((line) => `${line}\r\n`).join(''));

/** A message of parts behind a multipart/mixed with the boundary `b`. */
const mixed = (...body: string[]) => crlf('Content-Type: multipart/mixed; boundary=b', '', ...body);
const first = (root: Part) => root.parts[0]!;

describe('header fields', () => {
  it('are all there, in their order and as they are written', () => {
    const { root } = readMime(crlf('Subject: one', 'X-A:  a ', 'sUBJECT: two', 'Subject : three', '', 'text'));
    expect(root.fields.map(({ name, key, raw }) => [name, key, raw])).toEqual([
      ['Subject', 'subject', ' one'],
      ['X-A', 'x-a', '  a '],
      ['sUBJECT', 'subject', ' two'],
      ['Subject', 'subject', ' three'],
    ]);
    expect(firstField(root, 'subject')).toBe('one');
    expect(allFields(root, 'subject')).toEqual(['one', 'two', 'three']);
    expect(firstField(root, 'x-b')).toBe('');
    expect(root.text()).toBe('text\r\n');
  });

  it.each([
    ['folded', 'Subject: one\r\n two\r\n\tthree\r\n\r\n', 'one two\tthree'],
    ['folded over a line of white space', 'Subject: one\r\n \r\n two\r\n\r\n', 'one  two'],
    ['with bare line feeds', 'Subject: one\n two\nTo: x\n\ntext', 'one two'],
    ['with bare carriage returns everywhere', 'Subject: one\r two\rTo: x\r\rtext', 'one two'],
    ['with one bare carriage return', 'Subject: one\rBcc: x\r\n\r\ntext', 'one Bcc: x'],
    ['with NUL', 'Subject: o\0ne\r\n\r\n', 'one'],
    ['behind the line of a mailbox file', 'From ben@a.test Tue Nov 17 10:15:00 2026\nSubject: one\n\n', 'one'],
    ['that end with the file', 'Subject: one', 'one'],
    ['in raw UTF-8', 'Subject: Grüße\r\n\r\n', 'Grüße'],
    ['in raw windows-1252', raw('Subject: Gr', Buffer.of(0xfc, 0xdf), 'e\r\n\r\n'), 'Grüße'],
    [
      'in the raw charset of the text',
      raw('Content-Type: text/plain; charset=koi8-r\nSubject: ', Buffer.of(0xd0, 0xd2, 0xc9), '\n\n'),
      'при',
    ],
    [
      'in the raw charset of a part',
      raw('Subject: ', Buffer.of(0xd0, 0xd2), '\n', mixed('--b', 'Content-Type: text/html; charset=koi8-r', '', '')),
      'пр',
    ],
  ])('%s', (_, eml, subject) => {
    expect(firstField(readMime(raw(eml)).root, 'subject')).toBe(subject);
  });

  it('names in the raw charset of the text', () => {
    const eml = raw('Content-Type: text/plain; charset=koi8-r\nFrom: ', Buffer.of(0xd0, 0xd2, 0xc9), ' <a@b.test>\nFrom: c@d.test\n\n');
    expect(firstAddresses(readMime(eml).root, 'from').addresses).toEqual([{ name: 'при', address: 'a@b.test' }]);
    expect(firstAddresses(readMime(eml).root, 'to').addresses).toEqual([]);
  });

  it('raw ones are not decoded', () => {
    expect(rawFields(readMime(raw('X: =?utf-8?q?a?=\r\n b\r\nX: ü\r\n\r\n')).root, 'x')).toEqual(['=?utf-8?q?a?= b', 'Ã¼']);
  });

  it.each([
    ['no header at all', 'Hello Ben,\r\n\r\nSubject: no', 'Hello Ben,\r\n\r\nSubject: no'],
    ['an empty header', '\r\nHello: Ben', 'Hello: Ben'],
    ['a header that ends without an empty line', 'Subject: one\r\nHello Ben\r\nTo: x', 'Hello Ben\r\nTo: x'],
    ['a line that begins with a colon', 'Subject: one\r\n: x\r\n\r\ny', ': x\r\n\r\ny'],
    ['only header fields', 'Subject: one\r\nTo: x\r\n', ''],
    ['nothing', '', ''],
    ['only line ends', '\n\n\n', '\n\n'],
  ])('%s', (_, eml, text) => {
    expect(readMime(raw(eml)).root.text()).toBe(text);
  });
});

it('begins behind the byte order mark of an editor', () => {
  const { root } = readMime(raw('\ufeffSubject: one\r\n\r\ntext'));
  expect([firstField(root, 'subject'), root.text()]).toEqual(['one', 'text']);
});

describe('multiparts', () => {
  it.each<[string, Buffer, unknown]>([
    [
      'with preamble and epilogue, which are not theirs',
      mixed('For old programs', '--b', '', 'one', '--b', '', 'two', '--b--', 'epilogue', '--b', '', 'three'),
      ['text/plain one', 'text/plain two'],
    ],
    ['that are not closed', mixed('--b', '', 'one', '--b', '', 'two'), ['text/plain one', 'text/plain two\r\n']],
    ['with white space behind the delimiter', mixed('--b \t', '', 'one', '--b--  '), ['text/plain one']],
    ['whose parts are empty', mixed('--b', '--b', '', '--b', 'X: y', '--b--'), ['text/plain', 'text/plain', 'text/plain']],
    ['with a part without an empty line', mixed('--b', 'Content-Type: text/html', '--b--'), ['text/html']],
    [
      'with lines that begin as the delimiter does',
      mixed('--b', '', '--bc', '-- b', '---b', ' --b', '--b--'),
      ['text/plain --bc\r\n-- b\r\n---b\r\n --b'],
    ],
    [
      'with a boundary in quotes',
      crlf('Content-Type: multipart/mixed; boundary="b: (c) ;=?"', '', '--b: (c) ;=?', '', 'one', '--b: (c) ;=?--'),
      ['text/plain one'],
    ],
    [
      'with a boundary that should be in quotes',
      crlf('Content-Type: multipart/mixed; boundary==_b c', '', '--=_b c', '', 'one', '--=_b c--'),
      ['text/plain one'],
    ],
    [
      'with a boundary that ends in dashes',
      crlf('Content-Type: multipart/mixed; boundary=b--', '', '--b--', '', 'one', '--b----'),
      ['text/plain one'],
    ],
    [
      'with a boundary in pieces (RFC 2231)',
      crlf('Content-Type: multipart/mixed; boundary*0=b; boundary*1=c', '', '--bc', '', 'one', '--bc--'),
      ['text/plain one'],
    ],
    ['with bare line feeds', raw('Content-Type: multipart/mixed;\n boundary=b\n\n--b\n\none\n\n--b--\n'), ['text/plain one\n']],
    ['with bare carriage returns', raw('Content-Type: multipart/mixed; boundary=b\r\r--b\r\rone\r--b--\r'), ['text/plain one']],
  ])('%s', (_, eml, parts) => {
    expect(tree(readMime(eml).root)).toEqual({ 'multipart/mixed': parts });
  });

  it.each([
    ['without a boundary', 'multipart/mixed'],
    ['whose boundary nobody has', 'multipart/mixed; boundary=c'],
    ['with an empty boundary', 'multipart/mixed; boundary=""'],
  ])('%s are text', (_, type) => {
    const { root } = readMime(crlf(`Content-Type: ${type}`, '', '--b', '', 'one', '--b--'));
    expect([root.type, root.text()]).toEqual(['text/plain', '--b\r\n\r\none\r\n--b--\r\n']);
  });

  it('in multiparts, with boundaries of which one begins the other', () => {
    const inner = ['Content-Type: multipart/alternative; boundary=bb', '', '--bb', '', 'one', '--bb', '', 'two'];
    expect(tree(readMime(mixed('--b', ...inner, '--bb--', '--b', '', 'three', '--b--')).root)).toEqual({
      'multipart/mixed': [{ 'multipart/alternative': ['text/plain one', 'text/plain two'] }, 'text/plain three'],
    });
    expect(tree(readMime(mixed('--b', ...inner, '--b', '', 'three', '--b--')).root)).toEqual({
      'multipart/mixed': [{ 'multipart/alternative': ['text/plain one', 'text/plain two'] }, 'text/plain three'],
    });
  });

  it('with the boundary of the one they are in: the inner one has its parts', () => {
    const eml = mixed('--b', 'Content-Type: multipart/alternative; boundary=b', '', '--b', '', 'one', '--b--', '--b', '', 'two', '--b--');
    expect(tree(readMime(eml).root)).toEqual({ 'multipart/mixed': [{ 'multipart/alternative': ['text/plain one'] }, 'text/plain two'] });
  });

  it('everything behind the header is the content of one, and its transfer encoding means nothing', () => {
    const { root } = readMime(raw('Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\n--b\n\nYQ==\n--b--\nz'));
    expect(root.content().toString()).toBe('--b\n\nYQ==\n--b--\nz');
    expect(first(root).text()).toBe('YQ==');
  });
});

describe('messages in messages', () => {
  const inner = mail({ fields: { Subject: 'inner' }, html: '<b>' });

  it.each(['message/rfc822', 'message/global', 'MESSAGE/RFC822; name=x.eml', 'message/news'])('%s', (type) => {
    const { root } = readMime(mail({ text: 'outer', attach: [{ content: inner, type, encoding: '8bit' }] }));
    const [, holder] = root.parts;
    expect(firstField(holder!.message!, 'subject')).toBe('inner');
    expect([root.depth, holder!.depth, holder!.message!.depth]).toEqual([0, 1, 2]);
    expect(holder!.content()).toEqual(inner);
  });

  it.each(['base64', 'quoted-printable'] as const)('also where they are %s, against RFC 2046 §5.2.1', (encoding) => {
    const { root } = readMime(mail({ text: '', attach: [{ content: inner, type: 'message/rfc822', encoding }] }));
    expect(tree(root.parts[1]!)).toEqual({ 'message/rfc822': ['text/html <b>'] });
    expect(root.parts[1]!.content()).toEqual(inner);
  });

  it('a digest is made of them without saying so (RFC 2046 §5.1.5)', () => {
    const letters = ['one', 'two'].map((text) => Buffer.concat([raw('\r\n'), mail({ fields: { Subject: text }, text })]));
    const { root } = readMime(message({}, multipart('digest', letters)));
    expect(root.parts.map((each) => firstField(each.message!, 'subject'))).toEqual(['one', 'two']);
    expect(tree(root)).toEqual({
      'multipart/digest': [{ 'message/rfc822': ['text/plain one'] }, { 'message/rfc822': ['text/plain two'] }],
    });
  });

  it('a digest of thirty, none of which is in another, is whole', () => {
    const { root, limits } = readMime(
      message(
        {},
        multipart(
          'digest',
          Array.from({ length: 30 }, () => Buffer.concat([raw('\r\n'), inner])),
        ),
      ),
    );
    expect(root.parts.filter((each) => each.message?.type === 'text/html')).toHaveLength(30);
    expect(limits).toEqual(new Set());
  });

  it('a delivery report has its fields and what it returns', () => {
    const report = multipart('report; report-type=delivery-status', [
      part('text/plain', 'Undeliverable'),
      part('message/delivery-status', 'Reporting-MTA: dns; a.test\r\n', ''),
      part('text/rfc822-headers', 'Subject: yours\r\n', ''),
    ]);
    expect(tree(readMime(message({}, report)).root)).toEqual({
      'multipart/report': [
        'text/plain Undeliverable',
        'message/delivery-status Reporting-MTA: dns; a.test\r\n',
        'text/rfc822-headers Subject: yours\r\n',
      ],
    });
  });
});

describe('what a part says of itself', () => {
  const read = (fields: string[]) => first(readMime(mixed('--b', ...fields, '', 'x', '--b--')).root);

  it.each<[string, string[], Partial<Part>]>([
    ['nothing', [], { type: 'text/plain', disposition: '', filename: '', contentId: '', contentLocation: '', encoding: '' }],
    ['no type that can be understood', ['Content-Type: html'], { type: 'text/plain' }],
    ['a type with a comment', ['Content-Type: (a) Text/HTML (b(c)) ; charset=x'], { type: 'text/html' }],
    ['a type without a semicolon', ['Content-Type: text/html charset=utf-8'], { type: 'text/html' }],
    ['two types', ['Content-Type: text/html', 'Content-Type: text/plain'], { type: 'text/html' }],
    ['a file by its type alone', ['Content-Type: application/pdf; name="a b.pdf"'], { filename: 'a b.pdf', disposition: '' }],
    [
      'two names',
      ['Content-Type: x/y; name=type', 'Content-Disposition: inline; filename=disposition'],
      { filename: 'disposition', disposition: 'inline' },
    ],
    ['a disposition that nobody knows', ['Content-Disposition: form-data; filename=x'], { disposition: 'attachment', filename: 'x' }],
    ['a disposition without its word', ['Content-Disposition: filename="x"'], { disposition: '', filename: 'x' }],
    ['an encoding as some write it', ['Content-Transfer-Encoding: "Base64" ; (x)'], { encoding: 'base64' }],
    [
      'an id',
      ['Content-ID: <a@b.test>', 'Content-Location: http://a.test/\r\n x.png'],
      { contentId: 'a@b.test', contentLocation: 'http://a.test/x.png' },
    ],
    ['an id without brackets', ['Content-Id:  a@b.test '], { contentId: 'a@b.test' }],
  ])('%s', (_, fields, expected) => {
    expect(read(fields)).toMatchObject(expected);
  });
});

describe('what is in a part that has no parts', () => {
  it('uuencoded files in a text, as Outlook has it', () => {
    const file = ['begin 644 cat.txt', '#0V%T', '`', 'end'];
    const { root } = readMime(crlf('Subject: x', 'Content-Type: text/plain; charset=utf-8', '', 'Hello', ...file, 'Bye', ...file));
    expect(tree(root)).toEqual({
      'multipart/mixed': ['text/plain Hello\r\nBye\r\n', 'application/octet-stream cat.txt', 'application/octet-stream cat.txt'],
    });
    expect(root.parts[1]).toMatchObject({ disposition: 'attachment', filename: 'cat.txt', depth: 1 });
    expect(root.parts[1]!.text()).toBe('Cat');
    expect(firstField(root, 'subject')).toBe('x');
  });

  it.each(['begin 644 the meeting\nMany thanks', 'We\nbegin 100 percent sure\nHELLO ALL OF YOU', 'begin 644 x\n\nend', 'begin 644 x'])(
    'no file: %j',
    (text) => {
      expect(tree(readMime(raw('\n', text)).root)).toBe(`text/plain ${text}`);
    },
  );

  it.each(['x-uuencode', 'uuencode', 'x-uue'])('a file by Content-Transfer-Encoding %s', (encoding) => {
    const { root } = readMime(
      crlf(`Content-Transfer-Encoding: ${encoding}`, 'Content-Type: image/gif', '', 'begin 644 cat.gif', '#0V%T', '`', 'end'),
    );
    expect(root.content().toString()).toBe('Cat');
  });
});

describe('S/MIME and PGP', () => {
  const signed = part('text/plain', 'signed');

  it('what S/MIME signs beside its signature (RFC 8551 §3.5.3)', () => {
    const whole = multipart('signed; protocol="application/pkcs7-signature"; micalg=sha-256', [
      signed,
      attachment({ content: 'x', type: 'application/pkcs7-signature; name=smime.p7s', name: 'smime.p7s' }),
    ]);
    expect(tree(readMime(message({}, whole)).root)).toEqual({
      'multipart/signed': ['text/plain signed', 'application/pkcs7-signature smime.p7s'],
    });
  });

  it.each([
    ['-outform', 'DER'],
    ['-stream', '-outform', 'DER'],
  ])('what S/MIME signs within its signature (§3.5.2): openssl %s %s', (...options) => {
    const directory = mkdtempSync(join(tmpdir(), 'smime-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const [key, certificate, entity] = ['key.pem', 'certificate.pem', 'entity.eml'].map((name) => join(directory, name));
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-subj',
        '/CN=a',
        '-keyout',
        key!,
        '-out',
        certificate!,
      ],
      {
        stdio: 'ignore',
      },
    );
    writeFileSync(entity!, multipart('mixed', [signed, attachment({ content: 'x', name: 'x.txt' })]));
    const sign = ['cms', '-sign', '-binary', '-nodetach', '-in', entity!, '-signer', certificate!, '-inkey', key!, ...options];
    const content = execFileSync('openssl', sign, { stdio: ['ignore', 'pipe', 'ignore'] });
    const { root } = readMime(
      message({}, attachment({ content, type: 'application/pkcs7-mime; smime-type=signed-data', name: 'smime.p7m' })),
    );
    expect(tree(root)).toEqual({
      'application/pkcs7-mime': [{ 'multipart/mixed': ['text/plain signed', 'application/octet-stream x.txt'] }],
    });
    expect(root.content()).toEqual(content);
    for (let length = 0; length < 200; length++)
      expect(readMime(message({}, attachment({ content: content.subarray(0, length), type: root.type }))).root.type).toBe(root.type);
  });

  it('what S/MIME encrypts stays closed', () => {
    const enveloped = Buffer.from('308006092a864886f70d010703a0803080020100', 'hex');
    const { root } = readMime(
      message({}, attachment({ content: enveloped, type: 'application/pkcs7-mime; smime-type=enveloped-data', name: 'smime.p7m' })),
    );
    expect(tree(root)).toBe('application/pkcs7-mime smime.p7m');
  });

  it('PGP/MIME (RFC 3156)', () => {
    const encrypted = multipart('encrypted; protocol="application/pgp-encrypted"', [
      part('application/pgp-encrypted', 'Version: 1\r\n', ''),
      attachment({ content: '-----BEGIN PGP MESSAGE-----', name: 'encrypted.asc', disposition: 'inline', encoding: '' }),
    ]);
    expect(tree(readMime(message({}, encrypted)).root)).toEqual({
      'multipart/encrypted': ['application/pgp-encrypted Version: 1\r\n', 'application/octet-stream encrypted.asc'],
    });
  });
});

describe('limits', () => {
  const limitsOf = (eml: Uint8Array) => [...readMime(eml).limits];

  it('1,000 fields in a header, and the body behind them', () => {
    const fields = (count: number) => raw('a: b\r\n'.repeat(count), '\r\ntext');
    expect(limitsOf(fields(1_000))).toEqual([]);
    const { root, limits } = readMime(fields(1_001));
    expect([root.fields.length, root.text(), [...limits]]).toEqual([1_000, 'text', ['header_fields']]);
  });

  it('1 MB of a header', () => {
    const { root, limits } = readMime(raw('a: b\r\nc: ', 'x'.repeat(2_000_000), '\r\n y\r\nd: e\r\n\r\ntext'));
    expect([root.fields.map(({ name, raw }) => [name, raw.length]), root.text(), [...limits]]).toEqual([
      [
        ['a', 2],
        ['c', 1_000_000 - 'a: b\r\nc:'.length],
      ],
      'text',
      ['header_fields'],
    ]);
    expect(limitsOf(raw('a: ', 'x'.repeat(999_997), '\n\n'))).toEqual([]);
  });

  it('20,000 fields in all headers of a message', () => {
    const parts = (count: number) => mixed(...Array.from({ length: 20 }, () => ['--b', ...Array<string>(count).fill('a: b'), '']).flat());
    expect(limitsOf(parts(999))).toEqual([]);
    const { root, limits } = readMime(parts(1_000));
    expect([root.parts.at(-1)!.fields.length, [...limits]]).toEqual([999, ['header_fields']]);
  });

  it('1,000 parts, the multiparts counted', () => {
    const parts = (count: number) => mixed(...Array<string>(count).fill('--b\r\n'));
    expect(limitsOf(parts(999))).toEqual([]);
    const { root, limits } = readMime(parts(10_000));
    expect([root.parts.length, [...limits]]).toEqual([999, ['parts']]);
  });

  it('50 parts in each other; the one that is deeper is not opened', () => {
    const nested = (depth: number) => {
      const open = Array.from({ length: depth }, (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`);
      return raw(open.join(''), '\r\ntext');
    };
    const deepest = (of: Part): Part => (of.parts[0] ? deepest(of.parts[0]) : of);
    expect(deepest(readMime(nested(50)).root)).toMatchObject({ depth: 50, type: 'text/plain' });
    expect(limitsOf(nested(50))).toEqual([]);
    expect(deepest(readMime(nested(10_000)).root)).toMatchObject({ depth: 50, type: 'multipart/mixed', parts: [] });
    expect(limitsOf(nested(10_000))).toEqual(['depth']);
  });

  it.each([false, true])('10 messages in each other (encoded: %s)', (encoded) => {
    const within = (content: Buffer) => part('message/rfc822', content, encoded ? 'base64' : '');
    const nested = (depth: number) => {
      let eml = raw('Subject: innermost\n\n');
      for (let level = 0; level < depth; level++) eml = within(eml);
      return eml;
    };
    const innermost = (of: Part): Part => (of.message ? innermost(of.message) : of);
    expect(firstField(innermost(readMime(nested(10)).root), 'subject')).toBe('innermost');
    expect(limitsOf(nested(10))).toEqual([]);
    expect(innermost(readMime(nested(11)).root)).toMatchObject({ type: 'message/rfc822', depth: 10 });
    expect(limitsOf(nested(11))).toEqual(['depth']);
  });
});
