import { allDatasets } from '../intel/feeds/all-datasets.ts';
import type { Listing } from '@vedette/intel/ports';
import { DEFAULT_FEEDS } from '@vedette/intel/datasets';
import { type Dataset, type Feed } from '@vedette/intel/feeds';
import { isFront } from '@vedette/intel/addresses';
import { createBlacklists, ENGINE_CATALOGUE } from '@vedette/intel/engines';
import { POPULAR_DOMAINS } from '@vedette/intel/identity';
import { shippedNames, shippedRanks } from '@vedette/intel/names';
import { systemClock } from '@vedette/probes/net';
import { describe, expect, it } from 'vitest';
import { buildFile } from '../../packages/intel/src/feeds/build/build-file.ts';
import { builders } from '../../packages/intel/src/datasets/builders.ts';
import { domainReputation } from '../../packages/operations/src/domain-reputation/index.ts';
import { ipReputation } from '../../packages/operations/src/ip-reputation/index.ts';
import { builders as filterBuilders } from '../../packages/renderer/src/page/ads/filter-builders.ts';
import { adFilterOf, engineOf } from '../../packages/renderer/src/page/ads/engine.ts';
import { folderOfTest, lineDataset, serve, startFeeds } from '../intel/feeds/own-feed.ts';
import { fakeResolver } from '../intel/fake-resolver.ts';
import { answer, type Opened } from '../operations/answer.ts';
import { FINE, WELL_KNOWN } from '../operations/ip-reputation/well-known.ts';
import { SHUT } from '../operations/shut.ts';
import { FEED_FILES } from './feed-files.ts';

const ON = DEFAULT_FEEDS.catalogue.filter(({ enabled }) => enabled);
/** Everything that a builder makes, of the gateway's and of the renderer's feeds. */
const BUILDERS = { ...builders, ...filterBuilders };

/** A gateway's data, and a renderer's filter, with every feed that is on: fetched from a server that has all publishers' files, verified, built and put in use. */
async function load(files: Readonly<Record<string, unknown>>, catalogued: readonly Feed[]) {
  const server = await serve((request, response) => {
    const [, name = '', part = '0'] = request.url!.split('?', 1)[0]!.split('/');
    const given = files[name];
    const file = Array.isArray(given)
      ? (given[Number(part)] as string)
      : Number(part) === 0 || part === 'linked'
        ? (given as string)
        : undefined;
    if (part === 'page') return void response.end(`<a href="http://127.0.0.1:${server.port}/${name}/linked?9">Download</a>`);
    if (file === undefined) return void response.writeHead(404).end();
    response.end(file);
  });
  const at = (name: string, part: number | string): string => `http://127.0.0.1:${server.port}/${name}/${part}`;
  const catalogue = catalogued.map((feed): Feed => ({
    ...feed,
    url: at(feed.name, feed.link === undefined ? 0 : 'page'),
    ...(feed.more && { more: feed.more.map((_, i) => at(feed.name, i + 1)) }),
    ...(feed.link !== undefined && { link: at(feed.name, 'linked') }),
    min_rows: 1, // the files are small
  }));
  const { datasets, ...data } = allDatasets({ names: shippedNames(), build: (feed, body) => buildFile(BUILDERS, feed, body) });
  const filters = lineDataset();
  const all: Record<string, Dataset> = { ...datasets, filters: filters.dataset };
  // Put in use together once all have come: each change of the table of lists starts a thread, and those that come at once are made at once.
  const uses: (() => void | Promise<void>)[] = [];
  const gathered = (name: string): Dataset => ({
    ...all[name]!,
    // What is shipped is a thousand times as long as these files.
    shipped: () => undefined,
    use: (feed, snapshot) => void uses.push(() => all[name]!.use(feed, snapshot)),
  });
  const { feeds, clock, refused } = startFeeds(catalogue, {
    datasets: Object.fromEntries(Object.keys(all).map((name) => [name, gathered(name)])),
    builders: BUILDERS,
    folder: folderOfTest(),
  });
  await expect.poll(() => clock.slept.length, { interval: 1, timeout: 10_000 }).toBeGreaterThanOrEqual(catalogue.length);
  clock.wake();
  const waiting = () => feeds.status().flatMap(({ name, origin, problem }) => (origin !== 'source' && problem === '' ? [name] : []));
  await expect.poll(waiting, { interval: 5, timeout: 20_000 }).toEqual([]);
  const status = feeds.status();
  await feeds.stop();
  await Promise.all(uses.map(async (use) => use()));
  return { ...data, status, refused, filter: adFilterOf(engineOf([...filters.used.values()])) };
}

