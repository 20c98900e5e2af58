import { discoverDmarc, policyOf } from '@vedette/mail/dmarc';
import * as fc from 'fast-check';
import getDmarcRecord from 'mailauth/lib/dmarc/get-dmarc-record.js';
import { expect, it } from 'vitest';
import { fakeResolver, type FakeZone, unlimited } from '../../intel/fake-resolver.ts';
import { forMailauth } from '../spf/mailauth.ts';
import { runs } from '../../runs.ts';

const ZONES = runs(2_000);
const signal = new AbortController().signal;
const NAMES = ['test', 'co.test', 'a.co.test', 'x.a.co.test', 'y.x.a.co.test', '1.2.3.4.y.x.a.co.test'];

const tag = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(...'sp=none sp=reject sp=x np=reject np=x psd=y psd=n psd=u psd=Y adkim=s t=y foo=bar SP=none'.split(' ')),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('rua=mailto:r@a.test', 'rua=r@a.test', 'rua=x,mailto:r@b.test!10m', 'rua=mailto:', 'rua=https://x'),
  },
  { weight: 1, arbitrary: fc.constantFrom('', 'none', 'p=none', '=x') },
);
const recordText = fc
  .tuple(
    fc.constantFrom('v=DMARC1', 'v=DMARC1', 'v=DMARC1', 'v=DMARC1', 'V = DMARC1', 'v=dmarc1', 'v=DMARC1x', 'x=1'),
    fc.constantFrom('p=reject', 'p=quarantine', 'p=none', 'p=REJECT', 'p=x', 'p=', 'sp=none'),
    fc.array(tag, { maxLength: 3 }),
    fc.constantFrom('; ', ';', ' ;\t'),
  )
  .map(([version, policy, tags, separator]) => [version, policy, ...tags].join(separator));
const published = fc.oneof(
  { weight: 5, arbitrary: fc.constant([]) },
  { weight: 6, arbitrary: fc.tuple(recordText) },
  { weight: 1, arbitrary: fc.tuple(recordText, fc.oneof(recordText, fc.constant('v=spf1 -all'))) },
  { weight: 1, arbitrary: fc.constantFrom('SERVFAIL' as const, 'TIMEOUT' as const) },
);
const zones = fc
  .tuple(...NAMES.map(() => published))
  .map((sets): FakeZone => Object.fromEntries(sets.map((set, i) => [`_dmarc.${NAMES[i]!}`, typeof set === 'string' ? set : { TXT: set }])));

it(`agrees with mailauth in its strict mode on whose policy applies in ${ZONES} zones, and which`, async () => {
  let [none, failed, applied, below] = [0, 0, 0, 0];
  await fc.assert(
    fc.asyncProperty(zones, fc.constantFrom(...NAMES), async (zone, host) => {
      const resolver = fakeResolver(zone);
      const { own, applied: found, orgDomain, errors } = await discoverDmarc(host, { resolver: unlimited(resolver), signal });
      const policy = found && { domain: found.domain, policy: policyOf(found.record), ...(errors.length === 0 && { orgDomain }) };
      const isOwn = found?.domain === own.domain;
      // A mail can wait for an answer from above, a report tells the record found below: mailauth fails there.
      if (found && !isOwn && errors.length > 0) below++;
      const ours = policy && (isOwn || errors.length === 0) ? policy : errors.length > 0 ? 'failed' : 'none';
      const theirs = await getDmarcRecord(host, forMailauth(resolver), { strict: true }).then(
        (record) => {
          if (!record) return 'none';
          const tags = getDmarcRecord.getPolicyTags(record);
          const asked = tags ? { p: tags.p, sp: tags.sp ?? tags.p, np: tags.np ?? tags.sp ?? tags.p } : undefined;
          return { domain: record.recordDomain, policy: asked, ...(record.orgDomain !== null && { orgDomain: record.orgDomain }) };
        },
        () => 'failed',
      );
      expect(ours).toEqual(theirs);
      if (ours === 'none') none++;
      else if (ours === 'failed') failed++;
      else applied++;
    }),
    { numRuns: ZONES, endOnFailure: true },
  );
  expect(Math.min(none, failed, applied, below)).toBeGreaterThan(ZONES / 100);
});
