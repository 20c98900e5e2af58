import { allDatasets } from '../intel/feeds/all-datasets.ts';
import { gzipSync } from 'node:zlib';
import { canonicalUrl, createUrls, expressionsOf } from '@vedette/intel/urls';
import { FEED_CATALOGUE, torRelaysIn } from '@vedette/intel/datasets';
import { type BuiltFile, type Feed } from '@vedette/intel/feeds';
import { ENGINE_CATALOGUE } from '@vedette/intel/engines';
import { judgeHostName } from '@vedette/intel/names';
import type { Names } from '@vedette/intel/ports';
import { describe, expect, it } from 'vitest';
import { buildFile } from '../../packages/intel/src/feeds/build/build-file.ts';
import { builders } from '../../packages/intel/src/datasets/builders.ts';
import { tarOf } from '../intel/feeds/archives.ts';
import { read } from '../repo/pages.ts';
import { mmdbOf } from './mmdb.ts';

const named = (name: string): Feed => FEED_CATALOGUE.find((feed) => feed.name === name)!;
const build = (feed: Feed, text: string | Uint8Array): Promise<BuiltFile> => buildFile(builders, feed, Buffer.from(text as string));

/** The gateway's data, and what puts a text in use as the feed of that name. */
function open() {
  let made = 0;
  const { datasets, ...data } = allDatasets({
    build(feed, body) {
      made++;
      return buildFile(builders, feed, body);
    },
  });
  const use = async (name: string, text: string | Uint8Array, changes: Partial<Feed> = {}): Promise<void> => {
    const feed = { ...named(name), ...changes };
    const { snapshot } = await build(feed, text);
    await datasets[feed.dataset]!.use(feed, snapshot.bytes);
  };
  return { ...data, datasets, use, made: () => made };
}

describe('the relays of Tor', () => {
  const relay = { nickname: 'one', fingerprint: 'A'.repeat(40), or_addresses: ['198.51.100.80:9001', '[2001:DB8:80:0::1]:9001'] };
  const opened = async (...relays: object[]) => {
    const all = open();
    await all.use('tor-relays', JSON.stringify({ version: '8.0', relays }));
    return { ...all, of: torRelaysIn(all.documents).of };
  };

  it('are a list of all their addresses, and what is told of each', async () => {
    const { networks, datasets, of } = await opened(
      {
        ...relay,
        exit_addresses: ['198.51.100.81'],
        flags: ['Exit', 'Fast'],
        exit_policy_summary: { accept: ['80', '443'] },
        first_seen: '2021-03-04 05:00:00',
        last_seen: '2026-11-28 09:00:00',
        as: 'AS64496',
        as_name: 'Example',
        country: 'de',
        contact: 'tor at example dot org',
      },
      { fingerprint: 'B'.repeat(40), or_addresses: ['198.51.100.80:443'], exit_policy_summary: { reject: ['1-65535'] } },
    );
    for (const address of ['198.51.100.80', '198.51.100.81', '2001:db8:80::1'])
      expect(networks.marks(address)).toEqual([{ list: 'tor-relays', label: '' }]);
    expect(of('198.51.100.81')).toEqual([
      { nickname: 'one', fingerprint: 'A'.repeat(40), flags: ['Exit', 'Fast'], exit_policy: 'accept 80,443', first_seen: '2021-03-04 05:00:00', last_seen: '2026-11-28 09:00:00', asn: 64_496, as_name: 'Example', country_code: 'DE', contact: 'tor at example dot org' },
    ]); // prettier-ignore
    expect(of('198.51.100.80').map(({ nickname, exit_policy }) => [nickname, exit_policy])).toEqual([
      ['one', 'accept 80,443'],
      ['', 'reject 1-65535'],
    ]);
    expect(of('2001:db8:80::1')).toHaveLength(1);
    expect(of('198.51.100.8')).toEqual([]);
    await datasets['tor_relays']!.drop(named('tor-relays'));
    expect([of('198.51.100.81'), networks.hasList('tor-relays')]).toEqual([[], false]);
  });

  it('say no more of themselves than fits, and nothing that moves or hides text', async () => {
    const { of } = await opened(
      { ...relay, contact: `a\tb\n\u202ec${'x'.repeat(10_000)}`, flags: Array.from({ length: 100 }, () => 'Fast'), as: 'AS99999999999', country: 7 },
      ...Array.from({ length: 20 }, (_, at) => ({ fingerprint: `${at}`.padStart(40, '0'), or_addresses: ['198.51.100.82:1'] })),
      { fingerprint: '__proto__', or_addresses: ['198.51.100.83:1'] },
    ); // prettier-ignore
    const [{ contact, flags, asn, country_code }] = of('198.51.100.80') as [ReturnType<typeof of>[number]];
    expect([contact.slice(0, 6), contact.length, flags.length, asn, country_code]).toEqual(
      ['a b c', 201, 16, 0, ''].map((one) => (one === 'a b c' ? 'a b cx' : one)),
    );
    expect(of('198.51.100.82')).toHaveLength(8);
    expect(of('198.51.100.83')).toEqual([]);
  });
});

