import * as fc from 'fast-check';
import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { bimiValidator } from '../../../packages/operations/src/bimi-validator/index.ts';
import { dmarcValidator } from '../../../packages/operations/src/dmarc-validator/index.ts';
import { emailVerify } from '../../../packages/operations/src/email-verify/index.ts';
import type { FakeZone } from '../../intel/fake-resolver.ts';
import { mailContext } from '../../intel/mail-context.ts';
import { answer, read } from '../answer.ts';
import { runs } from '../../runs.ts';

const MX = [{ preference: 1, exchange: 'mx.a.test' }];
const published = (text: string): FakeZone => ({ '_dmarc.a.test': { TXT: [text] } });

describe('dmarc-validator', () => {
  it('reports the record, its policy and where reports go', async () => {
    const record = 'v=DMARC1; p=quarantine; sp=reject; rua=mailto:agg@a.test,mailto:x@b.test; ruf=mailto:f@c.test; t=y';
    const { context, dns } = mailContext({
      '_dmarc.a.test': { CNAME: ['policy.provider.test'] },
      'policy.provider.test': { TXT: [[record.slice(0, 20), record.slice(20)]] },
      'a.test': { MX },
      'b.test': { MX },
      'a.test._report._dmarc.b.test': { TXT: ['v=DMARC1'] },
    });
    expect(await answer(dmarcValidator, { host: 'A.test' }, context)).toEqual({
      host: 'a.test',
      dmarc_host: '_dmarc.a.test',
      cname_target: 'policy.provider.test',
      has_dmarc_record: true,
      dmarc_record: record,
      dmarc_records_count: 1,
      domain_policy: 'quarantine',
      subdomain_policy: 'reject',
      nonexistent_subdomain_policy: 'reject',
      applied_policy: 'quarantine',
      dmarc_enforced: false,
      test_mode: true,
      organizational_domain: 'a.test',
      rua_emails: [
        { email: 'agg@a.test', domain: 'a.test', has_mx_records: true, accepts_reports: true },
        { email: 'x@b.test', domain: 'b.test', has_mx_records: true, accepts_reports: true },
      ],
      ruf_emails: [{ email: 'f@c.test', domain: 'c.test', has_mx_records: false, accepts_reports: false }],
      version: 'DMARC1',
      issues_found: [
        { code: 'T_TAG_IS_TESTING', type: 'warning', message: expect.stringContaining('t=y') },
        { code: 'RUF_TAG_NO_CONSENT', type: 'warning', message: expect.stringContaining('at a.test._report._dmarc.c.test.') },
        { code: 'RUF_TAG_EMAIL_NO_MX', type: 'warning', message: expect.stringContaining('c.test') },
      ],
      valid: true,
      dns_error: '',
    });
    expect(dns.rounds).toBe(2);
  });

  it('reports the record that a subdomain inherits', async () => {
    const { context } = mailContext(published('v=DMARC1; p=reject; sp=none'));
    expect(await answer(dmarcValidator, { host: 'x.y.a.test' }, context)).toMatchObject({
      dmarc_host: '_dmarc.a.test',
      has_dmarc_record: true,
      domain_policy: 'reject',
      applied_policy: 'none',
      dmarc_enforced: false,
      organizational_domain: 'a.test',
      issues_found: [],
      valid: true,
    });
  });

  it('reports that there is none, with every field', async () => {
    expect(await answer(dmarcValidator, { host: 'a.test' }, mailContext({}).context)).toEqual({
      host: 'a.test',
      dmarc_host: '_dmarc.a.test',
      cname_target: '',
      has_dmarc_record: false,
      dmarc_record: '',
      dmarc_records_count: 0,
      domain_policy: '',
      subdomain_policy: '',
      nonexistent_subdomain_policy: '',
      applied_policy: '',
      dmarc_enforced: false,
      test_mode: false,
      organizational_domain: 'a.test',
      rua_emails: [],
      ruf_emails: [],
      version: '',
      issues_found: [{ code: 'DMARC_NOT_FOUND', type: 'error', message: expect.stringContaining('v=DMARC1; p=none') }],
      valid: false,
      dns_error: '',
    });
  });

  it('does not call a policy enforced that receivers ignore', async () => {
    for (const text of ['p=reject; v=DMARC1', 'v=DMARC1; p=reject; sp=x', 'v=DMARC1; p=reject; p=reject'])
      expect(await answer(dmarcValidator, { host: 'a.test' }, mailContext(published(text)).context)).toMatchObject({
        has_dmarc_record: true,
        applied_policy: '',
        dmarc_enforced: false,
        valid: false,
      });
  });

  it.each(['SERVFAIL', 'TIMEOUT', 'REFUSED'] as const)(
    'is no report, and free, where nothing was found and a name above fails: %s',
    async (failure) => {
      for (const [host, failing] of [
        ['a.test', '_dmarc.test'],
        ['x.a.test', '_dmarc.a.test'],
      ] as const)
        await expect(answer(dmarcValidator, { host }, mailContext({ [failing]: failure }).context)).rejects.toMatchObject({
          code: 'upstream_failed',
          status: 502,
          message: expect.stringContaining(`${failing} TXT: `),
        });
    },
  );

  it.each(['SERVFAIL', 'TIMEOUT', 'REFUSED'] as const)(
    'is no report, and free, where its own first question fails: %s',
    async (failure) => {
      const { context } = mailContext({ '_dmarc.a.test': failure });
      await expect(answer(dmarcValidator, { host: 'a.test' }, context)).rejects.toMatchObject({
        code: 'upstream_failed',
        status: 502,
        message: expect.stringContaining('_dmarc.a.test TXT: '),
      });
    },
  );

  it('reports a record although nobody knows of the top-level domain', async () => {
    const { context } = mailContext({ ...published('v=DMARC1; p=reject'), '_dmarc.test': 'SERVFAIL' });
    for (const host of ['a.test', 'x.a.test'])
      expect(await answer(dmarcValidator, { host }, context)).toMatchObject({
        dmarc_host: '_dmarc.a.test',
        has_dmarc_record: true,
        applied_policy: 'reject',
        dmarc_enforced: true,
        valid: true,
        dns_error: expect.stringContaining('_dmarc.test TXT'),
      });
  });

  it.each([
    ['t=y', false],
    ['t=n', true],
  ])('says the same of %s as every other operation', async (tag, dmarc_enforced) => {
    const { context: shut } = mailContext({ '_dmarc.example.org': { TXT: [`v=DMARC1; p=reject; ${tag}`] } });
    const inNoList = { ...shut.blacklists, hostInMemory: () => ({ results: [], unanswered: [], scan_time_ms: 0 }) };
    const context = { ...shut, blacklists: inNoList };
    const reports = [
      await answer(dmarcValidator, { host: 'example.org' }, context),
      await answer(bimiValidator, { host: 'example.org' }, context),
      await answer(emailVerify, { email: 'jane@example.org' }, context),
    ];
    expect(reports.map((report) => report.dmarc_enforced)).toEqual(Array.from(reports, () => dmarc_enforced));
  });

  it('says that it does not know whether the host exists, where np= depends on it', async () => {
    const zone: FakeZone = { ...published('v=DMARC1; p=reject; sp=none; np=reject'), 'b.a.test': 'SERVFAIL' };
    expect(await answer(dmarcValidator, { host: 'b.a.test' }, mailContext(zone).context)).toMatchObject({
      applied_policy: 'none',
      dns_error: expect.stringContaining('b.a.test A'),
    });
  });

  it('refuses an address as host', () => {
    expect(() => read(dmarcValidator, { host: '192.0.2.1' })).toThrow('host must be a domain name');
  });
});

