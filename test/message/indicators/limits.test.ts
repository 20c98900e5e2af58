import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlOf, IndicatorReader } from '@vedette/message/indicators';
import { runs } from '../../runs.ts';

const many = (make: (at: number) => string, count = 1_001): string => Array.from({ length: count }, (_, at) => make(at)).join(' ');
const read = async (take: (reader: IndicatorReader) => void) => {
  const reader = new IndicatorReader();
  take(reader);
  return await reader.read();
};

describe('lists have at most a thousand entries, and the limit is told', () => {
  it.each([
    ['urls', (at: number) => `https://a.test/${at}`],
    ['redirects', (at: number) => `https://a.test/?url=https://b.test/${at}`],
    ['emails', (at: number) => `u${at}@a.test`],
    ['phone_numbers', (at: number) => `+1888555${1_000 + at}`],
    ['hosts', (at: number) => `h${at}[.]example[.]com`],
  ] as const)('%s', async (list, make) => {
    const all = await read((reader) => reader.text(many(make)));
    expect(all[list]).toHaveLength(1_000);
    expect([...all.limits]).toEqual(['indicators']);
    const fewer = await read((reader) => reader.text(many(make, 1_000)));
    expect(fewer[list]).toHaveLength(1_000);
    expect([...fewer.limits]).toEqual([]);
  });
});

it('reads a page in a URL, and tells that there is another in that', async () => {
  const page = (html: string): string => `<a href="data:text/html;base64,${Buffer.from(html).toString('base64')}">x</a>`;
  const one = await read((reader) => reader.html(page('<a href="https://a.test/">x</a>')));
  expect([one.urls, [...one.limits]]).toEqual([['https://a.test/'], []]);
  const two = await read((reader) => reader.html(page(`<a href="https://b.test/">x</a>${page('<a href="https://a.test/">x</a>')}`)));
  expect([two.urls, [...two.limits]]).toEqual([['https://b.test/'], ['depth']]);
});

it('reads 4 MB of text, and tells that there was more', async () => {
  const half = `${'word '.repeat(500_000)}https://a.test/`;
  const { urls, limits } = await read((reader) => {
    reader.text(half);
    reader.text(half.replace('a.test', 'b.test'));
  });
  expect(urls).toEqual(['https://a.test/']);
  expect([...limits]).toEqual(['text']);
});

it('reads a thousand URLs of data in one HTML, and tells that there are more', () => {
  const html = (count: number): string => many((at) => `<img src="data:image/png,${at}">`, count);
  const [all, more] = [htmlOf(html(1_000)), htmlOf(html(1_001))];
  expect([all.data.length, all.truncated, more.data.length, more.truncated]).toEqual([1_000, false, 1_000, true]);
});

it('cuts URLs that are longer than any that is used: where they lead stands at their beginning', async () => {
  const { urls, hosts } = await read((reader) => reader.text(`https://a.test/${'x'.repeat(20_000)} https://b.test/`));
  expect(urls.map((url) => url.length)).toEqual([8_192, 15]);
  expect(hosts).toEqual(['a.test', 'b.test']);
});

it('takes no host for one that is longer than any', async () => {
  expect((await read((reader) => reader.text(`https://${'ä'.repeat(5_000)}.test/`))).urls).toEqual([]);
});

const PIECES = [
  'https://', 'hxxps[:]//', 'http:', '//', 'www.', 'a.test', 'evil[.]com', '.com', '@', '[at]', ':', '/', '?url=', '%3A%2F%2F', '#', '&amp;', '&', '<a href="', '">', '<', '>', '</a>',
  '<style>', 'url(', '\\', '<!--[if mso]>', '-->', '<iframe srcdoc="', 'data:text/html;base64,', 'cid:', 'javascript:', 'mailto:', 'tel:', '+1 888', '555-0123', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  'bc1q', 'aHR0c', 'eyJ', '\n', ' ', '(', ')', '[', ']', '\u200b', '\ud83d', '日本', 'ａ', '\u0000', '%', '%ff', 'DESCRIPTION:', ',', ';', '=', '"', "'",
]; // prettier-ignore
const anything = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 60 })
  .map((parts) => parts.join(''));

it('throws for nothing that anybody writes, and tells whole URLs', async () => {
  await fc.assert(
    fc.asyncProperty(anything, async (written) => {
      const { urls, redirects, direct_downloads, with_ip_host, emails, hosts } = await read((reader) => {
        reader.text(written);
        reader.html(written);
        reader.calendar(written);
        reader.address(written);
        reader.image(Buffer.from(written));
      });
      for (const url of [...urls, ...redirects]) expect(new URL(url).href).toBe(url);
      for (const url of [...direct_downloads, ...with_ip_host]) expect([...urls, ...redirects]).toContain(url);
      for (const email of emails) expect(email).toMatch(/^\S+@[^@\s]+$/);
      for (const host of hosts) expect(host).toBe(host.toLowerCase());
    }),
    { numRuns: runs(1_000) },
  );
});

it('reads any HTML to its end', () => {
  fc.assert(
    fc.property(anything, (html) => {
      expect(htmlOf(`${html}"'>--></style></script></title></iframe></noembed></noframes></textarea></xmp><p>end`).text).toMatch(/end$/);
    }),
    { numRuns: runs(500) },
  );
});