describe('a feed of addresses', () => {
  it('is a list that addresses are on, with what it says of them', async () => {
    const { networks, use } = open();
    await use('spamhaus-drop', '{"cidr":"198.51.100.0/24","sblid":"SBL1"}\n{"cidr":"2001:db8::/32","sblid":"SBL2"}');
    expect([networks.hasList('spamhaus-drop'), networks.hasList('tor-exits')]).toEqual([true, false]);
    expect(networks.marks('198.51.100.7')).toEqual([{ list: 'spamhaus-drop', label: 'SBL1' }]);
    expect(networks.marks('2001:db8::7')).toEqual([{ list: 'spamhaus-drop', label: 'SBL2' }]);
    expect(networks.marks('203.0.113.1')).toEqual([]);
  });

  it('that is a part of a list is put together with the others, and taken out alone', async () => {
    const { networks, datasets, use, made } = open();
    await Promise.all([
      use('vpn-mullvad', '[{"ipv4_addr_in":"198.51.100.1"}]'),
      use('vpn-riseup', '{"gateways":[{"ip_address":"198.51.100.2"},{"ip_address":"198.51.100.1"}]}'),
      use('vpn-proton', '198.51.100.3\n'),
    ]);
    const labels = (address: string) => networks.marks(address).map(({ list, label }) => `${list}: ${label}`);
    expect([labels('198.51.100.1').sort(), labels('198.51.100.3')]).toEqual([
      ['vpn-providers: Mullvad', 'vpn-providers: RiseupVPN'],
      ['vpn-providers: Proton VPN'],
    ]);
    // What comes at once is put together at once, whoever comes first.
    expect(made()).toBeLessThan(4);
    await datasets['anonymizers']!.drop(named('vpn-riseup'));
    expect([labels('198.51.100.1'), labels('198.51.100.2'), networks.hasList('vpn-providers')]).toEqual([
      ['vpn-providers: Mullvad'],
      [],
      true,
    ]);
    await datasets['anonymizers']!.drop(named('vpn-mullvad'));
    await datasets['anonymizers']!.drop(named('vpn-proton'));
    expect(networks.hasList('vpn-providers')).toBe(false);
  });

  const POISON: [what: string, entry: string][] = [
    ['a public resolver', '8.8.8.8'],
    ['a public resolver of IPv6', '2606:4700:4700::1111'],
    ['a network around one', '1.1.0.0/16'],
    ['a range around one', '8.8.8.0-8.8.9.255'],
    ['a root server', '198.41.0.0/24'],
    ['everybody', '0.0.0.0/0'],
    ['everybody with IPv6', '::/0'],
    ['half of everybody', '128.0.0.0/7'],
    ['half of everybody, as a range', '64.0.0.0-127.255.255.255'],
    ['private space', '192.168.1.1'],
    ['a network around private space', '10.0.0.0/8'],
    ['loopback', '127.0.0.1'],
    ['the unspecified address', '0.0.0.0'],
    ['unique local addresses', 'fd00::/64'],
    ['link-local addresses', 'fe80::1'],
  ];
  it.each(POISON)('that accuses %s is poisoned', async (_what, entry) => {
    for (const feed of ['blocklist-de', 'tor-exits']) {
      const built = await build(named(feed), `198.51.100.1\n${entry}\n`);
      expect([feed, built.forbidden]).toEqual([feed, entry]);
    }
  });

  it('of what listens somewhere is one of addresses', async () => {
    const { networks, use } = open();
    const seen = (...values: string[]) =>
      JSON.stringify(Object.fromEntries(values.map((ioc_value, i) => [i, [{ ioc_value, malware: 'win.x' }]])));
    expect(
      await build(named('threatfox'), seen('198.51.100.1:443', '[2001:db8::1]:8443', '198.51.100.2', 'bad.example:443')),
    ).toMatchObject({
      rows: 3,
      unreadable: 1,
    });
    await use('threatfox', seen('198.51.100.1:443', '[2001:db8::1]:8443'));
    expect(['198.51.100.1', '2001:db8::1', '198.51.100.2'].map((address) => networks.marks(address))).toEqual([
      [{ list: 'threatfox', label: 'win.x//' }], // no days told
      [{ list: 'threatfox', label: 'win.x//' }],
      [],
    ]);
  });

  it('that accuses others is not', async () => {
    const near = '198.51.100.0/24\n8.8.9.0/24\n12.0.0.0/8\n172.32.0.0/11\n11.0.0.1\n1.1.1.4\n8.8.8.7\n2001:4860:4860::8889\n2600::/16\n';
    const built = await build(named('blocklist-de'), near);
    expect(built).toMatchObject({ rows: 9, unreadable: 0, forbidden: undefined });
  });

  it('that says whose networks are may have resolvers in it; inner addresses are left out, and everybody is refused', async () => {
    const { networks, use } = open();
    await use('x4b-datacenter', '8.8.8.0/24\n169.254.169.254\n10.0.0.0/8\n');
    expect([networks.marks('8.8.8.8'), networks.marks('10.1.2.3')]).toEqual([[{ list: 'x4b-datacenter', label: '' }], []]);
    expect(await build(named('x4b-datacenter'), '8.8.8.0/24\n0.0.0.0/0\n')).toMatchObject({ forbidden: '0.0.0.0/0' });
    expect(await build(named('fullbogons'), '0.0.0.0/8\n10.0.0.0/8\n224.0.0.0/3\n')).toMatchObject({ rows: 3, forbidden: undefined });
    expect(await build(named('fullbogons'), '0.0.0.0/8\n8.0.0.0/8\n')).toMatchObject({ forbidden: '8.0.0.0/8' });
  });

  it('of more rows than any list has is refused before it takes all memory', async () => {
    const feed = named('blocklist-de');
    const rows = async function* () {
      yield [['198.51.100.1']];
      yield Array<string[]>(2_500_000);
    };
    for (const dataset of ['attackers', 'malicious_names', 'disposable', 'origins'] as const)
      await expect(builders[dataset]!({ rows, bytes: async function* () {} }, feed), dataset).rejects.toMatchObject({ why: 'too_large' });
  });

  it('with words in it has rows that are none', async () => {
    expect(await build(named('blocklist-de'), 'Too many requests\n198.51.100.1\n198.51.100.300\n1.2.3.4/33\n')).toMatchObject({
      rows: 1,
      unreadable: 3,
    });
  });
});

