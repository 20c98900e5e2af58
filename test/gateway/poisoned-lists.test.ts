import { allDatasets } from '../intel/feeds/all-datasets.ts';
import { FEED_CATALOGUE } from '@vedette/intel/datasets';
import { type Feed } from '@vedette/intel/feeds';
import { createNetworks } from '@vedette/intel/networks';
import { describe, expect, it } from 'vitest';
import { buildFile } from '../../packages/intel/src/feeds/build/build-file.ts';
import { builders } from '../../packages/intel/src/datasets/builders.ts';
import { folderOfTest, list, serve, startFeeds } from '../intel/feeds/own-feed.ts';

const named = (name: string): Feed => FEED_CATALOGUE.find((feed) => feed.name === name)!;
const build = (name: string, text: string) => buildFile(builders, named(name), Buffer.from(text));

/** A gateway with one feed of the catalogue, whose source is a server of ours. */
async function gateway(name: string, first: string, { min_rows = 1, folder = folderOfTest() } = {}) {
  const networks = createNetworks();
  const server = await serve(list(first));
  const open = () =>
    startFeeds([{ ...named(name), url: `http://127.0.0.1:${server.port}/list`, more: [], min_rows }], {
      datasets: allDatasets({ networks }).datasets,
      builders,
      folder,
    });
  return { ...open(), again: open, server, networks };
}

/** Every network of that length that has none of these addresses in it. */
function networksBut(bits: number, addresses: readonly string[]): string[] {
  const step = 2 ** (32 - bits);
  const numberOf = (address: string): number => address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
  const taken = new Set(addresses.map((address) => Math.floor(numberOf(address) / step)));
  const public4 = Array.from({ length: 2 ** bits }, (_, i) => i).filter((i) => {
    const octet = Math.floor((i * step) / 2 ** 24);
    return octet > 0 && octet < 224 && ![10, 100, 127, 169, 172, 192, 198].includes(octet) && !taken.has(i);
  });
  return public4.map(
    (i) => `${Math.floor((i * step) / 2 ** 24)}.${Math.floor((i * step) / 65_536) % 256}.${Math.floor((i * step) / 256) % 256}.0/${bits}`,
  );
}

const RESOLVERS = '8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 9.9.9.9 208.67.222.222 198.41.0.4 192.5.5.241 193.0.14.129 199.7.83.42'.split(' ');
const WELL_KNOWN = ['8.20.1.1', '20.112.250.133', '140.82.112.3', '151.101.1.69', '73.1.1.10'];
const single = (count: number, octet = 60): string => Array.from({ length: count }, (_, i) => `${octet}.${i >> 8}.${i & 255}.7\n`).join('');
/** Networks of a /16 each, none of which has an address that everybody knows: 65,536 addresses, 0.002 % of what is announced. */
const sixteens = (count: number): string => Array.from({ length: count }, (_, i) => `${70 + (i >> 8)}.${i & 255}.0.0/16\n`).join('');

