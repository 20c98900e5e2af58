import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The text of every source file of the packages, by its path from the root. Declarations are made of the API's descriptions, which have tests of their own. */
export const packageSources: ReadonlyMap<string, string> = new Map(
  globSync('packages/*/src/**/*.{ts,tsx}', { cwd: ROOT })
    .filter((path) => !path.endsWith('.d.ts'))
    .sort()
    .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const),
);

/** Where the pattern stands in a line of code, as `path:line: text`; lines that are only a comment do not count. */
export function linesWith(pattern: RegExp, sources = packageSources): string[] {
  return [...sources].flatMap(([path, text]) =>
    text
      .split('\n')
      .map((line, index) => ({ line: line.trim(), at: `${path}:${index + 1}` }))
      .filter(({ line }) => !/^(\/\/|\/?\*)/.test(line) && pattern.test(line))
      .map(({ line, at }) => `${at}: ${line}`),
  );
}
