import { type Dialler, isSpecialUseName } from '@vedette/contract';
import { readEngineCatalogue } from '@vedette/intel/engines';
import { shippedNames } from '@vedette/intel/names';
import type { DomainRegistration } from '@vedette/intel/ports';
import { createAddressPolicy } from '@vedette/probes/host';
import { refusing } from '@vedette/probes/dns';
import { createDialler, systemClock } from '@vedette/probes/net';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { urlReputation } from '../../../packages/operations/src/url-reputation/index.ts';
import { fakeResolver, type FakeZone } from '../../intel/fake-resolver.ts';
import { openBlacklists, type Opening } from '../../intel/engines/open-blacklists.ts';
import { UNKNOWN_DOMAIN } from '../../registries/unknown.ts';
import { answer, type Opened } from '../answer.ts';
import { expectExample } from '../example.ts';
import { SHUT } from '../shut.ts';
import { type Pages, startPages } from './pages.ts';

let pages: Pages;
beforeAll(async () => {
  pages = await startPages();
});
beforeEach(() => {
  pages.requests.length = 0;
});
afterAll(() => pages[Symbol.asyncDispose]());

/** A public address, which the test's dialler leads to its own server. */
const ADDRESS = '142.250.72.14';
const HERE = { A: [ADDRESS] };
const ZONE: FakeZone = {
  ...Object.fromEntries(
    ['example.org', 'www.example.org', 'bakery.test', 'evil.test', 'www.evil.test', 'other.test', 'sites.test', 'paypa1.com', 'bit.ly', 'cutt.ly', 'someone.github.io', 'is.gd', 'nam02.safelinks.protection.outlook.com'].map((host) => [host, HERE]),
  ),
  'inner.test': { A: ['10.0.0.7'] },
}; // prettier-ignore

const urlList = (more: object = {}) => ({ name: 'Pages', subject: 'url', list: 'pages', lists: 'test', terms: 'test', meaning: 'phishing', weight: 0.9, ...more }) as const; // prettier-ignore
const nameList = {
  name: 'Names',
  subject: 'name',
  list: 'bad-names',
  lists: 'test',
  terms: 'test',
  meaning: 'phishing',
  weight: 0.8,
} as const;
const OLD: DomainRegistration = { ...UNKNOWN_DOMAIN, state: 'registered', answered: true, created: '2010-05-01' };
const LISTED = ['http://sites.test/view/kit-1/', 'http://evil.test/a.php?id=7'];

interface Given extends Partial<Omit<Opened, 'urls'>> {
  urls?: Opening['urls'];
  engines?: Opening['engines'];
  listings?: Opening['listings'];
  registration?: DomainRegistration;
}

const schema = Compile(urlReputation.response);
async function reputation(url: string, given: Given = {}, more: { include_domain_age?: boolean; exclude_engines?: string } = {}) {
  const { urls = { pages: LISTED }, engines = { pages: urlList(), names: nameList }, listings = [], registration = OLD, ...ports } = given;
  await using lists = await openBlacklists({ engines, urls, listings, lists: ['bad-names'], clock: systemClock });
  const asked: { name: string; cachedOnly: boolean }[] = [];
  const inner = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) });
  const dialler: Dialler = { ...inner, tcp: (options) => inner.tcp({ ...options, address: '127.0.0.1', port: pages.port }) };
  const opened: Opened = {
    ...SHUT,
    resolver: refusing(fakeResolver(ZONE), isSpecialUseName),
    dialler,
    clock: systemClock,
    today: () => new Date('2026-11-28T00:00:00Z'),
    names: shippedNames(),
    blacklists: lists.blacklists,
    registries: {
      ...SHUT.registries,
      async domain(name, { cachedOnly }) {
        asked.push({ name, cachedOnly });
        return registration;
      },
    },
    ...ports,
  };
  const report = await answer(urlReputation, { url, ...more }, opened);
  expect([...schema.Errors(report)]).toEqual([]);
  expect(report.risk_score.factors.reduce((sum, { effect }) => sum + effect, 0)).toBe(report.risk_score.result);
  const { risk_score: risk, security_checks: checks } = report;
  const holds = Object.entries(checks).flatMap(([name, value]) => (value === true ? [name] : []));
  return { report, asked, risk: risk.result, holds, factors: risk.factors.map(({ factor }) => factor) };
}