describe('a list of attackers', () => {
  const around = networksBut(11, RESOLVERS).join('\n');

  it('that goes around ten resolvers and has most of the internet is refused, from its source and by import', async () => {
    expect(around.split('\n').length).toBeGreaterThan(1_600);
    const { feeds, clock, refused, networks } = await gateway('greensnow', around);
    await clock.due();
    expect([refused, networks.hasList('greensnow')]).toEqual([['greensnow poisoned'], false]);
    await expect(feeds.import('greensnow', Buffer.from(around))).rejects.toMatchObject({ why: 'poisoned' });
    expect(WELL_KNOWN.flatMap((address) => networks.marks(address))).toEqual([]);
  });

  it('that spares every address that we know is refused for how much it covers, and not for what is half as much', async () => {
    const [much, less] = [single(1_000) + sixteens(256), single(1_000) + sixteens(126)];
    expect(await build('greensnow', much)).toMatchObject({ forbidden: undefined, coverage: { ipv4: expect.closeTo(0.508, 2), ipv6: 0 } });
    const { feeds, clock, refused, server, status, networks } = await gateway('greensnow', much);
    await clock.due();
    expect([refused, status().problem]).toEqual([
      ['greensnow poisoned'],
      'it covers 0.51 % of the announced IPv4 space, and may cover 0.5 %',
    ]);
    await expect(feeds.import('greensnow', Buffer.from(much))).rejects.toThrow('and may cover 0.5 %');
    server.answer = list(less);
    await clock.due();
    expect([refused.length, networks.marks('70.9.9.9').length]).toEqual([1, 1]);
  });

  it('that covers much more than before is refused, though its rows are as many, after a start too', async () => {
    const folder = folderOfTest();
    const world = await gateway('blocklist-de', single(3_000), { folder });
    await world.clock.due();
    expect([world.refused, world.status().rows]).toEqual([[], 3_000]);
    const grown = single(2_900) + sixteens(100);
    world.server.answer = list(grown);
    await world.clock.due();
    expect([world.refused, world.status().problem]).toEqual([
      ['blocklist-de grown'],
      'it covers 0.2 % of the announced IPv4 space, and covered 0.000091 %',
    ]);
    await world.feeds.stop();
    const second = world.again();
    await second.clock.due();
    expect([second.refused, world.networks.marks('70.9.9.9')]).toEqual([['blocklist-de grown'], []]);
    // As many rows of a few more networks are what a day brings.
    world.server.answer = list(single(2_990) + '61.5.0.0/17\n');
    await second.clock.due();
    expect([second.refused.length, world.networks.marks('61.5.9.9').length]).toEqual([1, 1]);
  });

  it('counts addresses once, and IPv6 by networks', async () => {
    const twice = '70.0.0.0/9\n70.0.0.0/9\n70.1.0.0/16\n70.0.0.0-70.127.255.255\n';
    expect((await build('greensnow', twice)).coverage!.ipv4).toBeCloseTo((100 * 2 ** 23) / 3.3e9, 6);
    expect((await build('greensnow', '2a0e:1234::/32\n2a0e:1235::7\n')).coverage!.ipv6).toBeCloseTo(100 / 296_000, 6);
    const { refused, clock } = await gateway('greensnow', '2a0e::/19\n61.1.1.1\n');
    await clock.due();
    expect(refused).toEqual(['greensnow poisoned']);
  });

  it('does not name what everybody needs', async () => {
    for (const address of [
      '140.82.112.3',
      '151.101.1.69',
      '91.198.174.192',
      '75.75.75.75',
      '209.85.220.41',
      '9.9.9.11',
      '2620:fe::9',
      '202.12.27.33',
    ])
      expect([address, (await build('blocklist-de', `61.1.1.1\n${address}\n`)).forbidden]).toEqual([address, address]);
    // Their neighbours may have been broken into, and a VPN's own resolver may be an exit of it.
    const near = '140.82.112.5\n151.101.1.70\n75.75.75.74\n194.242.2.2\n';
    expect((await build('blocklist-de', near)).forbidden).toBeUndefined();
  });

  it('does not cover what stands for IPv4 addresses in IPv6: those are looked up as what they are', async () => {
    expect(await build('vultr', '2002::/16,US,,,\n2001::/32,US,,,\n70.1.0.0/20,US,,,\n')).toMatchObject({
      rows: 1,
      unreadable: 2,
      coverage: { ipv6: 0 },
    });
  });
});

/** What the publishers' own files covered, in percent of what is announced, as far as they could be had: July and August 2026. */
const MEASURED: Readonly<Record<string, readonly [ipv4: number, ipv6: number]>> = {
  'spamhaus-drop': [0.452, 0],
  'ipsum-3': [0.00043, 0],
  'ipsum-5': [0.00004, 0],
  'x4b-vpn': [0.0953, 0],
  'icloud-relay': [0.0032, 0.0009],
  'x4b-datacenter': [11.43, 0],
  'x4b-datacenter-ipv6': [0, 2.28],
  aws: [3.09, 0.007],
  azure: [2.65, 0.09],
  gcp: [0.67, 0.009],
  'google-services': [0.67, 0.009],
  'oracle-cloud': [0.13, 0],
  digitalocean: [0.0945, 0],
  linode: [0.0422, 0.0122],
  vultr: [0.0314, 0.006],
  cloudflare: [0.0462, 0.0047],
  github: [0.85, 0.003],
  crawlers: [0.022, 0],
  monitoring: [0.0003, 0],
  'public-dns-ipv4': [0.0019, 0],
  sinkholes: [0.0001, 0],
  parking: [0.0003, 0],
};

