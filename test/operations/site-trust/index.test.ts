import type { BlacklistCheck, DomainRegistration } from '@vedette/intel/ports';
import { createAddressPolicy } from '@vedette/probes/host';
import { type Dialler, isSpecialUseName, ProbeFailure } from '@vedette/contract';
import { createNames } from '@vedette/intel/names';
import { refusing } from '@vedette/probes/dns';
import { createDialler, systemClock } from '@vedette/probes/net';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { siteTrust } from '../../../packages/operations/src/site-trust/index.ts';
import { fakeResolver, type FakeZone } from '../../intel/fake-resolver.ts';
import { UNKNOWN_DOMAIN } from '../../registries/unknown.ts';
import { answer, type Opened } from '../answer.ts';
import { brandsOf } from '@vedette/intel/identity';
import { faviconHash } from '@vedette/web/images';
import { expectExample } from '../example.ts';
import { SHUT } from '../shut.ts';
import { FAKE_SITES, ICON, type FakeSites, startFakeSites } from './fake-sites.ts';

let sites: FakeSites;
let dialled: string[] = [];
beforeAll(async () => {
  sites = await startFakeSites();
});
afterAll(() => sites[Symbol.asyncDispose]());

const SOMEWHERE = { A: ['127.0.0.1'], NS: ['ns1.host.test'], MX: [{ preference: 10, exchange: 'mx.host.test' }], TXT: ['v=spf1 mx -all'] };
const ZONE: FakeZone = {
  test: { NS: ['a.nic.test'] },
  'ns1.host.test': { A: ['198.51.100.53'] },
  'mx.host.test': { A: ['198.51.100.25'] },
  'host.test': { NS: ['ns1.host.test'] },
  'crl.test': SOMEWHERE,
  'collect.test': SOMEWHERE,
  'refused.test': SOMEWHERE,
  'private.test': { ...SOMEWHERE, A: ['10.0.0.7'] },
  'only-www.test': { NS: ['ns1.host.test'] },
  'www.only-www.test': { A: ['127.0.0.1'] },
  ...Object.fromEntries(FAKE_SITES.map((host) => [host, SOMEWHERE])),
  ...Object.fromEntries(FAKE_SITES.map((host) => [`_dmarc.${host}`, { TXT: ['v=DMARC1; p=reject'] }])),
  'plain.test': { ...SOMEWHERE, AAAA: ['2600::9'], CAA: [{ flags: 0, tag: 'issue', value: 'letsencrypt.org' }] },
};

const REGISTRATION: DomainRegistration = { ...UNKNOWN_DOMAIN, state: 'registered', answered: true, created: '2010-05-01' };
const engine = (name: string, detected: boolean, confidence: 'high' | 'low' = 'high') => ({
  id: name, name, detected, reference: '', elapsed_ms: 1, confidence, doubtful: false, weight: 0.5, group: '', meanings: [],
}); // prettier-ignore
const check = (...results: BlacklistCheck['results'][number][]): BlacklistCheck => ({ results, unanswered: [], scan_time_ms: 1 });

function opened(more: Partial<Opened> & { zone?: FakeZone } = {}): Opened {
  const { zone = ZONE, ...overrides } = more;
  const dns = fakeResolver(zone);
  const inner = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) });
  const dialler: Dialler = {
    ...inner,
    tcp(options) {
      dialled.push(`${options.address}:${options.port}`);
      return inner.tcp({ ...options, port: options.port === 443 ? sites.httpsPort : options.port === 80 ? sites.httpPort : options.port });
    },
  };
  return {
    ...SHUT,
    resolver: refusing(dns, isSpecialUseName),
    dialler,
    clock: systemClock,
    ca: [sites.root],
    today: () => new Date(),
    names: createNames(),
    networks: {
      ...SHUT.networks,
      place: (address) => ({
        ...SHUT.networks.place(address),
        country_code: address === '127.0.0.1' ? 'DE' : 'NL',
        country_name: address === '127.0.0.1' ? 'Germany' : 'Netherlands',
      }),
      origin: () => ({ asn: 64_496, org: 'Example Hosting', route: '' }),
    },
    blacklists: { ...SHUT.blacklists, host: () => Promise.resolve(check(engine('One', false), engine('Two', false))) },
    registries: { ...SHUT.registries, domain: () => Promise.resolve(REGISTRATION) },
    ...overrides,
  };
}