describe('numbers', () => {
  const ORIGINS = '8.8.8.0,8.8.8.255,15169,"Google LLC"\n198.51.100.0,198.51.100.255,64496,Example\n';

  it('who announces an address, and what that is', async () => {
    const { networks, use } = open();
    await use('origin-asn', ORIGINS);
    await use(
      'as-metadata',
      JSON.stringify([{ asn: 64496, metadata: { handle: 'EXAMPLE-AS', description: 'Example', countryCode: 'XX', category: 'hosting' } }]),
    );
    expect(networks.origin('198.51.100.7')).toEqual({ asn: 64496, org: 'Example', route: '198.51.100.0/24' });
    expect(networks.autonomousSystem(64496)).toEqual({
      asn: 64496,
      asname: 'EXAMPLE-AS',
      org: 'Example',
      country_code: '',
      type: 'hosting',
      domain: '',
    });
  });

  it('a table that gives the best known addresses to others is poisoned', async () => {
    expect((await build(named('origin-asn'), ORIGINS)).forbidden).toBeUndefined();
    expect((await build(named('origin-asn'), '8.8.0.0,8.9.255.255,64496,Example\n')).forbidden).toBe('an address of AS15169 at AS64496');
    const prefix = (cidr: string) =>
      build(
        named('as-ip-blocks'),
        gzipSync(tarOf({ 'as/64496/aggregated.json': JSON.stringify({ asn: 64496, prefixes: { ipv4: [cidr], ipv6: [] } }) })),
      );
    expect([(await prefix('198.51.100.0/24')).forbidden, (await prefix('0.0.0.0/1')).forbidden]).toEqual([undefined, '0.0.0.0/1']);
  });

  it('what registries gave', async () => {
    const { networks, use } = open();
    await use(
      'nro-delegated',
      'ripencc|NL|ipv4|198.51.100.0|256|20200102|allocated|x|e-stats\nripencc|NL|asn|64496|1|20200103|allocated|x\n',
    );
    expect(networks.delegation({ asn: 64496 })).toMatchObject({ rir: 'RIPE', date: '2020-01-03', country_code: 'NL' });
    expect(networks.delegation({ address: '198.51.100.9' })).toMatchObject({ block: '198.51.100.0/24', status: 'allocated' });
  });

  it('systems of criminals are the networks that they announce, also when those are known later', async () => {
    const { networks, datasets, use } = open();
    await use('spamhaus-asndrop', '{"asn":64496,"asname":"EXAMPLE"}\n{"type":"metadata"}\n');
    expect(networks.marks('198.51.100.7')).toEqual([]);
    await use('origin-asn', ORIGINS);
    expect(networks.marks('198.51.100.7')).toEqual([{ list: 'spamhaus-asndrop', label: 'AS64496' }]);
    expect(networks.marks('8.8.8.8')).toEqual([]);
    await datasets['as_drop']!.drop(named('spamhaus-asndrop'));
    expect(networks.hasList('spamhaus-asndrop')).toBe(false);
    expect(await build(named('spamhaus-asndrop'), '{"asn":64496}\n{"asn":15169}\n')).toMatchObject({ forbidden: 'AS15169' });
  });

  it('what is announced by nobody is nobody’s: the publisher’s last row, which tells of the file, is no system (RFC 7607)', async () => {
    const { networks, datasets, use } = open();
    await use('origin-asn', ORIGINS);
    const file =
      '{"asn":64496,"rir":"ripencc","domain":"bad.example","cc":"NL","asname":"EXAMPLE"}\n' +
      '{"type":"metadata","timestamp":1790072042,"size":38060,"records":1,"copyright":"(c) 2026 The Spamhaus Project SLU"}\n';
    const built = await build(named('spamhaus-asndrop'), `${file}{"asn":0,"asname":"NOBODY"}\n`);
    expect([built.rows, built.unreadable, Buffer.from(built.snapshot.bytes).toString()]).toEqual([1, 2, '64496\n']);
    const unannounced = ['91.198.174.192', '203.0.113.1', '2001:db8::1'];
    await use('spamhaus-asndrop', file);
    expect(unannounced.map((address) => networks.marks(address))).toEqual([[], [], []]);
    expect(networks.marks('198.51.100.7')).toEqual([{ list: 'spamhaus-asndrop', label: 'AS64496' }]);
    // A snapshot of another release's, or an operator's own.
    await datasets['as_drop']!.use(named('spamhaus-asndrop'), Buffer.from('0\n64496\n'));
    expect([networks.prefixes(0), ...unannounced.map((address) => networks.marks(address).length)]).toEqual([undefined, 0, 0, 0]);
  });

  it('and others are served while their networks are looked for', async () => {
    const { datasets } = open();
    const many = Buffer.from(Array.from({ length: 300 }, (_, i) => `${64_512 + i}\n`).join(''));
    let turns = 0;
    const done = Promise.resolve(datasets['as_drop']!.use(named('spamhaus-asndrop'), many)).then(() => 'done');
    while ((await Promise.race([done, new Promise((resolve) => setImmediate(resolve))])) !== 'done') turns++;
    expect(turns).toBeGreaterThanOrEqual(100);
  });

  it('a database of places is one', async () => {
    const plain = { ...named('dbip-city'), max_bytes: 1000 };
    const { packing: _, ...feed } = plain;
    expect(await build(feed, mmdbOf(4711))).toMatchObject({ rows: 4711, unreadable: 0 });
    for (const broken of [Buffer.from('no database'), mmdbOf(4711).subarray(0, -4)])
      await expect(build(feed, broken)).rejects.toMatchObject({ why: 'format' });
  });
});

