import { expect, it } from 'vitest';
import { decodeText } from '../../../packages/probes/src/http/charset.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');

it.each<[string, Uint8Array, string, string]>([
  ['a byte order mark before all', Buffer.from('\ufeffä'), 'text/html; charset=iso-8859-1', 'ä'],
  ['one of UTF-16', Buffer.from([0xff, 0xfe, 0xe4, 0x00]), 'text/html', 'ä'],
  ['the header before the page', latin('<meta charset=utf-8>ä'), 'text/html; charset="ISO-8859-1"', '<meta charset=utf-8>ä'],
  ['the page before a guess', latin('<meta charset="windows-1250">\xb9'), 'text/html', '<meta charset="windows-1250">ą'],
  [
    'http-equiv as well',
    Buffer.from([...latin('<meta http-equiv="content-type" content="text/html; charset=shift_jis">'), 0x82, 0xa0]),
    '',
    '<meta http-equiv="content-type" content="text/html; charset=shift_jis">あ',
  ],
  ['no UTF-16 of a page that reads as ASCII', Buffer.from('<meta charset=utf-16>ä'), '', '<meta charset=utf-16>ä'],
  ['an unknown one counts as none', Buffer.from('ä'), 'text/html; charset=utf-7', 'ä'],
  ['UTF-8 where it is', Buffer.from('ä'), 'text/html', 'ä'],
  ['windows-1252 where it is not', latin('ä \x80.'), 'text/html', 'ä €.'],
  [
    'no comment before the page',
    latin('<!-- <meta charset=shift_jis> --><meta charset=windows-1250>\xb9'),
    '',
    '<!-- <meta charset=shift_jis> --><meta charset=windows-1250>ą',
  ],
  [
    'the word of XML',
    latin('<?xml version="1.0" encoding="windows-1251"?><p>\xc0'),
    '',
    '<?xml version="1.0" encoding="windows-1251"?><p>А',
  ],
  [
    'its language where it says nothing else',
    latin('<html lang="ru-RU"><p>\xcf\xf0\xe8\xe2\xe5\xf2'),
    'text/html',
    '<html lang="ru-RU"><p>Привет',
  ],
  ['UTF-8 before its language', Buffer.from('<html lang=ru>Привет'), 'text/html', '<html lang=ru>Привет'],
  ['EUC-JP of a Japanese page', latin('<html lang=ja>\xa4\xb3\xa4\xf3'), '', '<html lang=ja>こん'],
  ['Shift_JIS of a Japanese page', latin('<html lang=ja>\x82\xb1\x82\xf1'), '', '<html lang=ja>こん'],
  ['GB 18030 of a Chinese page', latin('<html lang=zh-CN>\xc4\xe3'), '', '<html lang=zh-CN>你'],
  ['Big5 of a page from Taiwan', latin('<html lang=zh-TW>\xa7A'), '', '<html lang=zh-TW>你'],
  ['no charset of a language that cannot be read in it', latin('<html lang=ko>\xff\xff'), '', '<html lang=ko>ÿÿ'],
  ['a character that was cut off is no reason', Buffer.from('ää').subarray(0, 3), 'text/html', 'ä\ufffd'],
])('%s', async (_what, bytes, contentType, text) => {
  expect(await decodeText(bytes, contentType)).toBe(text);
});

it('a long page is read in steps, which characters may straddle', async () => {
  const text = `x${'ä'.repeat(400_000)}`;
  let others = 0;
  const count = (): void => {
    others += 1;
    meanwhile = setImmediate(count);
  };
  let meanwhile = setImmediate(count);
  expect(await decodeText(Buffer.from(text), 'text/html; charset=utf-8')).toBe(text);
  clearImmediate(meanwhile);
  expect(others).toBeGreaterThan(0);
});