const schema = Compile(siteTrust.response);
async function trust(host: string, more: Partial<Opened> & { zone?: FakeZone } = {}) {
  const report = await answer(siteTrust, { host }, opened(more));
  expect([...schema.Errors(report)]).toEqual([]);
  expect(report.trust_score.factors.reduce((sum, { effect }) => sum + effect, 100)).toBe(report.trust_score.result);
  const checks: Record<string, unknown> = report.security_checks;
  return { report, checks, factors: report.trust_score.factors.map(({ factor }) => factor) };
}
const set = (checks: Record<string, unknown>) => Object.entries(checks).flatMap(([name, value]) => (value === true ? [name] : []));

describe('a plain site', () => {
  it('comes out clean, in every field of the contract', async () => {
    const { report, checks, factors } = await trust('WWW.Plain.test');
    expect(report).toMatchObject({
      host: 'plain.test',
      verdict: 'unknown', // most lists are not loaded here
      dns_records: {
        ns: [{ target: 'ns1.host.test', ip: '198.51.100.53', country_code: 'NL', country_name: 'Netherlands', isp: 'Example Hosting' }],
        mx: [{ target: 'mx.host.test', ip: '198.51.100.25', country_code: 'NL', country_name: 'Netherlands', isp: 'Example Hosting' }],
        cname: '',
      },
      domain_blacklist: { detections: 0, engines_count: 2, detection_rate: '0%' },
      ecommerce_platform: {
        is_shopify: false,
        is_woocommerce: false,
        is_magento: false,
        is_prestashop: false,
        is_bigcommerce: false,
        is_opencart: false,
        is_other: false,
      },
      geo_location: { countries: ['DE', 'NL'] },
      html_info: { title: 'The bakery at the bridge', description: '', lang: 'en' },
      redirection: { found: false, external: false, url: '' },
      response_headers: { code: 200, status: 'HTTP/1.1 200 OK', 'x-frame-options': 'DENY' },
      server_details: { ip: '127.0.0.1', country_code: 'DE', isp: 'Example Hosting', asn: 'AS64496', hostname: '' },
      url_parts: { scheme: 'https', host: 'plain.test', host_nowww: 'plain.test', port: 443, path: '/', query: '' },
    });
    expect(set(checks)).toEqual([
      'is_website_accessible', 'is_ipv6_enabled', 'is_http_redirected_to_https', 'is_domain_ipv4_assigned', 'is_domain_ipv4_loopback',
      'is_email_configured', 'is_dmarc_configured', 'is_dmarc_enforced', 'is_caa_configured', 'is_custom_404_configured', 'is_valid_https',
      'is_hsts_header', 'is_referrer_policy_header', 'is_csp_header', 'is_content_type_options_header', 'is_frame_options_header',
    ]); // prettier-ignore
    expect(checks).toMatchObject({
      http_status_code: 200, ssl_type: 'DV', ssl_subject_common_name: 'plain', is_domain_recent: 'no', is_domain_very_recent: 'no', domain_creation_date: '2010-05-01',
    }); // prettier-ignore
    expect(checks['domain_age_in_years']).toBeGreaterThan(15);
    expect(report.trust_score.result).toBe(100);
    expect(factors).toEqual(['older_than_10_years', 'dmarc_enforced', 'caa', 'within_0_and_100']);
    expect(report.not_checked).toEqual(['is_most_abused_tld', 'is_ssl_blacklisted', 'is_ssl_revoked', 'is_website_popular']);
    expect(report.problems).toEqual([]);
  });

  it('is asked three times: over https, over http, and for what is not there', async () => {
    sites.requests.length = 0;
    await trust('plain.test');
    expect(sites.requests).toEqual([
      'https plain.test /',
      'http plain.test /',
      expect.stringMatching(/^https plain\.test \/[a-z0-9]{24}$/),
    ]);
  });

  for (const host of ['gzip.test', 'brotli.test', 'zstd.test', 'cookie-wall.test'])
    it(`is read from ${host}`, async () => {
      const { report } = await trust(host);
      expect(report.html_info.title).toBe('The bakery at the bridge');
    });

  it('is read in its charset, and found behind www. where the host alone has no address', async () => {
    expect((await trust('latin.test')).report.html_info.title).toBe('Bäckerei');
    sites.requests.length = 0;
    const { report } = await trust('only-www.test');
    expect(report.url_parts).toMatchObject({ host: 'www.only-www.test', host_nowww: 'only-www.test' });
    expect(sites.requests[0]).toMatch('www.only-www.test');
  });
});

