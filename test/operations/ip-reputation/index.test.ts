import { ApiError } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import { parseTargets } from '@vedette/operations/kit';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { judgeTargets } from '../../../packages/gateway/src/shares/targets.ts';
import { ipReputation } from '../../../packages/operations/src/ip-reputation/index.ts';
import { answer } from '../answer.ts';
import { expectExample } from '../example.ts';
import { SHUT } from '../shut.ts';
import { named, openWorld, reportOf, type World } from './world.ts';

it('says all that is known of an address', async () => {
  const report = await reportOf({
    asn: 64496,
    type: 'isp',
    place: {
      continent_code: 'EU',
      continent_name: 'Europe',
      country_code: 'NL',
      country_name: 'Netherlands',
      region_name: 'North Holland',
      city_name: 'Amsterdam',
      latitude: 52.37,
      longitude: 4.9,
    },
    delegation: {},
    given: { status: 'assigned', date: '2026-11-01', block: '' },
    totals: { total_ipv4_prefixes: 3, total_ipv4_ips: 512, total_ipv6_prefixes: 1 },
    dns: named('host.example.org'),
    detections: [{}],
    unanswered: [{ name: 'PSBL', why: 'it was late' }],
  });
  expect([...Value.Errors(ipReputation.response, report)]).toEqual([]);
  expect(report).toEqual({
    ip: '198.51.100.7',
    version: 'IPv4',
    blacklists: {
      engines: {
        0: { name: 'SpamCop', detected: true, reference: '', elapsed_ms: 1, first_seen: null, last_seen: null },
        1: { name: 'SpamCop', detected: false, reference: '', elapsed_ms: 1 },
      },
      detections: 1,
      engines_count: 2,
      detection_rate: '50%',
      scan_time_ms: 3,
      unanswered: ['PSBL'],
    },
    information: {
      reverse_dns: 'host.example.org',
      reverse_dns_confirmed: true,
      reverse_dns_error: '',
      continent_code: 'EU',
      continent_name: 'Europe',
      country_code: 'NL',
      country_name: 'Netherlands',
      is_eu: true,
      currency: 'EUR',
      currency_name: 'Euro',
      currency_name_plural: 'euros',
      currency_symbol: '€',
      currency_symbol_native: '€',
      calling_code: '31',
      emoji_flag: '🇳🇱',
      emoji_flag_unicode: 'U+1F1F3 U+1F1F1',
      region_name: 'North Holland',
      city_name: 'Amsterdam',
      latitude: 52.37,
      longitude: 4.9,
      isp: 'Example B.V.',
      asn: 'AS64496',
      related_service_name: '',
      related_service_domain: '',
      related_service_type: '',
      cloud_provider: '',
      cloud_provider_domain: '',
      cloudvendor_service: '',
      edge_service: '',
      edge_service_domain: '',
      is_bogon: false,
      is_blocklist_drop: false,
      is_fake_bot: false,
      is_vendorx_bot: false,
      is_search_engine_bot: false,
      is_vendorx_service: false,
      is_major_provider_spf_ip: false,
      is_public_dns: false,
      is_satellite: false,
    },
    asn: {
      asn: 'AS64496',
      asname: 'EXAMPLE',
      route: '198.51.100.0/24',
      status: 'assigned',
      org: 'Example B.V.',
      country_code: 'NL',
      created: '2026-11-01',
      updated: '',
      address: '',
      abuse_email: '',
      domain: 'example.org',
      days_since_created: 20,
      days_since_updated: 0,
      total_ipv4_prefixes: 3,
      total_ipv4_ips: 512,
      total_ipv6_prefixes: 1,
      type: 'isp',
      rir: 'RIPE',
    },
    anonymity: {
      is_proxy: false,
      is_webproxy: false,
      is_residential_proxy: false,
      is_vpn: false,
      is_hosting: false,
      is_relay: false,
      is_tor: false,
    },
    verdict: 'dangerous',
    risk_score: {
      result: 53,
      factors: [
        { factor: 'blacklist', effect: 45, weight: 0.45, detail: 'SpamCop' },
        { factor: 'young_as', effect: 8, weight: 0.15, detail: 'Its autonomous system is 20 days old' },
      ],
      coverage: {
        asked: 11,
        answered: 9,
        missing: [
          { name: 'PSBL', reason: 'it was late' },
          { name: 'registry', reason: 'no registry has answered' },
        ],
      },
    },
    data_missing: [],
    data_stale: [],
    unknown: ['asn.updated', 'asn.address', 'asn.abuse_email'],
  });
});

