import { createAddressPolicy } from '@vedette/probes/host';
import type { Resolver } from '@vedette/contract';
import { createMailboxes } from '@vedette/intel/mailboxes';
import type { BlacklistCheck, EngineResult } from '@vedette/intel/ports';
import { shippedNames } from '@vedette/intel/names';
import { describe, expect, it } from 'vitest';
import { emailVerify } from '../../../packages/operations/src/email-verify/index.ts';
import { type FakeZone, fakeResolver } from '../../intel/fake-resolver.ts';
import { dnsContext, schemaErrors } from '../dnssec-status/context.ts';
import { answer } from '../answer.ts';
import { SHUT } from '../shut.ts';

const NAMES = shippedNames();
const MAILBOXES = createMailboxes();

const UNLISTED: BlacklistCheck = { results: [], unanswered: [], scan_time_ms: 0 };

/** Mail hosts of the documentation's networks are reachable here. */
const contextOf = (resolver: Resolver, lists: BlacklistCheck = UNLISTED) => ({
  ...dnsContext(resolver),
  blacklists: { ...SHUT.blacklists, hostInMemory: () => lists },
  names: NAMES,
  mailboxes: MAILBOXES,
  dialler: { ...SHUT.dialler, policy: createAddressPolicy({ allowNets: ['192.0.2.0/24'] }) },
});
const judge = (zone: FakeZone, email: string) => answer(emailVerify, { email }, contextOf(fakeResolver(zone)));

const ZONE: FakeZone = {
  'example.org': {
    A: ['192.0.2.1'],
    MX: [
      { preference: 20, exchange: 'b.example.net' },
      { preference: 10, exchange: 'a.example.net' },
    ],
    TXT: ['v=spf1 mx -all'],
  },
  'a.example.net': { A: ['192.0.2.25'] },
  'mx.mailinator.com': { A: ['192.0.2.26'] },
  '_dmarc.example.org': { TXT: ['v=DMARC1; p=none; sp=reject'] },
  'sub.example.org': { MX: [{ preference: 10, exchange: 'mx.mailinator.com' }] },
  'redirect.example': { TXT: ['v=spf1 redirect=spf.redirect.example'], MX: [{ preference: 1, exchange: 'mx.redirect.example' }] },
  'spf.redirect.example': { TXT: ['v=spf1 ip4:192.0.2.0/24 ~all'] },
  'null.org': { A: ['192.0.2.2'], MX: [{ preference: 0, exchange: '.' }] },
  'silent.org': 'TIMEOUT',
  '_dmarc.silent.org': 'TIMEOUT',
};
const verify = (email: string) => judge(ZONE, email);

