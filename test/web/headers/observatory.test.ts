import { gradeOf, GRADES, readCookies, type Result, RESULTS, scoreHeaders } from '@vedette/web/headers';
import { beforeAll, describe, expect, it } from 'vitest';
import { evidenceOf, generated, type Given } from './header-sets.ts';
import { openObservatory } from './observatory.ts';
import { WELL_KNOWN } from './well-known.ts';

const SETS = 1_500;
const NOW = new Date('2026-11-28T00:00:00Z');
/** Algorithm 6, that of today, gives these other points than 4, that of the version on npm. */
const CHANGED: Readonly<Record<string, number>> = { 'x-frame-options-sameorigin-or-deny': 0 };
/** Tests that algorithm 4 does not have. */
const isNew = (test: string): boolean => test === 'cross-origin-opener-policy' || test === 'cross-origin-embedder-policy';

let observatory: Awaited<ReturnType<typeof openObservatory>>;
beforeAll(async () => {
  observatory = await openObservatory(['preloaded.test', ...WELL_KNOWN.flatMap(({ given }) => given.preloaded ?? [])]);
});

function both(given: Given) {
  const evidence = evidenceOf(given);
  const theirs = observatory.judge(evidence, given);
  const visit = evidence.https ?? evidence.http;
  const ours = scoreHeaders(evidence, visit ? readCookies(visit, NOW) : []);
  return { ours, theirs };
}

const ofOurs = (results: Readonly<Record<string, Result>>) =>
  Object.fromEntries(Object.entries(results).flatMap(([test, result]) => (isNew(test) ? [] : [[test, [result, RESULTS[result].passed]]])));

describe('MDN HTTP Observatory', () => {
  it(`says the same of ${SETS} generated sites, result for result`, () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= SETS; seed++) {
      const given = generated(seed);
      if (given.https?.length === 0 && given.http?.length === 0) continue; // a site that does not answer has no score
      const { ours, theirs } = both(given);
      expect({ seed, ...ofOurs(ours.results) }, JSON.stringify(given)).toEqual({
        seed,
        ...Object.fromEntries(theirs.map(({ test, result, pass }) => [test, [result, pass]])),
      });
      for (const { result } of theirs) seen.add(result);
    }
    const all = Object.entries(RESULTS).flatMap(([result, { test }]) => (isNew(test) ? [] : [result]));
    expect(all.filter((result) => !seen.has(result))).toEqual([]);
  });

  it('gives the same points for each result, but for what algorithm 6 has changed', () => {
    const ours = Object.fromEntries(
      Object.entries(RESULTS).flatMap(([result, { test, modifier }]) => (isNew(test) ? [] : [[result, CHANGED[result] ?? modifier]])),
    );
    const { 'html-not-parseable': unparsed, ...theirs } = Object.fromEntries(observatory.points);
    expect(ours).toEqual(theirs);
    expect(unparsed).toBe(-20); // no text is that bad
  });

  it('gives the same grade for each score', () => {
    for (let score = 0; score <= 160; score++)
      expect([score, GRADES.find(([, least]) => score >= least)![0]]).toEqual([score, observatory.gradeOf(score)]);
  });

  it.each(WELL_KNOWN)('says the same of $name', ({ given }) => {
    const { ours, theirs } = both(given);
    expect(ofOurs(ours.results)).toEqual(Object.fromEntries(theirs.map(({ test, result, pass }) => [test, [result, pass]])));
  });
});

describe('an odd max-age', () => {
  it.each(['max-age=abc', 'max-age=31536000abc', 'max-age = 31536000', 'max-age=', 'max-age="31536000"'])('%s: says the same', (value) => {
    const { ours, theirs } = both({ fields: { 'strict-transport-security': value } });
    const hsts = theirs.find(({ test }) => test === 'strict-transport-security');
    expect(ours.results['strict-transport-security']).toBe(hsts?.result);
  });
});

const scoreOf = (given: Given) => scoreHeaders(evidenceOf(given), []);
const CSP = 'content-security-policy';

describe('policies without end', () => {
  it('are scored up to the twentieth', () => {
    const sources = Array.from({ length: 4_000 }, (_, i) => i.toString(36).padStart(3, 'x')).join(' ');
    const flood = Array.from({ length: 120 }, () => 'img-src,'.repeat(2_000));
    const { policiesCut } = scoreOf({ fields: { [CSP]: [`img-src ${sources}`, `img-src ${sources}`] }, page: { policies: flood } });
    expect(policiesCut).toBe(true);
    const invalidAt = (place: number) =>
      scoreOf({ fields: { [CSP]: [...Array.from({ length: place }, () => "default-src 'self'"), 'x'] } });
    expect(invalidAt(19)).toMatchObject({ policiesCut: false, results: { [CSP]: 'csp-header-invalid' } });
    expect(invalidAt(20)).toMatchObject({ policiesCut: true, results: { [CSP]: 'csp-implemented-with-no-unsafe' } });
  });

  it('are scored up to 65,536 characters, the first one in any case', () => {
    const long = (chars: number) => `default-src 'self'; img-src ${'a'.repeat(chars)}`;
    expect(scoreOf({ fields: { [CSP]: [long(65_000), 'x'] } })).toMatchObject({
      policiesCut: false,
      results: { [CSP]: 'csp-header-invalid' },
    });
    for (const policies of [
      [long(65_000), long(1_000), 'x'],
      [long(70_000), 'x'],
    ])
      expect(scoreOf({ fields: { [CSP]: policies } })).toMatchObject({
        policiesCut: true,
        results: { [CSP]: 'csp-implemented-with-no-unsafe' },
      });
  });
});

describe('facts that are missing', () => {
  const all = { preflight: {}, fields: { 'x-frame-options': 'DENY' } };

  it.each([
    ['an answer to OPTIONS', { preflight: undefined }, ['cross-origin-resource-sharing'], 0],
    ['https that was not asked', { https: [], unasked: 'https' }, ['strict-transport-security'], 20],
    ['http that was not asked', { http: [], unasked: 'http' }, ['redirection'], 0],
    ['https that was asked', { https: [] }, [], 0],
  ] as const)('%s: the test neither gives nor takes points', (_what, missing, unchecked, more) => {
    const found = scoreOf({ ...all, ...missing });
    expect(found.unchecked).toEqual(unchecked);
    expect(found.score - scoreOf(all).score).toBe(more);
  });

  it.each([
    ['https://example.org/', 'redirection-to-https'],
    ['https://www.example.org/', 'redirection-off-host-from-http'],
    ['http://www.example.org/', 'redirection-not-to-https'],
    ['', 'redirection-missing'],
  ])('an answer at %s, where http leads to: %s', (httpUnanswered, result) => {
    expect(scoreOf({ https: [], http: ['http://example.org/'], httpUnanswered }).results.redirection).toBe(result);
  });
});

describe('the score', () => {
  it.each([
    ['extra credit counts from 90 on', [-10, 5, 10], 105],
    ['and not below', [-15, 5, 10], 85],
    ['it is never below nothing', [-50, -40, -25], 0],
    ['nothing is to be said', [0, 0], 100],
  ])('%s', (_what, modifiers, score) => {
    expect(gradeOf(modifiers).score).toBe(score);
  });
});
