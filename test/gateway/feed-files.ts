import { gzipSync } from 'node:zlib';
import { tarOf } from '../intel/feeds/archives.ts';
import { logListText, testLog } from '../mail/certificates/logs.ts';
import { MARKS } from '../operations/ip-reputation/well-known.ts';
import { emptyMmdb } from './mmdb.ts';

type File = string | Uint8Array;

/** What a publisher serves: one file, or the first and those that are published with it. */
type Files = File | readonly File[];

/** Ranges of a list as its publisher has them, with the label of each. */
const marked = (list: string): { range: string; label: string }[] =>
  MARKS.filter(([name]) => name === list).flatMap(([, label, ranges]) => ranges.split(' ').map((range) => ({ range, label })));
const rangesOf = (list: string): string[] => marked(list).map(({ range }) => range);
const isV6 = (range: string): boolean => range.includes(':');
const [v4, v6] = [
  (ranges: readonly string[]) => ranges.filter((range) => !isV6(range)),
  (ranges: readonly string[]) => ranges.filter(isV6),
];

/** Google's form, which Bing, Apple and OpenAI have taken over. */
const prefixes = (ranges: readonly string[], more: object = {}): string =>
  JSON.stringify({
    syncToken: '1787248000000',
    creationTime: '2026-08-20T10:00:00.000000',
    prefixes: ranges.map((range) => ({ [isV6(range) ? 'ipv6Prefix' : 'ipv4Prefix']: range, ...more })),
  });
const warninglist = (list: readonly string[]): string =>
  JSON.stringify({ description: 'A list', list, matching_attributes: ['ip-src', 'ip-dst'], name: 'A list', type: 'cidr', version: 2 });
