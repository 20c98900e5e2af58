import { misnaming, parseTagList, strayCharacter } from '@vedette/mail/tag-list';
import { describe, expect, it } from 'vitest';

describe('parseTagList, RFC 6376 §3.2', () => {
  it.each([
    [
      'one semicolon may end it',
      'a=1; b=2;',
      {
        tags: [
          { name: 'a', value: '1' },
          { name: 'b', value: '2' },
        ],
        misnamed: [],
        malformed: [],
        duplicates: [],
      },
    ],
    [
      'white space folds around names and values',
      ' a =\t1 2 \r\n ;b= ',
      {
        tags: [
          { name: 'a', value: '1 2' },
          { name: 'b', value: '' },
        ],
        misnamed: [],
        malformed: [],
        duplicates: [],
      },
    ],
    [
      'of more than 100 parts the first are read',
      'n=;'.repeat(101),
      {
        tags: Array.from({ length: 100 }, () => ({ name: 'n', value: '' })),
        misnamed: [],
        malformed: ['more than 100 parts'],
        duplicates: ['n'],
      },
    ],
    [
      'a character that no value may have leaves the tag there',
      'a=ј',
      { tags: [{ name: 'a', value: 'ј' }], misnamed: [], malformed: [], duplicates: [] },
    ],
    [
      'a no-break space folds nothing',
      '\u00a0a=1;b=\u00a02\u00a0',
      {
        tags: [{ name: 'b', value: '\u00a02\u00a0' }],
        misnamed: [{ name: 'a', value: '1', written: '\u00a0a' }],
        malformed: [],
        duplicates: [],
      },
    ],
    ['a value may hold =', 'a=b==', { tags: [{ name: 'a', value: 'b==' }], misnamed: [], malformed: [], duplicates: [] }],
    [
      'names are case-sensitive',
      'a=1;A=2',
      {
        tags: [
          { name: 'a', value: '1' },
          { name: 'A', value: '2' },
        ],
        misnamed: [],
        malformed: [],
        duplicates: [],
      },
    ],
    [
      'names twice are listed once',
      'a=1;a=2;a=3',
      {
        tags: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
          { name: 'a', value: '3' },
        ],
        misnamed: [],
        malformed: [],
        duplicates: ['a'],
      },
    ],
    [
      'what is no tag is listed',
      'a=1;;b;1=2;c-d=3;é=e',
      { tags: [{ name: 'a', value: '1' }], misnamed: [], malformed: ['', 'b', '1=2', 'c-d=3', 'é=e'], duplicates: [] },
    ],
    [
      'a tag is known by the name that was meant',
      '\u00a0p=1;p\u00a0=2;s\u200bp = 3;р=4;ｐ=5;\u00a0=6;\u00a0p',
      {
        tags: [],
        misnamed: [
          { name: 'p', value: '1', written: '\u00a0p' },
          { name: 'p', value: '2', written: 'p\u00a0' },
          { name: 'sp', value: '3', written: 's\u200bp' },
          { name: 'p', value: '4', written: 'р' },
          { name: 'p', value: '5', written: 'ｐ' },
        ],
        malformed: ['\u00a0=6', '\u00a0p'],
        duplicates: [],
      },
    ],
    [
      'what is too long for a name is none',
      `${'\u0440'.repeat(65)}=1`,
      { tags: [], misnamed: [], malformed: [`${'\u0440'.repeat(65)}=1`], duplicates: [] },
    ],
    ['nothing is an empty list', '', { tags: [], misnamed: [], malformed: [], duplicates: [] }],
  ])('%s', (_rule, text, list) => {
    expect(parseTagList(text)).toEqual(list);
  });
});

it.each([
  ['v=DMARC1; p=none\t\r\n', ''],
  ['v=DMARC1\u00a0;', 'U+00A0'],
  ['p=re\u0458ect', 'U+0458'],
  ['p=\u{1d42b}', 'U+1D42B'],
  ['p=\0', 'U+0000'],
])('names the first character of %j that no tag-list may hold', (text, stray) => {
  expect(strayCharacter(text)).toBe(stray);
});

it.each([
  ['\u00a0p=reject', 'p= is there, but U+00A0 stands before it'],
  ['p\u00a0=reject', 'p= is there, but U+00A0 stands after it'],
  ['s\u200bp=reject', 'sp= is there, but U+200B stands in its name'],
  ['р=reject', 'p= is there, but U+0440 stands in its name'],
])('says what is wrong with the name in %j', (text, message) => {
  expect(parseTagList(text).misnamed.map(misnaming)).toEqual([message]);
});