it('has every field where nothing at all is known, and says what it does not know', async () => {
  const report = await reportOf({ absent: 'all' });
  expect([...Value.Errors(ipReputation.response, report)]).toEqual([]);
  expect(report.risk_score).toMatchObject({ result: 0, factors: [], coverage: { asked: 8, answered: 2 } });
  expect(report.risk_score.coverage.missing).toContainEqual({ name: 'is_tor', reason: 'no list of it is loaded' });
  expect(report.asn).toMatchObject({ asn: '', type: 'business', rir: '', route: '' });
  expect(report.data_missing).toContain('tor-exits');
  expect(report.unknown).toEqual(expect.arrayContaining(['is_tor', 'is_vpn', 'is_blocklist_drop', 'cloud_provider', 'is_bogon']));
});

it('one list of several leaves a field known', async () => {
  const report = await reportOf({ absent: ['x4b-vpn', 'tor-exits'] });
  expect(report.data_missing).toEqual(['tor-exits', 'x4b-vpn']);
  expect(report.unknown).toEqual(['is_tor']);
});

it('calls no address clean while a list of criminal systems is being loaded', async () => {
  const { opened } = openWorld({});
  const lists = { ...opened.lists, isAwaited: (list: string) => list === 'spamhaus-asndrop' };
  const report = await answer(ipReputation, { ip: '198.51.100.7' }, { ...opened, lists });
  expect([report.verdict, report.risk_score.result]).toEqual(['unknown', 10]);
  expect(report.risk_score.coverage.missing).toContainEqual({ name: 'networks', reason: 'its list is being loaded' });
});

it('names old lists with their days; a field counts as heard by the newest of its lists', async () => {
  const stale = { crawlers: '2026-08-21', 'x4b-datacenter': '2026-08-22', 'x4b-vpn': '2026-08-22', 'vpn-providers': '2026-09-01' };
  const clouds = ['aws', 'gcp', 'azure', 'oracle-cloud', 'digitalocean', 'linode', 'vultr'];
  const report = await reportOf({ stale: { ...stale, aws: '2026-08-01' }, absent: clouds });
  expect(report.data_stale).toEqual([
    { list: 'crawlers', as_of: '2026-08-21' },
    { list: 'vpn-providers', as_of: '2026-09-01' },
    { list: 'x4b-datacenter', as_of: '2026-08-22' },
    { list: 'x4b-vpn', as_of: '2026-08-22' },
  ]);
  expect(report.risk_score.coverage.missing.filter(({ name }: { name: string }) => name.startsWith('is_'))).toEqual([
    { name: 'is_hosting', reason: 'its list is of 2026-08-22: no newer one could be fetched' },
    { name: 'is_vpn', reason: 'its list is of 2026-09-01: no newer one could be fetched' },
  ]);
  const half = await reportOf({ stale: { 'x4b-datacenter': '2026-08-22' } });
  expect(half.risk_score.coverage.missing.map(({ name }: { name: string }) => name)).not.toContain('is_hosting');
});

