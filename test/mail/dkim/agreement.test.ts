import { fetchKeys, judgeDkim } from '@vedette/mail/dkim';
import * as fc from 'fast-check';
import { getPublicKey } from 'mailauth/lib/tools.js';
import { expect, it } from 'vitest';
import { fakeResolver, unlimited } from '../../intel/fake-resolver.ts';
import { forMailauth } from '../spf/mailauth.ts';
import { KEYS } from './keys.ts';
import { runs } from '../../runs.ts';

const RECORDS = runs(2_000);
const NAME = 's._domainkey.a.test';
const signal = new AbortController().signal;

const value = fc.constantFrom(...Object.values(KEYS), KEYS.rsa2048, KEYS.rsa2048, '', 'AAAA', '!', KEYS.rsa2048.slice(0, 99));
const tag = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('k=rsa', 'k=rsa', 'k=rsa', 'k=ed25519', 'k=RSA', 'k=dsa', 'k=') },
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ...'s=email s=* s=email:other s=other h=sha256 h=sha1 h=sha1:sha256 t=y t=s t=y:s n=note x=1 K=rsa'.split(' '),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('', 'rsa', '=x', '1=2', 'n=é', 'v=DKIM1') },
);
const record = fc
  .tuple(
    fc.constantFrom('v=DKIM1', 'v=DKIM1', 'v=DKIM1', 'v=dkim1', 'v=DKIM2', 'n=no version'),
    fc.array(tag, { maxLength: 3 }),
    value,
    fc.constantFrom('', ';'),
    fc.constantFrom('; ', ';', ' ; '),
  )
  .map(([version, tags, key, end, separator]) => [version, ...tags, `p=${key}`].join(separator) + end);

/** Where mailauth leaves the standards: an exponent of 1, non-ASCII in notes and an empty `k=` (RFC 6376 §3.6.1) pass. */
const deviates = (text: string): boolean => text.includes(KEYS.exponent1) || text.includes('é') || /k= *;/.test(text);

it(`agrees with mailauth in its strict mode on which of ${RECORDS} key records can be used`, async () => {
  let [usable, unusable, excluded] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(record, async (text) => {
      if (deviates(text)) {
        excluded++;
        return;
      }
      const resolver = fakeResolver({ [NAME]: { TXT: [text] } });
      const { key, issues } = judgeDkim(await fetchKeys('s', 'a.test', { resolver: unlimited(resolver), signal }));
      const ours = key && issues.every(({ type }) => type !== 'error') ? `${key.type} ${key.bits}` : '';
      const theirs = await getPublicKey('DKIM', NAME, 1024, forMailauth(resolver), { strict: true, hashAlgo: 'sha256' }).then(
        ({ keyType, modulusLength }) => `${keyType} ${modulusLength ?? 256}`,
        () => '',
      );
      expect({ text, usable: ours }).toEqual({ text, usable: theirs });
      if (ours === '') unusable++;
      else usable++;
    }),
    { numRuns: RECORDS, endOnFailure: true },
  );
  expect(Math.min(usable, unusable)).toBeGreaterThan(RECORDS / 10);
  expect(excluded).toBeLessThan(RECORDS / 4);
});
