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