describe('the address', () => {
  const targets = (ip: string) => parseTargets(ipReputation.targets, { ip });
  const rules = { policy: createAddressPolicy(), isInnerName: () => false, isDenied: () => false };
  const judged = (ip: string): string => {
    try {
      judgeTargets(ipReputation, targets(ip), rules);
      return 'fine';
    } catch (error) {
      return (error as ApiError).code;
    }
  };
  it.each([
    '10.0.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.2.1',
    '224.0.0.1',
    '240.0.0.1',
    '0.0.0.0',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '2001:db8::1',
    'ff02::1',
    '64:ff9b::808:808',
    '2002:808:808::1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
  ])('%s is not public', (ip) => expect(judged(ip)).toBe('private_address'));
  it.each([
    'example.org',
    '127.1',
    '0x7f.0.0.1',
    '010.0.0.1',
    '8.8.8',
    '8.8.8.8.',
    '8.8.8.8/32',
    'fe80::1%eth0',
    '[2606:4700::1]',
    '8.8.8.8:53',
    ' 8.8.8.8',
  ])('%j is none', (ip) => expect(judged(ip)).toBe('invalid_parameter'));
  it.each(['8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('%s is one', (ip) => expect(judged(ip)).toBe('fine'));
  it('is canonical in the report, and an IPv4-mapped one is IPv4', async () => {
    expect(await reportOf({ ip: '::FFFF:9.9.9.9' })).toMatchObject({
      ip: '9.9.9.9',
      version: 'IPv4',
      information: { is_public_dns: true },
    });
    expect(await reportOf({ ip: '2606:4700:4700:0:0::1111' })).toMatchObject({ ip: '2606:4700:4700::1111', version: 'IPv6' });
  });
});

describe('parameters', () => {
  it('hands the engines what the client wrote', async () => {
    const { opened, asked } = openWorld({});
    const key = 'abcdefghijklmnopqrst01';
    await answer(ipReputation, { ip: '198.51.100.7', exclude_engines: ' SpamCop, PSBL ,', blocklist_key: key }, opened);
    expect(asked).toEqual([{ address: '198.51.100.7', exclude: ['SpamCop', 'PSBL'], key }]);
  });
  it('asks for no name where it shall not', async () => {
    const { opened, dns } = openWorld({ dns: named('host.example.org') });
    const { information, unknown } = await answer(ipReputation, { ip: '198.51.100.7', disable_reverse_dns: true }, opened);
    expect(unknown).not.toContain('reverse_dns');
    expect(dns.queries).toEqual([]);
    expect(information).toMatchObject({ reverse_dns: '', reverse_dns_confirmed: false, reverse_dns_error: '' });
  });
  it.each([
    { ip: '' },
    { ip: 8 },
    {},
    { ip: '8.8.8.8', disable_reverse_dns: 'yes' },
    { ip: '8.8.8.8', blocklist_key: 'short' },
    { ip: '8.8.8.8', blocklist_key: '../../../../../../../etc' },
    { ip: '8.8.8.8', exclude_engines: 'x'.repeat(5000) },
    { ip: '8.8.8.8', x: 1 },
  ])('refuses %j', (request) => expect(Value.Check(ipReputation.request, request)).toBe(false));
});

describe('what was not answered', () => {
  it('is said of the reverse DNS, and no word against the address', async () => {
    const report = await reportOf({ dns: { '7.100.51.198.in-addr.arpa': 'SERVFAIL' }, asn: 64496, type: 'hosting' });
    expect(report.information.reverse_dns).toBe('');
    expect(report.information.reverse_dns_error).toContain('SERVFAIL');
    expect(report.unknown).toContain('reverse_dns');
    expect(report.risk_score.factors.map(({ factor }) => factor)).toEqual(['hosting']);
  });
  it('is said of a name that is being asked for too often', async () => {
    const { opened } = openWorld({});
    const query = () => Promise.reject(new ApiError('target_limited', 'in-addr.arpa'));
    const report = await answer(ipReputation, { ip: '198.51.100.7' }, { ...opened, resolver: { ...opened.resolver, query } });
    expect(report.information.reverse_dns_error).toContain('too often');
  });
  it('is free where no engine answered', async () => {
    const { opened } = openWorld({});
    const address = async () => ({ results: [], unanswered: [{ name: 'SpamCop', why: 'late' }], scan_time_ms: 450 });
    const blind = answer(ipReputation, { ip: '198.51.100.7' }, { ...opened, blacklists: { ...opened.blacklists, address } });
    await expect(blind).rejects.toMatchObject({ code: 'upstream_failed' });
  });
  it('is free where we kept back the questions to most engines, and says when to come back', async () => {
    const paced = { why: 'too much was asked of it for now', ours: { cause: 'paced' as const, retry_after_s: 2.2 } };
    const { opened } = openWorld({ unanswered: [{ name: 'A', ...paced }, { name: 'B', ...paced }] }); // prettier-ignore
    const refused = { code: 'target_limited', status: 429, retryAfterS: 3 };
    await expect(answer(ipReputation, { ip: '198.51.100.7' }, opened)).rejects.toMatchObject(refused);
  });
  it('is nothing where all engines were excluded', async () => {
    const { opened } = openWorld({});
    const address = async () => ({ results: [], unanswered: [], scan_time_ms: 0 });
    const report = await answer(ipReputation, { ip: '198.51.100.7' }, { ...opened, blacklists: { ...opened.blacklists, address } });
    expect(report.blacklists).toMatchObject({ engines: {}, engines_count: 0, detection_rate: '0%' });
  });
  it('is free where all engines were excluded and the DNS is silent', async () => {
    const blacklists = { ...SHUT.blacklists, address: async () => ({ results: [], unanswered: [], scan_time_ms: 0 }) };
    const { opened } = openWorld({ dns: { '7.100.51.198.in-addr.arpa': 'TIMEOUT' } });
    await expect(answer(ipReputation, { ip: '198.51.100.7' }, { ...opened, blacklists })).rejects.toMatchObject({
      code: 'upstream_failed',
    });
    const unasked = { ip: '198.51.100.7', disable_reverse_dns: true };
    expect(await answer(ipReputation, unasked, { ...opened, blacklists })).toMatchObject({ blacklists: { engines_count: 0 } });
  });
  it('the name gets 250 ms and four questions, however many names there are', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `host-${i}.example.org`);
    const { opened, dns } = openWorld({ dns: { '7.100.51.198.in-addr.arpa': { PTR: names } } });
    const { information } = await answer(ipReputation, { ip: '198.51.100.7' }, opened);
    expect(dns.queries).toHaveLength(4);
    expect(information.reverse_dns).toBe('host-0.example.org');
  });
});