describe('dmarc-validator on hostile records', () => {
  const addresses = Array.from({ length: 1_000 }, (_, i) => `mailto:r@d${i}.test`).join(',');
  it.each([
    ['1,000 report addresses', `v=DMARC1; p=reject; rua=${addresses}; ruf=${addresses}`],
    ['64 KB of commas', `v=DMARC1; p=reject; rua=${','.repeat(64_000)}`],
    ['64 KB of exclamation marks', `v=DMARC1; p=reject; rua=mailto:${'!1'.repeat(32_000)}`],
    ['64 KB of dots', `v=DMARC1; p=reject; rua=mailto:${'a.'.repeat(32_000)}@a.test`],
    ['64 KB of white space', `v=DMARC1; p=${' '.repeat(64_000)}\u0001`],
    ['64 KB of semicolons', `v=DMARC1${';'.repeat(64_000)}`],
  ])('%s: at most 60 queries and a valid report', async (_case, text) => {
    const { context, dns } = mailContext({ ...published(text), '*.test': { MX } });
    expect(Check(dmarcValidator.response, await answer(dmarcValidator, { host: 'a.test' }, context))).toBe(true);
    expect(dns.queries.length).toBeLessThanOrEqual(60);
    expect(dns.queries.filter((query) => query.endsWith(' MX')).length).toBeLessThanOrEqual(20);
  });

  it('takes any text for a record', async () => {
    const word = fc.constantFrom('v', 'p', 'rua', 'mailto:', '=', ';', ' ', 'DMARC1', ',', '@a.test', '!', '%', '%41', 'reject', '\t');
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: word, maxLength: 40 }));
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), async (rest, versioned) => {
        const { context } = mailContext(published(versioned ? `v=DMARC1;${rest}` : rest));
        expect(Check(dmarcValidator.response, await answer(dmarcValidator, { host: 'a.test' }, context))).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });
});
