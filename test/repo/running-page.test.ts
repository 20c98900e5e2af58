import { describe, expect, it } from 'vitest';
import { Examples, READ_IN_ORDER, sectionsOf } from '../system/running.ts';
import { read } from './pages.ts';

const PAGE = `# A page
## Begin
Some words with \`$ no command\`.
\`\`\`console
$ make it
one
there$ serve # stays
ready
\`\`\`
\`\`\`sh
$ not this
\`\`\`
**Ctrl-C** in the terminal of \`serve\`.
## Words alone
`;

it('a page becomes the commands in it, in their order', () => {
  expect(sectionsOf(PAGE)).toEqual([
    {
      title: 'Begin',
      steps: [
        { do: 'run', line: 5, command: 'make it', stays: false, output: ['one'] },
        { do: 'run', line: 7, command: 'serve # stays', stays: true, output: ['ready'], on: 'there' },
        { do: 'end', line: 13, command: 'serve' },
      ],
    },
  ]);
});

it('the pages about running it show each role, and nothing of them is left out', () => {
  expect(READ_IN_ORDER.flatMap((page) => sectionsOf(read(page)).map(({ title }) => title))).toEqual([
    'The bus',
    'A gateway',
    'An agent',
    'A second location',
    'A second gateway',
    'Taking a location back',
    'Accounts and keys',
    'Taking a key back',
    'Importing names',
    'Backup, and back',
  ]);
});

describe('what is printed', () => {
  const matches = (expected: string[], printed: string) => new Examples().match(expected, printed);
  it.each([
    [['one', 'two'], 'one\ntwo\n', true],
    [['one', 'two'], 'one\nthree\n', false],
    [['one'], 'one\nand more\n', false],
    [['one'], '', false],
    [[], '', true],
    [[], 'something\n', false],
    [['took … ms'], 'took 12 ms', true],
    [['took … ms'], 'took 12 s', false],
    [['one', '…', 'four'], 'one\ntwo\nthree\nfour', true],
    [['one', '…', 'four'], 'one\ntwo\nthree', false],
    [['a.b (c)'], 'axb (c)', false],
    [['2026-01-01T00:00:00Z'], '2031-05-09T13:14:15Z', true],
    [['2026-01-01T00:00:00Z'], 'yesterday', false],
    [['acct_0123456789ab and acct_0123456789ab'], 'acct_aaaaaaaaaaaa and acct_aaaaaaaaaaaa', true],
    [['acct_0123456789ab and acct_0123456789ab'], 'acct_aaaaaaaaaaaa and acct_bbbbbbbbbbbb', false],
  ])('for %j is compared with %j: %s', (expected, printed, same) => {
    expect(matches(expected, printed)).toBe(same);
  });

  it('is what an example stands for from then on', () => {
    const examples = new Examples();
    expect(examples.match(['acct_0123456789ab  new'], 'acct_zzzzzzzzzzzz  new')).toBe(true);
    expect(examples.in('show acct_0123456789ab')).toBe('show acct_zzzzzzzzzzzz');
    expect(examples.match(['acct_0123456789ab'], 'acct_yyyyyyyyyyyy')).toBe(false);
    expect(examples.match(['vdt_abcdefghijklmnop_x'], 'vdt_ponmlkjihgfedcba_x')).toBe(true);
    expect(examples.in('revoke abcdefghijklmnop')).toBe('revoke ponmlkjihgfedcba');
  });
});