const service = (ipv4: readonly string[], ipv6: readonly string[], authoritative = true): object => ({
  description: 'A robot',
  website: 'https://robot.example',
  source_url: 'https://robot.example/ips.json',
  last_changed_at: '2026-08-20T17:36:54Z',
  user_agent_patterns: ['*Robot*'],
  rdns_patterns: [],
  ip_list_authoritative: authoritative,
  ipv4,
  ipv6,
});
const jsonLines = (...rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const metadata = (records: number): object => ({
  type: 'metadata',
  timestamp: 1787248000,
  size: 104461,
  records,
  copyright: '(c) 2026 The Spamhaus Project SLU',
  terms: 'https://www.spamhaus.org/drop/terms/',
});
/** Numbers of a block of documentation, one for each list: 198.51.100.<at>. */
const doc = (at: number): string => `198.51.100.${at}`;
const lines = (...entries: readonly string[]): string => entries.map((entry) => `${entry}\n`).join('');
const MONTH = '2026-08-20';

/** Who announces what, as far as it is about those whom the test is about. Most of the world is announced by nobody here, as 12 % are in earnest. */
const ORIGINS = lines(
  '1.1.1.0,1.1.1.255,13335,"Cloudflare, Inc."',
  '8.8.8.0,8.8.8.255,15169,Google LLC',
  '66.249.64.0,66.249.95.255,15169,Google LLC',
  '198.51.100.0,198.51.100.255,64500,"Example ""X"" Hosting"',
  '203.0.113.0,203.0.113.127,64496,Bad Networks',
);

/** A file for each feed that is on, in its publisher's form as of 2026, with the odd lines that it has. The entries are invented, but for what owners publish of their own. */
export const FEED_FILES: Readonly<Record<string, Files>> = {
  'disposable-email-domains': lines('throwaway-one.example.net', 'throwaway-two.example.net', 'ten-minutes.example.org'),
  fakefilter: `# Fakefilter txt list\n# created: ${MONTH}T00:00:00.000Z\n#\nthrowaway-one.example.net\nthrowaway-three.example.net\n`,
  'disposable-domains': JSON.stringify(['throwaway-one.example.net', 'throwaway-four.example.net']),
  mailchecker: lines('throwaway-one.example.net', 'throwaway-five.example.net'),
  'disposable-phone-numbers': JSON.stringify({ '12012018360': '2026-08-01', '447400123456': '2026-07-30', '46700000000': '2019-01-01' }),

  'spamhaus-drop': [
    // Their last line tells of the file.
    jsonLines(
      ...Array.from({ length: 24 }, (_, i) => ({ cidr: `${doc(2 * i)}/31`, sblid: `SBL25689${i % 10}`, rir: 'apnic' })),
      metadata(24),
    ),
    jsonLines({ cidr: '2001:db8:bad::/48', sblid: 'SBL303641', rir: 'ripencc' }, metadata(1)),
  ],
  'spamhaus-asndrop': jsonLines(
    { asn: 64496, rir: 'ripencc', domain: 'bad.example', cc: 'NL', asname: 'BAD-AS' },
    { asn: 64497, rir: 'lacnic', domain: 'américa.example', cc: 'BR', asname: 'América_Latina' },
    ...Array.from({ length: 10 }, (_, i) => ({
      asn: 65_540 + i,
      rir: 'apnic',
      domain: `bad${i}.example`,
      cc: 'HK',
      asname: `BAD${i}-AS-HK`,
    })),
    metadata(12),
  ),
  'blocklist-de': lines(doc(70), doc(71), '2001:db8:70::1'),
  'cins-army': lines(doc(70), doc(72)),
  greensnow: lines(doc(73)),
  'et-compromised': lines(doc(74)),
  'ipsum-3': lines(doc(70), doc(75)),
  'ipsum-5': lines(doc(70)),

  'tor-exits': lines(doc(80)),
  'tor-relays': JSON.stringify({
    version: '8.0',
    relays: [
      {
        nickname: 'one',
        fingerprint: 'A'.repeat(40),
        or_addresses: [`${doc(80)}:9001`, '[2001:db8:80::1]:9001'],
        exit_addresses: [doc(78)],
        flags: ['Exit', 'Running'],
        exit_policy_summary: { accept: ['80', '443'] },
        first_seen: '2021-03-04 05:00:00',
        last_seen: '2026-11-28 09:00:00',
        as: 'AS64496',
        as_name: 'Example',
        country: 'de',
        contact: 'tor at example dot org',
      },
      { nickname: 'two', fingerprint: 'B'.repeat(40), or_addresses: [`${doc(79)}:443`], exit_policy_summary: { reject: ['1-65535'] } },
    ],
  }),
  'icloud-relay': '198.51.100.81/32,GB,GB-EN,London,\n2001:db8:81::/64,US,US-CA,SANJOSE,\n198.51.100.82/32,DE,,,\n',
  'x4b-vpn': lines('198.51.100.84/30'),
  'vpn-mullvad': JSON.stringify([
    {
      hostname: 'al-tia-wg-001',
      country_code: 'al',
      active: true,
      owned: false,
      ipv4_addr_in: doc(88),
      ipv6_addr_in: '2001:db8:88::f001',
      type: 'wireguard',
    },
    {
      hostname: 'al-tia-br-001',
      country_code: 'al',
      active: true,
      owned: false,
      ipv4_addr_in: doc(89),
      ipv6_addr_in: null,
      type: 'bridge',
    },
  ]),
  'vpn-ivpn': JSON.stringify({
    wireguard: [{ gateway: 'at.wg.ivpn.net', hosts: [{ hostname: 'at1.wg.ivpn.net', host: doc(90), multihop_port: 4000 }] }],
    openvpn: [{ gateway: 'at.gw.ivpn.net', ip_addresses: [doc(91)] }],
    config: { antitracker: {} },
  }),
  'vpn-pia': `${JSON.stringify({ groups: { wg: [] }, regions: [{ id: 'al', servers: { ikev2: [{ ip: doc(92), cn: 'tirana' }], wg: [{ ip: doc(93), cn: 'tirana' }] } }] })}\n\nZ+2/V8OhPbX7Wl0t\nsignature==\n`,
  'vpn-airvpn': JSON.stringify({
    servers: [{ public_name: 'Ain', ip_v4_in1: doc(94), ip_v4_in2: doc(95), ip_v6_in1: '2001:db8:94::1' }],
    routing: [],
  }),
  'vpn-windscribe': JSON.stringify({
    data: [
      {
        id: 1,
        groups: [
          { id: 2, nodes: [{ ip: doc(96), ip2: doc(97), ip3: doc(98) }] },
          { id: 3, nodes: [] },
        ],
      },
    ],
  }),
  'vpn-privado': JSON.stringify({ servers: [{ name: 'akl-001', ip: doc(99) }] }),
  'vpn-riseup': JSON.stringify({ gateways: [{ host: 'vpn01.riseup.net', ip_address: doc(100), location: 'Amsterdam' }], version: 3 }),
  'vpn-proton': lines(doc(101)),

  aws: JSON.stringify({
    syncToken: '1787248000',
    createDate: '2026-08-20-10-00-00',
    prefixes: marked('aws').flatMap(({ range, label }) => {
      const [service = '', region = ''] = label.split('/');
      return isV6(range) ? [] : { ip_prefix: range, region, service, network_border_group: region };
    }),
    ipv6_prefixes: [{ ipv6_prefix: '2600:1f14::/35', region: 'us-west-2', service: 'EC2', network_border_group: 'us-west-2' }],
  }),
  gcp: prefixes(rangesOf('gcp'), { service: 'Google Cloud', scope: 'us-central1' }),
  'google-services': prefixes(rangesOf('google-services')),
  azure: JSON.stringify({
    changeNumber: 300,
    cloud: 'Public',
    values: [
      { name: 'AzureCloud', id: 'AzureCloud', properties: { region: '', systemService: '', addressPrefixes: rangesOf('azure') } },
      {
        name: 'AzureFrontDoor.Frontend',
        id: 'AzureFrontDoor.Frontend',
        properties: { region: '', systemService: 'AzureFrontDoor', addressPrefixes: ['13.107.246.0/24', '2620:1ec:bdf::/48'] },
      },
    ],
  }),
  'oracle-cloud': JSON.stringify({
    last_updated_timestamp: `${MONTH}T00:00:00.000000`,
    regions: [{ region: 'us-phoenix-1', cidrs: [{ cidr: '129.146.0.0/21', tags: ['OCI'] }] }],
  }),
  digitalocean: '5.101.96.0/21,NL,NL-NH,Amsterdam,1105 AT\n2400:6180:0:d0::/64,SG,SG-01,Singapore,\n',
  linode: '# Akamai Linode geofeed, RFC 8805\n# ip_prefix,alpha2code,region,city,postal_code\n45.33.0.0/17,US,US-TX,Richardson,75081\n',
  vultr:
    '# Vultr\n45.32.0.0/21,US,US-NJ,Piscataway,08854\n2002::/16,US,US-NJ,Piscataway,\n45.76.0.0/20,US,US-NJ,Piscataway,\n45.63.0.0/20,US,US-NJ,,\n45.77.0.0/20,US,US-NJ,,\n66.42.32.0/20,US,US-NJ,,\n66.55.128.0/19,US,,,\n108.61.0.0/20,US,,,\n149.28.0.0/20,US,,,\n155.138.128.0/20,US,,,\n207.246.0.0/20,US,,,\n',
  'x4b-datacenter': lines(...v4(rangesOf('x4b-datacenter'))),
  'x4b-datacenter-ipv6': lines('2600:1f40::/27'),
  // Neither file ends in a line end.
  cloudflare: [v4(rangesOf('cloudflare')).join('\n'), v6(rangesOf('cloudflare')).join('\n')],
  fastly: JSON.stringify({ addresses: v4(rangesOf('fastly')), ipv6_addresses: v6(rangesOf('fastly')) }),
  'bunny-ipv4': JSON.stringify(['89.187.188.227', '89.187.188.228']),
  'bunny-ipv6': JSON.stringify(['2400:52e0:1500::714:1']),

  'google-common-crawlers': prefixes(rangesOf('google-common-crawlers')),
  'google-special-crawlers': prefixes(['108.177.2.0/27']),
  'google-user-fetchers': prefixes(['35.187.132.96/27']),
  'google-user-fetchers-google': prefixes(['66.102.6.0/27']),
  bingbot: prefixes(rangesOf('bingbot')),
  applebot: prefixes(rangesOf('applebot')),
  'openai-gptbot': prefixes(['52.230.152.0/24']),
  'openai-searchbot': prefixes(['51.8.102.0/24']),
  'openai-chatgpt-user': prefixes(['23.98.142.176/28']),
  crawlers: JSON.stringify({
    services: {
      Ahrefs: service(['5.39.1.224/27'], []),
      DuckDuckBot: service([`${doc(110)}/32`], []),
      'Google (special)': service(['108.177.2.0/27'], ['2001:4860:4801:2008::/64']),
      Kagibot: service([`${doc(111)}/32`], []),
      // All that they announce: mail, clouds and offices among it.
      'Meta-ExternalAgent': service(['31.13.64.0/18', '157.240.0.0/16', '179.60.192.0/22'], ['2a03:2880::/32'], false),
      Yandex: service(['5.45.192.0/18', '77.88.0.0/18', '87.250.224.0/19', '213.180.192.0/19'], ['2a02:6b8::/29'], false),
      'Qwant (fetch failed)': service([], []),
    },
    generated_at: `${MONTH}T17:36:54Z`,
  }),
  monitoring: JSON.stringify({
    services: { 'Better Stack': service([`${doc(112)}/32`], ['2001:db8:112::/128']), UptimeRobot: service([`${doc(113)}/32`], []) },
    generated_at: MONTH,
  }),
  'public-dns-ipv4': warninglist([...v4(rangesOf('public-dns')), doc(114)]),
  'public-dns-ipv6': warninglist(['2001:4860:4860::8888']),
  sinkholes: warninglist(['104.21.27.14', '13.107.246.57', `198.51.100.116/30`, doc(115)]),

  'dbip-city': gzipSync(emptyMmdb()),
  'origin-asn': [ORIGINS, '2001:db8:bad::,2001:db8:bad:ffff:ffff:ffff:ffff:ffff,64496,Bad Networks\n'],
  'as-metadata': JSON.stringify([
    { asn: 15169, metadata: { handle: 'GOOGLE', description: 'Google LLC', countryCode: 'US', category: 'business' }, stats: null },
    { asn: 64496, metadata: { handle: 'BAD-AS', description: 'Bad {Networks}', countryCode: 'XX', category: null }, stats: null },
    { asn: 64500, metadata: { handle: 'EXAMPLE', description: 'Example "X" Hosting', countryCode: 'NL', category: 'hosting' } },
  ]),
  'as-ip-blocks': gzipSync(
    tarOf({
      'as/15169/aggregated.json': JSON.stringify({ asn: 15169, prefixes: { ipv4: ['8.8.8.0/24', '66.249.64.0/19'], ipv6: [] } }),
      'as/64496/aggregated.json': JSON.stringify({ asn: 64496, prefixes: { ipv4: ['203.0.113.0/25'], ipv6: ['2001:db8:bad::/48'] } }),
      'as/64497/aggregated.json': JSON.stringify({ asn: 64497, prefixes: { ipv4: [], ipv6: [] } }),
      'README.md': 'Prefixes by autonomous system',
    }),
  ),
  'nro-delegated': lines(
    '2|nro|20260820|4|19830705|20260820|+0000',
    'nro|*|asn|*|2|summary',
    'nro|*|ipv4|*|2|summary',
    'ripencc|NL|asn|64496|1|20200103|assigned|x|e-stats',
    'arin|US|ipv4|8.0.0.0|16777216|19921201|allocated|y|e-stats',
    'ripencc|NL|ipv4|198.51.100.0|256|20200102|allocated|z|e-stats',
  ),

  'phishing-database': lines(
    'login-paypal.kit.example.org',
    'kit-1.vercel.app',
    'sites.google.com',
    'telegra.ph',
    'xn--80ak6aa92e.example.net',
  ),
  'phishing-database-urls': lines(
    'https://sites.google.com/view/kit-1/home',
    'http://shop.example.org/wp-content/login.php?id=7',
    'https://bit.ly/',
    'https://www.google.com/',
    'http://198.51.100.120:8080/a',
  ),
  'cert-polska': lines('oszustwo.example.org', 'sklep-oszustwo.example.net'),
  'eth-phishing': JSON.stringify({
    version: 2,
    tolerance: 2,
    fuzzylist: ['metamask.io'],
    whitelist: ['opensea.io', 'example.com'],
    blacklist: ['wallet-drain.example.org'],
  }),
  'polkadot-phishing': JSON.stringify({ allow: ['polkadot.network', 'parity.io'], deny: ['polkadot-airdrop.example.org', 'edgeone.app'] }),
  maltrail: lines('c2.example.net', 'update-flash.example.org'),
  // The file begins with a licence in C.
  'hsts-preload': `/* This Source Code Form is subject to the terms of the Mozilla Public\n * License, v. 2.0. */\n\n#include <stdint.h>\nconst PRTime gPreloadListExpirationTime = INT64_C(1802453482275000);\n%%\n${lines(...Array.from({ length: 60 }, (_, at) => `preloaded-${at}.example, ${at === 0 ? 0 : 1}`))}%%\n`,
  'url-shorteners': JSON.stringify({
    description: 'Shorteners',
    list: ['bit.ly', 'sho.rt.example.org', 't.co'],
    name: 'URL shorteners',
    type: 'hostname',
    version: 10,
  }),
  'ct-logs': logListText([testLog('Log of tests')]),
  'iana-rdap-dns': JSON.stringify({
    description: 'RDAP bootstrap file',
    publication: `${MONTH}T20:00:01Z`,
    services: [[['com', 'net'], ['https://rdap.verisign.com/com/v1/']]],
    version: '1.0',
  }),
  'iana-rdap-asn': JSON.stringify({
    publication: `${MONTH}T20:00:01Z`,
    services: [[['64496-64511'], ['https://rdap.db.ripe.net/']]],
    version: '1.0',
  }),

  easylist:
    '[Adblock Plus 2.0]\n! Title: EasyList\n! Expires: 4 days\n||ads.example.net^$third-party\n/banner-ad-300.$image\nexample.org##.advert\n@@||example.com/ads.js$script\n',
  easyprivacy: '[Adblock Plus 2.0]\n! Title: EasyPrivacy\n||track.example.net^$third-party\n',
  'peter-lowe': '! Title: Peter Lowe\n! Homepage: https://pgl.yoyo.org/adservers/\n||adserver.example.net^\n',
};