describe('names', () => {
  it('are on lists, and the parts of a list are put together', async () => {
    const { names, use } = open();
    await use('cert-polska', 'bad.example\n*.worse.example\nWORST.example.\n');
    await use('url-shorteners', '{"list":["sho.rt.example"]}');
    await use('link-in-bio', '{"list":["links.example","sho.rt.example"]}');
    expect(names.listings('www.worse.example')).toEqual([{ list: 'cert-polska', entry: 'worse.example' }]);
    expect(names.listings('worst.example').map(({ list }) => list)).toEqual(['cert-polska']);
    expect([names.listings('sho.rt.example'), names.listings('links.example')].flat().map(({ list }) => list)).toEqual([
      'url-shorteners',
      'url-shorteners',
    ]);
  });

  it('stand for certificates by their SHA-1, as site-trust looks for them', async () => {
    const { names, use } = open();
    const sha1 = '6cdcbd05c3bbab5a3e6c6ae9dbba6e63bb25e9d1';
    await use('sslbl', `# Listingdate,SHA1,Listingreason\r\n2026-11-20 08:00:00,${sha1},Dridex C&C\r\n`);
    expect(names.listings(`${sha1}.sslbl.abuse.ch`)).toEqual([{ list: 'sslbl', entry: `${sha1}.sslbl.abuse.ch` }]);
    expect(names.listings(`${'0'.repeat(40)}.sslbl.abuse.ch`)).toEqual([]);
  });

  it('are the hosts of URLs, but for those that have pages of many, and addresses', async () => {
    const { names, use } = open();
    const urls =
      'https://login.bad.example/account?id=1\nHTTP://KIT.Bad.example.:8080/a\nhttps://kit-1.vercel.app/\nhttps://sites.google.com/view/abc\n' +
      'https://bit.ly/3abc\nhttp://198.51.100.9/x\nhttp://[2001:db8::9]/x\nhttps://docs.google.com/forms/d/e/1/viewform\n';
    expect(await build(named('openphish'), urls)).toMatchObject({ rows: 8, unreadable: 0, forbidden: undefined });
    await use('openphish', urls);
    const listed = (name: string) => names.listings(name).some(({ list }) => list === 'openphish');
    expect(['login.bad.example', 'kit.bad.example', 'kit-1.vercel.app'].map(listed)).toEqual([true, true, true]);
    const others = ['bad.example', 'vercel.app', 'kit-2.vercel.app', 'sites.google.com', 'docs.google.com', 'google.com', 'bit.ly'];
    expect(others.filter(listed)).toEqual([]);
    expect(await build(named('openphish'), 'https://\nhttp://\n')).toMatchObject({ rows: 0, unreadable: 2 });
  });

  it('that everybody knows are left out; with those of half the world a list is poisoned', async () => {
    const { names, use } = open();
    await use('cert-polska', 'bad.example\nspotify.com\n');
    expect([names.listings('spotify.com'), names.listings('bad.example').length]).toEqual([[], 1]);
    for (const entry of ['google.com', 'GitHub.com', '.paypal.com'])
      for (const feed of ['phishing-database', 'stevenblack'])
        expect(
          (await build(named(feed), feed === 'stevenblack' ? `0.0.0.0 ${entry}\n` : `bad.example\n${entry}\n`)).forbidden,
        ).toBeDefined();
    expect(await build(named('cert-polska'), 'com\nco.uk\nbad.example\n')).toMatchObject({ rows: 1, unreadable: 2, forbidden: undefined });
  });

  it('have a rank, in a ranking that knows what is best known', async () => {
    const { names, use } = open();
    await use('majestic', 'GlobalRank,TldRank,Domain,TLD\n1,1,google.com,com\n7,7,seven.example,example\n');
    expect([names.rank('seven.example'), names.rank('eight.example')]).toEqual([7, undefined]);
    expect((await build(named('majestic'), '1,1,first.example,example\n2,1,second.example,example\n')).forbidden).toBe(
      'no google.com among the first hundred',
    );
  });
});

