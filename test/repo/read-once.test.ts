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

/** Where an operation parses a URL or a host: outside of `kit`, whose parses are the gateway's. The list may only fall. */
const PARSES: Record<string, string> = {
  'packages/operations/src/eml-insights/impersonations.ts':
    'the domain of a Reply-To address, the text of a link and a URL of a message are new text',
  'packages/operations/src/http3-status/attempt.ts': 'the endpoint of an advertisement is new text',
  'packages/operations/src/http3-status/index.ts': 'in `read`: the URL of the request over https',
  'packages/operations/src/shared/pages/unwrapped.ts': 'in `read`: the target of a wrapped link is new text',
};
const PARSE = /\bnew URL\(|\bURL\.parse\(|\bparse(Host|HttpUrl|WebUrl|Url)\b(?!,| \})/;

it('a URL is parsed once, and stays an object through its hops', () => {
  const found = linesWith(PARSE, sources).filter(
    (line) => !line.startsWith('packages/operations/src/kit/') && !/: (\/\/|import )/.test(line),
  );
  expect(found.map((line) => line.split(':', 1)[0])).toEqual(Object.keys(PARSES));
});

it.each(['const { origin } = new URL(url);', 'urls.map(parseHttpUrl)', 'const target = parseWebUrl(url);'])(
  'a second parse would be found: %s',
  (line) => {
    expect(PARSE.test(line)).toBe(true);
  },
);