type Loaded = Awaited<ReturnType<typeof load>>;

/** What operations judge with: all lists in memory as the catalogue's engines read them, no zone, and a DNS where every name is at one address. */
function context({ networks, names, urls }: Loaded): Opened {
  const resolver = fakeResolver({ '*.': { A: ['142.250.72.14'] } });
  const blacklists = createBlacklists({
    urls,
    catalogue: ENGINE_CATALOGUE.filter(({ list }) => list !== undefined),
    networks,
    names,
    resolver,
    clock: systemClock,
    cache: true,
    onHealth() {},
    onOutcome() {},
  });
  return { ...SHUT, clock: systemClock, resolver, networks, names, blacklists };
}

/** Places all over the internet, the same at each run. Most are announced by nobody in the table that is loaded. */
const ANYWHERE = Array.from({ length: 150 }, (_, i) => {
  const x = (i + 1) * 2_654_435_761;
  const octet = [23, 37, 45, 62, 68, 79, 84, 91, 109, 129, 138, 151, 163, 176, 185, 193, 195, 202, 212, 217][i % 20]!;
  return `${octet}.${(x >>> 24) & 255}.${(x >>> 16) & 255}.${1 + ((x >>> 8) % 250)}`;
});
/** Machines of firms that have robots and much else. */
const WHOLE_SYSTEMS = [
  '5.45.198.7',
  '77.88.21.249',
  '87.250.250.242',
  '213.180.204.10',
  '2a02:6b8::1:119',
  '31.13.66.35',
  '157.240.22.35',
  '179.60.192.36',
  '2a03:2880:f10d::25',
];
const UNANNOUNCED = ['91.198.174.192', '68.142.203.5', '129.42.38.10', '103.244.50.1', '199.27.72.1', '2620:0:861:ed1a::1'];

const ADDRESSES: readonly (readonly [whose: string, ip: string])[] = [
  ...Object.entries(WELL_KNOWN).flatMap(([whose, list]) => list.split(' ').map((ip) => [whose, ip] as const)),
  ...ANYWHERE.map((ip) => ['Other addresses', ip] as const),
  ...WHOLE_SYSTEMS.map((ip) => ['Sites of Yandex and Meta', ip] as const),
  ...UNANNOUNCED.map((ip) => ['Other addresses that nobody announces', ip] as const),
];

const BANKS =
  'sparkasse.de commerzbank.de ing.nl rabobank.nl bnpparibas.fr credit-agricole.fr societegenerale.fr unicredit.it intesasanpaolo.com bbva.es caixabank.es mbank.pl pkobp.pl nordea.fi swedbank.se ' +
  'danskebank.dk dnb.no ubs.com raiffeisen.at kbc.be barclays.co.uk natwest.com halifax.co.uk capitalone.com usbank.com pnc.com td.com rbc.com anz.com.au commbank.com.au westpac.com.au icicibank.com sbi.co.in itau.com.br bradesco.com.br';
const NAMES_OF_THEIR_OWN =
  'xn--mller-kva.de xn--bcher-kva.example xn--caf-dma.fr xn--80aswg.xn--p1ai xn--fiqs8s.cn xn--pldiumplus-hcb.is xn--90a3ac.xn--90ais xn--strae-oqa.de xn--hxajbheg2az3al.xn--qxam xn--wgv71a119e.jp ' +
  'applewoodfurniture.com chase-family-reunion.org stripeyhorse.co.uk orangegrove.org targetshooting.net visagreen.com shellfishbay.com delta-garden.nl metalworks.se zoomarine.pt slackline.ch ' +
  'garden-club.org.uk baker-and-sons.com st-marys-school.org.uk stadtbibliothek-ulm.de boulangerie-martin.fr clinica-norte.es officina-rossi.it';
