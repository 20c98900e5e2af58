import { parseIp } from '@vedette/contract';
import { checkHost, isValidSpf, judgeSpf, walkSpf } from '@vedette/mail/spf';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { spfValidator } from '../../../packages/operations/src/spf-validator/index.ts';
import { answer } from '../../operations/answer.ts';
import { fakeResolver, type FakeZone, unlimited } from '../../intel/fake-resolver.ts';
import { mailContext } from '../../intel/mail-context.ts';
import { spfCase } from './corpus.ts';
import { runs } from '../../runs.ts';

const CASES = runs(2_000);
const signal = new AbortController().signal;

it('no report ever says spf_valid:true beside ip_result:permerror or temperror', async () => {
  const seen = { valid: 0, permerror: 0, temperror: 0 };
  await fc.assert(
    fc.asyncProperty(spfCase, async ({ zone, domain, ip }) => {
      const { spf_valid, ip_result, ip_reason } = await answer(spfValidator, { host: domain, iptest: ip }, mailContext(zone).context);
      if (spf_valid) seen.valid++;
      if (ip_result !== 'permerror' && ip_result !== 'temperror') return;
      seen[ip_result]++;
      expect(spf_valid, ip_reason).toBe(false);
    }),
    { numRuns: CASES },
  );
  expect(Math.min(seen.valid, seen.permerror)).toBeGreaterThan(CASES / 50);
  expect(seen.temperror).toBeGreaterThan(CASES / 500);
});

it('where nothing depends on the message, the tree alone finds every permerror', async () => {
  const seen = { valid: 0, permerror: 0 };
  await fc.assert(
    fc.asyncProperty(spfCase, async ({ zone: drawn, domain, ip }) => {
      const zone = withoutMessage(drawn);
      const verdict = await checkHost({ ip: parseIp(ip)!, domain }, { resolver: unlimited(fakeResolver(zone)), signal });
      const tree = await walkSpf(domain, { resolver: unlimited(fakeResolver(zone)), signal });
      const issues = judgeSpf(tree);
      const valid = isValidSpf(tree, issues);
      if (valid) seen.valid++;
      if (verdict.result !== 'permerror') return;
      seen.permerror++;
      // Too many void look-ups for senders of one family are no error of the record.
      const ofOneFamily = issues.some(({ code }) => code === 'TOO_MANY_DNS_LOOKUPS');
      expect(valid && !ofOneFamily, verdict.reason).toBe(false);
    }),
    { numRuns: CASES },
  );
  expect(Math.min(seen.valid, seen.permerror)).toBeGreaterThan(CASES / 50);
});

/** The zone with every macro of the message made one of the domain, and every `ptr` an `a`. */
function withoutMessage(zone: FakeZone): FakeZone {
  const constant = (text: string) => text.replace(/%\{[slipvh]/gi, '%{d').replace(/(^|[ +\-?~])ptr/gi, '$1a');
  return Object.fromEntries(
    Object.entries(zone).map(([name, records]) =>
      typeof records === 'object' && Array.isArray(records.TXT)
        ? [name, { ...records, TXT: records.TXT.map((strings) => constant([strings].flat().join(''))) }]
        : [name, records],
    ),
  );
}
