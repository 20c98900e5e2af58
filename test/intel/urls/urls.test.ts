import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { canonicalUrl, createUrls, exactExpression, expressionsOf, UrlList } from '@vedette/intel/urls';

const part = (...urls: string[]) => new UrlList(UrlList.compile(urls.map((url) => exactExpression(canonicalUrl(url)!))));
const on = (urls: ReturnType<typeof createUrls>, url: string) => urls.listings(expressionsOf(canonicalUrl(url)!));

it('hashes as FIPS 180-2 has it', () => {
  const vectors = {
    abc: 0xba7816bf8f01cfean,
    abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq: 0x248d6a61d20638b8n,
    ['a'.repeat(1_000_000)]: 0xcdc76e5c9914fb92n,
  };
  for (const [text, hash] of Object.entries(vectors)) {
    const list = new UrlList(UrlList.compile([text]));
    expect([list.has(hash), list.has(hash + 1n)]).toEqual([true, false]);
  }
});

it('finds a URL, what is below a folder, and no neighbour', () => {
  const urls = createUrls();
  urls.setList('bad', 'one', part('https://sites.test/view/evil/', 'http://evil.test/a.php?id=7', 'http://192.0.2.1:8080/Mozi.m'));
  expect(on(urls, 'https://sites.test/view/evil/login?x=1')).toEqual([{ list: 'bad', entry: 'sites.test/view/evil/' }]);
  expect(on(urls, 'https://sites.test/view/other/')).toEqual([]);
  expect(on(urls, 'https://sites.test/')).toEqual([]);
  expect(on(urls, 'HTTP://EVIL.test:8080/./a.php?id=7#top')).toEqual([{ list: 'bad', entry: 'evil.test/a.php?id=7' }]);
  expect(on(urls, 'http://evil.test/a.php?id=8')).toEqual([]);
  expect(on(urls, 'http://evil.test/')).toEqual([]);
  expect(on(urls, 'http://192.0.2.1/Mozi.m')).toEqual([{ list: 'bad', entry: '192.0.2.1/Mozi.m' }]);
});

it('a list is what all its sources say, as long as they say it', () => {
  const urls = createUrls();
  expect(urls.hasList('bad')).toBe(false);
  urls.setList('bad', 'one', part('http://a.test/1'));
  urls.setList('bad', 'two', part('http://a.test/2'));
  expect(['http://a.test/1', 'http://a.test/2'].map((url) => on(urls, url).length)).toEqual([1, 1]);
  urls.setList('bad', 'one', undefined);
  expect(['http://a.test/1', 'http://a.test/2'].map((url) => on(urls, url).length)).toEqual([0, 1]);
  urls.setList('bad', 'two', undefined);
  expect(urls.hasList('bad')).toBe(false);
});

it('has every URL of a long list, and none beside', () => {
  const list = new UrlList(UrlList.compile(Array.from({ length: 20_000 }, (_, n) => `host.test/${n}`)));
  expect(list.rows).toBe(20_000);
  const has = (n: number) => list.has(createHash('sha256').update(`host.test/${n}`).digest().readBigUInt64BE(0));
  for (let n = 0; n < 20_000; n += 97) expect(has(n)).toBe(true);
  for (let n = 20_000; n < 21_000; n++) expect(has(n)).toBe(false);
});
