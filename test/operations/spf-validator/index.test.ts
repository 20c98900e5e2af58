import type { DnsAnswer } from '@vedette/contract';
import * as fc from 'fast-check';
import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { spfValidator } from '../../../packages/operations/src/spf-validator/index.ts';
import type { FakeZone } from '../../intel/fake-resolver.ts';
import { mailContext } from '../../intel/mail-context.ts';
import { exchanges, hosts, spf } from '../../mail/spf/rfc7208.ts';
import { answer, type Opened, read } from '../answer.ts';
import { runs } from '../../runs.ts';

const run = (context: Opened, host = 'a.test', iptest?: string) =>
  answer(spfValidator, { host, ...(iptest !== undefined && { iptest }) }, context);

describe('spf-validator', () => {
  it('reports the tree of records and what it authorises', async () => {
    const { context, dns } = mailContext({
      'a.test': {
        ...spf('v=spf1 ip4:192.0.2.0/25 mx a:h.test/31 include:b.test ?include:c.test exists:%{i}.d.test -all'),
        MX: [{ preference: 1, exchange: 'm.test' }],
      },
      'b.test': { TXT: [['v=spf1 ip4:192.0.2.128/25', ' ip6:2001:db8::/33 ip6:2001:db8:8000::/33 ~all']] },
      'c.test': spf('v=spf1 ip4:203.0.113.9 -all'),
      'm.test': { A: ['198.51.100.7'], AAAA: ['2001:db8:1::7'] },
      'h.test': { A: ['198.51.100.6'] },
    });
    expect(await run(context, 'A.Test.', '198.51.100.7')).toEqual({
      host: 'a.test',
      has_spf_record: true,
      dns_lookups_num: 5,
      spf_record: 'v=spf1 ip4:192.0.2.0/25 mx a:h.test/31 include:b.test ?include:c.test exists:%{i}.d.test -all',
      spf_records_list: [
        {
          record: 'v=spf1 ip4:192.0.2.0/25 mx a:h.test/31 include:b.test ?include:c.test exists:%{i}.d.test -all',
          origin: 'a.test',
          chars_num: 93,
          use_macro: true,
          domains: ['b.test', 'c.test'],
          authorized_ips: { ipv4: ['192.0.2.0/25', '198.51.100.6/31'], ipv6: ['2001:db8:1::7'] },
        },
        {
          record: 'v=spf1 ip4:192.0.2.128/25 ip6:2001:db8::/33 ip6:2001:db8:8000::/33 ~all',
          origin: 'b.test',
          chars_num: 71,
          use_macro: false,
          authorized_ips: { ipv4: ['192.0.2.128/25'], ipv6: ['2001:db8::/32'] },
        },
        {
          record: 'v=spf1 ip4:203.0.113.9 -all',
          origin: 'c.test',
          chars_num: 27,
          use_macro: false,
          authorized_ips: { ipv4: ['203.0.113.9'], ipv6: [] },
        },
      ],
      domains_extracted: ['h.test', 'b.test', 'c.test'],
      authorized_ips: { ipv4: ['192.0.2.0/24', '198.51.100.6/31'], ipv6: ['2001:db8::/32'] },
      issues_found: [],
      syntax_errors: [],
      spf_valid: true,
      has_issues: false,
      macros_found: true,
      ip_pass: true,
      ip_result: 'pass',
      ip_reason: 'mx of a.test',
      dns_error: '',
    });
    expect(dns.rounds).toBe(3);
  });

  it('names the terms that make the record a permerror', async () => {
    const { context } = mailContext({ 'a.test': spf('v=spf1 ip4:192.0.2.300 include:b.test -all'), 'b.test': spf('v=spf1 foo -all') });
    expect(await run(context, 'a.test', '192.0.2.1')).toMatchObject({
      spf_valid: false,
      has_issues: true,
      syntax_errors: [
        { origin: 'a.test', term: 'ip4:192.0.2.300', problem: '"192.0.2.300" is not an IPv4 address or network' },
        { origin: 'b.test', term: 'foo', problem: '"foo" is not a mechanism of SPF' },
      ],
      ip_pass: false,
      ip_result: 'permerror',
    });
  });

  it.each<[string, FakeZone[string], string]>([
    ['SERVFAIL', 'SERVFAIL', 'a.test TXT: The resolver could not answer for this name: SERVFAIL'],
    ['a timeout', 'TIMEOUT', 'a.test TXT: The resolver did not answer in time: a.test'],
  ])('never takes %s for a missing record', async (_case, answer, dns_error) => {
    const { context } = mailContext({ 'a.test': answer });
    expect(await run(context)).toMatchObject({
      has_spf_record: false,
      spf_valid: false,
      issues_found: [{ code: 'RECORD_NOT_ANSWERED', type: 'error', message: expect.stringContaining(dns_error) }],
      dns_error,
    });
  });

  it('walks what depends on the domain alone, and shows it expanded', async () => {
    const { context } = mailContext({
      'a.test': spf('v=spf1 a:mail.%{d} redirect=%{d}.x.test'),
      'mail.a.test': { A: ['192.0.2.7'] },
      'a.test.x.test': spf('v=spf1 ip4:192.0.2.1 -all'),
    });
    expect(await run(context, 'a.test', '192.0.2.1')).toMatchObject({
      dns_lookups_num: 2,
      spf_records_list: [
        { origin: 'a.test', use_macro: true, domains: ['a.test.x.test'], authorized_ips: { ipv4: ['192.0.2.7'] } },
        { origin: 'a.test.x.test', record: 'v=spf1 ip4:192.0.2.1 -all', use_macro: false },
      ],
      domains_extracted: ['mail.a.test', 'a.test.x.test'],
      authorized_ips: { ipv4: ['192.0.2.1', '192.0.2.7'], ipv6: [] },
      spf_valid: true,
      macros_found: true,
      ip_result: 'pass',
    });
  });

  it('does not call a record valid while an include has no answer, nor broken', async () => {
    const { context } = mailContext({ 'a.test': spf('v=spf1 include:b.test -all'), 'b.test': 'SERVFAIL' });
    expect(await run(context)).toMatchObject({
      has_spf_record: true,
      spf_valid: false,
      has_issues: true,
      issues_found: [{ code: 'INCLUDE_NOT_ANSWERED', type: 'warning' }],
      dns_error: expect.stringContaining('b.test TXT: '),
    });
  });

  it.each(['a:b.test', 'mx:b.test', 'exists:b.test'])('does not call a record valid while %s has no answer, and names it', async (term) => {
    const { context } = mailContext({ 'a.test': spf(`v=spf1 ${term} -all`), 'b.test': 'SERVFAIL' });
    expect(await run(context, 'a.test', '192.0.2.1')).toMatchObject({
      spf_valid: false,
      has_issues: true,
      issues_found: [
        { code: 'TERM_NOT_ANSWERED', type: 'warning', message: expect.stringContaining(`${term} of a.test`) },
        { code: 'IPTEST_TEMPERROR', type: 'warning' },
      ],
      ip_result: 'temperror',
      dns_error: expect.stringContaining('b.test '),
    });
  });

  it('asks for an internationalised domain by its A-labels', async () => {
    const { context, dns } = mailContext({ 'xn--bcher-kva.test': spf('v=spf1 -all') });
    expect(await run(context, 'BÜCHER.test')).toMatchObject({ host: 'xn--bcher-kva.test', spf_valid: true });
    expect(dns.queries).toEqual(['xn--bcher-kva.test TXT']);
  });

  it('refuses an address as host, and an iptest that is none', () => {
    expect(() => read(spfValidator, { host: '192.0.2.1' })).toThrow('host must be a domain name');
    expect(() => read(spfValidator, { host: 'a.test', iptest: '192.0.2' })).toThrow('iptest must be an IPv4 or IPv6 address');
  });
});

