import { ApiError } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { domainReputation } from '../../../packages/operations/src/domain-reputation/index.ts';
import type { FakeZone } from '../../intel/fake-resolver.ts';
import { answer, read } from '../answer.ts';
import { expectExample } from '../example.ts';
import { engine, registration, world } from './world.ts';

const PUBLIC = '1.1.1.1';
const withAddress = (host: string, addresses = [PUBLIC]): FakeZone => ({ [host]: { A: addresses } });

async function reportOn(host: string, given: Parameters<typeof world>[0] = { zone: withAddress(host) }) {
  return answer(domainReputation, { host }, world(given).opened);
}

const CLEAN_CHECKS = {
  is_most_abused_tld: false,
  is_domain_ipv4_assigned: true,
  is_domain_ipv4_private: false,
  is_domain_ipv4_loopback: false,
  is_domain_ipv4_reserved: false,
  is_domain_ipv4_valid: true,
  is_domain_blacklisted: false,
  is_uncommon_host_length: false,
  is_uncommon_dash_char_count: false,
  is_uncommon_dot_char_count: false,
  is_suspicious_homoglyph: false,
  is_possible_typosquatting: false,
  is_uncommon_clickable_domain: false,
  is_risky_category: false,
  detections_count: 0,
  website_popularity: 'low',
};

describe('the report', () => {
  it('has every field, and nothing against an ordinary host', async () => {
    const { opened, dns, asked, registryAsked } = world({
      zone: { 'www.example.co.uk': { A: ['192.0.2.7', PUBLIC] }, '1.1.1.1.in-addr.arpa': { PTR: ['server.example.net'] } },
      engines: [engine('List A', { reference: 'https://list.example/', elapsed_ms: 3.6 })],
      unanswered: [{ name: 'List B', why: 'timeout' }],
    });
    expect(await answer(domainReputation, { host: 'WWW.Example.co.uk.' }, opened)).toEqual({
      host: 'www.example.co.uk',
      blacklists: {
        engines: { 0: { name: 'List A', detected: false, reference: 'https://list.example/', elapsed_ms: 4, confidence: 'high' } },
        detections: 0,
        engines_count: 1,
        detection_rate: '0%',
        scan_time_ms: 12,
        unanswered: ['List B'],
      },
      server_details: {
        ip: PUBLIC,
        continent_code: '',
        continent_name: '',
        country_code: '',
        country_name: '',
        region_name: '',
        city_name: '',
        latitude: 0,
        longitude: 0,
        isp: '',
        asn: '',
        reverse_dns: 'server.example.net',
      },
      category: {
        is_free_hosting: false,
        is_anonymizer: false,
        is_url_shortener: false,
        is_free_dynamic_dns: false,
        is_code_sandbox: false,
        is_form_builder: false,
        is_free_file_sharing: false,
        is_pastebin: false,
        is_qrcode_service: false,
      },
      security_checks: { ...CLEAN_CHECKS, is_domain_ipv4_reserved: true, detections_count: 1 },
      domain_parts: { root_domain: 'example.co.uk', subdomain: 'www', tld: 'co.uk' },
      verdict: 'suspicious',
      risk_score: {
        result: 30,
        factors: [{ factor: 'inner_address', effect: 30, weight: 0.3, detail: 'reserved' }],
        coverage: { asked: 3, answered: 2, missing: [{ name: 'List B', reason: 'timeout' }] },
      },
      dns_errors: [],
    });
    expect(dns.queries).toEqual(['www.example.co.uk A', '1.1.1.1.in-addr.arpa PTR']);
    expect([asked, registryAsked]).toEqual([[{ host: 'www.example.co.uk', exclude: [], key: undefined }], []]);
  });

  it('has a plain host without anything against it', async () => {
    const { security_checks, risk_score, verdict } = await reportOn('example.org');
    expect(verdict).toBe('clean');
    expect(security_checks).toEqual(CLEAN_CHECKS);
    expect(risk_score).toEqual({ result: 0, factors: [], coverage: { asked: 2, answered: 2, missing: [] } });
  });

  it('passes on which engines are not asked, and the key', async () => {
    const { opened, asked } = world({});
    const key = 'abcdefghij0123456789';
    await answer(domainReputation, { host: 'example.org', exclude_engines: 'List A, listb', blocklist_key: key }, opened);
    expect(asked).toEqual([{ host: 'example.org', exclude: ['List A', 'listb'], key }]);
  });
});

type Check = Exclude<keyof typeof CLEAN_CHECKS, 'detections_count' | 'website_popularity'>;

