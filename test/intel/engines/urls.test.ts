import { expect, it } from 'vitest';
import { readEngineCatalogue } from '@vedette/intel/engines';
import { openBlacklists } from './open-blacklists.ts';

const engine = (list: string) =>
  ({ name: list, subject: 'url', list, lists: 'test', terms: 'test', meaning: 'phishing', weight: 0.9 }) as const;
const ENGINES = { pages: engine('pages'), more: engine('more'), empty: engine('empty') };
const LISTED = {
  pages: ['https://sites.test/view/kit/', 'https://evil.test/', 'https://bit.ly/', 'https://someone.github.io/'],
  more: ['https://evil.test/login.php?id=1'],
};
const detected = async (url: string, exclude: string[] = []) => {
  await using opened = await openBlacklists({ engines: ENGINES, urls: LISTED, listings: [{ list: 'url-shorteners', entry: 'bit.ly' }] });
  const { results, unanswered } = opened.blacklists.url(url, { exclude });
  expect(unanswered).toEqual(exclude.includes('empty') ? [] : [{ name: 'empty', why: 'its list is not loaded' }]);
  return results.filter((result) => result.detected).map(({ name, confidence, meanings }) => [name, confidence, ...meanings]);
};

it('a listing is of the URL, and of what is below it', async () => {
  expect(await detected('https://evil.test/login.php?id=1')).toEqual([
    ['more', 'high', 'phishing'],
    ['pages', 'high', 'phishing'],
  ]);
  expect(await detected('https://sites.test/view/kit/step2')).toEqual([['pages', 'high', 'phishing']]);
  expect(await detected('https://sites.test/view/other/')).toEqual([]);
});

it('a listing of another name of the domain is in doubt', async () => {
  expect(await detected('https://login.evil.test/a')).toEqual([['pages', 'low', 'phishing']]);
});

it('a shared host that is listed accuses itself, and none of its neighbours', async () => {
  expect(await detected('https://bit.ly/abc')).toEqual([]);
  expect(await detected('https://bit.ly/')).toEqual([['pages', 'high', 'phishing']]);
  expect(await detected('https://other.github.io/')).toEqual([]);
  expect(await detected('https://someone.github.io/x')).toEqual([['pages', 'high', 'phishing']]);
});

it('leaves out what the client does not want', async () => {
  expect(await detected('https://evil.test/login.php?id=1', ['Pages', 'empty'])).toEqual([['more', 'high', 'phishing']]);
});

it('a URL that is too long has no answer', async () => {
  await using opened = await openBlacklists({ engines: { pages: engine('pages') }, urls: LISTED });
  const { results, unanswered } = opened.blacklists.url(`https://evil.test/?${'x'.repeat(20_000)}`, { exclude: [] });
  expect([results, unanswered]).toEqual([[], [{ name: 'pages', why: 'the URL is too long to be listed' }]]);
});

it('no zone can list URLs', () => {
  const engines = { ours: { name: 'Ours', subject: 'url', zone: 'bl.test', lists: 'x', terms: 'x', codes: { '127.0.0.2': 'spam' } } };
  expect(() => readEngineCatalogue(JSON.stringify({ engines }))).toThrow('lists URLs, which no zone is asked for');
});