describe('ordinary URLs', () => {
  it.each([
    ['a page', 'http://www.example.org/'],
    [
      'a long query',
      `http://bakery.test/search?q=${'bread+'.repeat(60)}&utm_source=news&utm_campaign=autumn&session=0f3c2a9d8b7e6f5a4c3b2d1e0f9a8b7c&redirect_uri=https%3A%2F%2Fbakery.test%2Fin`,
    ],
    ['an unsubscribe link for one recipient', 'http://bakery.test/unsubscribe?email=jane.doe%40example.com&list=7'],
    ['a log-in of its own', 'http://bakery.test/login'],
    ['user name and password', 'http://jane.doe:secret@bakery.test/members'],
    ['a user name that is a mailbox', 'http://jane%40example.com:secret@bakery.test/'],
    ['a user name with a word of a domain', 'http://john.me@bakery.test/'],
    ['an archive of a bank', 'http://bakery.test/web/2020/https://www.paypal.com/'],
    ['a download', 'http://bakery.test/setup.exe'],
    ['a redirect within the site', 'http://bakery.test/to?u=/login'],
    ['a well-known shortener', 'http://bit.ly/to?u=http://bakery.test/'],
    ['another shortener', 'http://cutt.ly/to?u=http://bakery.test/'],
  ])('%s is not accused', async (_what, url) => {
    const { report, risk } = await reputation(url);
    expect([report.verdict, risk < 25, report.problems]).toEqual(['clean', true, []]);
  });

  it.each([
    ['the admin page of an address, at another port', `http://${ADDRESS}:8006/login`],
    ['an IPv6 address', 'http://[2600::9]:8080/status'],
  ])('%s is not accused, nor called clean without lists of addresses', async (_what, url) => {
    const { report, risk } = await reputation(url);
    expect([report.verdict, risk < 25, report.problems]).toEqual(['unknown', true, []]);
  });

  it('a tenant of a free host is not accused, and its age is not that of its landlord', async () => {
    const { report, risk, asked } = await reputation('http://someone.github.io/');
    expect([report.verdict, risk, asked]).toEqual(['unknown', 20, []]);
  });

  it('has every field of the report', async () => {
    const { report, holds } = await reputation('http://www.example.org/a/b?c=d');
    expect(report).toMatchObject({
      url: 'http://www.example.org/a/b?c=d',
      unwrapped_url: '',
      canonical_url: 'http://www.example.org/a/b?c=d',
      final_url: 'http://www.example.org/a/b?c=d',
      url_parts: { scheme: 'http', host: 'www.example.org', host_nowww: 'example.org', port: 80, path: '/a/b', query: 'c=d' },
      domain_parts: { root_domain: 'example.org', subdomain: 'www', tld: 'org' },
      url_blacklist: { detections: 0, engines_count: 1 },
      domain_blacklist: { detections: 0, engines_count: 1 },
      server_details: { ip: ADDRESS },
      redirection: { found: false, external: false, url: '' },
      hops: [{ url: 'http://www.example.org/a/b?c=d', host: 'www.example.org', status_code: 200, listed_by: [], error: '' }],
      html_info: { title: 'The bakery', lang: 'en' },
      response_headers: { code: 200, 'content-type': 'text/html' },
      file_type: { extension: '', headers: 'text/html', signature: 'html' },
      verdict: 'clean',
      risk_score: { coverage: { missing: [] } },
    });
    expect(holds).toEqual(['is_website_accessible']);
    expect(pages.requests).toEqual(['www.example.org /a/b?c=d']);
  });
});

it.each([
  ['certificates', 'sslbl', 'certificate_list'],
  ['networks', 'tor-exits', 'networks'],
])('calls no page clean while the list of %s is being loaded', async (_what, awaited, name) => {
  const lists = { ...SHUT.lists, isAwaited: (list: string) => list === awaited };
  const { report, risk } = await reputation('http://bakery.test/', { lists });
  expect([report.verdict, risk, report.risk_score.coverage.missing]).toEqual([
    'unknown',
    10,
    [{ name, reason: 'its list is being loaded' }],
  ]);
});

