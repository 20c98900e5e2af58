import { expect, it } from 'vitest';
import { readMime } from '@vedette/message/mime';
import { raw } from '../message/messages/builder.ts';

const read = (type: string, bytes: Uint8Array | string) =>
  readMime(raw(type === '' ? '' : `Content-Type: ${type}\r\n`, '\r\n', bytes)).root.text();

/** The bytes are Python's: `'日本語'.encode('iso-2022-jp').hex()`. */
it.each([
  ['iso-2022-jp', '1b2442467c4b5c386c1b2842', '日本語'],
  ['ISO-2022-JP-2', '1b2442467c4b5c386c1b2842', '日本語'],
  ['cp50220', '1b2442467c4b5c386c1b2842', '日本語'],
  ['gb18030', 'd6d0cec4a2e395328236', '中文€𠀀'],
  ['gb2312', 'd6d0cec4', '中文'],
  ['cp936', 'd6d0cec4', '中文'],
  ['hz-gb-2312', '7e7b56504e447e7d7e7e78', '中文~x'],
  ['hz-gb-2312', Buffer.from('~~{~\n~{VP\nx~').toString('hex'), '~{中\nx~'], // It ends with the line.
  ['big5', 'a4a4a4e5', '中文'],
  ['cp950', 'a4a4a4e5', '中文'],
  ['koi8-r', 'f0d2c9d7c5d4', 'Привет'],
  ['koi8-u', 'b7d6c1cb', 'Їжак'],
  ['windows-1251', 'cff0e8e2e5f2', 'Привет'],
  ['cp1251', 'cff0e8e2e5f2', 'Привет'],
  ['iso-2022-kr', '1b2429430e475131393e6e0f', '한국어'],
  ['iso-2022-kr', '1b2429430e47510a410e31390f42', '한\nA국B'],
  ['euc-kr', 'c7d1b1b9beee', '한국어'],
  ['ks_c_5601-1987', 'c7d1b1b9beee', '한국어'],
  ['cp949', '8c63', '똠'],
  ['shift_jis', '93fa967b8cea', '日本語'],
  ['cp932', '93fa967b8cea', '日本語'],
  ['euc-jp', 'c6fccbdcb8ec', '日本語'],
  ['utf-7', '5a6f2b414f73202b2d202b5a65566e4c412d', 'Zoë + 日本'],
  ['utf-7', Buffer.from('+AGEAYg-c+AGE d+').toString('hex'), 'abca d'],
  ['utf-7', Buffer.from('+2DzfhQ- 1 +-').toString('hex'), '🎅 1 +'],
  ['unicode-1-1-utf-7', '5a6f2b414f732d', 'Zoë'],
  ['utf-16', 'fffe4100e900', 'Aé'],
  ['utf-16be', '004100e9', 'Aé'],
  ['utf-32le', '41000000e9000000', 'Aé'],
  ['cp437', '82', 'é'],
  ['ibm850', '82', 'é'],
  ['iso-8859-15', 'a4', '€'],
  ['iso-8859-1', '80', '€'], // As browsers and mail programs have it.
  ['iso-8859-2', 'a3f364bc', 'Łódź'],
  // Labels that browsers know, and iconv-lite does not.
  ['x-cp1251', 'cff0e8e2e5f2', 'Привет'],
  ['koi', 'f0d2c9d7c5d4', 'Привет'],
  ['dos-874', 'e4b7c2', 'ไทย'],
  ['visual', 'f9ece5ed', 'שלום'],
  // What nobody knows.
  ['constructor', '80', '€'],
  ['__proto__', '80', '€'],
  ['cp4370', '80', '€'],
  ['windows-1256', 'd3e1c7e3', 'سلام'],
  ['iso-8859-8-i', 'f9ece5ed', 'שלום'],
  ['tis-620', 'e4b7c2', 'ไทย'],
  ['macintosh', '8e', 'é'],
  ['"UTF-8"', 'c3a9', 'é'],
  ['utf8', 'c3a9', 'é'],
  ['utf8mb4', 'c3a9', 'é'],
])('%s', (charset, hex, text) => {
  expect(read(`text/plain; charset=${charset}`, Buffer.from(hex, 'hex'))).toBe(text);
});

const LATIN1 = Buffer.from('Grüße', 'latin1');

it.each<[string, string, Uint8Array | string, string]>([
  ['no charset: UTF-8 where it is that', 'text/plain', 'Grüße', 'Grüße'],
  ['no charset: else windows-1252', 'text/plain', LATIN1, 'Grüße'],
  ['us-ascii that is not', 'text/plain; charset=us-ascii', 'Grüße', 'Grüße'],
  ['a charset that nobody knows', 'text/plain; charset=x-klingon', 'Grüße', 'Grüße'],
  ['a charset with a name without end', `text/plain; charset=${'x'.repeat(1_000)}`, LATIN1, 'Grüße'],
  ['UTF-8 of which nothing is UTF-8', 'text/plain; charset=utf-8', LATIN1, 'Grüße'],
  ['UTF-8 with one broken character', 'text/plain; charset=utf-8', raw('Grüße', Buffer.of(0xc3)), 'Grüße\ufffd'],
  ['a wrong charset is read as it is declared', 'text/plain; charset=iso-8859-1', 'Grüße', 'GrÃ¼ÃŸe'],
  ['a byte order mark is right whatever is declared', 'text/plain; charset=iso-8859-1', '\ufeffGrüße', 'Grüße'],
  ['a byte order mark of UTF-16', 'text/plain', raw(Buffer.of(0xff, 0xfe), Buffer.from('Grüße', 'utf16le')), 'Grüße'],
  ['the big-endian one', 'text/plain', raw(Buffer.of(0xfe, 0xff), Buffer.from('Grüße', 'utf16le').swap16()), 'Grüße'],
  ['an HTML with a meta', 'text/html', raw('<META charset="koi8-r">', Buffer.of(0xf0)), '<META charset="koi8-r">П'],
  [
    'an HTML with an old meta',
    'text/html',
    raw('<meta http-equiv=Content-Type content="text/html; charset=koi8-r">', Buffer.of(0xf0)),
    '<meta http-equiv=Content-Type content="text/html; charset=koi8-r">П',
  ],
  ['the field is before the meta', 'text/html; charset=utf-8', '<meta charset=koi8-r>é', '<meta charset=koi8-r>é'],
  ['a meta that cannot be true', 'text/html', '<meta charset=utf-16>é', '<meta charset=utf-16>é'],
  ['a text has no meta', 'text/plain', raw('<meta charset=koi8-r>', Buffer.of(0xf0)), '<meta charset=koi8-r>ð'],
])('%s', (_, type, bytes, text) => {
  expect(read(type, bytes)).toBe(text);
});
