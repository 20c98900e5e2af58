import { defaultsOf } from '@vedette/operations/kit';
import { operations } from '@vedette/operations';
import { expect, it } from 'vitest';
import { linesWith, packageSources } from './sources.ts';

const sources = new Map([...packageSources].filter(([path]) => path.startsWith('packages/operations/')));

/** Where defaults are made, and where a result's are read. */
const HOMES = ['packages/operations/src/kit/blank.ts', 'packages/operations/src/kit/defaults.ts'];
const others = new Map([...sources].filter(([path]) => !HOMES.includes(path)));

const defaulted = new Set(operations.flatMap(({ request }) => Object.keys(defaultsOf(request))));
/** A default beside the schema: `request.name ?? x`, `{ name = x }` or `{ name: other = x }`. */
const SECOND_DEFAULT = new RegExp(`(?<!const )\\b(${[...defaulted].join('|')})( \\?\\? |(: \\w+)? = )`);

it('a default stands in the schema alone, by Defaulted or Flag', () => {
  expect(defaulted.size).toBeGreaterThan(45);
  expect(linesWith(/\bdefault: /, others)).toEqual([]);
  expect(linesWith(SECOND_DEFAULT, sources)).toEqual([]);
});

it.each(['max: request.max_redirects ?? 10,', "read({ selector = 'default' })", 'read({ cache_only: cached = false })'])(
  'a second default would be found: %s',
  (line) => {
    expect(SECOND_DEFAULT.test(line)).toBe(true);
  },
);
