import { FEED_CATALOGUE, readFeedCatalogue } from '@vedette/feeds';
import { disposable, DISPOSABLE_SOURCES } from '@vedette/intel/email';
import { Compile } from 'typebox/schema';
import { expect, it } from 'vitest';
import { feedRoutes } from '../../packages/gateway/src/feeds.ts';
import { CURATED_SOURCES } from '../../packages/intel/src/email/lists/disposable.ts';
import { read } from '../repo/pages.ts';

const OURS = {
  dataset: 'disposable',
  url: 'http://lists.example.org/ours.txt',
  format: 'lines',
  licence: 'ours',
  attribution: 'Example Inc.',
};
const readFile = (file: object) => readFeedCatalogue(JSON.stringify(file));

it('every list that is shipped has its feed, from an https source whose licence allows it, credited in NOTICE', () => {
  expect(FEED_CATALOGUE.map(({ name }) => name)).toEqual([...DISPOSABLE_SOURCES]);
  expect(FEED_CATALOGUE.filter(({ curated }) => curated).map(({ name }) => name)).toEqual([...CURATED_SOURCES]);
  const notice = read('NOTICE');
  for (const { url, licence, attribution } of FEED_CATALOGUE) {
    expect(url).toMatch(/^https:\/\/raw\.githubusercontent\.com\//);
    expect(licence).toMatch(/^(CC0-1\.0|MIT|BSD-3-Clause)$/);
    expect(notice).toContain(/https:\S+/.exec(attribution)![0]);
  }
});

it('what is shipped is what the feeds may be compared with: more rows than the least, under the cap', () => {
  for (const { name, min_rows, max_bytes } of FEED_CATALOGUE) {
    const { rows } = disposable.shipped.get(name)!;
    expect([name, rows > min_rows, rows * 40 < max_bytes]).toEqual([name, true, true]);
  }
});

it('a file changes feeds, adds some, and may replace all of them', () => {
  const changed = readFile({ feeds: { fakefilter: { url: 'https://mirror.example.org/data.txt', enabled: false }, ours: OURS } });
  expect(changed.map(({ name }) => name)).toEqual([...DISPOSABLE_SOURCES, 'ours']);
  expect(changed.find(({ name }) => name === 'fakefilter')).toMatchObject({
    url: 'https://mirror.example.org/data.txt',
    enabled: false,
    licence: 'BSD-3-Clause',
  });
  expect(changed.at(-1)).toEqual({
    ...OURS,
    name: 'ours',
    curated: true,
    enabled: true,
    every_hours: 24,
    max_bytes: 8_388_608,
    min_rows: 1,
    max_change: 10,
  });
  expect(readFile({ built_in: false })).toEqual([]);
  expect(readFile({})).toEqual(FEED_CATALOGUE);
});

it('a feed is refreshed under a name that one can have', () => {
  const { param } = feedRoutes({ status: () => [], refresh: () => true }).find(({ method }) => method === 'POST')!;
  const isName = Compile(param);
  expect(['fakefilter', 'a', '-ours', '', 'Ours'].filter((name) => isName.Check(name))).toEqual(['fakefilter', 'a']);
});

it.each([
  ['no JSON', '{', 'JSON'],
  ['another shape', '[]', 'must be object'],
  ['an unknown field', JSON.stringify({ feeds: { fakefilter: { uri: 'https://a.example' } } }), '/feeds/fakefilter'],
  ['another scheme', JSON.stringify({ feeds: { fakefilter: { url: 'file:///etc/passwd' } } }), '/feeds/fakefilter/url'],
  ['a name that is no name', JSON.stringify({ feeds: { '../x': OURS } }), '/feeds'],
  [
    'a new feed without all it needs',
    JSON.stringify({ feeds: { ours: { url: OURS.url } } }),
    'the feed ours is new and lacks dataset, format',
  ],
])('a file with %s is refused, and says why', (_what, text, why) => {
  expect(() => readFeedCatalogue(text)).toThrow(why);
});