describe('listed URLs', () => {
  it('are dangerous, with what is below them; their neighbours and their host are not', async () => {
    for (const url of ['http://sites.test/view/kit-1/step2?x=1', 'http://EVIL.test:80/./a.php?id=7#top']) {
      const { report, risk, holds } = await reputation(url);
      expect([report.verdict, risk]).toEqual(['dangerous', 90]);
      expect(report.hops[0]!.listed_by).toEqual(['Pages']);
      expect(holds).toContain('is_url_blacklisted');
    }
    for (const url of ['http://sites.test/view/kit-2/', 'http://sites.test/', 'http://evil.test/a.php?id=8'])
      expect((await reputation(url)).report.verdict).toBe('clean');
  });

  it('count wherever the way passes them, and where it was not followed', async () => {
    const { report, risk } = await reputation('http://bakery.test/to?u=http://evil.test/a.php?id=7');
    expect([report.hops.map(({ listed_by }) => listed_by), risk >= 90]).toEqual([[[], ['Pages']], true]);
  });

  it('are left out where the client excludes the list', async () => {
    const { report } = await reputation('http://evil.test/a.php?id=7', {}, { exclude_engines: 'pages' });
    expect([report.url_blacklist.engines_count, report.verdict]).toEqual([0, 'unknown']);
  });

  it('are found behind a link of a mail gateway', async () => {
    const inner = 'http://evil.test/a.php?id=7';
    const { report } = await reputation(
      `https://nam02.safelinks.protection.outlook.com/?url=${encodeURIComponent(inner)}&data=05&sdata=x&reserved=0`,
    );
    expect([report.unwrapped_url, report.verdict]).toEqual([inner, 'dangerous']);
    expect(pages.requests).toEqual(['evil.test /a.php?id=7']);
  });
});

it('a host that a list has makes its URLs dangerous, whichever hop it is', async () => {
  const listings = [{ list: 'bad-names', entry: 'evil.test' }];
  const { report, risk } = await reputation('http://bakery.test/to?u=http://www.evil.test/', { listings });
  expect([risk, report.verdict, report.hops.map(({ host_risk }) => host_risk)]).toEqual([80, 'dangerous', [0, 80]]);
});

it('a redirect whose target is too long to be followed leaves the page unseen', async () => {
  const { report } = await reputation('http://bakery.test/far');
  expect([report.hops.map(({ status_code }) => status_code), report.verdict, report.problems]).toEqual([
    [302],
    'unknown',
    ['the page was not seen: HTTP 302'],
  ]);
});

describe('the page', () => {
  it('of a kit is found by the engine of site-trust, on an old domain without any list', async () => {
    const { report, risk, factors, holds } = await reputation('http://bakery.test/kit/index.php');
    expect([report.verdict, risk]).toEqual(['dangerous', 60]);
    expect(factors).toContain('page');
    expect(holds).toEqual(expect.arrayContaining(['is_phishing_heuristic', 'is_password_field']));
  });

  it('is judged where the way ends', async () => {
    const { report, holds } = await reputation('http://bakery.test/to?u=http://other.test/kit');
    expect([report.verdict, report.final_url, report.redirection]).toEqual([
      'dangerous',
      'http://other.test/kit',
      { found: true, external: true, url: 'http://other.test/kit' },
    ]);
    expect(holds).toContain('is_external_redirect');
  });

  it('that asks the mailbox in the URL for a password is suspicious', async () => {
    const { report, factors } = await reputation('http://bakery.test/login#jane.doe@example.com');
    expect([report.verdict, factors]).toEqual(['suspicious', ['secrets_of_a_named_mailbox', 'mailbox_in_url']]);
  });

  it.each([
    ['http://bakery.test/invoice.pdf', 'exe', ['is_masked_file', 'is_masked_windows_exe_file', 'is_windows_exe_file', 'is_program_file']],
    ['http://bakery.test/photo.jpg', 'elf', ['is_masked_file', 'is_linux_elf_file', 'is_program_file']],
  ])('%s is a program in disguise', async (url, signature, checks) => {
    const { report, holds } = await reputation(url);
    expect([report.file_type.signature, report.verdict]).toEqual([signature, 'dangerous']);
    expect(holds).toEqual(expect.arrayContaining(checks));
  });

  it('knows packages of Android', async () => {
    const { report, holds } = await reputation('http://bakery.test/app.apk');
    expect([report.file_type.signature, holds.includes('is_android_apk_file'), report.verdict]).toEqual(['apk', true, 'clean']);
  });
});