describe('spf-validator on what is not seen', () => {
  it.each([
    ['ip4:192.0.2.1\u00a0-all', 'U+00A0', 'is not an IPv4 address or network'],
    ['\u200bmx', 'U+200B', 'is not a mechanism of SPF'],
    ['include:a\u200b.test', 'U+200B', 'contains a character that is not allowed'],
    ['\u0430:h.test', 'U+0430', 'is not a mechanism of SPF'],
  ])('names the character in %j', async (term, character, says) => {
    const [problem] = (await run(mailContext({ 'a.test': spf(`v=spf1 ${term}`) }).context)).syntax_errors;
    expect(problem?.problem).toContain(`(${character} is not a plain ASCII character)`);
    expect(problem?.problem).toContain(says);
  });
  it.each([
    ['ip4:192.0.2.1\t-all', '"192.0.2.1\t-all" (U+0009 is not a space) is not an IPv4 address or network'],
    ['mx\r\n', '"mx\r\n" (U+000D is not a space) is not a mechanism of SPF'],
    ['mx/24\n', '"/24\n" (U+000A is not a space) is not a prefix length'],
    ['a/24\u00a0', '"/24\u00a0" (U+00A0 is not a plain ASCII character) is not a prefix length'],
  ])('names the white space that parts no terms in %j', async (term, problem) => {
    expect((await run(mailContext({ 'a.test': spf(`v=spf1 ${term}`) }).context)).syntax_errors).toEqual([
      { origin: 'a.test', term, problem },
    ]);
  });
});

