import { DEFAULT_FEEDS, FEED_CATALOGUE, readFeedSettings } from '@vedette/intel/datasets';
import { listOf, Feed } from '@vedette/intel/feeds';
import { createMailboxes, DISPOSABLE_SOURCES } from '@vedette/intel/mailboxes';
import { Compile } from 'typebox/schema';
import { expect, it } from 'vitest';
import { feedRoutes } from '../../../packages/gateway/src/intel/feeds.ts';
import { CURATED_SOURCES } from '../../../packages/intel/src/mailboxes/disposable.ts';
import { read } from '../../repo/pages.ts';

const OURS = {
  dataset: 'disposable',
  url: 'http://lists.example.org/ours.txt',
  format: 'lines',
  licence: 'ours',
  attribution: 'Example Inc.',
} as const;
const readFile = (file: object) => readFeedSettings(JSON.stringify(file));
const isFeed = Compile(Feed);
const disposableFeeds = FEED_CATALOGUE.filter(({ dataset }) => dataset === 'disposable');
const named = (name: string) => FEED_CATALOGUE.find((feed) => feed.name === name);

it('every list that is shipped has its feed, from an https source whose licence allows it, credited in NOTICE', () => {
  expect(disposableFeeds.map(({ name }) => name)).toEqual([...DISPOSABLE_SOURCES]);
  expect(disposableFeeds.filter(({ curated }) => curated).map(({ name }) => name)).toEqual([...CURATED_SOURCES]);
  const notice = read('NOTICE');
  for (const { url, licence, attribution } of disposableFeeds) {
    expect(url).toMatch(/^https:\/\/raw\.githubusercontent\.com\//);
    expect(licence).toMatch(/^(CC0-1\.0|MIT|BSD-3-Clause)$/);
    expect(notice).toContain(/https:\S+/.exec(attribution)![0]);
  }
});

it('what is shipped is what the feeds may be compared with: more rows than the least, under the cap', () => {
  for (const { name, min_rows, max_bytes } of disposableFeeds) {
    const { rows } = createMailboxes().shipped.get(name)!;
    expect([name, rows > min_rows, rows * 40 < max_bytes]).toEqual([name, true, true]);
  }
});

it('every feed is whole, has a name of its own, is fetched over https, and says why when it is off', () => {
  expect(new Set(FEED_CATALOGUE.map(({ name }) => name)).size).toBe(FEED_CATALOGUE.length);
  for (const { name, ...feed } of FEED_CATALOGUE) {
    expect([name, [...(isFeed.Errors(feed)[1] ?? [])].map(({ message }) => message)]).toEqual([name, []]);
    expect([name, ...[feed.url, ...(feed.more ?? [])].filter((url) => !url.startsWith('https:'))]).toEqual([name]);
    expect([name, feed.enabled, feed.note !== undefined]).toEqual([name, feed.enabled, !feed.enabled]);
    expect([name, feed.attribution.includes('https://')]).toEqual([name, true]);
  }
});

it('whom a licence asks to name, of what is fetched by itself, stands in NOTICE', () => {
  const notice = read('NOTICE');
  const asks = FEED_CATALOGUE.filter(({ enabled, licence }) => enabled && /^(CC-BY|MIT|BSD|Apache)|credit|with a link/.test(licence));
  expect(asks.length).toBeGreaterThan(10);
  expect(asks.filter(({ attribution }) => !notice.includes(/https:\S+/.exec(attribution)![0])).map(({ name }) => name)).toEqual([]);
});

it('nothing that wants a key, or forbids what we do, is fetched unless somebody says so', () => {
  const unclear = /Auth-Key|terms of AbuseIPDB|not for commercial|forbid|GPL|CC-BY-SA|not told|to be checked/;
  // Nothing that leaves a renderer is made of a filter list.
  const on = FEED_CATALOGUE.filter(({ enabled, dataset }) => enabled && dataset !== 'filters');
  expect(on.filter(({ licence }) => unclear.test(licence)).map(({ name }) => name)).toEqual([]);
  expect(FEED_CATALOGUE.filter(({ licence }) => unclear.test(licence)).length).toBeGreaterThan(10);
});

it.each([
  ['www.spamhaus.org', 60],
  ['www.team-cymru.org', 1440],
  ['check.torproject.org', 30],
  ['hole.cert.pl', 30],
  ['lists.blocklist.de', 30],
  ['blocklist.greensnow.co', 30],
])('%s is asked every %i minutes at the most, also by hand', (host, minutes) => {
  const feeds = FEED_CATALOGUE.filter(({ url }) => new URL(url).host === host);
  expect(feeds.length).toBeGreaterThan(0);
  expect(feeds.filter(({ rest_minutes }) => rest_minutes < minutes)).toEqual([]);
});

it.each(['dynamic-dns', 'link-in-bio', 'parking-ns', 'parking'])(
  '%s, which has ordinary sites too, is fetched for who wants it',
  (name) => {
    expect(FEED_CATALOGUE.find((feed) => feed.name === name)).toMatchObject({ enabled: false, note: expect.stringContaining('Has ') });
  },
);

it('has the lists that operations look for', () => {
  const lists = new Set(FEED_CATALOGUE.map(listOf));
  const wanted =
    'spamhaus-drop spamhaus-asndrop tor-exits tor-relays icloud-relay x4b-vpn x4b-datacenter vpn-providers aws gcp google-services azure oracle-cloud digitalocean linode ' +
    'vultr cloudflare fastly bunny google-common-crawlers google-special-crawlers google-user-triggered bingbot applebot openai-bots crawlers monitoring github ' +
    'stripe datadog atlassian okta starlink open-proxies public-dns fullbogons blocklist-de cins-army greensnow et-compromised ipsum-3 ipsum-5 feodo binary-defense ' +
    'parking sinkholes phishing-database cert-polska eth-phishing stevenblack hagezi-tif maltrail url-shorteners dynamic-dns parking-ns tranco';
  expect(wanted.split(' ').filter((list) => !lists.has(list))).toEqual([]);
});

it('a list that accuses is forgotten when its source is silent; one that says whose it is stays', () => {
  for (const { name, dataset, max_age_days } of FEED_CATALOGUE) {
    const accuses = [
      'disposable_numbers',
      'attackers',
      'anonymizers',
      'tor_relays',
      'malicious_names',
      'malicious_urls',
      'as_drop',
      'bogons',
    ].includes(dataset);
    expect([name, max_age_days !== undefined]).toEqual([name, accuses]);
  }
});

it('a file changes feeds, adds some, and may replace all of them', () => {
  const { catalogue: changed } = readFile({
    feeds: { fakefilter: { url: 'https://mirror.example.org/data.txt', enabled: false }, ours: OURS },
  });
  expect(changed.map(({ name }) => name)).toEqual([...FEED_CATALOGUE.map(({ name }) => name), 'ours']);
  expect(changed.find(({ name }) => name === 'fakefilter')).toMatchObject({
    url: 'https://mirror.example.org/data.txt',
    enabled: false,
    licence: 'BSD-3-Clause',
  });
  expect(changed.at(-1)).toEqual({
    ...OURS,
    name: 'ours',
    tells: "the operator's own",
    curated: true,
    enabled: true,
    every_hours: 24,
    rest_minutes: 5,
    max_bytes: 8_388_608,
    min_rows: 1,
    max_change: 10,
  });
  expect(readFile({ built_in: false }).catalogue).toEqual([]);
  expect(readFile({})).toEqual(DEFAULT_FEEDS);
});

it('a file says where copies are, how much room they have, and that nothing is fetched', () => {
  expect(readFile({ folder: '/srv/feeds', disk_bytes: 1e9 })).toMatchObject({ folder: '/srv/feeds', disk_bytes: 1e9 });
  expect(DEFAULT_FEEDS).toMatchObject({ folder: undefined, disk_bytes: 4_294_967_296 });
  const { catalogue } = readFile({ fetch: false });
  expect([catalogue.length, catalogue.filter(({ enabled }) => enabled)]).toEqual([FEED_CATALOGUE.length, []]);
});

it('a list that an operator adds to is told to all who fill it', () => {
  expect(named('x4b-vpn')!.list).toBeUndefined();
  const { catalogue } = readFile({ feeds: { ours: { ...OURS, dataset: 'anonymizers', list: 'x4b-vpn' } } });
  expect(catalogue.filter((feed) => listOf(feed) === 'x4b-vpn').map(({ name, list }) => [name, list])).toEqual([
    ['x4b-vpn', 'x4b-vpn'],
    ['ours', 'x4b-vpn'],
  ]);
});

it('a feed is refreshed under a name that one can have', () => {
  const { param } = feedRoutes({
    status: () => [],
    refresh: () => 'started',
    check: () => Promise.resolve(undefined),
    mostBytes: () => 1,
    overdueDays: () => 0,
    staleSince: () => '',
    isAwaited: () => false,
    firstDay: () => null,
    import: () => Promise.resolve(undefined),
    diskBytes: () => 0,
    stop: () => Promise.resolve(),
  }).find(({ method }) => method === 'POST')!;
  const isName = Compile(param);
  expect(['fakefilter', 'a', '-ours', '', 'Ours'].filter((name) => isName.Check(name))).toEqual(['fakefilter', 'a']);
});

it.each([
  ['no JSON', '{', 'JSON'],
  ['another shape', '[]', 'must be object'],
  ['an unknown field', JSON.stringify({ feeds: { fakefilter: { uri: 'https://a.example' } } }), '/feeds/fakefilter'],
  ['another scheme', JSON.stringify({ feeds: { fakefilter: { url: 'file:///etc/passwd' } } }), '/feeds/fakefilter/url'],
  ['a name that is no name', JSON.stringify({ feeds: { '../x': OURS } }), '/feeds'],
  ['a folder that is no path', JSON.stringify({ folder: 'feeds' }), '/folder'],
  [
    'a new feed without all it needs',
    JSON.stringify({ feeds: { ours: { url: OURS.url } } }),
    'the feed ours is new and lacks dataset, format',
  ],
])('a file with %s is refused, and says why', (_what, text, why) => {
  expect(() => readFeedSettings(text)).toThrow(why);
});

it('a key in a file that is wrong is not told to the log', () => {
  const file = { feeds: { feodo: { headers: { 'Auth Key': 'secret' } } } };
  expect(() => readFile(file)).toThrow(expect.not.stringContaining('secret'));
  expect(() => readFile({ feeds: { feodo: { headers: { 'Auth-Key': 'secret\n' } } } })).toThrow(expect.not.stringContaining('secret'));
});
