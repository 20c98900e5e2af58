import * as fc from 'fast-check';
import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { dkimValidator } from '../../../packages/operations/src/dkim-validator/index.ts';
import type { FakeZone } from '../../intel/fake-resolver.ts';
import { KEYS } from '../../mail/dkim/keys.ts';
import { mailContext } from '../../intel/mail-context.ts';
import { answer, type Opened, read } from '../answer.ts';
import { runs } from '../../runs.ts';

const run = (context: Opened, selector?: string) =>
  answer(dkimValidator, { host: 'A.test', ...(selector !== undefined && { selector }) }, context);
const KEY = `v=DKIM1; k=rsa; p=${KEYS.rsa2048}`;

describe('dkim-validator', () => {
  it('reports the key of the selector asked for', async () => {
    const { context, dns } = mailContext({
      's1._domainkey.a.test': { CNAME: ['s1.provider.test'] },
      's1.provider.test': { TXT: [[KEY.slice(0, 200), KEY.slice(200)]] },
    });
    expect(await run(context, 'S1')).toEqual({
      selector: 's1',
      host: 'a.test',
      dkim_host: 's1._domainkey.a.test',
      cname_target: 's1.provider.test',
      has_dkim_record: true,
      dkim_record: KEY,
      dkim_records_count: 1,
      version: 'DKIM1',
      key_type: 'rsa',
      key_bits: 2048,
      issues_found: [],
      valid: true,
      selectors_tried: 0,
      search_pruned: false,
      dns_error: '',
    });
    expect(dns.queries).toEqual(['s1._domainkey.a.test TXT']);
  });

  it('finds a selector by itself', async () => {
    const { context } = mailContext({ 'selector1._domainkey.a.test': { TXT: [`k=ed25519; p=${KEYS.ed25519}`] } });
    expect(await run(context)).toMatchObject({
      selector: 'selector1',
      dkim_host: 'selector1._domainkey.a.test',
      version: 'DKIM1',
      key_type: 'ed25519',
      key_bits: 256,
      valid: true,
    });
  });

  it('reports that there is none, with every field', async () => {
    const { context } = mailContext({});
    expect(await run(context)).toEqual({
      selector: '',
      host: 'a.test',
      dkim_host: '',
      cname_target: '',
      has_dkim_record: false,
      dkim_record: '',
      dkim_records_count: 0,
      version: '',
      key_type: '',
      key_bits: 0,
      issues_found: [{ code: 'DKIM_NOT_FOUND', type: 'error', message: expect.stringContaining('s= of the DKIM-Signature') }],
      valid: false,
      selectors_tried: 20,
      search_pruned: true,
      dns_error: '',
    });
  });

  it.each(['SERVFAIL', 'TIMEOUT', 'REFUSED'] as const)('never takes %s for a missing key', async (failure) => {
    const zone: FakeZone = { '*._domainkey.a.test': failure, '_domainkey.a.test': failure };
    for (const selector of ['s1', undefined])
      expect(await run(mailContext(zone).context, selector)).toMatchObject({
        has_dkim_record: false,
        valid: false,
        issues_found: [{ code: 'RECORD_NOT_ANSWERED', type: 'error' }],
        dns_error: expect.stringMatching(/_domainkey\.a\.test TXT: ./),
      });
  });

  it('takes a host that leaves no room for a selector', async () => {
    const host = `${'a'.repeat(60)}.`.repeat(4) + 'test';
    expect(() => read(dkimValidator, { host })).not.toThrow();
  });

  it('refuses an address as host, and a selector that is no label', () => {
    expect(() => read(dkimValidator, { host: '[2001:db8::1]' })).toThrow('host must be a domain name');
    for (const selector of ['a b', '-', 'a..b', 'x'.repeat(64), '*'])
      expect(() => read(dkimValidator, { host: 'a.test', selector })).toThrow('selector must be');
  });
});

describe('dkim-validator on hostile records', () => {
  it.each([
    ['64 KB of p=', `v=DKIM1; p=${'A'.repeat(64_000)}`],
    ['64 KB of white space', `v=DKIM1; p=${' '.repeat(64_000)}\u0001`],
    ['64 KB of semicolons', ';'.repeat(64_000)],
    ['64 KB of tags', 'p=1;'.repeat(16_000)],
    ['64 KB of colons', `v=DKIM1; h=${':'.repeat(64_000)}`],
  ])('%s: a valid report', async (_case, text) => {
    const report = await run(mailContext({ 's1._domainkey.a.test': { TXT: [text] } }).context, 's1');
    expect(Check(dkimValidator.response, report)).toBe(true);
    expect(report.valid).toBe(false);
  });

  it('takes any text for a record', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: fc.constantFrom('v', 'p', 'k', '=', ';', ' ', 'DKIM1', ':', 'AAAA', 'rsa', '\t'), maxLength: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(text, async (rest) => {
        const report = await run(mailContext({ 's1._domainkey.a.test': { TXT: [rest] } }).context, 's1');
        expect(Check(dkimValidator.response, report)).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });
});