describe('URLs that do harm', () => {
  const listed = (urls: ReturnType<typeof createUrls>, url: string) =>
    urls.listings(expressionsOf(canonicalUrl(url)!)).map(({ list }) => list);

  it.each([
    ['openphish-urls', 'https://a.test/login\nhttp://b.test/x.php?id=1\n'],
    [
      'phishtank-urls',
      'phish_id,url,phish_detail_url,submission_time,verified,verification_time,online,target\n1,https://a.test/login,http://www.phishtank.com/phish_detail.php?phish_id=1,2026-11-01T00:00:00+00:00,yes,2026-11-01T00:00:00+00:00,yes,Other\n2,"http://b.test/x.php?id=1",http://www.phishtank.com/phish_detail.php?phish_id=2,2026-11-01T00:00:00+00:00,yes,2026-11-01T00:00:00+00:00,yes,PayPal\n',
    ],
    ['urlhaus-urls', '# URLhaus Database Dump (CSV - online URLs)\r\nhttps://a.test/login\r\nhttp://b.test/x.php?id=1\r\n'],
    [
      'threatfox-urls',
      JSON.stringify({
        7: [{ ioc_value: 'https://a.test/login', ioc_type: 'url', threat_type: 'payload_delivery' }],
        8: [{ ioc_value: 'http://b.test/x.php?id=1', ioc_type: 'url', threat_type: 'botnet_cc' }],
      }),
    ],
  ])('of %s stay URLs, whatever its shape', async (name, text) => {
    const { urls, names, datasets, use } = open();
    await use(name, text);
    expect(['https://a.test/login', 'http://b.test/x.php?id=1'].map((url) => listed(urls, url))).toEqual([[name], [name]]);
    expect(['https://a.test/', 'http://b.test/x.php?id=2'].map((url) => listed(urls, url))).toEqual([[], []]);
    expect(names.listings('a.test')).toEqual([]);
    await datasets['malicious_urls']!.drop(named(name));
    expect(urls.hasList(name)).toBe(false);
  });

  it('are refused with many front pages of the best known names, and without a few', async () => {
    const known =
      'google.com youtube.com facebook.com instagram.com whatsapp.com microsoft.com office.com live.com outlook.com apple.com icloud.com amazon.com wikipedia.org cloudflare.com github.com paypal.com netflix.com linkedin.com yahoo.com baidu.com mozilla.org debian.org ubuntu.com bbc.com cnn.com ebay.com'.split(
        ' ',
      );
    const text = (hosts: readonly string[]) => hosts.map((host) => `https://www.${host}/\n`).join('');
    expect((await build(named('openphish-urls'), text(known.slice(0, 5)))).forbidden).toBeUndefined();
    expect((await build(named('openphish-urls'), text(known))).forbidden).toBe(`${known.length} of the best known names`);
    const { urls, use } = open();
    await use('openphish-urls', `${text(['paypal.com'])}https://docs.google.com/forms/d/e/x/viewform\n`);
    expect(listed(urls, 'https://www.paypal.com/signin')).toEqual([]);
    expect(listed(urls, 'https://docs.google.com/forms/d/e/x/viewform?usp=send')).toEqual(['openphish-urls']);
  });

  it('stand for the folder that they name, with or without its slash', async () => {
    const { urls, use } = open();
    await use('openphish-urls', 'https://a.test/kit\nhttps://b.test/x.php\nhttps://c.test/q?a=1\n');
    const below = [
      'https://a.test/kit',
      'https://a.test/kit/in.php',
      'https://b.test/x.php/y',
      'https://a.test/kit2',
      'https://c.test/q/y',
    ];
    expect(below.map((url) => listed(urls, url).length)).toEqual([1, 1, 0, 0, 0]);
  });

  it('count what is no URL', async () => {
    expect(await build(named('openphish-urls'), 'https://a.test/1\nevil.test\nftp://a.test/2\n')).toMatchObject({ rows: 1, unreadable: 2 });
  });
});

