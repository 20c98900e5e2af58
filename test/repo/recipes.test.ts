import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROBE_KINDS } from '@vedette/contract';
import { probes } from '@vedette/probes';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const recipes = [...read('CONTRIBUTING.md').matchAll(/^\| ([^|`]+) \| `([\w-]+)` \| (`packages\/.*`) \|$/gm)].map(
  ([, what, sample, files]) => [what!, sample!, files!.split(', ').map((file) => file.replaceAll('`', ''))] as const,
);

it('CONTRIBUTING has recipes', () => {
  expect(recipes.length).toBeGreaterThanOrEqual(7);
});

it('the registry has a probe for each kind', () => {
  expect(probes.map(({ kind }) => kind).toSorted()).toEqual([...PROBE_KINDS].toSorted());
});

it.each(recipes)('a new %s touches the files that name %s', (_what, sample, files) => {
  const word = new RegExp(`\\b${sample}\\b`);
  // The client's files are made of the API description.
  const naming = globSync('packages/!(client)/src/**/*.ts', { cwd: ROOT }).filter(
    (path) => !path.endsWith('.d.ts') && word.test(read(path)),
  );
  expect(naming.toSorted()).toEqual(files.toSorted());
});
