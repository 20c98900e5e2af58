import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nameSubject } from '../../../packages/intel/src/engines/questions.ts';
import { type Opening, openBlacklists, zoneEngine } from './open-blacklists.ts';

const BEST_KNOWN = readFileSync(new URL('../../mail/email/best-known.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const dbl = zoneEngine('dbl.test', { subject: 'name', reference: 'https://example.org/?q={host}' });
const list = { ...zoneEngine(''), zone: undefined!, codes: undefined!, subject: 'name' as const, name: 'List', list: 'bad' };

/** What was asked about the host, without the test entries. */
async function askedAbout(host: string, listings: Opening['listings'] = []) {
  await using opened = await openBlacklists({ zones: { 'dbl.test': {} }, engines: { dbl }, listings });
  opened.blacklists.start();
  const { results } = await opened.host(host);
  const names = opened.dnsbl.asked
    .filter((question) => question.endsWith('.dbl.test A'))
    .map((question) => question.slice(0, -'.dbl.test A'.length));
  return { results, names: names.filter((name) => name !== 'test' && name !== 'invalid') };
}

describe('names that are asked about', () => {
  it.each([
    ['example.org', ['example.org']],
    ['www.example.org', ['www.example.org', 'example.org']],
    ['a.b.example.co.uk', ['a.b.example.co.uk', 'b.example.co.uk', 'example.co.uk']],
    ['tenant.github.io', ['tenant.github.io']],
    ['www.tenant.github.io', ['www.tenant.github.io', 'tenant.github.io']],
    ['tenant.blogspot.com', ['tenant.blogspot.com']],
    ['a.b.c.d.e.f.g.example.org', ['a.b.c.d.e.f.g.example.org', 'e.f.g.example.org', 'f.g.example.org', 'g.example.org', 'example.org']],
    ['xn--bcher-kva.example.org', ['xn--bcher-kva.example.org', 'example.org']],
  ])('%s: the host, and its parents down to the registrable one', async (host, names) => {
    expect((await askedAbout(host)).names.sort()).toEqual(names.sort());
  });

  it.each(['org', 'co.uk', 'github.io', 'blogspot.com', '192.0.2.1'])('%s, whose names are everybody’s: none', async (host) => {
    expect(await askedAbout(host)).toEqual({ results: [], names: [] });
  });

  it.each([
    ['victim.dyn.example', 'dynamic-dns', ['victim.dyn.example']],
    ['deep.victim.dyn.example', 'dynamic-dns', ['deep.victim.dyn.example', 'victim.dyn.example']],
    ['victim.dyn.example', 'free-hosting', ['victim.dyn.example']],
    ['victim.dyn.example', 'form-builders', ['victim.dyn.example']],
    ['dyn.example', 'url-shorteners', ['dyn.example']],
    ['www.dyn.example', 'abused-tlds', ['www.dyn.example', 'dyn.example']],
  ])('%s below dyn.example of the list %s', async (host, shared, names) => {
    expect((await askedAbout(host, [{ list: shared, entry: 'dyn.example' }])).names.sort()).toEqual(names.sort());
  });

  it('that the zone cannot hold is taken for what it is: not listed', async () => {
    const host = `${'a.'.repeat(121)}example.org`;
    expect(await askedAbout(host)).toMatchObject({ results: [{ detected: false }] });
  });
});

describe('a listing', () => {
  const judged = async (host: string, entry: string, more: Opening = {}, engine = {}) => {
    await using opened = await openBlacklists({
      zones: { 'dbl.test': { listed: { [entry]: ['127.0.0.2'] } } },
      engines: { dbl: { ...dbl, ...engine }, list: { ...list, ...engine } },
      lists: ['bad'],
      ...more,
      listings: [{ list: 'bad', entry }, ...(more.listings ?? [])],
    });
    opened.blacklists.start();
    const { results } = await opened.host(host);
    return results.map(({ detected, confidence }) => (detected ? confidence : 'clean'));
  };
  const rank = (domain: string) => (domain === 'known.example' ? 10_000 : undefined);

  it.each([
    ['high for the very host', 'www.evil.example', 'www.evil.example', {}, 'high'],
    ['high for the registrable domain', 'www.evil.example', 'evil.example', {}, 'high'],
    ['high for a tenant', 'tenant.github.io', 'tenant.github.io', {}, 'high'],
    ['low for a name in between', 'a.b.evil.example', 'b.evil.example', {}, 'low'],
    [
      'low for a host of many tenants itself',
      'bit.example',
      'bit.example',
      { listings: [{ list: 'url-shorteners', entry: 'bit.example' }] },
      'low',
    ],
    ['low for one of the best known domains', 'known.example', 'known.example', { rank }, 'low'],
    ['low for it under www', 'www.known.example', 'www.known.example', { rank }, 'low'],
    ['low for what is asked below it', 'pages.known.example', 'known.example', { rank }, 'low'],
    ['high for one host of it', 'pages.known.example', 'pages.known.example', { rank }, 'high'],
    ['high for one that is less known', 'www.known.example', 'known.example', { rank: () => 10_001 }, 'high'],
    ['low for what everybody knows, without a ranking', 'www.google.com', 'google.com', {}, 'low'],
  ] satisfies [string, string, string, Opening, string][])('%s: %s by %s', async (_, host, entry, more, confidence) => {
    expect(await judged(host, entry, more)).toEqual([confidence, confidence]);
  });

  it('is low where the list is put together from others', async () => {
    expect(await judged('evil.example', 'evil.example', {}, { confidence: 'low' })).toEqual(['low', 'low']);
  });

  it('of the host that a tenant is at blames nobody', async () => {
    expect(await judged('tenant.github.io', 'github.io')).toEqual(['clean', 'clean']);
    const shared = { listings: [{ list: 'free-hosting', entry: 'sites.example' }] };
    expect(await judged('tenant.sites.example', 'sites.example', shared)).toEqual(['clean', 'clean']);
  });

  it('is told with the page where a person can look it up', async () => {
    await using opened = await openBlacklists({ zones: { 'dbl.test': {} }, engines: { dbl } });
    opened.blacklists.start();
    expect((await opened.host('www.example.org')).results[0]!.reference).toBe('https://example.org/?q=www.example.org');
  });
});

describe('the 1,000 best known domains', () => {
  it('are never believed bad for a bare entry, however careful the list', async () => {
    const names = new Map(BEST_KNOWN.map((name, index) => [name, index + 1]));
    await using opened = await openBlacklists({
      engines: { list },
      lists: ['bad'],
      listings: BEST_KNOWN.map((entry) => ({ list: 'bad', entry })),
      rank: (domain) => names.get(domain),
    });
    const believed: string[] = [];
    let detected = 0;
    for (const name of BEST_KNOWN)
      for (const host of [name, `www.${name}`]) {
        const [result] = (await opened.host(host)).results;
        detected += Number(result?.detected === true);
        if (result?.detected && result.confidence === 'high') believed.push(host);
      }
    expect(believed).toEqual([]);
    expect(detected).toBeGreaterThan(1_900);
  });

  it('that give names to everybody are asked about by nobody, and neither are their tenants by their name', () => {
    const suffixes = BEST_KNOWN.filter((name) => nameSubject(name, () => false).entries.length === 0);
    expect(suffixes.sort()).toEqual(['blogspot.com', 'cloudfront.net', 'github.io', 'notion.site']);
    for (const suffix of suffixes) expect(nameSubject(`tenant.${suffix}`, () => false).entries).toEqual([`tenant.${suffix}`]);
  });
});

it('does not search the lists for each of a hundred labels', () => {
  const searched: string[] = [];
  const host = `${'a.'.repeat(120)}example.com`;
  const { keys } = nameSubject(host, (name) => searched.push(name) < 0);
  expect([keys.length, keys.at(-1), searched.length]).toEqual([5, 'example.com', 8]);
});

it('a host is looked up in memory alone: in lists, and in zones whose data are there; no zone is asked', async () => {
  const near = zoneEngine('near.test', { subject: 'name', name: 'Near' });
  await using opened = await openBlacklists({
    zones: { 'dbl.test': {}, 'near.test': {} },
    engines: { dbl, near, bad: list },
    lists: ['bad', 'near'],
    listings: [
      { list: 'bad', entry: 'evil.example.org' },
      { list: 'near', entry: 'example.org' },
    ],
  });
  opened.blacklists.start();
  const { results, unanswered } = opened.blacklists.hostInMemory('www.evil.example.org');
  expect(results.map(({ id, detected, doubtful }) => [id, detected, doubtful])).toEqual([
    ['bad', true, true],
    ['near', true, false],
  ]);
  expect(unanswered).toEqual([]);
  expect(opened.dnsbl.asked.filter((question) => question.includes('evil'))).toEqual([]);
});