describe('telephone numbers that anybody can read', () => {
  const feed = named('disposable-phone-numbers');
  const text = (numbers: Record<string, string>) => JSON.stringify(numbers);

  it('are those that were seen in the last year of the list: others have the older ones by now', async () => {
    const { datasets, phones, use } = open();
    await use(feed.name, text({ '447400123456': '2025-06-14', '447400123457': '2024-07-01', '447400123458': '2024-06-01' }));
    expect(['+447400123456', '+447400123457', '+447400123458'].map((number) => phones.isDisposable(number))).toEqual([true, true, false]);
    await datasets['disposable_numbers']!.drop(feed);
    expect(phones.isDisposable('+447400123456')).toBe(false);
  });

  it('are refused where firms that everybody calls are among them, and what is no list of numbers', async () => {
    expect(await build(feed, text({ '447400123456': '2025-06-14' }))).toMatchObject({ rows: 1, unreadable: 0, forbidden: undefined });
    expect(await build(feed, text({ '18002752273': '2020-01-01' }))).toMatchObject({ forbidden: '18002752273' });
    expect(await build(feed, text({ version: '2', '447400123456': 'never' }))).toMatchObject({ rows: 0, unreadable: 2 });
  });
});

describe('a zone of the catalogue', () => {
  const zones = FEED_CATALOGUE.filter(({ format }) => format === 'rbldnsd');
  /** As UCEPROTECT publishes it: head, default, test entries, exclusions, addresses. */
  const file = [
    '$SOA 0 dnsbl-1.uceprotect.net. hostmaster.uceprotect.net. 0 600 300 86400 300',
    '$NS 2100 a.ns.example. b.ns.example.',
    '# comment',
    ':127.0.0.2:IP $ is listed, see http://www.uceprotect.net/rblcheck.php?ipr=$',
    '127.0.0.2',
    '!198.51.100.9',
    '198.51.100.7',
    '203.0.113.0/28',
    '',
  ].join('\n');

  it('has the name of its engine, waits for its operator, and answers as its file says', async () => {
    expect(zones.map(({ name }) => name)).toEqual(['psbl', 'uceprotect-l1', 'interserver']);
    for (const { name, enabled, packing } of zones) {
      expect([name, ENGINE_CATALOGUE.find(({ id }) => id === name)?.zone !== undefined, enabled]).toEqual([name, true, false]);
      const { networks, use } = open();
      await use(name, packing === 'gzip' ? gzipSync(file) : file);
      const codes = (address: string) => networks.marks(address).map(({ list, label }) => `${list} ${label}`);
      expect(['198.51.100.7', '203.0.113.15', '198.51.100.9', '203.0.113.16', '127.0.0.2'].map(codes)).toEqual([
        [`${name} 127.0.0.2`],
        [`${name} 127.0.0.2`],
        [],
        [],
        [],
      ]);
    }
  });

  it('may be lines of addresses and nothing else', async () => {
    const { networks, use } = open();
    await use('psbl', '198.51.100.7\n198.51.100.8\n');
    expect(networks.marks('198.51.100.8')).toEqual([{ list: 'psbl', label: '127.0.0.2' }]);
  });
});