describe('sites that are something else', () => {
  it('a shop', async () => {
    const { report, checks } = await trust('shop.test');
    expect(report.ecommerce_platform).toMatchObject({ is_shopify: true, is_other: false });
    expect(checks).toMatchObject({
      is_ecommerce_platform: true,
      is_fake_socials: false,
      is_free_email: false,
      is_high_discounts: false,
      is_heuristic_pattern: false,
      is_secure_on_all_cookies: true,
      ssl_type: 'OV',
    });
    expect(report.response_headers).toMatchObject({ 'set-cookie': '_shopify_y=1; Secure; SameSite=Lax, _shopify_s=2; Secure' });
    expect(report.trust_score.result).toBeGreaterThanOrEqual(90);
  });

  it('a page that collects passwords', async () => {
    const created = new Date(Date.parse('2026-11-21') - 5 * 86_400_000).toISOString().slice(0, 10);
    const registries = { ...SHUT.registries, domain: () => Promise.resolve({ ...REGISTRATION, created }) };
    const { report, checks, factors } = await trust('phishing.test', { registries, today: () => new Date('2026-11-21T12:00:00Z') });
    expect(checks).toMatchObject({
      is_heuristic_pattern: true,
      is_domain_very_recent: 'yes',
      is_domain_recent: 'yes',
      domain_age_in_days: 5,
      is_valid_https: true,
    });
    expect(factors).toEqual(expect.arrayContaining(['very_recent', 'heuristic_pattern', 'cap_credential_trap']));
    expect(report.trust_score.result).toBeLessThanOrEqual(40);
  });

  it.each([
    ['suspended.test', 'is_suspended_site', 25, 'unknown'],
    ['defaced.test', 'is_defaced_heuristic', 15, 'dangerous'],
    ['parked.test', 'is_parked_site', 50, 'unknown'],
    ['listing.test', 'is_directory_listing', 75, 'suspicious'],
  ])('%s: %s', async (host, name, atMost, word) => {
    const { report, checks } = await trust(host);
    expect(checks).toMatchObject({ [name]: true, is_website_accessible: true, is_valid_https: false });
    expect(report.trust_score.result).toBeLessThanOrEqual(atMost);
    expect(report.verdict).toBe(word);
    expect(report.url_parts).toMatchObject({ scheme: 'http', port: 80 });
  });

  it('an error, and a page for everything', async () => {
    expect((await trust('broken.test')).checks).toMatchObject({
      is_http_server_error: true,
      is_http_status_error: true,
      is_http_client_error: false,
      http_status_code: 500,
    });
    expect((await trust('soft404.test')).checks).toMatchObject({ is_custom_404_configured: false });
  });
});