it('shows the name that leads back before others', async () => {
  const { information } = await reportOf({
    dns: {
      '7.100.51.198.in-addr.arpa': { PTR: ['a.example.org', 'b.example.org'] },
      'a.example.org': { A: ['198.51.100.8'] },
      'b.example.org': { A: ['198.51.100.6', '198.51.100.7'] },
    },
  });
  expect(information).toMatchObject({ reverse_dns: 'b.example.org', reverse_dns_confirmed: true });
});

describe('a related service', () => {
  it.each<[string, World, string, string, string]>([
    ['published ranges', { marks: ['google-common-crawlers'] }, 'Googlebot', 'google.com', 'Search Engine Bot'],
    ['ranges of robots before a name', { marks: ['openai-bots'], dns: named('crawl-1.googlebot.com') }, 'OpenAI', 'openai.com', 'Crawler'],
    [
      'a name that leads back before monitoring',
      { marks: [['monitoring', 'Pingdom']], dns: named('x.crawl.yahoo.net') },
      'Yahoo Slurp',
      'yahoo.com',
      'Search Engine Bot',
    ],
    ['a robot that nobody knows', { marks: [['crawlers', 'FooBot/1']] }, 'FooBot/1', '', 'Crawler'],
    ['one of a list of its own robots', { marks: [['crawlers', 'Kagibot/true']] }, 'Kagibot', 'kagi.com', 'Search Engine Bot'],
    ['and one that nobody knows', { marks: [['crawlers', 'FooBot/true']] }, 'FooBot', '', 'Crawler'],
    ['a whole system that has robots too', { marks: [['crawlers', 'Meta-ExternalAgent/false']] }, '', '', ''],
    [
      'a robot beside a whole system',
      {
        marks: [
          ['crawlers', 'Yandex/false'],
          ['crawlers', 'GPTBot/true'],
        ],
      },
      'OpenAI',
      'openai.com',
      'Crawler',
    ],
    ['a service of monitoring', { marks: [['monitoring', 'Oh Dear/true']] }, 'Oh Dear', 'ohdear.app', 'Monitoring'],
    ['monitoring before payments', { marks: ['stripe', ['monitoring', 'UptimeRobot']] }, 'UptimeRobot', 'uptimerobot.com', 'Monitoring'],
    [
      "Amazon's health checks",
      { marks: [['aws', 'ROUTE53_HEALTHCHECKS/us-east-1']] },
      'Amazon Route 53 health checks',
      'aws.amazon.com',
      'Monitoring',
    ],
    ['Datadog', { marks: ['datadog'] }, 'Datadog', 'datadoghq.com', 'Monitoring'],
    ['payments before identity', { marks: ['okta', 'stripe'] }, 'Stripe', 'stripe.com', 'Payments'],
    ['identity before marketing', { marks: ['okta', ['spf-majors', 'servers.mcsv.net']] }, 'Okta', 'okta.com', 'Identity'],
    ['marketing before software', { marks: ['github', ['spf-majors', 'servers.mcsv.net']] }, 'Mailchimp', 'mailchimp.com', 'Marketing'],
    ['software', { marks: ['atlassian'] }, 'Atlassian', 'atlassian.com', 'SaaS'],
    ['mail as software', { marks: [['spf-majors', 'spf.protection.outlook.com']] }, 'Microsoft 365', 'microsoft.com', 'SaaS'],
    ['none', { marks: [['aws', 'EC2/eu-west-1'], 'cloudflare'] }, '', '', ''],
    ['none for a record that nobody knows', { marks: [['spf-majors', 'spf.example.org']] }, '', '', ''],
  ])('%s', async (_why, world, name, domain, type) => {
    const { information } = await reportOf(world);
    expect(information).toMatchObject({ related_service_name: name, related_service_domain: domain, related_service_type: type });
  });
});