const TENANTS =
  'good.github.io my-garden.netlify.app kit-2.vercel.app recipes.blogspot.com club.wordpress.com shop-anna.myshopify.com team.atlassian.net app.herokuapp.com notes.notion.site docs.gitbook.io good.edgeone.app photos.web.app';
/** Hosts of many that real lists of frauds have, since one page of millions was one: told, and never with confidence. */
const LISTED_BY_MISTAKE = ['sites.google.com', 'telegra.ph', 'edgeone.app'];
const RANKED = Buffer.from(shippedRanks().snapshot)
  .toString()
  .split('\n')
  .flatMap((line) => (/^[^#\s]/.test(line) ? [line.split('\t')[0]!] : []));
const NAMES = [...new Set([...RANKED, ...POPULAR_DOMAINS, ...`${BANKS} ${NAMES_OF_THEIR_OWN} ${TENANTS}`.split(' ')])].filter(
  (name) => !LISTED_BY_MISTAKE.includes(name),
);

let world: Promise<{ loaded: Loaded; opened: Opened }> | undefined;
/** Loaded by the first test that asks: what it is loaded from ends with that test. */
const ready = () => (world ??= load(FEED_FILES, ON).then((loaded) => ({ loaded, opened: context(loaded) })));

const ofAddress = async (ip: string) => answer(ipReputation, { ip, disable_reverse_dns: true }, (await ready()).opened);
const ofName = async (host: string) => answer(domainReputation, { host }, (await ready()).opened);
const detected = (engines: Readonly<Record<string, { name: string; detected: boolean }>>): string[] =>
  Object.values(engines).flatMap((engine) => (engine.detected ? [engine.name] : []));
const trueOf = (part: object): string[] => Object.entries(part).flatMap(([name, value]) => (value === true ? [name] : []));

describe(`the ${ON.length} feeds that are on`, () => {
  it('have a file of their publisher’s form here, each of them', () => {
    expect(Object.keys(FEED_FILES).sort()).toEqual(ON.map(({ name }) => name).sort());
  });

  it('are taken, all of them', async () => {
    const { loaded } = await ready();
    expect(loaded.refused).toEqual([]);
    expect(loaded.status.filter(({ origin, rows }) => origin !== 'source' || rows < 1)).toEqual([]);
  });

  it('are not, where one has no file: this test would tell', async () => {
    const few = ON.filter(({ name }) => ['tor-exits', 'greensnow'].includes(name));
    const { refused } = await load({ greensnow: FEED_FILES['greensnow'] }, few);
    expect(refused).toEqual(['tor-exits status']);
  });
});

describe(`${ADDRESSES.length + NAMES.length} ordinary subjects`, () => {
  it('are five hundred at least', () => {
    expect(new Set(ADDRESSES.map(([, ip]) => ip)).size).toBeGreaterThan(500);
    expect(NAMES.length).toBeGreaterThan(500);
  });

  it('addresses are clean, but for what is so', async () => {
    const accused: string[] = [];
    for (const [whose, ip] of ADDRESSES) {
      const { information, anonymity, blacklists, risk_score: risk } = await ofAddress(ip);
      const said = [...trueOf(information), ...trueOf(anonymity)].filter((flag) => !FINE[flag]?.test(whose));
      said.push(...detected(blacklists.engines));
      if (risk.result > 10) said.push(`risk ${risk.result}`);
      if (said.length > 0) accused.push(`${whose} ${ip}: ${said.join(', ')}`);
    }
    expect(accused).toEqual([]);
  });

  it('and where only the table of origins says who announces what, as before the networks of all systems have come', async () => {
    const few = await load(
      FEED_FILES,
      ON.filter(({ name }) =>
        ['spamhaus-asndrop', 'origin-asn', 'greensnow', 'ipsum-3', 'et-compromised', 'cins-army', 'blocklist-de', 'spamhaus-drop'].includes(
          name,
        ),
      ),
    );
    const judged = async (ip: string) => (await answer(ipReputation, { ip, disable_reverse_dns: true }, context(few))).risk_score.result;
    const accused: string[] = [];
    for (const ip of [...ANYWHERE, ...UNANNOUNCED]) if ((await judged(ip)) > 10) accused.push(ip);
    expect([accused, await judged('203.0.113.9')]).toEqual([[], 40]);
  });

  it('names are on no list, and no more suspicious than without lists', async () => {
    const accused: string[] = [];
    for (const host of NAMES) {
      const { blacklists, security_checks, risk_score: risk } = await ofName(host);
      const said = detected(blacklists.engines);
      if (security_checks.is_domain_blacklisted) said.push('blacklisted');
      if (risk.result >= 35) said.push(`risk ${risk.result}`);
      if (said.length > 0) accused.push(`${host}: ${said.join(', ')}`);
    }
    expect(accused).toEqual([]);
  });

  it('hosts of many, which real lists have by mistake, are not accused with confidence', async () => {
    for (const host of LISTED_BY_MISTAKE) {
      const listing = Object.values((await ofName(host)).blacklists.engines).filter((engine) => engine.detected);
      expect([host, ...listing.filter(({ confidence }) => confidence !== 'low')]).toEqual([host]);
    }
  });

  it('a front of thousands on the list of sinkholes is one, and a sinkhole is not', async () => {
    const { loaded } = await ready();
    const on = (ip: string): boolean => loaded.networks.marks(ip).some(({ list }) => list === 'sinkholes');
    expect(['104.21.27.14', '13.107.246.57', '198.51.100.115'].map((ip) => [on(ip), isFront(ip, loaded.networks)])).toEqual([
      [true, true],
      [true, true],
      [true, false],
    ]);
  });

  it('mailboxes, telephones and pages are nobody’s harm', async () => {
    const { loaded } = await ready();
    expect(['gmail.com', 'outlook.com', 'proton.me', 'firma-mueller.de'].map((domain) => loaded.mailboxes.disposability(domain))).toEqual(
      Array(4).fill('none'),
    );
    expect(['+18002752273', '+442087438000'].filter((number) => loaded.phones.isDisposable(number))).toEqual([]);
    const page = { url: 'https://www.bbc.co.uk/news/picture.jpg', type: 'Image', frameUrl: 'https://www.bbc.co.uk/news' } as const;
    expect(loaded.filter.blocks(page)).toBe(false);
  });
});

describe('what is planted is found', () => {
  it.each<
    [string, Partial<Awaited<ReturnType<typeof ofAddress>>['information']> & Partial<Awaited<ReturnType<typeof ofAddress>>['anonymity']>]
  >([
    ['198.51.100.5', { is_blocklist_drop: true }],
    ['2001:db8:bad::1', { is_blocklist_drop: true }],
    ['198.51.100.80', { is_tor: true }],
    ['198.51.100.81', { is_relay: true }],
    ['2001:db8:81::7', { is_relay: true }],
    ['198.51.100.86', { is_vpn: true }],
    ['2001:db8:88::f001', { is_vpn: true }],
    ...Array.from({ length: 14 }, (_, i) => [`198.51.100.${88 + i}`, { is_vpn: true }] as [string, { is_vpn: true }]),
    ['198.51.100.110', { is_search_engine_bot: true, related_service_name: 'DuckDuckBot' }],
    ['198.51.100.111', { is_search_engine_bot: true, related_service_name: 'Kagibot' }],
    ['198.51.100.113', { related_service_name: 'UptimeRobot', related_service_type: 'Monitoring' }],
    ['198.51.100.114', { is_public_dns: true }],
    ['45.76.1.1', { cloud_provider: 'Vultr' }],
    ['52.230.152.9', { related_service_name: 'OpenAI' }],
    ['2600:1f14::9', { cloudvendor_service: 'EC2' }],
    ['13.107.246.9', { edge_service: 'Azure Front Door' }],
    ['66.249.66.1', { is_search_engine_bot: true, is_vendorx_bot: true, asn: 'AS15169' }],
  ])('%s', async (ip, expected) => {
    const { information, anonymity } = await ofAddress(ip);
    expect({ ...information, ...anonymity }).toMatchObject(expected);
  });

  it('attackers, and machines of criminals’ systems', async () => {
    const names = async (ip: string) => detected((await ofAddress(ip)).blacklists.engines);
    expect((await names('198.51.100.70')).sort()).toEqual(['Blocklist.de', 'CINS Army', 'IPsum Level 3', 'IPsum Level 5']);
    expect([await names('198.51.100.73'), await names('198.51.100.74'), await names('2001:db8:70::1')]).toEqual([
      ['GreenSnow'],
      ['ET Compromised'],
      ['Blocklist.de'],
    ]);
    const { risk_score } = await ofAddress('203.0.113.9');
    expect(risk_score.factors.map(({ factor, weight }) => `${factor} ${weight}`)).toContain('criminal_as 0.4');
    expect(risk_score.result).toBeGreaterThanOrEqual(40);
  });

  it('names', async () => {
    const on = async (host: string) => detected((await ofName(host)).blacklists.engines);
    const expected: Record<string, string> = {
      'login-paypal.kit.example.org': 'Phishing.Database',
      'kit-1.vercel.app': 'Phishing.Database',
      'www.oszustwo.example.org': 'CERT Polska',
      'wallet-drain.example.org': 'ETH Phishing Detect',
      'polkadot-airdrop.example.org': 'ETH Phishing Detect',
      'c2.example.net': 'Maltrail',
    };
    const { loaded } = await ready();
    for (const [host, engine] of Object.entries(expected)) expect([host, ...(await on(host))]).toEqual([host, engine]);
    expect(loaded.names.listings('sho.rt.example.org')).toContainEqual({
      list: 'url-shorteners',
      entry: 'sho.rt.example.org',
    } satisfies Listing);
  });

  it('URLs, and none of their neighbours', async () => {
    const { loaded } = await ready();
    const { blacklists } = context(loaded);
    const by = (url: string) => blacklists.url(url, { exclude: [] }).results.filter(({ detected }) => detected).map(({ name }) => name); // prettier-ignore
    const listed = [
      'https://sites.google.com/view/kit-1/home?usp=sharing',
      'http://shop.example.org/wp-content/login.php?id=7',
      'https://198.51.100.120/a',
    ];
    expect(listed.map(by)).toEqual(listed.map(() => ['Phishing.Database URLs']));
    const others = [
      'https://sites.google.com/view/kit-2/home',
      'http://shop.example.org/',
      'https://bit.ly/x',
      'https://www.google.com/search',
    ];
    expect(others.map(by)).toEqual(others.map(() => []));
  });

  it('mailboxes, telephones, documents and ads', async () => {
    const { loaded } = await ready();
    expect(
      ['throwaway-one.example.net', 'throwaway-four.example.net'].map((domain) => loaded.mailboxes.disposability(domain)),
    ).not.toContain('none');
    expect(['+12012018360', '+447400123456', '+46700000000'].map((number) => loaded.phones.isDisposable(number))).toEqual([
      true,
      true,
      false,
    ]);
    expect(loaded.documents.text('iana-rdap-dns')).toContain('verisign');
    expect([...loaded.transparency.list()!.logs.values()].map(({ name }) => name)).toEqual(['Log of tests']);
    const ad = { url: 'https://ads.example.net/a.js', type: 'Script', frameUrl: 'https://news.example.org/' } as const;
    expect(loaded.filter.blocks(ad)).toBe(true);
  });
});