/** One host that sets a check, and one that is as near to it as may be and does not. */
const CHECKS: Record<Check, { sets: string; misses: string; at?: { sets: string[]; misses: string[] } }> = {
  is_most_abused_tld: { sets: 'example.zip', misses: 'zip.example.org' },
  is_domain_ipv4_assigned: { sets: 'a.example.org', misses: 'b.example.org', at: { sets: [PUBLIC], misses: [] } },
  is_domain_ipv4_private: { sets: 'a.example.org', misses: 'b.example.org', at: { sets: ['172.31.255.255'], misses: ['172.32.0.0'] } },
  is_domain_ipv4_loopback: { sets: 'a.example.org', misses: 'b.example.org', at: { sets: ['127.255.255.255'], misses: ['128.0.0.1'] } },
  is_domain_ipv4_reserved: { sets: 'a.example.org', misses: 'b.example.org', at: { sets: ['169.254.0.1'], misses: ['169.253.0.1'] } },
  is_domain_ipv4_valid: { sets: 'a.example.org', misses: 'b.example.org', at: { sets: ['10.0.0.1', PUBLIC], misses: ['10.0.0.1'] } },
  is_domain_blacklisted: { sets: 'listed.example.org', misses: 'example.org' },
  is_uncommon_host_length: { sets: `${'abcde'.repeat(6)}f.org`, misses: `www.${'abcde'.repeat(6)}.org` },
  is_uncommon_dash_char_count: { sets: 'all-of-my-own-little-things.org', misses: 'the-old-bakery-tea-room.co.uk' },
  is_uncommon_dot_char_count: { sets: 'a.b.c.d.example.co.uk', misses: 'b.c.d.example.co.uk' },
  is_suspicious_homoglyph: { sets: 'xn--pypal-4ve.com', misses: 'xn--pple-moa.com' },
  is_possible_typosquatting: { sets: 'netfliix.com', misses: 'apples.com' },
  is_uncommon_clickable_domain: { sets: 'invoice-pdf.org', misses: 'pdfinvoice.org' },
  is_risky_category: { sets: 'someone.duckdns.org', misses: 'someone.pastebin.com' },
};

describe('security checks', () => {
  it.each(Object.entries(CHECKS))('%s: one host sets it, one near by does not', async (check, { sets, misses, at }) => {
    const engines = (host: string) => [engine('List', { detected: host.startsWith('listed.') })];
    const checked = async (host: string, addresses: string[]) =>
      (await reportOn(host, { zone: withAddress(host, addresses), engines: engines(host) })).security_checks[check as Check];
    expect(await checked(sets, at?.sets ?? [PUBLIC])).toBe(true);
    expect(await checked(misses, at?.misses ?? [PUBLIC])).toBe(false);
  });

  it('are counted, but for the two that say that all is well', async () => {
    const host = 'a.b.c.d.paypa1-login.top';
    const { security_checks: checks } = await reportOn(host, {
      zone: withAddress(host, ['10.0.0.1', PUBLIC]),
      engines: [engine('List', { detected: true })],
    });
    const yes = Object.entries(checks)
      .filter(([, value]) => value === true)
      .map(([check]) => check);
    expect(yes.toSorted()).toEqual([
      'is_domain_blacklisted',
      'is_domain_ipv4_assigned',
      'is_domain_ipv4_private',
      'is_domain_ipv4_valid',
      'is_most_abused_tld',
      'is_possible_typosquatting',
      'is_suspicious_homoglyph',
      'is_uncommon_dot_char_count',
    ]);
    expect(checks.detections_count).toBe(6);
  });
});

/** One host of each category, one host below it or beside it, and one that only looks like it. */
const CATEGORIES = {
  is_free_hosting: { sets: ['someone.github.io', 'github.io', 'sites.google.com'], misses: 'github.com' },
  is_anonymizer: { sets: ['proxysite.com', 'www.proxysite.com'], misses: 'myproxysite.com' },
  is_url_shortener: { sets: ['bit.ly', 'tinyurl.com'], misses: 'abit.ly' },
  is_free_dynamic_dns: { sets: ['someone.duckdns.org', 'a.b.hopto.org'], misses: 'duckdns.com' },
  is_code_sandbox: { sets: ['codepen.io'], misses: 'codepen.com' },
  is_form_builder: { sets: ['docs.google.com', 'form.jotform.com'], misses: 'www.google.com' },
  is_free_file_sharing: { sets: ['www.mediafire.com', 'mega.nz'], misses: 'omega.nz' },
  is_pastebin: { sets: ['pastebin.com', 'gist.github.com'], misses: 'github.com' },
  is_qrcode_service: { sets: ['qr-code-generator.com', 'qrco.de'], misses: 'co.de' },
} as const;

describe('categories', () => {
  it.each(Object.entries(CATEGORIES))('%s', async (category, { sets, misses }) => {
    for (const host of sets) expect({ host, ...(await reportOn(host)).category }).toMatchObject({ host, [category]: true });
    expect((await reportOn(misses)).category).toMatchObject({ [category]: false });
  });
});