describe('clouds and edges', () => {
  it.each<[string, World, Record<string, string>]>([
    [
      'the most specific service, not the superset',
      {
        marks: [
          ['aws', 'AMAZON/eu-west-1'],
          ['aws', 'EC2/eu-west-1'],
        ],
      },
      { cloud_provider: 'Amazon Web Services', cloud_provider_domain: 'aws.amazon.com', cloudvendor_service: 'EC2' },
    ],
    [
      'a service inside of EC2',
      {
        marks: [
          ['aws', 'EC2/eu-west-1'],
          ['aws', 'S3/eu-west-1'],
          ['aws', 'AMAZON/eu-west-1'],
        ],
      },
      { cloudvendor_service: 'S3' },
    ],
    [
      'a part of a service',
      {
        marks: [
          ['aws', 'ROUTE53/GLOBAL'],
          ['aws', 'ROUTE53_HEALTHCHECKS/us-east-1'],
        ],
      },
      { cloudvendor_service: 'ROUTE53_HEALTHCHECKS' },
    ],
    ['nothing but the superset', { marks: [['aws', 'AMAZON/eu-west-1']] }, { cloudvendor_service: 'AMAZON' }],
    [
      "Amazon's edge",
      {
        marks: [
          ['aws', 'AMAZON/GLOBAL'],
          ['aws', 'CLOUDFRONT/GLOBAL'],
        ],
      },
      { cloudvendor_service: 'CLOUDFRONT', edge_service: 'Amazon CloudFront', edge_service_domain: 'aws.amazon.com' },
    ],
    [
      'another cloud has no service of that one',
      { marks: [['azure', 'AzureCloud/westeurope']] },
      { cloud_provider: 'Microsoft Azure', cloudvendor_service: '', edge_service: '' },
    ],
    ["Azure's edge", { marks: [['azure', 'AzureFrontDoor.Frontend']] }, { edge_service: 'Azure Front Door' }],
    ['an edge', { marks: ['fastly'] }, { cloud_provider: '', edge_service: 'Fastly', edge_service_domain: 'fastly.com' }],
    ['an edge by its system, where its list is not loaded', { asn: 13335, absent: 'all' }, { edge_service: 'Cloudflare' }],
    ['no edge by its system, where its list is and does not have it', { asn: 13335 }, { edge_service: '' }],
    ["a public resolver of such a system is nobody's front", { ip: '1.1.1.1', asn: 13335, absent: 'all' }, { edge_service: '' }],
    ['a cloud that publishes no list', { asn: 24940 }, { cloud_provider: 'Hetzner', cloud_provider_domain: 'hetzner.com' }],
    ['a cloud by its system, where its list is not loaded', { asn: 14061, absent: 'all' }, { cloud_provider: 'DigitalOcean' }],
    ['no cloud by its system, where its list is and does not have it', { asn: 14061 }, { cloud_provider: '' }],
  ])('%s', async (_why, world, expected) => {
    expect((await reportOf(world)).information).toMatchObject(expected);
  });
});

