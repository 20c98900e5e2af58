import { expect, it } from 'vitest';
import { IndicatorReader } from '@vedette/message/indicators';

/** Text of `length` characters, of one piece over and over, or of pieces that differ. */
type Make = (length: number) => string;
const of =
  (piece: string, before = ''): Make =>
  (length) =>
    before + piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const each =
  (piece: (at: number) => string, before = ''): Make =>
  (length) => {
    const pieces = [before];
    for (let at = 0, chars = 0; chars < length; at++) {
      pieces.push(piece(at));
      chars += pieces.at(-1)!.length;
    }
    return pieces.join('');
  };

const TEXTS: readonly (readonly [string, Make])[] = [
  ['slashes', of('//')],
  ['at signs', of('a@')],
  ['dots', of('a.')],
  ['addresses', each((at) => `u${at}@d${at}.com `)],
  ['one address', of('a@b.cc ')],
  ['schemes', of('http://')],
  ['defanged schemes', of('hxxp')],
  ['schemes with blanks', of('http : ')],
  ['URLs', each((at) => `http://d${at}.com/ `)],
  ['one URL', of('http://a.bc/ ')],
  ['a long URL', of('x', 'http://a.bc/')],
  ['a long host', of('x', 'http://')],
  ['long users', of(`http://${'a'.repeat(290)} `)],
  ['open redirects', each((at) => `http://d${at}.com/?u=http%3a%2f%2fe${at}.com `)],
  ['parameters', of('u=http:&', 'http://a.bc/?')],
  ['digits', of('1234567890')],
  ['digits and marks', of('1 2-3.')],
  ['brackets and digits', of('(1')],
  ['phone numbers', each((at) => `+1888555${1_000 + (at % 9_000)} `)],
  ['calls', of('call 1234567 ')],
  ['Bitcoin addresses', each((at) => `1A1zP1eP5QGefi2DMPTfTL5SLmv7${at.toString(36).replace(/[0l]/g, 'x')} `)],
  ['ones', of('1')],
  ['defanged dots', of('a[.]')],
  ['defanged at signs', of('a[at]')],
  ['www', of('www.')],
  ['homoglyphs', of('раураl.соm/')],
  ['digits of mathematics', of('𝟏')],
  ['a script without blanks', of('请访问进行验证')],
];
const PAGES: readonly (readonly [string, Make])[] = [
  ['tables', of('<table>')],
  ['tags that are opened', of('<')],
  ['attributes', of('a=1 ', '<a ')],
  ['attributes with URLs', each((at) => `data-${at}=http://x${at}.com `, '<a ')],
  ['references', of('&amp;')],
  ['half references', of('&a')],
  ['comments', of('<!--[if mso]><a href=http://x.com><![endif]-->')],
  ['open comments', of('<!--')],
  ['a document in an attribute', of('<a href=http://x.com>', '<iframe srcdoc="')],
  ['style sheets', of('url(', '<style>')],
  ['escapes in style sheets', of('url(\\', '<style>')],
  ['hidden paragraphs', of('<p hidden>a')],
  ['hidden elements', each((at) => `<x${at}>`, '<div hidden>')],
  ['sets of pictures', of('a 1x,', '<img srcset="')],
  ['links', each((at) => `<a href="https://d${at}.com/p">x</a> `)],
  ['a long link', of('<b>a</b>', '<a href=x>')],
  ['a picture', of('AAAA', '<img src="data:image/png;base64,')],
  ['a script', of('http://a.bc/ ', '<script>')],
];
const LENGTH = 1_048_576;
/** Less than that is not told from what the machine does beside it. */
const LEAST_MS = 60;

async function cpuOf(take: (reader: IndicatorReader) => void): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) {
    const before = process.cpuUsage();
    const reader = new IndicatorReader();
    take(reader);
    await reader.read();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

it.each([...TEXTS.map(([name, make]) => ['text', name, make] as const), ...PAGES.map(([name, make]) => ['html', name, make] as const)])(
  'takes time linear in its input: %s, %s',
  async (kind, _name, make) => {
    const [one, two] = [make(LENGTH), make(2 * LENGTH)];
    const once = await cpuOf((reader) => void reader[kind](one));
    const twice = await cpuOf((reader) => void reader[kind](two));
    expect(once).toBeLessThan(600);
    expect(Math.max(twice, LEAST_MS)).toBeLessThanOrEqual(2.3 * Math.max(once, LEAST_MS));
  },
  60_000,
);