describe('certificates', () => {
  it.each([
    ['expired.test', { is_ssl_expired: true, is_valid_https: false, is_hsts_header: false }, 40],
    ['self-signed.test', { is_ssl_expired: false, is_valid_https: false, ssl_subject_common_name: 'self' }, 85],
    ['revoked.test', { is_ssl_revoked: true, is_valid_https: true }, 40],
  ])('%s', async (host, wanted, atMost) => {
    const { report, checks } = await trust(host);
    expect(checks).toMatchObject({ ...wanted, is_website_accessible: true });
    expect(report.trust_score.result).toBeLessThanOrEqual(atMost);
  });

  it("a stranger's page behind a stranger's certificate is not the site's", async () => {
    const { report, checks } = await trust('wrong-name.test');
    expect(report.html_info.title).toBe('The bakery at the bridge');
    expect(checks).toMatchObject({ is_suspended_site: false, is_valid_https: false, is_http_redirected_to_https: false });
  });

  it.each([
    ['beside.test', 'names_of_forgers', 'its certificate is for paypal-login-verify.test too'],
    ['claim.test', 'self_signed_brand', 'its certificate says that it is of "PayPal, Inc.", and is signed by itself'],
    ['netflix-partners.test', 'brand_certificate', ' certifies that it is of Netflix, Inc.'],
  ])('%s: %s', async (host, factor, detail) => {
    const { report, checks } = await trust(host);
    expect(report.trust_score.factors.find((each) => each.factor === factor)?.detail).toContain(detail);
    expect(checks['ssl_subject_hosts']).toEqual(host === 'beside.test' ? [host, 'paypal-login-verify.test'] : [host]);
  });

  it("a brand's page is its own where an issuer has checked whose the domain is", async () => {
    const accused = ['netflix-partners.test', 'netflix-movies.test'].map(
      async (host) => (await trust(host)).checks['is_heuristic_pattern'],
    );
    expect(await Promise.all(accused)).toEqual([false, true]);
  });

  it('asks a log-in that nothing else accuses for its icon, once, and knows whose it is', async () => {
    const names = { ...createNames(), brands: () => brandsOf(`zuendkraft.com\tZündkraft\t!zuendkraft\t\t\t${faviconHash(ICON)}`) };
    const asked = () => sites.requests.filter((request) => request.includes('/i.png') || request.includes('favicon'));
    const { report } = await trust('icon.test', { names });
    expect(report.trust_score.factors.find(({ factor }) => factor === 'cap_credential_trap')?.detail).toContain(
      'its icon is that of zuendkraft',
    );
    expect(asked()).toEqual(['https icon.test /i.png?v=1']);
    for (const host of ['plain.test', 'netflix-movies.test']) await trust(host, { names: createNames() });
    expect(asked()).toHaveLength(1);
  });

  it('a list of certificates says so, and only a list', async () => {
    const names = createNames();
    const listed = {
      ...names,
      hasList: () => true,
      listings: (asked: string) => (asked.endsWith('.sslbl.abuse.ch') ? [{ list: 'sslbl', entry: asked }] : []),
    };
    expect((await trust('plain.test', { names: listed })).checks).toMatchObject({ is_ssl_blacklisted: true });
  });

  it('a certificate for a name that a list calls phishing says so of the site', async () => {
    const names = createNames();
    const listed = {
      ...names,
      listings: (asked: string) => (asked === 'paypal-login-verify.test' ? [{ list: 'cert-polska', entry: asked }] : []),
    };
    const { report } = await trust('beside.test', { names: listed });
    expect(report.trust_score.factors).toContainEqual({
      factor: 'certificate_of_listed_names',
      effect: -20,
      weight: 0.2,
      detail: 'its certificate is for paypal-login-verify.test (cert-polska: phishing) too',
    });
    expect((await trust('beside.test', { names })).factors).not.toContain('certificate_of_listed_names');
  });
});

describe('an address on the list of sinkholes', () => {
  const at = (asn: number, marks: readonly { list: string; label: string }[] = []): Partial<Opened> => {
    const { networks } = opened();
    const on = [{ list: 'sinkholes', label: '' }, ...marks];
    const listed: Opened['networks'] = {
      ...networks,
      marks: () => on,
      hasList: (list) => list === 'sinkholes',
      origin: () => ({ asn, org: '', route: '' }),
    };
    return { networks: listed };
  };

  it('says that a name with a few words on its page was taken away', async () => {
    expect(set((await trust('plain.test', at(64_496))).checks)).toContain('is_sinkholed_domain');
  });

  it.each<[string, number, { list: string; label: string }[]]>([
    ['Cloudflare, known by its system', 13_335, []],
    ['Cloudflare, known by its list', 0, [{ list: 'cloudflare', label: '' }]],
    ['Azure Front Door, known by its list', 8_075, [{ list: 'azure', label: 'AzureFrontDoor.Frontend' }]],
  ])('says nothing where thousands of sites share it: %s', async (_whose, asn, marks) => {
    expect(set((await trust('plain.test', at(asn, marks))).checks)).not.toContain('is_sinkholed_domain');
  });
});

