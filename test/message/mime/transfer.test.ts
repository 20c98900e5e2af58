import { describe, expect, it } from 'vitest';
import { readMime } from '@vedette/message/mime';
import { mail, raw } from '../message/messages/builder.ts';

const read = (encoding: string, body: string | Uint8Array) =>
  readMime(raw(`Content-Transfer-Encoding: ${encoding}\r\n\r\n`, body))
    .root.content()
    .toString('latin1');

it.each([
  ['as it should be', 'YWJj\r\nZGVm\r\n', 'abcdef'],
  ['with spaces and what is not of the alphabet (RFC 2045 §6.8)', 'YW J!j\r\n*ZGVm\0', 'abcdef'],
  ['without its padding', 'YWJjZA', 'abcd'],
  ['with a character too much', 'YWJjZ', 'abc'],
  ['with padding before it', '==YWJj', 'abc'],
  ['with one equals sign too few', 'YQ=\r\n', 'a'],
  ['that goes on behind its padding', 'YQ==\r\nYmM=\r\nZGVm\r\n', 'abcdef'],
  ['that goes on in the same line', 'YQ==YmM=ZGVm', 'abcdef'],
  ['with a footer of a mailing list behind its padding', 'YQ==\r\n\r\nThis list is moderated\r\n', 'a'],
  ['with dashes behind it', 'YWJjK/8=\r\n____\r\n', 'abc+\xff'],
  ['with dashes in it, which are not of the alphabet', 'YWJj--K/8=', 'abc+\xff'],
  ['in the alphabet for URLs', 'YWJjK_8-', 'abc+\xff>'],
  ['that is none', '!!!!', ''],
  ['empty', '', ''],
])('base64 %s', (_, body, text) => {
  expect(read('base64', body)).toBe(text);
});

it.each([
  ['octets and soft breaks (RFC 2045 §6.7)', 'a=3Db=E9=\r\nc=\nd', 'a=b\xe9cd'],
  ['lower case', 'a=3d', 'a='],
  ['URLs over soft breaks', 'http://a.test/?x=3D1&=\r\ny=3D2', 'http://a.test/?x=1&y=2'],
  ['white space before the end of a line', 'a \t\r\nb  \nc  ', 'a\r\nb\nc  '],
  ['white space that is encoded', 'a=20\r\nb=09\n', 'a \r\nb\t\n'],
  ['white space behind a soft break', 'a= \t\r\nb', 'ab'],
  ['an equals sign at the end', 'a=', 'a'],
  ['equals signs that begin nothing', 'a=b=ZZ=4', 'a=b=ZZ=4'],
  ['equals signs only', '====', '==='],
  ['lines of white space', ' \r\n\t\r\n', '\r\n\r\n'],
  ['carriage returns without line feeds', 'a\rb\r', 'a\rb\r'],
  ['empty', '', ''],
])('quoted-printable: %s', (_, body, text) => {
  expect(read('quoted-printable', body)).toBe(text);
});

it.each(['7bit', '8bit', 'binary', '', 'x-nobody-knows'])('%j is as it stands', (encoding) => {
  expect(read(encoding, Buffer.of(0, 13, 10, 255))).toBe('\0\r\n\xff');
});

describe('uuencode', () => {
  it.each([
    ['lines', 'begin 644 x\n#0V%T\n`\nend\n', 'Cat'],
    ['without what begins and ends it', '#0V%T\n', 'Cat'],
    ['zeros as spaces', 'begin 644 x\n#    \n \nend', '\0\0\0'],
    ['lines that are cut off', 'begin 644 x\n#0V%', 'Ca@'],
    ['what is none', 'Hello Ben', ''],
  ])('%s', (_, body, text) => {
    expect(read('x-uuencode', body)).toBe(text);
  });
});

it('what the builder writes comes back', () => {
  const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 256));
  const text = 'x'.repeat(200) + ' =\t\n Jörg \t\n';
  const { root } = readMime(mail({ text, attach: [{ content: bytes }] }));
  expect(root.parts[0]!.text()).toBe(text.replaceAll('\n', '\r\n'));
  expect(root.parts[1]!.content()).toEqual(bytes);
});
