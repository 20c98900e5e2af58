import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MAY_IMPORT } from '../../oxlint.config.ts';
import { manifest, PACKAGES, read, ROOT } from './pages.ts';

const PAGE = read('docs/architecture.md');

const sourcesOf = (name: string): string[] =>
  readdirSync(join(ROOT, `packages/${name}/src`), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => read(`packages/${name}/src/${path}`));

const ourNames = (names: Iterable<string>): string[] =>
  [...new Set([...names].flatMap((name) => /^@vedette\/([a-z]+)/.exec(name)?.[1] ?? []))].sort();

it('the arrows of the page are those that lint allows, that package.json declares and that the sources use', () => {
  const drawn = [...PAGE.matchAll(/^(\w+) +→ (.*)$/gm)].map(([, name, ours]) => [
    name,
    ours!.split(', ').filter((word) => word !== 'nothing'),
  ]);
  expect(Object.fromEntries(drawn)).toEqual(MAY_IMPORT);
  for (const name of PACKAGES) {
    const imported = sourcesOf(name).flatMap((text) =>
      [...text.matchAll(/(?:from |import\()'(@vedette\/[^']+)'/g)].map(([, specifier]) => specifier!),
    );
    const arrows = [...MAY_IMPORT[name]!].sort();
    expect([name, ourNames(Object.keys(manifest(name).dependencies ?? {}))]).toEqual([name, arrows]);
    expect([name, ourNames(imported)]).toEqual([name, arrows]);
  }
});

/** The steps of the walks, each with the files and the names that it speaks of. */
const steps = [...PAGE.matchAll(/^\d+\. .*(?:\n {3,}.*)*/gm)].map(([text]) => {
  const spoken = [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
  return { text, files: spoken.filter((word) => word.includes('/')), names: spoken.filter((word) => /^[A-Za-z]\w*$/.test(word)) };
});

it('every step of a walk names a file, and names that stand in its files', () => {
  expect(steps.length).toBeGreaterThan(25);
  const wrong = steps.flatMap(({ text, files, names }) => {
    if (files.length === 0) return [`no file: ${text}`];
    const missing = files.filter((file) => !existsSync(join(ROOT, file)));
    if (missing.length > 0) return missing.map((file) => `no such file: ${file}`);
    const sources = files.map(read).join('\n');
    return names.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources)).map((name) => `${name} is not in ${files.join(', ')}`);
  });
  expect(wrong).toEqual([]);
});