describe('the age of the domain', () => {
  const asking = (more: object = {}) => ({ host: 'www.example.org', include_domain_age: true, ...more });
  /** The day of the tests is 2026-11-21. */
  const aged = async (created: string) => {
    const { opened } = world({ zone: withAddress('www.example.org'), registration: registration({ created }) });
    return answer(domainReputation, asking(), opened);
  };

  it.each([
    { created: '2020-02-03', recent: 'no', veryRecent: 'no', days: 2483, months: 81, years: 6, risk: 0 },
    { created: '2026-05-21', recent: 'no', veryRecent: 'no', days: 184, months: 6, years: 0, risk: 0 },
    { created: '2026-05-22', recent: 'yes', veryRecent: 'no', days: 183, months: 5, years: 0, risk: 15 },
    { created: '2026-10-22', recent: 'yes', veryRecent: 'no', days: 30, months: 0, years: 0, risk: 15 },
    { created: '2026-10-23', recent: 'yes', veryRecent: 'yes', days: 29, months: 0, years: 0, risk: 35 },
  ])('by the day of its registration: $created', async ({ created, recent, veryRecent, days, months, years, risk }) => {
    const { security_checks, risk_score } = await aged(created);
    expect(security_checks).toEqual({
      ...CLEAN_CHECKS,
      is_domain_recent: recent,
      is_domain_very_recent: veryRecent,
      domain_creation_date: created,
      domain_age_in_days: days,
      domain_age_in_months: months,
      domain_age_in_years: years,
      domain_age_problem: '',
    });
    expect(risk_score.result).toBe(risk);
  });

  it.each([
    [
      'nobody answers',
      registration({ state: 'unknown', created: '', problem: 'whois.example did not answer' }),
      'whois.example did not answer',
    ],
    ['the registry does not tell', registration({ created: '' }), 'The registry does not say when it was registered'],
    ['it is not registered', registration({ state: 'unregistered', created: '' }), 'The registry knows no such domain'],
  ])('is unknown, and not held against it, where %s', async (_, registered, problem) => {
    const { opened } = world({ zone: withAddress('www.example.org'), registration: registered });
    const { security_checks, risk_score, verdict } = await answer(domainReputation, asking(), opened);
    expect(security_checks).toMatchObject({
      is_domain_recent: 'unknown',
      is_domain_very_recent: 'unknown',
      domain_creation_date: '',
      domain_age_in_days: 0,
      domain_age_in_months: 0,
      domain_age_in_years: 0,
      domain_age_problem: problem,
      detections_count: 0,
    });
    expect([risk_score.result, verdict]).toEqual([0, 'unknown']);
  });

  it.each([
    ['says so', registration({ state: 'unknown', created: '', problem: 'rdap.test is being asked too often', retry_after_s: 7 }), 7],
    ['refuses it', new ApiError('target_limited', 'rdap.test', { retryAfterS: 3 }), 3],
  ])('is no part of a report, which is free, where our own pacing of the registry %s', async (_, registered, retryAfterS) => {
    const { opened } = world({ zone: withAddress('www.example.org'), registration: registered });
    await expect(answer(domainReputation, asking(), opened)).rejects.toMatchObject({ code: 'target_limited', retryAfterS });
  });

  it('is asked of the registrable domain, of the cache alone where that is wanted, and of nobody for a public suffix', async () => {
    const { opened, registryAsked } = world({ registration: registration({}) });
    await answer(domainReputation, asking(), opened);
    await answer(domainReputation, asking({ domain_age_cache_only: true }), opened);
    await answer(domainReputation, { host: 'co.uk', include_domain_age: true }, opened);
    expect(registryAsked).toEqual([
      { name: 'example.org', cachedOnly: false },
      { name: 'example.org', cachedOnly: true },
    ]);
  });

  it('is asked of a private registry, and of nobody for a name that a host gives away', async () => {
    const { opened, registryAsked } = world({ registration: registration({}) });
    await answer(domainReputation, { host: 'www.login-paypal.uk.com', include_domain_age: true }, opened);
    const { security_checks } = await answer(domainReputation, { host: 'login-paypal.github.io', include_domain_age: true }, opened);
    expect(registryAsked).toEqual([{ name: 'login-paypal.uk.com', cachedOnly: false }]);
    expect(security_checks).toMatchObject({
      is_domain_recent: 'unknown',
      domain_creation_date: '',
      domain_age_problem: expect.stringContaining('gave away'),
    });
  });

  it('costs one credit more, and its cache is for those who ask for it', () => {
    const cost = domainReputation.cost as { base: number; of(query: ReturnType<typeof domainReputation.read>): number };
    expect(cost.of(read(domainReputation, { host: 'example.org' }))).toBe(1);
    expect(cost.of(read(domainReputation, { host: 'example.org', include_domain_age: false, domain_age_cache_only: false }))).toBe(1);
    expect(cost.of(read(domainReputation, asking()))).toBe(2);
    for (const more of [{}, { include_domain_age: false }])
      expect(() => read(domainReputation, { host: 'example.org', domain_age_cache_only: true, ...more })).toThrow(
        expect.objectContaining({ code: 'parameter_conflict' }),
      );
  });
});

