import { API_ERRORS } from '@vedette/contract';
import { expect, it } from 'vitest';
import { PAGES, read } from './pages.ts';
import { packageSources } from './sources.ts';

// STYLE §8 by regexes: they miss some odd sentences and blame few good ones, which is enough to see the direction.

/** A relative clause as the subject, or a genitive without its noun. */
const CLAUSE = /^(?:what(?:ever)?|who(?:ever|m|se)?|those|of|so) (?!(?:course|that|is|are|does|do|to)\b[^.]*\?)/i;
const VAGUE = /\b(?:nobody|whoever|somebody|anybody|everybody)\b/i;
const NEGATED_NOUN = /(?<!\bthere )\b(?:is|are|was|were) (?:no|none)\b(?! (?:longer|more)\b)/i;
/** A description that begins like this needs its neighbour, or an answer: the noun of its field is missing. */
const NO_NOUN =
  /^(?:it|its|they|them|their|these|this|that|the same|likewise|one of them|others|as|at(?! least)|in|by|from(?! (?:is|and|fields) )|until|such|where|when|why|how|which|like|none|all of)\b/i;
const MAX_WORDS = 30;

const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?:])\s+(?=[A-Z"“`*[(])|\n{2,}/)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => /[a-z]{2}/i.test(sentence));
/** A list of codes counts as one word: `A, AAAA, MX`. */
const wordsOf = (text: string): number =>
  text
    .replaceAll(/(?:[A-Z][A-Z0-9-]*, )+/g, '')
    .split(/\s+/)
    .filter(Boolean).length;
const isOdd = (sentence: string): boolean => CLAUSE.test(sentence) || VAGUE.test(sentence) || NEGATED_NOUN.test(sentence);

/** Why a description or an error is not plain; undefined when it is. */
function faultOf(text: string): string | undefined {
  const sentences = sentencesOf(text);
  if (sentences.some(isOdd)) return 'odd sentence';
  return NO_NOUN.test(text) ? 'names no noun' : undefined;
}

interface Described {
  at: string;
  text: string;
  /** Paragraphs of the reference page, against what a hover shows. */
  isProse: boolean;
}

function descriptionsOf(node: unknown, at: string, isProse: boolean): Described[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'description' && typeof value === 'string') return [{ at, text: value, isProse }];
    return key.startsWith('example')
      ? []
      : descriptionsOf(
          value,
          `${at}/${key}`,
          /^\/(?:info|tags|paths\/[^ ]+\/(?:post|get)$|components\/responses\/E\d+$)/.test(`${at}/${key}`),
        );
  });
}

const openapi: unknown = JSON.parse(read('docs/reference/openapi.json'));
it('descriptions of the API stand alone, in plain English', () => {
  const all = descriptionsOf(openapi, '', false);
  expect(all.length).toBeGreaterThan(1_000);
  const faults = all.flatMap(({ at, text, isProse }) => {
    const longest = Math.max(...(isProse ? sentencesOf(text) : [text]).map(wordsOf));
    const fault = faultOf(text) ?? (longest > MAX_WORDS ? `${longest} words` : undefined);
    return fault ? [`${at}: ${fault}: ${text}`] : [];
  });
  expect(faults).toEqual([]);
});

it('errors of the API are plain English', () => {
  const sentences = Object.values(API_ERRORS).map(({ sentence }) => sentence);
  const details = [...packageSources.values()].flatMap((source) =>
    [...source.matchAll(/new ApiError\(\s*'\w+',\s*(['"`])([^'"`\n]+)\1/g)].map(([, , text]) => text!),
  );
  expect(details.length).toBeGreaterThan(20);
  expect([...sentences, ...details].filter((text) => sentencesOf(text).some(isOdd) || wordsOf(text) > MAX_WORDS)).toEqual([]);
});

/** Prose of a page: no code, no tables, no headings. */
const proseOf = (page: string): string =>
  page
    .replaceAll(/^ *```.*?^ *```$/gms, '')
    .replaceAll(/^ *(?:\||#|<).*$/gm, '\n')
    .replaceAll(/^ *(?:[-*]|\d+\.) /gm, '\n');
const commentsOf = (source: string): string[] => [
  ...[...source.matchAll(/\/\*\*?(.*?)\*\//gs)].map(([, text]) => text!.replaceAll(/^\s*\* ?/gm, '')),
  ...[...source.matchAll(/(?:^ *\/\/.*\n)+/gm)].map(([text]) => text.replaceAll(/^ *\/\/ ?/gm, '')),
];

const isAdr = (path: string): boolean => path.startsWith('docs/adr/');
const TEXTS: Record<string, string[]> = {
  pages: PAGES.filter((path) => !isAdr(path) && path !== 'CHANGELOG.md').map((path) => proseOf(read(path))),
  // *Unreleased*, which may be empty, and the last release.
  changelog: [proseOf(read('CHANGELOG.md').split(/^## /m).slice(1, 3).join('\n\n'))],
  comments: [...packageSources.values()].flatMap(commentsOf),
  adrs: PAGES.filter(isAdr).map((path) => proseOf(read(path))),
};
/** Odd sentences in a thousand. The last ones are good sentences that the regexes blame, such as those about the user `nobody`. */
const AT_MOST = 5;

it.each(Object.keys(TEXTS))('at most 5 in 1000 sentences of %s are odd', (kind) => {
  const sentences = TEXTS[kind]!.flatMap(sentencesOf);
  expect(sentences.length).toBeGreaterThan(100);
  const odd = sentences.filter(isOdd);
  expect((1_000 * odd.length) / sentences.length, `rewrite what you added:\n${odd.join('\n')}`).toBeLessThanOrEqual(AT_MOST);
});
