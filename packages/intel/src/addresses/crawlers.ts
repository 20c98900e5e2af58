import { isAtOrUnder } from '@vedette/contract';
import type { Mark } from '../ports/index.ts';

/** A robot of the web, or who runs it. */
export interface Crawler {
  name: string;
  domain: string;
  /** Whether it fills a search engine. */
  search: boolean;
  /** Whether it scans the whole internet for research. */
  scans: boolean;
  /** Reverse names of its machines: a domain, and how the first label begins where other machines are there too. */
  reverse: readonly { under: string; begins?: string }[];
  /** Lists of addresses that its owner publishes: whole, as far as `complete`. */
  lists: readonly string[];
  complete: boolean;
  /** Whether names of its machines are known to have no addresses: its owner only tells to look at the name. */
  oneWay: boolean;
  /** Its names in the `crawlers` list, in lower case without anything but letters and digits. */
  labels: readonly string[];
}

const crawler = (name: string, domain: string, more: Partial<Omit<Crawler, 'name' | 'domain'>>): Crawler => ({
  name,
  domain,
  search: false,
  scans: false,
  reverse: [],
  lists: [],
  complete: false,
  oneWay: false,
  labels: [],
  ...more,
});

/**
 * Robots as their owners document them on their pages for webmasters. Mail servers stand beside the robots of Yandex, Seznam and Google, so there the first
 * label counts.
 */
export const CRAWLERS: readonly Crawler[] = [
  crawler('Googlebot', 'google.com', {
    search: true,
    reverse: [{ under: 'googlebot.com' }],
    lists: ['google-common-crawlers'],
    complete: true,
    labels: ['googlebot', 'google', 'googlecommoncrawlers'],
  }),
  crawler('Google special crawlers', 'google.com', {
    reverse: [{ under: 'google.com', begins: 'rate-limited-proxy-' }],
    lists: ['google-special-crawlers'],
    labels: ['googlespecial', 'googlespecialcrawlers'],
  }),
  crawler('Google user-triggered fetchers', 'google.com', {
    reverse: [{ under: 'google.com', begins: 'google-proxy-' }, { under: 'gae.googleusercontent.com' }],
    lists: ['google-user-triggered'],
    labels: ['googleusertriggered', 'googleusertriggeredfetchers'],
  }),
  crawler('Bingbot', 'bing.com', {
    search: true,
    reverse: [{ under: 'search.msn.com' }],
    lists: ['bingbot'],
    complete: true,
    labels: ['bingbot', 'bing'],
  }),
  crawler('Applebot', 'apple.com', {
    search: true,
    reverse: [{ under: 'applebot.apple.com' }],
    lists: ['applebot'],
    complete: true,
    labels: ['applebot', 'apple'],
  }),
  crawler('Yahoo Slurp', 'yahoo.com', { search: true, reverse: [{ under: 'crawl.yahoo.net' }], labels: ['yahoo', 'yahooslurp', 'slurp'] }),
  crawler('YandexBot', 'yandex.com', {
    search: true,
    reverse: [{ under: 'spider.yandex.com' }, ...['yandex.ru', 'yandex.net', 'yandex.com'].map((under) => ({ under, begins: 'spider-' }))],
    labels: ['yandex', 'yandexbot'],
  }),
  crawler('Baiduspider', 'baidu.com', {
    search: true,
    reverse: [{ under: 'crawl.baidu.com' }, { under: 'crawl.baidu.jp' }],
    oneWay: true,
    labels: ['baidu', 'baiduspider'],
  }),
  crawler('SeznamBot', 'seznam.cz', {
    search: true,
    reverse: ['fulltextrobot-', 'screenshotgenerator-', 'crawler'].map((begins) => ({ under: 'seznam.cz', begins })),
    labels: ['seznam', 'seznambot'],
  }),
  crawler('PetalBot', 'petalsearch.com', { search: true, reverse: [{ under: 'petalsearch.com' }], labels: ['petalbot', 'petal'] }),
  crawler('Sogou Spider', 'sogou.com', { search: true, reverse: [{ under: 'crawl.sogou.com' }], oneWay: true, labels: ['sogou'] }),
  crawler('DuckDuckBot', 'duckduckgo.com', { search: true, labels: ['duckduckbot', 'duckduckgo', 'duckassistbot'] }),
  crawler('Qwantbot', 'qwant.com', { search: true, reverse: [{ under: 'search.qwant.com' }], labels: ['qwant', 'qwantbot', 'qwantify'] }),
  crawler('Mojeek', 'mojeek.com', { search: true, reverse: [{ under: 'mojeek.com', begins: 'crawl' }], labels: ['mojeek', 'mojeekbot'] }),
  crawler('Kagibot', 'kagi.com', { search: true, labels: ['kagi', 'kagibot'] }),
  crawler('OpenAI', 'openai.com', { lists: ['openai-bots'], labels: ['openai', 'gptbot', 'oaisearchbot', 'chatgptuser'] }),
  crawler('PerplexityBot', 'perplexity.ai', { labels: ['perplexity', 'perplexitybot', 'perplexityuser'] }),
  crawler('ClaudeBot', 'anthropic.com', { labels: ['anthropic', 'claude', 'claudebot'] }),
  crawler('Amazonbot', 'amazon.com', { reverse: [{ under: 'crawl.amazonbot.amazon' }], labels: ['amazonbot', 'amazon'] }),
  crawler('AhrefsBot', 'ahrefs.com', {
    reverse: [{ under: 'ahrefs.com' }, { under: 'ahrefs.net' }],
    labels: ['ahrefs', 'ahrefsbot'],
  }),
  crawler('SemrushBot', 'semrush.com', { reverse: [{ under: 'bot.semrush.com' }], labels: ['semrush', 'semrushbot'] }),
  crawler('SE Ranking', 'seranking.com', { labels: ['seranking', 'serankingbacklinksbot'] }),
  crawler('Common Crawl', 'commoncrawl.org', { reverse: [{ under: 'crawl.commoncrawl.org' }], labels: ['commoncrawl', 'ccbot'] }),
  crawler('Internet Archive', 'archive.org', {
    reverse: [{ under: 'us.archive.org', begins: 'crawl' }],
    labels: ['internetarchive', 'archiveorg'],
  }),
  crawler('Meta', 'meta.com', { labels: ['meta', 'facebook', 'facebookexternalhit', 'metaexternalagent'] }),
];

