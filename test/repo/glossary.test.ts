import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { packageSources } from './sources.ts';

/** Words of docs/glossary.md that once meant several things, and the files where their one meaning lives. */
const WORDS: { word: string; identifier: RegExp; files: RegExp; samples: string[] }[] = [
  {
    word: 'place',
    identifier: /^(?!re|dis|in)\w*?[pP]laces?$|^PLACES?$|_PLACES?$|^Place/,
    files:
      /^packages\/(gateway\/src\/(probe\/(operations|scrape)|locations\/(chosen|locations|known-places|list-locations|selection|distance)|metrics\/agent-metrics|request\/dispatch|intel\/data)|intel\/src\/(ports\/data-ports|networks\/[a-z/-]+|datasets\/datasets)|operations\/src\/(kit\/operation|shared\/names\/server-details|site-trust\/(evidence|site-dns)|ip-reputation\/index))\.ts$/,
    samples: ['place', 'places', 'HTTP_PLACES', 'freePlace'],
  },
  {
    word: 'leave',
    identifier: /^leaves?$|^leave[A-Z]|^on[Ll]eave$/,
    files: /^packages\/(bus\/src\/serve\/(job-runner|intake)|probes\/src\/dns\/transport\/shared-runs)\.ts$/,
    samples: ['leave', 'leaveFleet', 'onLeave'],
  },
  {
    word: 'turn',
    identifier: /^turns?$|^turn[A-Z]|Turns?$/,
    files: /^packages\/gateway\/src\/http\/operation-route\.ts$/,
    samples: ['turn', 'turns', 'endOfTurn'],
  },
  {
    word: 'vantage',
    identifier: /vantage/i,
    files: /^packages\/(contract\/src\/words\/reasons|agent\/src\/(agent|main))\.ts$/,
    samples: ['vantage', 'vantagePoint'],
  },
];

/** The names in a source: of variables, functions, types, members. */
function identifiersOf(source: string): Set<string> {
  const names = new Set<string>();
  const visitor = new Visitor({
    Identifier: ({ name }) => void names.add(name),
    PrivateIdentifier: ({ name }) => void names.add(name),
  });
  visitor.visit(parseSync('source.ts', source).program);
  return names;
}

const foreign = ({ identifier, files }: (typeof WORDS)[number], sources: ReadonlyMap<string, string>): string[] =>
  [...sources].flatMap(([path, text]) =>
    files.test(path) ? [] : [...identifiersOf(text)].filter((name) => identifier.test(name)).map((name) => `${path}: ${name}`),
  );

describe.each(WORDS)('$word', (word) => {
  it('means one thing', () => {
    expect(foreign(word, packageSources)).toEqual([]);
  });

  it.each(word.samples)('would be found as %s', (name) => {
    const source = `/** ${name} */ // ${name}\nconst text = '${name}'; const pattern = /${name}/; call(${name});`;
    expect(foreign(word, new Map([['elsewhere.ts', source]]))).toEqual([`elsewhere.ts: ${name}`]);
  });

  it('stands in the glossary', () => {
    expect(readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8')).toMatch(new RegExp(`^\\| \\*${word.word}\\*`, 'm'));
  });
});

it('one function looks up a name', () => {
  const named = [...packageSources].flatMap(([path, text]) =>
    [...text.matchAll(/(?:function|const) (lookUp\w*)/g)].map(([, name]) => `${path}: ${name}`),
  );
  expect(named).toEqual(['packages/contract/src/net/lookup.ts: lookUp']);
});

/** A fragment such as "Of the software." leaves the reader to find the noun. */
const BARE = /\/\*\*\s*(?:\*\s*)?((?:Of|By|For|As|Until|From|Without|With|In|Between|After|Below|To|On|Since) [^\n]*)/g;
const bareComments = (sources: ReadonlyMap<string, string>): string[] =>
  [...sources].flatMap(([path, text]) => [...text.matchAll(BARE)].map(([, words]) => `${path}: ${words}`));

it('doc comments begin with what they are about', () => {
  expect(bareComments(packageSources)).toEqual([]);
  expect(bareComments(new Map([['a.ts', '/** Of the software. */\n/**\n * By an ack.\n */']]))).toEqual([
    'a.ts: Of the software. */',
    'a.ts: By an ack.',
  ]);
});