describe('what stands before the @', () => {
  it('is a factor where it poses as another host', async () => {
    for (const url of ['http://paypal.com@evil.test/', 'http://www.bank.example@evil.test/', 'http://paypal@evil.test/', 'http://www.paypal.com%2Fsignin@evil.test/']) {
      const { report, risk, holds, factors } = await reputation(url);
      expect([url, report.url_parts.host, report.verdict, risk]).toEqual([url, 'evil.test', 'dangerous', 50]);
      expect(factors).toContain('user_name_poses_as_host');
      expect(holds).toEqual(expect.arrayContaining(['is_username_in_url', 'is_suspicious_username', 'is_suspicious_url_pattern']));
    }
  }); // prettier-ignore

  it('is told to its own origin alone, and masked', async () => {
    const { report } = await reputation('http://jane:secret@bakery.test/members');
    const basic = `Basic ${Buffer.from('jane:secret').toString('base64')}`;
    expect(pages.requests).toEqual(['bakery.test /members', `bakery.test /members ${basic}`]);
    expect([report.url, report.final_url, report.hops[0]!.url]).toEqual(Array(3).fill('http://jane:***@bakery.test/members'));
    expect(JSON.stringify(report)).not.toContain('secret');
    pages.requests.length = 0;
    await reputation('http://jane:secret@bakery.test/to?u=http://other.test/members');
    expect(pages.requests.filter((request) => request.includes('Basic'))).toEqual([]);
  });
});

it('reads obscured hosts as what they are', async () => {
  for (const url of ['http://0x8e.16402446/', 'http://2398767118/', 'http://b%61kery.test/']) {
    const { report, holds, factors } = await reputation(url);
    expect([url, report.verdict, factors.includes('obscured_host')]).toEqual([url, 'suspicious', true]);
    expect(holds).toContain('is_suspicious_url_pattern');
  }
});

describe('honest when blind', () => {
  it('an unseen page is never clean', async () => {
    const { report, risk, factors } = await reputation('http://bakery.test/gone');
    expect([report.verdict, risk, factors]).toEqual(['unknown', 15, ['page_not_seen']]);
    expect(report.risk_score.coverage.missing).toEqual([{ name: 'page', reason: 'HTTP 404' }]);
    const dead = await reputation('http://nowhere.test/');
    expect([dead.report.verdict, dead.report.security_checks.is_website_accessible]).toEqual(['unknown', false]);
  });

  it('nor is one whose lists are not loaded', async () => {
    const { report, risk } = await reputation('http://bakery.test/', { urls: {} });
    expect([report.verdict, risk, report.url_blacklist.unanswered]).toEqual(['unknown', 20, ['Pages']]);
    expect(report.risk_score.coverage.missing).toEqual([{ name: 'Pages', reason: 'its list is not loaded' }]);
  });

  it('nor one whose age is not known, unless many people know it', async () => {
    const registration = { ...UNKNOWN_DOMAIN };
    const { report, risk, asked } = await reputation('http://bakery.test/', { registration });
    expect([report.verdict, risk, report.problems]).toEqual(['unknown', 10, ['the age was not asked for']]);
    expect(asked).toEqual([{ name: 'bakery.test', cachedOnly: true }]);
  });

  it('no list and no page is no report', async () => {
    const given = { engines: { pages: urlList() }, urls: {} };
    await expect(reputation('http://nowhere.test/', given)).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});

it('asks registries only with include_domain_age, about both ends', async () => {
  const url = 'http://bakery.test/to?u=http://other.test/';
  const { report, asked } = await reputation(url, { registration: { ...OLD, created: '2026-11-20' } }, { include_domain_age: true });
  expect(asked.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: 'bakery.test', cachedOnly: false },
    { name: 'other.test', cachedOnly: false },
  ]);
  expect(report.security_checks).toMatchObject({ is_domain_very_recent: 'yes', domain_creation_date: '2026-11-20', domain_age_in_days: 8 });
  expect(report.verdict).toBe('suspicious');
});

it('refuses what must not be contacted, also behind a wrapped link, and ends at a hop that leads there', async () => {
  const wrapped = (url: string) => `https://nam02.safelinks.protection.outlook.com/?url=${encodeURIComponent(url)}`;
  await expect(reputation('http://inner.test/')).rejects.toMatchObject({ code: 'private_address' });
  await expect(reputation(wrapped('http://10.0.0.7/'))).rejects.toMatchObject({ code: 'private_address' });
  await expect(reputation(wrapped('https://www.irs.gov/'))).rejects.toMatchObject({ code: 'blocked_target' });
  const { report } = await reputation('http://bakery.test/to?u=http://10.0.0.7/');
  expect([report.hops.length, report.hops[1]!.status_code, report.verdict]).toEqual([2, 0, 'suspicious']);
  expect(pages.requests).toEqual(['bakery.test /to?u=http://10.0.0.7/']);
});

it('answers as the example', async () => {
  await expectExample('url-reputation', { url: 'http://www.example.org/' }, async ({ url }) => (await reputation(url)).report);
});

it('reads no engines that are not lists of URLs as such', () => {
  expect(readEngineCatalogue('{}').filter(({ subject }) => subject === 'url').length).toBeGreaterThan(4);
});
