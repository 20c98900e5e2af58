import { globSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { operations } from '@vedette/operations';
import { expect, it } from 'vitest';
import { PACKAGES, read, ROOT } from './pages.ts';
import { linesWith, packageSources } from './sources.ts';

/** Files of one folder that a reader can hold in view. */
const MAX_FILES = 14;
/** Share of all lines that one package may have. */
const MAX_SHARE = 0.2;

/** Lines of the gateway that take a type apart. It may only fall: a part is handed over whole. */
const MAX_PICKED = 10;

/** Names of the contract, and those among them that one package alone uses. Both may only fall. */
const MAX_WORDS = { all: 130, ofOne: 20 };

const paths = [...packageSources.keys()];
const linesOf = (prefix: string): number =>
  paths.filter((path) => path.startsWith(prefix)).reduce((sum, path) => sum + packageSources.get(path)!.split('\n').length, 0);

it(`no folder has more than ${MAX_FILES} source files`, () => {
  const folders = Map.groupBy(paths, dirname);
  expect(folders.size).toBeGreaterThan(100);
  expect([...folders].filter(([, files]) => files.length > MAX_FILES).map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([]);
});

it('no package has more than a fifth of the lines', () => {
  const all = linesOf('packages/');
  expect(PACKAGES.filter((name) => linesOf(`packages/${name}/`) > all * MAX_SHARE)).toEqual([]);
});

it('parts of the gateway are handed over whole, and not picked apart', () => {
  const picked = linesWith(/\b(Pick|Omit)</).filter((line) => line.startsWith('packages/gateway/'));
  expect(picked.length, picked.join('\n')).toBeLessThanOrEqual(MAX_PICKED);
});

it('the contract keeps what at least two packages share', () => {
  const contract = paths.filter((path) => path.startsWith('packages/contract/'));
  const words = contract.flatMap((path) =>
    [...packageSources.get(path)!.matchAll(/^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm)].map(
      ([, word]) => word!,
    ),
  );
  const users = new Map(words.map((word) => [word, new Set<string>()]));
  for (const [path, text] of packageSources)
    for (const [, names] of text.matchAll(/\{([^}]*)\} from '@vedette\/contract(?:\/\w+)?'/g))
      for (const [word] of names!.matchAll(/\w+/g)) users.get(word)?.add(path.split('/')[1]!);
  const ofOne = [...users].filter(([, packages]) => packages.size === 1).map(([word, packages]) => `${word}: ${[...packages].join()}`);
  expect(users.size).toBeLessThanOrEqual(MAX_WORDS.all);
  expect(ofOne.length, ofOne.join('\n')).toBeLessThanOrEqual(MAX_WORDS.ofOne);
});

/** `path name` of what the file exports of others, and of what it says itself; types that it hands on as such are left out. */
function offersOf(path: string): string[] {
  const text = read(path);
  const own = [...text.matchAll(/^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm)].map(
    ([, name]) => `${path} ${name}`,
  );
  const others = [...text.matchAll(/^export \{([^}]*)\} from '(\.[^']+)'/gm)].flatMap(([, names, specifier]) =>
    names!.split(',').map((name) => `${normalize(join(dirname(path), specifier!))} ${name.trim()}`),
  );
  return [...own, ...others];
}

it('tests import what a door has by that door', () => {
  const doors = PACKAGES.flatMap((name) => {
    const { exports = {} } = JSON.parse(read(`packages/${name}/package.json`)) as { exports?: Record<string, string> };
    return Object.values(exports).flatMap((file) => globSync(join(`packages/${name}`, file.replace('*', '**')), { cwd: ROOT }));
  });
  const offers = new Set(doors.flatMap(offersOf));
  const past = globSync('test/**/*.ts', { cwd: ROOT }).flatMap((path) =>
    [...read(path).matchAll(/^import \{([^}]*)\} from '(\.[^']+)'/gm)].flatMap(([, names, specifier]) =>
      names!.split(',').map((name) => ({ path, offer: `${normalize(join(dirname(path), specifier!))} ${name.trim()}` })),
    ),
  );
  expect(offers.size).toBeGreaterThan(800);
  expect(past.filter(({ offer }) => offers.has(offer)).map(({ path, offer }) => `${path}: ${offer}`)).toEqual([]);
});

it('no room imports from the roof: the files of src/ itself compose the rooms', () => {
  const below = paths.filter((path) => path.split('/').length > 4);
  const upwards = below.flatMap((path) =>
    [...packageSources.get(path)!.matchAll(/from '(\.[^']+)'/g)]
      .map(([, specifier]) => normalize(join(dirname(path), specifier!)))
      .filter((target) => /^packages\/[a-z]+\/src\/[^/]+$/.test(target))
      .map((target) => `${path} imports ${target}`),
  );
  expect(below.length).toBeGreaterThan(500);
  expect(upwards).toEqual([]);
});

const inFolders = new Set<string>(operations.map(({ name }) => name));
const roomsOf = (name: string): string[] =>
  readdirSync(join(ROOT, `packages/${name}/src`), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !inFolders.has(entry.name))
    .map((entry) => entry.name)
    .sort();

it.each(PACKAGES.filter((name) => roomsOf(name).length > 0))('the README of %s lists its rooms', (name) => {
  const [, listed] = /^Rooms: (.*)\.$/m.exec(read(`packages/${name}/README.md`)) ?? [];
  expect(listed?.split(', ')).toEqual(roomsOf(name));
});
