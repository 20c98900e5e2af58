import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '@vedette/operations';
import { expect, it } from 'vitest';
import { manifest, PACKAGES, read, ROOT } from './pages.ts';

it.each(PACKAGES)('the README of %s names every door, and what it imports is there', async (name) => {
  const readme = read(`packages/${name}/README.md`);
  const doors = Object.keys(manifest(name).exports ?? {}).map((door) => door.slice(1));
  const unnamed = doors.filter((door) => !readme.includes(`@vedette/${name}${door}'`) && !readme.includes(`\`${door}\``));
  expect(unnamed).toEqual([]);
  const imports = [...readme.matchAll(/^import \{ (.*) \} from '(.*)';/gm)].map(([, names, door]) => ({ names: names!, door: door! }));
  expect(imports.length).toBeGreaterThanOrEqual(Math.min(doors.length, 1));
  for (const { names, door } of imports) {
    const values = names.split(', ').filter((word) => !word.startsWith('type '));
    const module = (await import(door)) as object;
    expect(values.filter((value) => !(value in module))).toEqual([]);
  }
});

it('every README is a page, not a book', () => {
  const lines = PACKAGES.map((name) => [name, read(`packages/${name}/README.md`).split('\n').length] as const);
  expect(lines.filter(([, count]) => count < 10 || count > 32)).toEqual([]);
});

it('every operation has a unit test of its own', () => {
  const without = operations.filter(({ name }) => !existsSync(join(ROOT, `test/operations/${name}/index.test.ts`)));
  expect(without.map(({ name }) => name)).toEqual([]);
});