/** Scanners of the whole internet, by the names that their owners give their machines. */
const scanner = (name: string, domain: string, reverse: Crawler['reverse']): Crawler =>
  crawler(name, domain, { scans: true, oneWay: true, reverse });
const SCANNERS: readonly Crawler[] = [
  scanner('Shodan', 'shodan.io', [{ under: 'shodan.io' }]),
  scanner('Censys', 'censys.io', [{ under: 'censys-scanner.com' }]),
  scanner('Shadowserver', 'shadowserver.org', [{ under: 'shadowserver.org', begins: 'scan' }]),
  scanner('ONYPHE', 'onyphe.io', [{ under: 'onyphe.net' }]),
  scanner('BinaryEdge', 'binaryedge.io', [{ under: 'binaryedge.ninja' }]),
  scanner('Internet Census Group', 'internet-census.org', [{ under: 'internet-census.org' }]),
  scanner('Stretchoid', 'stretchoid.com', [{ under: 'stretchoid.com' }]),
  scanner('University of Michigan', 'umich.edu', [{ under: 'eecs.umich.edu', begins: 'researchscan' }]),
];

const byList = new Map(CRAWLERS.flatMap((one) => one.lists.map((list) => [list, one] as const)));
const byLabel = new Map(CRAWLERS.flatMap((one) => one.labels.map((label) => [label, one] as const)));

/** Label of a published list as it is compared: letters and digits of what stands before a slash. */
export const plain = (label: string): string =>
  label
    .split('/', 1)[0]!
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');

/** The collection's suffixes of a label: the owner's own list of that service, or all networks that the owner announces. */
const [LIST_OF_ITS_OWN, WHOLE_SYSTEM] = ['/true', '/false'];

/** The name that a collection of services has for an address; undefined where its label means all of the owner's machines, most of which are something else. */
export function collectedName(marks: readonly Mark[], collection: 'crawlers' | 'monitoring'): string | undefined {
  const mark = marks.find(({ list, label }) => list === collection && !label.endsWith(WHOLE_SYSTEM));
  return mark?.label.endsWith(LIST_OF_ITS_OWN) ? mark.label.slice(0, -LIST_OF_ITS_OWN.length) : mark?.label;
}

/**
 * Returns the crawler whose published ranges have the address: the owner's own list counts before the collections of others. Undefined for
 * none.
 */
export function crawlerByRange(marks: readonly Mark[]): Crawler | undefined {
  for (const { list } of marks) {
    const known = byList.get(list);
    if (known) return known;
  }
  const collected = collectedName(marks, 'crawlers');
  return collected === undefined ? undefined : (byLabel.get(plain(collected)) ?? crawler(collected === '' ? 'Crawler' : collected, '', {}));
}

/** Returns the crawler that a reverse name claims. It proves nothing until its own addresses lead back. */
export const crawlerByName = (name: string): Crawler | undefined =>
  [...CRAWLERS, ...SCANNERS].find(({ reverse }) =>
    reverse.some(({ under, begins }) => isAtOrUnder(name, under) && (begins === undefined || name.startsWith(begins))),
  );