describe('spf-validator on a mechanism that is written like a modifier', () => {
  it.each([
    ['+include=b.test', '"include=b.test" is not a mechanism of SPF; write "include:" (RFC 7208 §5)'],
    ['-IP4=192.0.2.1', '"ip4=192.0.2.1" is not a mechanism of SPF; write "ip4:" (RFC 7208 §5)'],
    ['?a=b.test/24', '"a=b.test" is not a mechanism of SPF; write "a:" (RFC 7208 §5)'],
    ['-all=x', '"all=x" is not a mechanism of SPF'],
    ['+moo=x', '"moo=x" is not a mechanism of SPF'],
  ])('says of %s what to write', async (term, problem) => {
    expect((await run(mailContext({ 'a.test': spf(`v=spf1 ${term} -all`) }).context)).syntax_errors).toEqual([
      { origin: 'a.test', term, problem },
    ]);
  });
});

describe('spf-validator on hostile zones', () => {
  const chain: FakeZone = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, i) => [`i${i}.test`, spf(`v=spf1 include:i${i + 1}.test -all`)]),
  );
  const everywhere = Array.from({ length: 60 }, (_, i) => `w${i}.test`);
  const ZONES: Record<string, FakeZone> = {
    'a chain of 10,000 includes': { ...chain, 'a.test': spf('v=spf1 include:i0.test -all') },
    'everybody includes everybody': Object.fromEntries(
      ['a.test', ...everywhere].map((name) => [name, spf(`v=spf1 ${everywhere.map((to) => `include:${to}`).join(' ')} -all`)]),
    ),
    'mx of many domains with many exchanges': {
      'a.test': spf(`v=spf1 ${everywhere.map((name) => `mx:${name}`).join(' ')} -all`),
      ...Object.fromEntries(everywhere.map((name) => [name, { MX: exchanges(30) }])),
      ...hosts(30, () => '192.0.2.1'),
    },
    '64 KB of text in one record': { 'a.test': spf(`v=spf1 ${'ip4:192.0.2.1 '.repeat(4_600)}`) },
    '64 KB of one term': { 'a.test': spf(`v=spf1 a:${'x'.repeat(64_000)}.test -all`) },
    '64 KB of macros': { 'a.test': spf(`v=spf1 exists:${'%{i32r.-+,/_=}'.repeat(4_000)}.test -all`) },
    '64 KB of digits': { 'a.test': spf(`v=spf1 a/${'1'.repeat(64_000)} ip4:${'1'.repeat(64_000)}`) },
    'every name is an alias of itself': { '*.test': { CNAME: ['a.test'] }, 'a.test': { CNAME: ['a.test'] } },
    'nobody answers': {
      'a.test': spf(`v=spf1 ${everywhere.map((name) => `include:${name} a:${name}`).join(' ')} -all`),
      '*.test': 'TIMEOUT',
    },
  };
  it.each(Object.entries(ZONES))('%s: at most 60 queries and a valid report', async (_case, zone) => {
    const { context, dns } = mailContext(zone);
    const report = await run(context, 'a.test', '198.51.100.1');
    expect(Check(spfValidator.response, report)).toBe(true);
    expect(report).toMatchObject({ ip_pass: false });
    expect(dns.queries.length).toBeLessThanOrEqual(60);
    expect(new Set(dns.queries).size).toBe(dns.queries.length);
  });

  it('lists the first hundred of 30,000 bad terms', async () => {
    const { context } = mailContext({ 'a.test': spf(`v=spf1 ${'x '.repeat(30_000)}-all`) });
    const report = await run(context, 'a.test');
    expect(report).toMatchObject({ spf_valid: false, has_issues: true });
    const problem = { origin: 'a.test', term: 'x', problem: '"x" is not a mechanism of SPF' };
    expect(report.syntax_errors).toEqual(Array.from({ length: 100 }, () => problem));
  });

  it('reads a record no further than its hundredth bad term, and ten records of a domain', async () => {
    const { context, dns } = mailContext({ 'a.test': spf(`v=spf1 ${'x '.repeat(100)}include:b.test`), 'b.test': spf('v=spf1 -all') });
    expect(await run(context)).toMatchObject({ spf_valid: false, issues_found: [], domains_extracted: [] });
    expect(dns.queries.filter((query) => query.includes('b.test'))).toEqual([]);
    const many = await run(mailContext({ 'a.test': { TXT: Array.from({ length: 11 }, (_, i) => [`v=spf1 ip4:192.0.2.${i}`]) } }).context);
    expect(many.spf_records_list).toHaveLength(10);
    expect(many.issues_found).toContainEqual(expect.objectContaining({ code: 'MULTIPLE_SPF_RECORDS' }));
  });

  it('reads no more than 10,000 terms of all records together, and says so', async () => {
    const problem = 'there are too many terms; this one and what follows is not read';
    const one = await run(mailContext({ 'a.test': spf(`v=spf1${' x=1'.repeat(10_000)} y=1`) }).context, 'a.test', '192.0.2.1');
    expect(one).toMatchObject({
      spf_valid: false,
      ip_result: 'permerror',
      issues_found: [{ code: 'IPTEST_PERMERROR' }],
      syntax_errors: [{ term: 'y=1', problem }],
    });
    const { context } = mailContext({
      'a.test': spf(`v=spf1${' x=1'.repeat(5_000)} include:b.test include:c.test -all`),
      'b.test': spf(`v=spf1${' x=1'.repeat(4_996)} -all`),
      'c.test': spf('v=spf1 -all'),
    });
    expect(await run(context)).toMatchObject({ spf_valid: false, syntax_errors: [{ origin: 'c.test', term: '-all', problem }] });
  });

  it('parses, expands and lists in bounds, whatever 24 records of 60 KB say', async () => {
    const parts = Array.from({ length: 23 }, (_, i) => i);
    const report = (term: (i: number, j: number) => string) =>
      run(
        mailContext({
          'a.test': spf(`v=spf1 ${parts.map((i) => `include:i${i}.test`).join(' ')} -all`),
          ...Object.fromEntries(
            parts.map((i) => [`i${i}.test`, spf(`v=spf1 ${Array.from({ length: 4_000 }, (_, j) => term(i, j)).join(' ')}`)]),
          ),
        }).context,
      );
    for (const mechanism of ['ptr', 'include']) {
      const found = await report((i, j) => `${mechanism}:${j}.%{d}.x${i}.test`);
      expect(found.domains_extracted).toHaveLength(500);
      expect(Math.max(...found.spf_records_list.map(({ domains = [] }) => domains.length))).toBeLessThanOrEqual(100);
    }
    const addresses = await report((i, j) => `ip4:${(i * 7 + (j >> 8)) & 255}.${j & 255}.${i}.1`);
    expect(addresses.authorized_ips.ipv4.length).toBeLessThanOrEqual(10_000);
  });

  it('asks for the hosts of twenty terms of a record, and says that there are more', async () => {
    const terms = Array.from({ length: 5_000 }, (_, i) => `a:h${i % 15}.test/32`).join(' ');
    const { context } = mailContext({ 'a.test': spf(`v=spf1 ${terms} ip4:198.51.100.7 -all`), '*.test': { A: ['192.0.2.1'], AAAA: [] } });
    expect(await run(context)).toMatchObject({
      authorized_ips: { ipv4: ['192.0.2.1', '198.51.100.7'], ipv6: [] },
      dns_lookups_num: 5_000,
      dns_error: 'a.test names hosts in more than 20 terms; the rest was not asked',
    });
  });

  it('reports what it has when the DNS is too slow', async () => {
    const never = new Promise<DnsAnswer>(() => {});
    const { context, outOfPatience } = mailContext({ 'a.test': spf('v=spf1 include:slow.test -all') }, (dns) => ({
      ...dns,
      query: (name, type, options) =>
        name === 'a.test'
          ? dns.query(name, type, options)
          : Promise.race([
              never,
              new Promise<never>((_, reject) => options!.signal!.addEventListener('abort', () => reject(options!.signal!.reason as Error))),
            ]),
    }));
    setImmediate(() => setImmediate(outOfPatience));
    expect(await run(context)).toMatchObject({
      has_spf_record: true,
      spf_valid: false,
      issues_found: [{ code: 'INCLUDE_NOT_ANSWERED' }],
      dns_error: 'slow.test TXT: The DNS was too slow; the rest was not asked',
    });
  });

  it('takes any text for a record', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: fc.constantFrom(...'%{}idslo:/=.-+~?a1 '.split('')), maxLength: 300 }),
    );
    await fc.assert(
      fc.asyncProperty(text, async (rest) => {
        const report = await run(
          mailContext({ 'a.test': spf(`v=spf1 ${rest}`), '*.test': { A: ['192.0.2.1'] } }).context,
          'a.test',
          '192.0.2.1',
        );
        expect(Check(spfValidator.response, report)).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });
});
