import { parseTagList, strayCharacter } from '@vedette/intel/tag-list';
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
        malformed: [],
        duplicates: [],
      },
    ],
    [
      'of more than 100 parts the first are read',
      'n=;'.repeat(101),
      { tags: Array.from({ length: 100 }, () => ({ name: 'n', value: '' })), malformed: ['more than 100 parts'], duplicates: ['n'] },
    ],
    [
      'a character that no value may have leaves the tag there',
      'a=ј',
      { tags: [{ name: 'a', value: 'ј' }], malformed: [], duplicates: [] },
    ],
    [
      'a no-break space folds nothing',
      '\u00a0a=1;b=\u00a02\u00a0',
      { tags: [{ name: 'b', value: '\u00a02\u00a0' }], malformed: ['\u00a0a=1'], duplicates: [] },
    ],
    ['a value may hold =', 'a=b==', { tags: [{ name: 'a', value: 'b==' }], malformed: [], duplicates: [] }],
    [
      'names are case-sensitive',
      'a=1;A=2',
      {
        tags: [
          { name: 'a', value: '1' },
          { name: 'A', value: '2' },
        ],
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
        malformed: [],
        duplicates: ['a'],
      },
    ],
    [
      'what is no tag is listed',
      'a=1;;b;1=2;c-d=3;é=e',
      { tags: [{ name: 'a', value: '1' }], malformed: ['', 'b', '1=2', 'c-d=3', 'é=e'], duplicates: [] },
    ],
    ['nothing is an empty list', '', { tags: [], malformed: [], duplicates: [] }],
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
