import { parseIp } from '@vedette/contract';
import { checkHost, SPF_RESULTS, type SpfResult } from '@vedette/mail/spf';
import * as fc from 'fast-check';
import { spf } from 'mailauth/lib/spf/index.js';
import { expect, it } from 'vitest';
import { fakeResolver, unlimited } from '../../intel/fake-resolver.ts';
import { type SpfCase, spfCase } from './corpus.ts';
import { forMailauth } from './mailauth.ts';
import { runs } from '../../runs.ts';

const CASES = runs(2_500);
const signal = new AbortController().signal;

/**
 * Where mailauth leaves RFC 7208: it counts the PTR question of `%{p}`, with whatever transformers, as a look-up term (§4.6.4 counts terms only). Such
 * cases are compared only while neither side is near a limit.
 */
const deviates = ({ zone }: SpfCase, lookups: { count: number; void: number } | undefined): boolean =>
  /%\{p/i.test(JSON.stringify(zone).replaceAll('","', '')) && lookups !== undefined && (lookups.count >= 10 || lookups.void >= 2);

it(`agrees with mailauth in its strict mode on ${CASES} records and addresses`, async () => {
  const results = new Map<SpfResult, number>();
  let excluded = 0;
  await fc.assert(
    fc.asyncProperty(spfCase, async (question) => {
      const ours = await checkHost(
        { ...question, ip: parseIp(question.ip)! },
        { resolver: unlimited(fakeResolver(question.zone)), signal },
      );
      const theirs = await spf({ ...question, strict: true, mta: 'mta.test', resolver: forMailauth(fakeResolver(question.zone)) });
      if (deviates(question, theirs.lookups)) {
        excluded++;
        return;
      }
      results.set(ours.result, (results.get(ours.result) ?? 0) + 1);
      expect(ours.result, `${ours.reason} | ${theirs.status.comment}`).toBe(theirs.status.result);
    }),
    { numRuns: CASES, endOnFailure: true },
  );
  expect(excluded).toBeLessThan(CASES / 20);
  // The corpus reaches every result often enough to mean something.
  expect(SPF_RESULTS.filter((result) => (results.get(result) ?? 0) < CASES / 100)).toEqual([]);
});
