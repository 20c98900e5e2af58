import { DKIM_SELECTORS, findSelector } from '@vedette/intel/dkim';
import { describe, expect, it } from 'vitest';
import { fakeResolver, type FakeZone, unlimited } from '../fake-resolver.ts';
import { KEYS } from './keys.ts';

const KEY = `v=DKIM1; p=${KEYS.rsa2048}`;
const OTHER_KEY = `v=DKIM1; k=ed25519; p=${KEYS.ed25519}`;
/** In these tests a pause is shorter than a round trip. */
const clock = { now: () => 0, sleep: () => Promise.resolve() };
const signal = new AbortController().signal;
const UNPOPULAR = DKIM_SELECTORS.at(-1)!;

const search = async (zone: FakeZone) => {
  const resolver = fakeResolver(zone);
  const { selector, keys, tried } = await findSelector('a.test', { resolver: unlimited(resolver), clock, signal });
  return { selector, dkimHost: keys.dkimHost, texts: keys.records.map(({ text }) => text), error: keys.error, tried, resolver };
};

describe('the known selectors', () => {
  it('are more than 500 different names that the DNS can hold', () => {
    expect(DKIM_SELECTORS.length).toBeGreaterThan(500);
    expect(new Set(DKIM_SELECTORS).size).toBe(DKIM_SELECTORS.length);
    expect(DKIM_SELECTORS.filter((selector) => !/^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9]+)*$/.test(selector))).toEqual([]);
  });
});

describe('findSelector', () => {
  it('finds a popular selector in one round trip', async () => {
    const found = await search({ 'google._domainkey.a.test': { TXT: [KEY] }, 'k1._domainkey.a.test': { TXT: [OTHER_KEY] } });
    expect(found).toMatchObject({ selector: 'google', dkimHost: 'google._domainkey.a.test', texts: [KEY], error: '' });
    expect(found.resolver.rounds).toBe(1);
    expect(found.resolver.queries.length).toBeLessThan(30);
  });

  it('asks all others in one more round trip', async () => {
    const found = await search({ [`${UNPOPULAR}._domainkey.a.test`]: { TXT: [KEY] } });
    expect(found).toMatchObject({ selector: UNPOPULAR, texts: [KEY], tried: DKIM_SELECTORS.length });
    expect(found.resolver.rounds).toBe(2);
    expect(found.resolver.queries).toHaveLength(DKIM_SELECTORS.length + 2);
  });

  it('reports the more popular of two', async () => {
    const [first, second] = [DKIM_SELECTORS[100]!, DKIM_SELECTORS[200]!];
    const zone = { [`${second}._domainkey.a.test`]: { TXT: [OTHER_KEY] }, [`${first}._domainkey.a.test`]: { TXT: [KEY] } };
    expect(await search(zone)).toMatchObject({ selector: first, texts: [KEY] });
  });

  it('prefers a key in use to a revoked one', async () => {
    const zone = { 'google._domainkey.a.test': { TXT: ['v=DKIM1; p='] }, 's1._domainkey.a.test': { TXT: [KEY] } };
    expect(await search(zone)).toMatchObject({ selector: 's1', texts: [KEY] });
    expect(await search({ 'google._domainkey.a.test': zone['google._domainkey.a.test'] })).toMatchObject({ selector: 'google' });
  });

  it('stops sending once it has found one', async () => {
    const selector = DKIM_SELECTORS[50]!;
    const resolver = fakeResolver({ [`${selector}._domainkey.a.test`]: { TXT: [KEY] } });
    const slow = { now: () => 0, sleep: () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve))) };
    expect(await findSelector('a.test', { resolver: unlimited(resolver), clock: slow, signal })).toMatchObject({ selector });
    expect(resolver.queries.length).toBeLessThan(300);
  });

  it('asks no more where _domainkey does not exist (RFC 8020)', async () => {
    const found = await search({ 'a.test': { TXT: ['x'] } });
    expect(found).toMatchObject({ selector: '', dkimHost: '', texts: [], error: '' });
    expect(found.resolver.rounds).toBe(1);
    expect(found.resolver.queries.length).toBeLessThan(30);
  });

  it('finds nothing where nothing known has a key', async () => {
    const found = await search({ 'very-own._domainkey.a.test': { TXT: [KEY] } });
    expect(found).toMatchObject({ selector: '', dkimHost: '', texts: [], error: '', tried: DKIM_SELECTORS.length });
  });

  it('does not take the text of a wildcard for a key', async () => {
    const zone = { '*.a.test': { TXT: ['v=spf1 -all'] }, '_domainkey.a.test': {}, '*._domainkey.a.test': { TXT: ['v=spf1 -all'] } };
    expect(await search(zone)).toMatchObject({ selector: '', texts: [] });
    expect(await search({ ...zone, [`${UNPOPULAR}._domainkey.a.test`]: { TXT: [KEY] } })).toMatchObject({
      selector: UNPOPULAR,
      texts: [KEY],
    });
  });

  it('names a wildcard that is a key', async () => {
    const revoked = 'v=DKIM1; p=';
    const zone = { '*._domainkey.a.test': { TXT: [revoked] } };
    expect(await search(zone)).toMatchObject({ selector: '*', dkimHost: '*._domainkey.a.test', texts: [revoked] });
    expect(await search({ ...zone, 'google._domainkey.a.test': { TXT: [KEY] } })).toMatchObject({ selector: 'google', texts: [KEY] });
  });

  it('says that the DNS failed', async () => {
    const error = '_domainkey.a.test TXT: The resolver could not answer for this name: SERVFAIL';
    const found = await search({ '_domainkey.a.test': 'SERVFAIL' });
    expect(found).toMatchObject({ selector: '', texts: [], error });
    expect(found.resolver.queries.length).toBeLessThan(30);
    for (const selector of ['google', UNPOPULAR])
      expect((await search({ [`${selector}._domainkey.a.test`]: 'REFUSED', 'own._domainkey.a.test': { TXT: [KEY] } })).error).toContain(
        `${selector}._domainkey.a.test TXT: The resolver could not answer`,
      );
  });
});