it('documents are there as they came', async () => {
  const { documents, datasets, use } = open();
  const text = '{"services": [[["com"], ["https://rdap.example/"]]]}';
  await use('iana-rdap-dns', text);
  expect([documents.text('iana-rdap-dns'), documents.text('iana-rdap-asn')]).toEqual([text, undefined]);
  await datasets['documents']!.drop(named('iana-rdap-dns'));
  expect(documents.text('iana-rdap-dns')).toBeUndefined();
});

describe('brands of the operator', () => {
  /** The example of the page. */
  const OURS = /```text\n(# Our customers[^`]+)```/.exec(read('docs/datasets.md'))![1]!;
  const rule = (host: string, names: Names) => judgeHostName(host, names).identity?.rule;

  it('are known beside those that are shipped, by name, alias and word, and no longer once they are dropped', async () => {
    const { names, datasets, use } = open();
    const forged = ['zuendkraft-login.example', 'zuendkraft-tanapp.example', 'giro-zundkraftbank.example', 'zuendkarft.example'];
    expect(forged.map((host) => rule(host, names))).toEqual(forged.map(() => undefined));
    await use('brands', OURS);
    expect(forged.map((host) => rule(host, names))).toEqual(['brand_and_lure', 'brand_and_lure', 'brand_and_lure', 'slip']);
    expect(judgeHostName('zuendkraft-login.example', names).identity?.brand.name).toBe('Zündkraft Bank');
    expect(judgeHostName('xn--zuendkrft-6yh.example', names).homoglyph).toBe('zuendkraft');
    expect(rule('paypal-login.example', names)).toBe('brand_and_lure');
    await use('brands', 'Other; other-firm.com; otherfirm');
    expect([rule(forged[0]!, names), rule('otherfirm-login.example', names)]).toEqual([undefined, 'brand_and_lure']);
    await datasets['brands']!.drop(named('brands'));
    expect(rule('otherfirm-login.example', names)).toBeUndefined();
  });

  it('are known by their icons, beside those that are shipped', async () => {
    const { names, use } = open();
    expect(names.brands().ofIcon(309_020_573)?.brand.name).toBe('PayPal');
    await use('brands', 'Zündkraft Bank; zuendkraft.com; ; ; -1234, 99\nPayPal; paypal.com; ; ; 77');
    expect([-1_234, 99, 77, 309_020_573, 1].map((hash) => names.brands().ofIcon(hash)?.brand.name)).toEqual([
      'Zündkraft Bank',
      'Zündkraft Bank',
      'PayPal',
      'PayPal',
      undefined,
    ]);
  });

  it('are not accused at their own domains, and a name that is a word proves nothing alone', async () => {
    const { names, use } = open();
    await use('brands', OURS);
    const honest = ['login.zuendkraft.com', 'zuendkraft-bank.de', 'hopfen-garten.example', 'hopfen.example'];
    expect(honest.map((host) => rule(host, names))).toEqual(honest.map(() => undefined));
    expect(rule('hopfen-login.example', names)).toBe('brand_and_lure');
  });

  it.each([
    ['Zündkraft', 'line 1: it is not `name; own domains; aliases; words; icons`'],
    ['# x\n\nZündkraft; www.zuendkraft.com', 'line 3: "www.zuendkraft.com" is not a registrable domain'],
    ['Zündkraft; com', 'line 1: "com" is not a registrable domain'],
    ['Zündkraft; ', 'line 1: it has no domain of its own'],
    ['Login; zuendkraft.com', 'line 1: "Login" is in the names of too many others'],
    ['Zündkraft; zuendkraft.com; ; ; 0', 'line 1: "0" is not the MurmurHash3 of an icon'],
    ['Zündkraft; zuendkraft.com; ; ; 4294967295', 'line 1: "4294967295" is not the MurmurHash3 of an icon'],
    ['ZK; zuendkraft.com', 'line 1: "ZK" has not 3 to 24 letters and figures'],
    ['a\nb', 'line 1: it is not `name; own domains; aliases; words; icons`; line 2: it is not `name; own domains; aliases; words; icons`'],
  ])('%j is refused, and the message names the line', async (text, message) => {
    await expect(build(named('brands'), text)).rejects.toMatchObject({ why: 'format', message });
  });
});