describe('redirects', () => {
  it('that go round end, and no page was shown', async () => {
    sites.requests.length = 0;
    const { report, checks } = await trust('loop.test');
    expect(checks).toMatchObject({ is_website_accessible: false, http_status_code: 302 });
    expect(report.trust_score.result).toBe(35);
    expect(sites.requests.length).toBeLessThan(10);
  });

  it('to an inner address are not followed, and are suspicious', async () => {
    dialled = [];
    const { report, checks } = await trust('inside.test');
    expect(checks).toMatchObject({ is_suspicious_redirect: true, is_website_accessible: false });
    expect(report.redirection).toEqual({ found: true, external: true, url: 'http://169.254.169.254/latest/meta-data/' });
    expect(dialled.filter((address) => !address.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('to a government, a denied name, or an owner who opted out end there', async () => {
    const zone = { ...ZONE, 'www.irs.gov': { A: ['127.0.0.1'] } };
    for (const [host, more] of [
      ['to-gov.test', { zone }],
      ['to-opted-out.test', { isOptedOut: (name: string) => Promise.resolve(name === 'quiet.test') }],
      ['to-opted-out.test', { isDenied: (name: string) => name === 'quiet.test' }],
    ] as const) {
      sites.requests.length = 0;
      const { report } = await trust(host, more);
      expect(report.redirection).toMatchObject({ found: true, external: true });
      expect(report.response_headers.code).toBe(302);
      expect(report.problems.join()).toContain('This target is not allowed');
      expect(sites.requests.filter((request) => !request.includes(host))).toEqual([]);
    }
  });

  it('of which a third party is told are suspicious, and a page may lead on by itself', async () => {
    expect((await trust('tracked.test')).checks).toMatchObject({ is_suspicious_redirect: true, is_external_redirect: true });
    const { report, checks } = await trust('moved.test');
    expect(report.redirection).toEqual({ found: true, external: true, url: 'https://plain.test/' });
    expect(checks).toMatchObject({ is_external_redirect: true, is_suspicious_redirect: false });
  });
});

describe('servers that go on', () => {
  /** Sixty times as fast: nobody waits for the servers that never end. */
  const fast = {
    ...systemClock,
    now: () => systemClock.now() * 60,
    sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 60, signal),
  };

  it('an endless body and a bomb are read up to 2 MB', async () => {
    const { report } = await trust('endless.test');
    expect(report.html_info.title).toBe('The bakery at the bridge');
    const { checks } = await trust('bomb.test');
    expect(checks).toMatchObject({ is_website_accessible: true, http_status_code: 200, is_empty_page_title: true });
    expect(report.problems).toContain('https://endless.test/: only the beginning of the page was read');
  });

  it('what cannot be unpacked is neither empty nor without a title', async () => {
    const { report, checks } = await trust('garbled.test');
    expect(checks).toMatchObject({ is_website_accessible: true, is_empty_page_content: false, is_empty_page_title: false });
    expect(report.problems).toContain('https://garbled.test/: the page cannot be unpacked');
  });

  it('headers that never end are no answer', async () => {
    const { report, checks } = await trust('loris.test', { clock: fast });
    expect(checks).toMatchObject({ is_website_accessible: false, http_status_code: 0 });
    expect(report.problems.join()).toContain('The target did not finish its answer in time');
    expect(report.trust_score.result).toBe(35);
  });
});

describe('blindness', () => {
  it('a site that is down is data, and what nobody knows lowers nothing', async () => {
    const { report, checks, factors } = await trust('private.test');
    expect(checks).toMatchObject({
      is_website_accessible: false,
      is_domain_ipv4_private: true,
      is_domain_ipv4_valid: false,
      http_status_code: 0,
    });
    expect(report.not_checked).toEqual(expect.arrayContaining(['is_csp_header', 'is_valid_https', 'is_suspended_site']));
    expect(factors.filter((factor) => factor.startsWith('missing') || factor === 'no_valid_https')).toEqual([]);
    expect([report.trust_score.result, report.verdict]).toEqual([35, 'unknown']);
  });

  it('costs nothing where the name leads inwards, with all of its addresses or one, and only then', async () => {
    const isFree = async (host: string, zone: FakeZone = ZONE) => {
      let free = false;
      await trust(host, { zone, waivePrice: () => void (free = true) });
      return free;
    };
    expect(await isFree('private.test')).toBe(true);
    expect(await isFree('plain.test')).toBe(false);
    expect(await isFree('refused.test')).toBe(false);
    expect(await isFree('private.test', { ...ZONE, 'private.test': { ...SOMEWHERE, A: ['10.0.0.7'], AAAA: ['2600::9'] } })).toBe(true);
    expect(await isFree('no-address.test', { ...ZONE, 'no-address.test': { NS: ['ns1.host.test'] } })).toBe(false);
  });

  it('where no question of ours to the DNS is answered, that is no report', async () => {
    const dead = {
      servers: [],
      query: () => Promise.reject(new ProbeFailure('dns_timeout')),
      addresses: () => Promise.reject(new ProbeFailure('dns_timeout')),
    };
    await expect(answer(siteTrust, { host: 'plain.test' }, opened({ resolver: dead }))).rejects.toMatchObject({ code: 'upstream_failed' });
  });

  it('where this machine has no network, that is no report', async () => {
    const unplugged = { ...opened().dialler, tcp: () => Promise.reject(new ProbeFailure('no_network', 'ENETUNREACH')) };
    await expect(answer(siteTrust, { host: 'plain.test' }, opened({ dialler: unplugged }))).rejects.toMatchObject({
      code: 'upstream_failed',
    });
  });

  const unheard = (...answered: BlacklistCheck['results']) => ({
    ...SHUT.blacklists,
    host: () => Promise.resolve({ results: answered, unanswered: [{ name: 'Silent', why: 'timeout' }], scan_time_ms: 1 }),
  });

  it('where less than half of the engines answer, that is no report', async () => {
    const blind = trust('plain.test', { blacklists: unheard() });
    await expect(blind).rejects.toMatchObject({ code: 'upstream_failed' });
  });

  it('where our own pacing kept the registry from being asked, that is no report', async () => {
    const paced = { ...REGISTRATION, state: 'unknown' as const, answered: false, created: '', problem: 'too often', retry_after_s: 4 };
    const registries = { ...SHUT.registries, domain: () => Promise.resolve(paced) };
    await expect(trust('plain.test', { registries })).rejects.toMatchObject({ code: 'target_limited', status: 429, retryAfterS: 4 });
  });

  it('engines and registries that do not answer are named, and a domain of unknown age is neither recent nor old', async () => {
    const { report, checks } = await trust('plain.test', {
      blacklists: unheard(engine('One', false)),
      registries: {
        ...SHUT.registries,
        domain: () => Promise.resolve({ ...REGISTRATION, state: 'unknown' as const, created: '', problem: 'rdap.test did not answer' }),
      },
    });
    expect(report.domain_blacklist).toMatchObject({ engines_count: 1, unanswered: ['Silent'] });
    expect(report.not_checked).toEqual(expect.arrayContaining(['is_domain_recent', 'is_domain_very_recent']));
    expect(report.problems).toEqual(['the age of the domain is not known: rdap.test did not answer']);
    expect(checks).toMatchObject({ domain_creation_date: '', domain_age_in_days: 0, is_domain_recent: '', is_domain_very_recent: '' });
    expect(report.trust_score).toMatchObject({
      result: 60,
      factors: expect.arrayContaining([
        expect.objectContaining({ factor: 'cap_age_not_known' }),
        { factor: 'unheard', effect: -15, weight: 0, detail: '50% of the engines were not heard' },
      ]),
    });
    expect(report.trust_score.coverage.missing).toEqual(
      expect.arrayContaining([
        { name: 'Silent', reason: expect.any(String) },
        { name: 'registration', reason: 'rdap.test did not answer' },
      ]),
    );
  });

  it('a tenant of somebody else is neither as old nor as popular as its landlord', async () => {
    const zone = { ...ZONE, 'anna.github.io': SOMEWHERE };
    const names = { ...createNames(), rank: () => 20 };
    const { report, checks } = await trust('anna.github.io', { zone, names });
    expect(checks).toMatchObject({ is_website_popular: false, domain_creation_date: '' });
    expect(report.not_checked).toContain('is_domain_recent');
    expect((await trust('plain.test', { names })).checks).toMatchObject({ is_website_popular: true, domain_creation_date: '2010-05-01' });
    const below = { ...names, listings: () => [{ list: 'free-hosting', entry: 'test' }] };
    expect((await trust('plain.test', { names: below })).checks).toMatchObject({ is_website_popular: false, domain_creation_date: '' });
  });

  it('listed by two engines there is little left', async () => {
    const blacklists = { ...SHUT.blacklists, host: () => Promise.resolve(check(engine('One', true), engine('Two', true))) };
    const { report, checks } = await trust('plain.test', { blacklists });
    expect(checks).toMatchObject({ is_domain_blacklisted: true });
    expect(report.trust_score.result).toBe(10);
  });
});

it('answers as the example shows', () =>
  expectExample('site-trust', { host: 'plain.test' }, (request) => answer(siteTrust, request, opened())));
