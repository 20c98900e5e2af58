import { expect, it } from 'vitest';
import { decodeWords } from '@vedette/message/mime';

const b64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

it.each([
  // RFC 2047 §8.
  ['=?US-ASCII?Q?Keith_Moore?= <moore@cs.utk.edu>', 'Keith Moore <moore@cs.utk.edu>'],
  ['=?ISO-8859-1?Q?Andr=E9?= Pirard', 'André Pirard'],
  [
    '=?ISO-8859-1?B?SWYgeW91IGNhbiByZWFkIHRoaXMgeW8=?=\r\n =?ISO-8859-2?B?dSB1bmRlcnN0YW5kIHRoZSBleGFtcGxlLg==?=',
    'If you can read this you understand the example.',
  ],
  ['(=?ISO-8859-1?Q?a?=)', '(a)'],
  ['(=?ISO-8859-1?Q?a?= b)', '(a b)'],
  ['(=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=)', '(ab)'],
  ['(=?ISO-8859-1?Q?a?=  \r\n  =?ISO-8859-1?Q?b?=)', '(ab)'],
  ['(=?ISO-8859-1?Q?a_b?=)', '(a b)'],
  ['(=?ISO-8859-1?Q?a?= =?ISO-8859-2?Q?_b?=)', '(a b)'],
  // RFC 2231 §5: a language.
  ['=?US-ASCII*EN?Q?Keith_Moore?=', 'Keith Moore'],
  // Split inside a character, in either encoding and in both.
  ['=?utf-8?Q?J=C3?= =?utf-8?Q?=B6rg?=', 'Jörg'],
  ['=?utf-8?B?SsM=?=\r\n =?utf-8?B?tnJn?=', 'Jörg'],
  ['=?utf-8?B?SsM=?= =?UTF-8?q?=B6rg?=', 'Jörg'],
  ['=?utf-8?B?SsM?= =?utf-8?B?tnJn?=', 'Jörg'], // Without its padding.
  [`=?gb18030?B?${b64('d6')}?= =?gb18030?B?${b64('d0cec4')}?=`, '中文'],
  [`=?iso-2022-jp?B?${b64('1b2442467c4b5c')}?= =?iso-2022-jp?B?${b64('386c1b2842')}?=`, '日本語'], // Its state goes on.
  [`=?iso-2022-jp?B?${b64('1b2442467c1b2842')}?= =?iso-2022-jp?B?${b64('1b24424b5c1b2842')}?=`, '日本'],
  // Against the rules, and seen.
  ['=?utf-8?Q?one two?=', 'one two'],
  ['=?utf-8?Q?Really??=', 'Really?'],
  ['=?utf-8?Q?Why?_Because?=', 'Why? Because'],
  ['=?utf-8?Q?a?==?utf-8?Q?b?=', 'ab'],
  ['Re:=?utf-8?Q?a?=b', 'Re:ab'],
  ['"=?utf-8?Q?a?="', '"a"'],
  ['=?utf-8?Q?a=?=', 'a'],
  ['=?utf-8?Q?100=25=ZZ?=', '100%=ZZ'],
  ['=?utf-8?Q??=', ''],
  ['=?x-klingon?Q?=C3=B6?=', 'ö'],
  ['=?utf-8?Q?=FC?=', 'ü'],
  ['=?utf-8?Q?a=0D=0ABcc:_x?=', 'a Bcc: x'],
  // No encoded words.
  ['=?utf-8?X?a?=', '=?utf-8?X?a?='],
  ['=?utf-8?Q?a', '=?utf-8?Q?a'],
  ['=?utf-8?Q', '=?utf-8?Q'],
  ['= ?utf-8?Q?a?=', '= ?utf-8?Q?a?='],
  ['a =? b ?= c', 'a =? b ?= c'],
  ['', ''],
  ['plain  text', 'plain  text'],
])('%j is %j', (raw, text) => {
  expect(decodeWords(raw)).toBe(text);
});

it('at most 2,000 words of a field', () => {
  expect(decodeWords('=?utf-8?Q?a?= '.repeat(2_001))).toBe(`${'a'.repeat(2_000)} =?utf-8?Q?a?=`);
});