describe('email-verify', () => {
  it('reports everything about an ordinary address', async () => {
    expect(await verify('Jane.Doe-7@Example.org')).toEqual({
      email: 'Jane.Doe-7@Example.org',
      coverage: { asked: 5, answered: 5, missing: [] },
      verdict: 'clean',
      canonical_email: 'jane.doe-7@example.org',
      username: 'Jane.Doe-7',
      domain: 'example.org',
      root_domain: 'example.org',
      subdomain: '',
      tld: 'org',
      email_length: 22,
      username_length: 10,
      domain_length: 11,
      username_dots_count: 1,
      username_underscores_count: 0,
      username_hyphens_count: 1,
      username_digits_count: 1,
      username_letters_count: 7,
      valid_format: true,
      role_address: false,
      system_address: false,
      noreply_address: false,
      suspicious_username: false,
      dirty_words_username: false,
      suspicious_email: false,
      username_has_only_digits: false,
      username_has_celebrity_name: false,
      valid_tld: true,
      public_domain: false,
      disposable: false,
      email_forwarder: false,
      has_a_records: true,
      has_mx_records: true,
      has_txt_records: true,
      has_spf_records: true,
      spf_qualifier: 'fail',
      spf_strict: true,
      dmarc_configured: true,
      dmarc_enforced: false,
      is_spoofable: true,
      free_email: false,
      russian_free_email: false,
      china_free_email: false,
      did_you_mean: '',
      suspicious_domain: false,
      dirty_words_domain: false,
      domain_popular: false,
      risky_tld: false,
      police_domain: false,
      government_domain: false,
      educational_domain: false,
      student_email: false,
      score: 98,
      should_block: false,
      score_factors: [{ factor: 'spoofable', points: 2 }],
      dns_errors: [],
    });
  });

  it("finds a disposable service by its exchanger, and the organisation's policy for subdomains", async () => {
    expect(await verify('jane@sub.example.org')).toMatchObject({
      disposable: true,
      public_domain: true,
      subdomain: 'sub',
      dmarc_configured: true,
      dmarc_enforced: true,
      score: 22,
      should_block: true,
      score_factors: [
        { factor: 'disposable', points: 75 },
        { factor: 'no_spf_record', points: 3 },
      ],
    });
  });

  it('follows an SPF redirect to its qualifier', async () => {
    const report = await verify('jane@redirect.example');
    expect(report).toMatchObject({ valid_tld: false, spf_qualifier: '' }); // nothing is asked about a name outside the DNS
    const zone: FakeZone = { 'a.org': { TXT: ['v=spf1 redirect=b.org'] }, 'b.org': { TXT: ['v=spf1 ip4:192.0.2.0/24 ~all'] } };
    expect(await answer(emailVerify, { email: 'jane@a.org' }, contextOf(fakeResolver(zone)))).toMatchObject({
      has_spf_records: true,
      spf_qualifier: 'softfail',
      spf_strict: false,
      is_spoofable: true,
    });
  });

  it.each([
    ['v=spf1 +all', 'pass'],
    ['v=spf1 ?all', 'neutral'],
    ['v=spf1 mx', 'neutral'],
    ['v=spf1 nonsense -all', ''],
    ['v=spf1 redirect=%{d}.example.net', ''],
    ['v=spf1 redirect=a.org', ''],
    ['spf1 -all', ''],
  ])('SPF %s means %s for others', async (record, spf_qualifier) => {
    const zone: FakeZone = { 'a.org': { A: ['192.0.2.1'], TXT: [record] } };
    expect(await answer(emailVerify, { email: 'jane@a.org' }, contextOf(fakeResolver(zone)))).toMatchObject({ spf_qualifier });
  });

  it('several SPF records are none that can be used', async () => {
    const zone: FakeZone = { 'a.org': { TXT: ['v=spf1 -all', 'v=spf1 ~all'] } };
    expect(await answer(emailVerify, { email: 'jane@a.org' }, contextOf(fakeResolver(zone)))).toMatchObject({
      has_spf_records: true,
      spf_qualifier: '',
    });
  });

  describe('a domain on lists of phishing and malware', () => {
    const entry = (name: string, more: Partial<EngineResult> = {}): EngineResult => ({
      id: name.toLowerCase(),
      name,
      detected: true,
      reference: '',
      elapsed_ms: 0,
      confidence: 'low',
      doubtful: false,
      weight: 0.6,
      group: '',
      meanings: ['phishing'],
      ...more,
    });
    const listed = async (...results: EngineResult[]) => {
      const unanswered = [{ name: 'Off', why: 'its list is not loaded' }];
      const context = contextOf(fakeResolver(ZONE), { results, unanswered, scan_time_ms: 0 });
      const { score, score_factors, should_block, verdict, coverage } = (await answer(
        emailVerify,
        { email: 'jane@example.org' },
        context,
      )) as any; // oxlint-disable-line typescript/no-explicit-any
      const found = score_factors.filter(({ factor }: { factor: string }) => factor.startsWith('listed_'));
      return { found, score, should_block, verdict, coverage };
    };
    const one = entry('One');

    it.each<[string, EngineResult[], object]>([
      ['a curated one', [entry('Kept', { confidence: 'high' })], { factor: 'listed_domain', points: 35, detail: 'Kept' }],
      ['two', [one, entry('Two')], { factor: 'listed_domain', points: 35, detail: 'One, Two' }],
      ['one that is unchecked', [one], { factor: 'listed_domain_unconfirmed', points: 24, detail: 'One' }],
      [
        'two that copy',
        [entry('A', { group: 'g' }), entry('B', { group: 'g' })],
        { factor: 'listed_domain_unconfirmed', points: 24, detail: 'A, B' },
      ],
    ])('has a factor for it: %s', async (_, results, factor) => {
      const report = await listed(...results);
      expect(report.found).toEqual([factor]);
      const strong = results.length === 2 ? results[0]!.group === '' : results[0]!.confidence === 'high';
      expect([report.should_block, report.verdict]).toEqual([strong, 'suspicious']);
    });

    it('has none where the entry is in doubt, or another list has answered', async () => {
      const report = await listed(entry('Mistaken', { doubtful: true, confidence: 'high' }), entry('Clean', { detected: false }));
      expect(report).toMatchObject({ found: [], verdict: 'clean', coverage: { asked: 6, answered: 6 } });
    });

    it('of disposable mailboxes is named by its day where no newer one could be fetched', async () => {
      const days: Record<string, string> = { 'disposable-email-domains': '2026-09-21', fakefilter: '2026-05-13' };
      const coverageAt = async (rest: string) => {
        const lists = { staleSince: (list: string) => days[list] ?? rest, isAwaited: () => false };
        return (await answer(emailVerify, { email: 'jane@example.org' }, { ...contextOf(fakeResolver(ZONE)), lists })) as object;
      };
      expect(await coverageAt('2026-08-01')).toMatchObject({
        verdict: 'clean',
        coverage: {
          asked: 6,
          answered: 5,
          missing: [{ name: 'disposable_lists', reason: 'its list is of 2026-09-21: no newer one could be fetched' }],
        },
      });
      expect(await coverageAt('')).toMatchObject({ coverage: { asked: 5, answered: 5, missing: [] } });
    });

    it('of disposable mailboxes that is being loaded makes no address dangerous', async () => {
      const lists = { staleSince: () => '', isAwaited: (list: string) => list === 'fakefilter' };
      const given = { ...contextOf(fakeResolver({ 'plain.top': { A: ['93.184.216.34'] } })), lists };
      const report = (await answer(emailVerify, { email: 'xk7q9zt2wq@plain.top' }, given)) as object;
      expect(report).toMatchObject({
        score: 49,
        verdict: 'unknown',
        score_factors: expect.arrayContaining([{ factor: 'lists_awaited', points: 10 }]),
      });
    });

    it('is not known where no list is loaded, and the report says so', async () => {
      expect((await listed()).coverage).toEqual({
        asked: 6,
        answered: 5,
        missing: [{ name: 'lists', reason: 'No list of harmful names is loaded' }],
      });
    });
  });

  it('a null MX takes no mail', async () => {
    expect(await verify('jane@null.org')).toMatchObject({ has_a_records: true, has_mx_records: false, score: 0, should_block: true });
  });

  it.each(['TIMEOUT', 'SERVFAIL', 'REFUSED'] as const)(
    'does not call a domain good of which nobody knows anything: %s',
    async (failure) => {
      const zone: FakeZone = { 'silent.org': failure, '_dmarc.silent.org': failure };
      const report = await judge(zone, 'jane@silent.org');
      expect(report).toMatchObject({
        has_mx_records: false,
        is_spoofable: false,
        score: 65,
        verdict: 'unknown',
        should_block: true,
        score_factors: [{ factor: 'mail_fails', points: 35, detail: expect.stringContaining('silent.org MX: ') }],
      });
      expect(report.dns_errors.length).toBeGreaterThan(0);
    },
  );

  it.each<[string, FakeZone]>([
    ['MX', { 'a.org': { A: ['192.0.2.1'], TXT: ['v=spf1 -all'], MX: 'TIMEOUT' } }],
    ['MX', { 'a.org': { A: ['192.0.2.1'], TXT: ['v=spf1 -all'], MX: 'SERVFAIL' } }],
    ['mx.a.org', { 'a.org': { A: ['192.0.2.1'], MX: [{ preference: 0, exchange: 'mx.a.org' }] }, 'mx.a.org': 'TIMEOUT' }],
  ])('blocks nobody because one question has no answer: %s', async (question, zone) => {
    const report = await judge(zone, 'jane@a.org');
    expect(report).toMatchObject({
      should_block: false,
      score_factors: expect.arrayContaining([{ factor: 'mail_unanswered', points: 12, detail: expect.stringContaining(question) }]),
    });
    expect(report.score).toBeGreaterThan(80);
  });

  it.each([
    ['localhost', {}],
    ['gone.example.net', {}],
    ['inner.example.net', { 'inner.example.net': { A: ['10.1.2.3'] } }],
  ] as [string, FakeZone][])('takes no mail when its mail host is %s', async (exchange, more) => {
    const zone: FakeZone = { 'a.org': { A: ['192.0.2.1'], MX: [{ preference: 0, exchange }] }, ...more };
    const resolver = fakeResolver(zone);
    expect(await answer(emailVerify, { email: 'jane@a.org' }, contextOf(resolver))).toMatchObject({
      has_mx_records: true,
      score: 0,
      score_factors: [{ factor: 'takes_no_mail', points: 100, detail: expect.stringContaining(exchange) }],
    });
    expect(resolver.queries.filter((query) => query.startsWith('localhost'))).toEqual([]);
  });

  it('says which brand a domain imitates', async () => {
    const zone: FakeZone = {
      '*.com': { A: ['192.0.2.1'], MX: [{ preference: 0, exchange: 'a.example.net' }] },
      'a.example.net': { A: ['192.0.2.25'] },
    };
    expect(await judge(zone, 'jane@pаypal.com')).toMatchObject({
      domain: 'xn--pypal-4ve.com',
      suspicious_domain: true,
      should_block: true,
      score_factors: expect.arrayContaining([{ factor: 'homograph', points: 75, detail: 'paypal' }]),
    });
  });

  it('is_spoofable follows DMARC: -all alone protects nobody, an enforced policy does without SPF', async () => {
    const strict: FakeZone = { 'a.org': { TXT: ['v=spf1 -all'] }, '_dmarc.a.org': { TXT: ['v=DMARC1; p=none'] } };
    expect(await answer(emailVerify, { email: 'jane@a.org' }, contextOf(fakeResolver(strict)))).toMatchObject({
      spf_strict: true,
      is_spoofable: true,
    });
    const enforced: FakeZone = { '_dmarc.a.org': { TXT: ['v=DMARC1; p=quarantine'] } };
    expect(await answer(emailVerify, { email: 'jane@a.org' }, contextOf(fakeResolver(enforced)))).toMatchObject({
      has_spf_records: false,
      is_spoofable: false,
    });
  });

  it('is_spoofable is not what a registry says of others, where the organisation itself rejects', async () => {
    const registry: FakeZone = { '_dmarc.gov.uk': { TXT: ['v=DMARC1; p=reject; sp=none'] } };
    const zone: FakeZone = { ...registry, '_dmarc.council.gov.uk': { TXT: ['v=DMARC1; p=reject'] } };
    for (const [domain, published, dmarc_enforced, is_spoofable] of [
      ['council.gov.uk', zone, true, false],
      ['mail.council.gov.uk', zone, false, false],
      ['mail.council.gov.uk', registry, false, true],
    ] as const)
      expect(await answer(emailVerify, { email: `jane@${domain}` }, contextOf(fakeResolver(published)))).toMatchObject({
        dmarc_enforced,
        is_spoofable,
      });
  });

  it('names an SPF redirect that nobody can follow', async () => {
    const zone: FakeZone = { 'a.org': { A: ['192.0.2.1'], TXT: ['v=spf1 redirect=b.org'] }, 'b.org': 'SERVFAIL' };
    expect(await answer(emailVerify, { email: 'jane@a.org' }, contextOf(fakeResolver(zone)))).toMatchObject({
      spf_qualifier: '',
      dns_errors: [expect.stringContaining('b.org TXT')],
    });
  });

  it("counts the silence of a parent's DMARC record as much as a missing one", async () => {
    const own: FakeZone = { '_dmarc.a.org': { TXT: ['v=DMARC1; p=reject'] }, '_dmarc.org': 'TIMEOUT' };
    expect(await answer(emailVerify, { email: 'jane@a.org' }, contextOf(fakeResolver(own)))).toMatchObject({
      dmarc_enforced: true,
      score: 0,
      score_factors: [{ factor: 'takes_no_mail', points: 100, detail: 'a.org has no address' }],
      dns_errors: [],
    });
    const none: FakeZone = {
      'a.org': { MX: [{ preference: 1, exchange: 'mx.a.org' }] },
      'mx.a.org': { A: ['192.0.2.1'] },
      '_dmarc.org': 'TIMEOUT',
    };
    expect(await answer(emailVerify, { email: 'jane@a.org' }, contextOf(fakeResolver(none)))).toMatchObject({
      is_spoofable: false,
      score_factors: [
        { factor: 'no_spf_record', points: 3 },
        { factor: 'dmarc_unanswered', points: 2 },
      ],
      coverage: { asked: 5, answered: 4, missing: [{ name: 'dmarc', reason: 'the DNS did not answer' }] },
      dns_errors: [expect.stringContaining('_dmarc.org TXT')],
    });
  });

  it.each(['u1234567@anu.edu.au', 's3812345@student.rmit.edu.au', 'k1234567@kcl.ac.uk', 'ab123456@campus.fct.unl.pt'])(
    "a student's number is not suspicious: %s",
    async (email) => {
      const zone: FakeZone = { [email.slice(email.indexOf('@') + 1)]: { A: ['192.0.2.1'], TXT: ['v=spf1 -all'] } };
      expect(await judge(zone, email)).toMatchObject({
        educational_domain: true,
        suspicious_username: false,
        suspicious_email: false,
        score_factors: [{ factor: 'no_mx_records' }, { factor: 'spoofable' }],
      });
    },
  );

  it("an alias service's own names are not suspicious, those with an invisible character are", async () => {
    const zone: FakeZone = { 'simplelogin.com': { A: ['192.0.2.1'] } };
    expect(await judge(zone, 'x7k2m9q4w1@simplelogin.com')).toMatchObject({ suspicious_username: false, suspicious_email: false });
    expect(await judge(zone, 'ja\u200bne@simplelogin.com')).toMatchObject({ suspicious_username: true, suspicious_email: true });
  });

  it('suggests the provider that was meant', async () => {
    expect(await verify('Jane@gmial.com')).toMatchObject({ did_you_mean: 'Jane@gmail.com', score: 0 });
  });

  it('answers about what is no address, asking nothing', async () => {
    const resolver = fakeResolver({});
    expect(await answer(emailVerify, { email: 'jane at example.org' }, contextOf(resolver))).toMatchObject({
      username: 'jane at example.org',
      domain: '',
      valid_format: false,
      score: 0,
      should_block: true,
      score_factors: [{ factor: 'invalid_format', points: 100 }],
    });
    expect(resolver.queries).toEqual([]);
  });

  it('reports what its schema says', async () => {
    const reports = await Promise.all(['jane@sub.example.org', 'jane at example.org', 'jane@silent.org', 'Jane@gmial.com'].map(verify));
    expect(reports.flatMap((report) => schemaErrors(emailVerify, report))).toEqual([]);
  });

  it('asks everything in one round trip, and for the mail host in a second', async () => {
    const resolver = fakeResolver(ZONE);
    await answer(emailVerify, { email: 'jane@example.org' }, contextOf(resolver));
    expect(resolver.rounds).toBe(2);
    expect(resolver.queries.length).toBeLessThanOrEqual(9);
    expect(resolver.queries.filter((query) => query === 'example.org MX')).toHaveLength(1);
  });
});