describe('the autonomous system', () => {
  it("has the registry's block where nobody announces the address", async () => {
    const { asn } = await reportOf({ delegation: { rir: 'APNIC', block: '198.51.100.0/22' } });
    expect(asn).toMatchObject({ asn: '', route: '198.51.100.0/22', rir: 'APNIC', created: '', days_since_created: 0 });
  });
  it('keeps a date of tomorrow at no days', async () => {
    const { asn } = await reportOf({ asn: 64496, given: { date: '2026-11-30' } });
    expect(asn.days_since_created).toBe(0);
  });
});

describe('the registry of the autonomous system', () => {
  const registration = {
    org: 'Example Networks B.V.',
    created: '2003-05-12',
    updated: '2026-11-14',
    address: 'Voorbeeldstraat 1, Amsterdam',
    abuse_email: 'abuse@example.org',
    rir: 'RIPE',
  } as const;

  it('is believed before the datasets', async () => {
    const { asn, unknown } = await reportOf({ asn: 64496, registration });
    expect(asn).toMatchObject({ ...registration, asname: 'EXAMPLE', days_since_updated: 7 });
    expect(unknown).toEqual([]);
  });

  it('is not waited for where the reverse DNS is not, nor where nobody announces the address', async () => {
    const bare = openWorld({ asn: 64496, registration });
    const report = await answer(ipReputation, { ip: '198.51.100.7', disable_reverse_dns: true }, bare.opened);
    expect(bare.inquired).toEqual([]);
    expect(report).toMatchObject({ asn: { abuse_email: '' }, unknown: ['asn.updated', 'asn.address', 'asn.abuse_email'] });
    const unannounced = openWorld({ registration });
    await answer(ipReputation, { ip: '198.51.100.7' }, unannounced.opened);
    expect(unannounced.inquired).toEqual([]);
  });

  it('that is asked too often ends no report', async () => {
    const { opened } = openWorld({ asn: 64496 });
    const autonomousSystem = () => Promise.reject(new ApiError('target_limited', 'registry'));
    const registries = { ...opened.registries, autonomousSystem };
    const report = await answer(ipReputation, { ip: '198.51.100.7' }, { ...opened, registries });
    expect(report).toMatchObject({ asn: { abuse_email: '' }, unknown: ['asn.updated', 'asn.address', 'asn.abuse_email'] });
  });
});

it('answers as the example shows', () => {
  const place = { continent_code: 'EU', continent_name: 'Europe', country_code: 'NL', country_name: 'Netherlands' };
  const world: World = {
    asn: 64496,
    type: 'isp',
    place: { ...place, region_name: 'North Holland', city_name: 'Amsterdam', latitude: 52.37, longitude: 4.9 },
    delegation: {},
    given: { status: 'assigned', date: '2026-11-01', block: '' },
    totals: { total_ipv4_prefixes: 2, total_ipv4_ips: 512, total_ipv6_prefixes: 1 },
    dns: named('host.example.org'),
    detections: [{ name: 'UCEPROTECT Level 1' }],
    unanswered: [{ name: 'PSBL', why: 'it was late' }],
  };
  return expectExample('ip-reputation', { ip: '198.51.100.7' }, (request) => answer(ipReputation, request, openWorld(world).opened));
});
