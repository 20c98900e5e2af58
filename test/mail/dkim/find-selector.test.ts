import { DKIM_SELECTORS, findSelector, POPULAR_SELECTORS, SELECTOR_SOURCES } from '@vedette/mail/dkim';
import { describe, expect, it } from 'vitest';
import { fakeResolver, type FakeZone, unlimited } from '../../intel/fake-resolver.ts';
import { KEYS } from './keys.ts';

const KEY = `v=DKIM1; p=${KEYS.rsa2048}`;
const OTHER_KEY = `v=DKIM1; k=ed25519; p=${KEYS.ed25519}`;
/** In these tests a pause is shorter than a round trip. */
const clock = { now: () => 0, sleep: () => Promise.resolve() };
const signal = new AbortController().signal;
const UNPOPULAR = DKIM_SELECTORS.at(-1)!;

const search = async (zone: FakeZone) => {
  const resolver = fakeResolver(zone);
  const { selector, keys, tried, pruned } = await findSelector('a.test', { resolver: unlimited(resolver), clock, signal });
  return { selector, dkimHost: keys.dkimHost, texts: keys.records.map(({ text }) => text), error: keys.error, tried, pruned, resolver };
};

describe('the known selectors', () => {
  it('are more than 500 different names that the DNS can hold', () => {
    expect(DKIM_SELECTORS.length).toBeGreaterThan(500);
    expect(new Set(DKIM_SELECTORS).size).toBe(DKIM_SELECTORS.length);
    expect(DKIM_SELECTORS.filter((selector) => !/^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9]+)*$/.test(selector))).toEqual([]);
  });

  it('stand once, each with a platform and where that says so', () => {
    const listed = SELECTOR_SOURCES.flatMap(({ selectors }) => selectors);
    expect(listed.filter((selector, i) => listed.indexOf(selector) !== i)).toEqual([]);
    expect(SELECTOR_SOURCES.filter(({ platform, source, selectors }) => !platform || !source || selectors.length === 0)).toEqual([]);
    expect(new Set(SELECTOR_SOURCES.map(({ platform }) => platform)).size).toBe(SELECTOR_SOURCES.length);
    expect(POPULAR_SELECTORS.filter((selector) => !listed.includes(selector))).toEqual([]);
    expect(DKIM_SELECTORS.filter((selector) => !listed.includes(selector))).toEqual([]);
  });

  it('name the place that says so, or that nobody does', () => {
    const isPlace = /[a-z0-9]\.[a-z]{2,}|RFC \d/;
    const without = SELECTOR_SOURCES.map(({ source }) => source).filter((source) => !isPlace.test(source));
    expect([...new Set(without)]).toEqual([
      'unconfirmed: no statement of the platform and no signature of its own is known',
      'what administrators type where a guide asks for a name',
    ]);
  });

  it('are so few that two searches of a domain may follow each other (docs/target-rates.md)', () => {
    const questions = DKIM_SELECTORS.length + 3;
    expect(2 * questions).toBeLessThanOrEqual(1_200);
  });

  it("are today's platforms, not the leftovers of dated ones", () => {
    const platformOf = (selector: string) => SELECTOR_SOURCES.find(({ selectors }) => selectors.includes(selector))?.platform;
    expect(
      Object.fromEntries(
        `resend cf2024-1 mte1 mte2 selector1-azurecomm-prod-net selector2-azurecomm-prod-net rwmt1 rwmt2 sf2 pdk1 acdkim1 cka eo
        hostingermail-a dkimprovmx1 kl2 brevo1 clk firebase1 aliyun-cn-hangzhou cf-bounce`
          .split(/\s+/)
          .map((selector) => [selector, platformOf(selector)]),
      ),
    ).toEqual({
      resend: 'Resend',
      'cf2024-1': 'Cloudflare Email Routing',
      mte1: 'Mandrill',
      mte2: 'Mandrill',
      'selector1-azurecomm-prod-net': 'Azure Communication Services',
      'selector2-azurecomm-prod-net': 'Azure Communication Services',
      rwmt1: 'Mailtrap',
      rwmt2: 'Mailtrap',
      sf2: 'Salesforce',
      pdk1: 'Mailgun',
      acdkim1: 'ActiveCampaign',
      cka: 'Kit (ConvertKit)',
      eo: 'EmailOctopus',
      'hostingermail-a': 'Hostinger',
      dkimprovmx1: 'ImprovMX',
      kl2: 'Klaviyo',
      brevo1: 'Brevo',
      clk: 'Clerk',
      firebase1: 'Firebase Authentication',
      'aliyun-cn-hangzhou': 'Alibaba Mail, DirectMail',
      'cf-bounce': 'Cloudflare Email Sending',
    });
    expect(DKIM_SELECTORS.filter((selector) => selector.startsWith('scph'))).toEqual([]);
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
    expect(found.resolver.queries).toHaveLength(DKIM_SELECTORS.length + 3);
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

  it('tries all where _domainkey alone does not exist: broken servers say so of names without records (RFC 8020)', async () => {
    const found = await search({ 'a.test': { TXT: ['x'] } });
    expect(found).toMatchObject({ selector: '', dkimHost: '', texts: [], error: '', tried: DKIM_SELECTORS.length, pruned: false });
    const resolver = fakeResolver({ 'a.test': { TXT: ['x'] }, [`${UNPOPULAR}._domainkey.a.test`]: { TXT: [KEY] } });
    const broken: typeof resolver = {
      ...resolver,
      query: async (name, type, options) => {
        const found = await resolver.query(name, type, options);
        return name === '_domainkey.a.test' ? { ...found, rcode: 'NXDOMAIN' } : found;
      },
    };
    expect(await findSelector('a.test', { resolver: unlimited(broken), clock, signal })).toMatchObject({
      selector: UNPOPULAR,
      pruned: false,
    });
  });

  it('asks for the popular ones alone where the domain itself does not exist, and says so', async () => {
    const found = await search({});
    expect(found).toMatchObject({ selector: '', texts: [], error: '', tried: POPULAR_SELECTORS.length, pruned: true });
    expect(found.resolver.rounds).toBe(1);
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

  it('finds a key of its own beside a wildcard that revokes all others, and names the wildcard where there is none', async () => {
    const zone = { 'a.test': { TXT: ['v=spf1 -all'] }, '*._domainkey.a.test': { TXT: ['v=DKIM1; p='] } };
    expect(await search(zone)).toMatchObject({ selector: '*', tried: DKIM_SELECTORS.length, pruned: false, error: '' });
    for (const selector of ['fd2', UNPOPULAR])
      expect(await search({ ...zone, [`${selector}._domainkey.a.test`]: { TXT: [KEY] } })).toMatchObject({ selector, texts: [KEY] });
    const used = await search({ ...zone, '*._domainkey.a.test': { TXT: [KEY] } });
    expect(used).toMatchObject({ selector: '*', texts: [KEY], tried: POPULAR_SELECTORS.length });
    const broken = await search({ ...zone, [`${UNPOPULAR}._domainkey.a.test`]: 'SERVFAIL' });
    expect(broken).toMatchObject({ selector: '*', error: expect.stringContaining(`${UNPOPULAR}._domainkey.a.test TXT: `) });
  });

  it('says that the DNS failed', async () => {
    const error = 'google._domainkey.a.test TXT: The resolver could not answer for this name: SERVFAIL';
    const found = await search({ '*._domainkey.a.test': 'SERVFAIL' });
    expect(found).toMatchObject({ selector: '', texts: [], error });
    expect(found.resolver.queries.length).toBeLessThan(30);
    const selector = UNPOPULAR; // what matters is what the selectors' own names say
    const zone: FakeZone = { '_domainkey.a.test': 'SERVFAIL', [`${selector}._domainkey.a.test`]: { TXT: [KEY] } };
    expect(await search(zone)).toMatchObject({ selector, error: '' });
    for (const selector of ['google', UNPOPULAR])
      expect((await search({ [`${selector}._domainkey.a.test`]: 'REFUSED', 'own._domainkey.a.test': { TXT: [KEY] } })).error).toContain(
        `${selector}._domainkey.a.test TXT: The resolver could not answer`,
      );
  });
});