describe('who did not answer', () => {
  it('all engines: nothing is told, and it is free', async () => {
    const { opened } = world({ engines: [], unanswered: [{ name: 'A', why: 'timeout' }] });
    await expect(answer(domainReputation, { host: 'example.org' }, opened)).rejects.toMatchObject({ code: 'upstream_failed' });
  });

  it('most engines, since we kept our questions back: nothing is told, it is free, and says when to come back', async () => {
    const paced = { why: 'too much', ours: { cause: 'paced' as const, retry_after_s: 1.5 } };
    const { opened } = world({ engines: [engine('A')], unanswered: [{ name: 'B', ...paced }, { name: 'C', ...paced }] }); // prettier-ignore
    const refused = { code: 'target_limited', status: 429, retryAfterS: 2 };
    await expect(answer(domainReputation, { host: 'example.org' }, opened)).rejects.toMatchObject(refused);
  });

  it('the DNS: what it would have said is false, named, and not held against the host', async () => {
    const { opened } = world({ zone: { 'example.org': 'TIMEOUT' } });
    const report = await answer(domainReputation, { host: 'example.org' }, opened);
    expect(report.security_checks).toMatchObject({ is_domain_ipv4_assigned: false, is_domain_ipv4_valid: false, detections_count: 0 });
    expect(report).toMatchObject({ risk_score: { result: 0 }, verdict: 'unknown', server_details: { ip: '' } });
    expect(report.dns_errors).toEqual([expect.stringContaining('example.org A: '), expect.stringContaining('example.org AAAA: ')]);
  });

  it('the DNS, where all engines were excluded: nothing is told', async () => {
    const { opened } = world({ engines: [], zone: { 'example.org': 'TIMEOUT' } });
    await expect(answer(domainReputation, { host: 'example.org' }, opened)).rejects.toMatchObject({ code: 'upstream_failed' });
  });

  it('nobody was asked but the DNS, and that answered: the report says how many engines that is', async () => {
    const report = await reportOn('example.org', { zone: withAddress('example.org'), engines: [] });
    expect(report.blacklists).toMatchObject({ engines: {}, engines_count: 0, detection_rate: '0%', unanswered: [] });
  });
});

describe('hosts of all kinds', () => {
  it.each([
    ['Bücher.example.', 'xn--bcher-kva.example', { root_domain: 'xn--bcher-kva.example', subdomain: '', tld: 'example' }],
    ['_dmarc.example.org', '_dmarc.example.org', { root_domain: 'example.org', subdomain: '_dmarc', tld: 'org' }],
    ['a.someone.github.io', 'a.someone.github.io', { root_domain: 'github.io', subdomain: 'a.someone', tld: 'io' }],
    ['co.uk', 'co.uk', { root_domain: '', subdomain: '', tld: 'co.uk' }],
    [`${'a.'.repeat(121)}example.org`, `${'a.'.repeat(121)}example.org`, { root_domain: 'example.org', tld: 'org' }],
  ])('%s', async (asked, host, parts) => {
    const report = await reportOn(asked);
    expect(report).toMatchObject({ host, domain_parts: parts });
  });

  it.each(['192.0.2.1', '0x7f.1', '[2001:db8::1]', `${'a.'.repeat(122)}example.org`, 'a b', 'example..org', ''])(
    'refuses what is no name: %j',
    (host) => {
      expect(() => read(domainReputation, { host })).toThrow(expect.objectContaining({ code: 'invalid_parameter' }));
    },
  );

  it('takes the server of a host without IPv4 from IPv6, and holds nothing against it', async () => {
    const report = await reportOn('example.org', { zone: { 'example.org': { AAAA: ['2606:4700:4700::1111'] } } });
    expect(report).toMatchObject({ server_details: { ip: '2606:4700:4700::1111' }, risk_score: { result: 0 } });
    expect(report.security_checks.is_domain_ipv4_assigned).toBe(false);
  });
});

it('answers as the example shows', () => {
  const host = 'www.example.co.uk';
  const zone: FakeZone = { [host]: { A: [PUBLIC] }, '1.1.1.1.in-addr.arpa': { PTR: ['server.example.net'] } };
  const engines = [engine('List A', { reference: 'https://list.example/', elapsed_ms: 3.6 })];
  const { opened } = world({ zone, engines, unanswered: [{ name: 'List B', why: 'timeout' }] });
  return expectExample('domain-reputation', { host }, (request) => answer(domainReputation, request, opened));
});