describe('no list is refused for what its publisher really has', () => {
  it.each(Object.entries(MEASURED))('%s', (name, [ipv4, ipv6]) => {
    const { max_coverage = 0.5 } = named(name);
    // A third of it may come in a year, as clouds grow.
    expect(Math.max(ipv4, ipv6) * 1.5).toBeLessThan(max_coverage);
  });

  it('networks of criminals may cover what single attackers may not', async () => {
    const drop = Array.from({ length: 150 }, (_, i) => `{"cidr":"${80 + (i >> 6)}.${(i & 63) * 4}.0.0/15","sblid":"SBL${i % 9}"}`).join(
      '\n',
    );
    expect((await build('spamhaus-drop', drop)).coverage!.ipv4).toBeGreaterThan(0.5);
    const { refused, clock, status } = await gateway('spamhaus-drop', drop);
    await clock.due();
    expect([refused, status().rows]).toEqual([[], 150]);
  });
});

describe('autonomous systems of criminals', () => {
  const asns = (numbers: readonly number[]) => numbers.map((asn) => `{"asn":${asn},"asname":"A"}\n`).join('');

  it.each([16509, 4134, 7018, 3320, 8075, 12322])('are not AS%i, one of the largest', async (asn) => {
    expect((await build('spamhaus-asndrop', asns([64_496, asn]))).forbidden).toBe(`AS${asn}`);
  });

  it('do not announce a part of the internet: the ones before stay', async () => {
    const warned: object[] = [];
    const { networks, datasets } = allDatasets({ log: { warn: (fields: object) => void warned.push(fields) } });
    const origins = async (text: string) => datasets['origins']!.use(named('origin-asn'), (await build('origin-asn', text)).snapshot.bytes);
    const feed = named('spamhaus-asndrop');
    const use = async (numbers: readonly number[]) =>
      datasets['as_drop']!.use(feed, (await build('spamhaus-asndrop', asns(numbers))).snapshot.bytes);
    const ORIGINS = '70.0.0.0,73.255.255.255,64500,Large\n74.0.0.0,74.0.255.255,64501,Small\n';
    await origins(ORIGINS);
    await use([64_501]);
    await expect(use([64_500, 64_501])).rejects.toMatchObject({ why: 'poisoned' });
    expect(['71.1.1.1', '74.0.1.1'].map((address) => networks.marks(address).length)).toEqual([0, 1]);
    expect(warned).toEqual([]);
    // Nor do they after a table has come by which they do, and an operator is told.
    await origins(ORIGINS.replace('64500', '64501'));
    expect(warned).toMatchObject([{ feed: 'spamhaus-asndrop', err: { why: 'poisoned' } }]);
    expect(['71.1.1.1', '74.0.1.1'].map((address) => networks.marks(address).length)).toEqual([0, 1]);
  });
});

describe('a list of harmful names', () => {
  it('is poisoned by a name that everybody knows, with www. before it too', async () => {
    for (const entry of ['www.google.com', 'WWW.PayPal.com.', '*.www.github.com'])
      expect((await build('cert-polska', `bad.example\n${entry}\n`)).forbidden).toBeDefined();
    expect((await build('cert-polska', 'bad.example\nwww.google.com.bad.example\n')).forbidden).toBeUndefined();
  });

  it('is poisoned by many that are well known, and not by the few that get onto lists by mistake', async () => {
    const known =
      'bbc.com cnn.com nytimes.com spotify.com ebay.com hsbc.com chase.com dhl.com stripe.com slack.com zoom.us dropbox.com adobe.com reddit.com tumblr.com vimeo.com';
    const more = 'twitter.com oracle.com ibm.com intel.com sap.com ikea.com visa.com ups.com nasa.gov mit.edu stanford.edu kernel.org';
    const text = (names: string) => `bad.example\n${names.replaceAll(' ', '\n')}\n`;
    expect((await build('cert-polska', text(known))).forbidden).toBeUndefined();
    expect((await build('cert-polska', text(`${known} ${more}`))).forbidden).toBe('28 of the best known names');
    // What kind of place they are may be said of all of them.
    expect((await build('url-shorteners', JSON.stringify({ list: `${known} ${more}`.split(' ') }))).forbidden).toBeUndefined();
  });
});
