import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readHtmlInfo } from '@vedette/web/access';

it.each<[string, string, { title: string; description: string }]>([
  [
    'a plain head',
    '<title> A &amp; B\n c</title><META Name=Description content="It &lt;is&gt;">',
    { title: 'A & B c', description: 'It <is>' },
  ],
  [
    'the first of several',
    '<title>1</title><title>2</title><meta name=description content=x><meta name=description content=y>',
    { title: '1', description: 'x' },
  ],
  ['empty ones are passed over', '<title></title><title>2</title>', { title: '2', description: '' }],
  ['nothing', '<p>hello', { title: '', description: '' }],
  ['not even a page', '\0\u001b[31m', { title: '', description: '' }],
  [
    'a title in a comment or a script does not count',
    '<!-- <title>1</title> --><script>"<title>2</title>"</script>',
    { title: '', description: '' },
  ],
  [
    'a title in the body is a picture’s',
    `<head></head><body>${' '.repeat(5000)}<svg><title>x</title></svg>`,
    { title: '', description: '' },
  ],
  ['cut off inside the title', '<title>Half', { title: 'Half', description: '' }],
  ['controls go', '<title>a\u001b[31mb\u0000c</title>', { title: 'a [31mb c', description: '' }],
])('%s', (_what, html, info) => {
  expect(readHtmlInfo(html)).toEqual(info);
});

it('cuts a title of 4 MB', () => {
  expect(readHtmlInfo(`<title>${'a'.repeat(4_000_000)}</title>`).title).toBe('a'.repeat(1_000));
});

it.each([
  ['nested without end', '<div>'.repeat(900_000)],
  ['end tags that match nothing', '<a>'.repeat(40_000) + '</b>'.repeat(40_000)],
  ['attributes without end', `<meta ${'a '.repeat(2_000_000)}`],
  ['tags that never close', '<'.repeat(4_000_000)],
])('gets through a page that is %s', (_attack, html) => {
  expect(readHtmlInfo(html)).toEqual({ title: '', description: '' });
});

it('takes any text', () => {
  const piece = fc.constantFrom('<title>', '</title>', '<meta name=description content="', '">', '<body>', '<!--', '&#', '\0', 'x');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const { title, description } = readHtmlInfo(pieces.join(''));
      expect(`${title}${description}`).not.toMatch(/\0/);
    }),
  );
});
