import { parseIp } from '@vedette/contract';
import { checkHost, judgeSpf, SPF_ISSUES, type SpfIssue, walkSpf } from '@vedette/mail/spf';
import { describe, expect, it } from 'vitest';
import { fakeResolver, type FakeZone, unlimited } from '../../intel/fake-resolver.ts';
import { documentedCodes } from '../../intel/issue-docs.ts';
import { exchanges, hosts, spf } from './rfc7208.ts';

const signal = new AbortController().signal;
const judge = async (zone: FakeZone) => judgeSpf(await walkSpf('a.test', { resolver: unlimited(fakeResolver(zone)), signal }));

interface Row {
  case: string;
  zone: FakeZone;
  /** Every issue found, as `CODE type`. */
  issues: string[];
  /** What the message of the first one says, and of the last. */
  says?: string;
  shows?: string;
}
const OTHER = spf('v=spf1 ip4:203.0.113.0/24 -all');
const ROWS: Row[] = [
  {
    case: '§2.3 a clean record',
    zone: { 'a.test': spf('v=spf1 ip4:192.0.2.0/24 include:b.test -all exp=e.test'), 'b.test': OTHER },
    issues: [],
  },
  { case: '§4.5 no record', zone: { 'a.test': { TXT: ['x=1'] } }, issues: ['SPF_NOT_FOUND error'], says: 'a.test has no SPF record' },
  {
    case: '§4.4 nobody knows: never that there is none',
    zone: { 'a.test': 'SERVFAIL' },
    issues: ['RECORD_NOT_ANSWERED error'],
    says: 'a.test TXT: ',
  },
  {
    case: '§5.2 an include without a record',
    zone: { 'a.test': spf('v=spf1 include:b.test -all') },
    issues: ['SPF_NOT_FOUND error'],
    says: 'b.test',
  },
  {
    case: '§4.4 an include that nobody knows: whether the record is valid is not known',
    zone: { 'a.test': spf('v=spf1 include:b.test -all'), 'b.test': 'SERVFAIL' },
    issues: ['INCLUDE_NOT_ANSWERED warning'],
    says: 'b.test TXT: ',
  },
  ...['a:b.test', '-a:b.test/24', 'mx:b.test', '?exists:b.test', 'a:b.%{d}', 'mx:c.test'].flatMap((term) =>
    (['SERVFAIL', 'TIMEOUT'] as const).map((failure) => ({
      case: `§5 the host of ${term} that nobody knows (${failure}): whether the record is valid is not known`,
      zone: {
        'a.test': spf(`v=spf1 ${term} -all`),
        'b.test': failure,
        'b.a.test': failure,
        'c.test': { MX: [{ preference: 1, exchange: 'b.test' }] },
      },
      issues: ['TERM_NOT_ANSWERED warning'],
      says: `${term} of a.test (b.`,
    })),
  ),
  {
    case: '§5 a term of an include whose host has no answer',
    zone: { 'a.test': spf('v=spf1 include:b.test -all'), 'b.test': spf('v=spf1 a:c.test -all'), 'c.test': 'SERVFAIL' },
    issues: ['TERM_NOT_ANSWERED warning'],
    says: 'a:c.test of b.test (c.test A: ',
  },
  {
    case: 'hosts that we do not ask for are none without an answer',
    zone: {
      'a.test': spf('v=spf1 mx:b.test mx:c.test -all'),
      'b.test': { MX: exchanges(10) },
      'c.test': { MX: exchanges(20).slice(10) },
      ...hosts(20, () => '192.0.2.1'),
    },
    issues: [],
  },
  { case: '§4.5 two records', zone: { 'a.test': spf('v=spf1 -all', 'v=spf1 ~all') }, issues: ['MULTIPLE_SPF_RECORDS error'] },
  {
    case: '§4.5 an include with two records',
    zone: { 'a.test': spf('v=spf1 include:b.test -all'), 'b.test': spf('v=spf1 -all', 'v=spf1 ~all') },
    issues: ['MULTIPLE_SPF_RECORDS error'],
    says: 'b.test',
  },
  {
    case: '§5.5 ptr, in an include too',
    zone: { 'a.test': spf('v=spf1 include:b.test -all'), 'b.test': spf('v=spf1 ptr -all') },
    issues: ['PTR_DEPRECATED warning'],
    says: 'b.test',
  },
  {
    case: '§4.6.1 upper case',
    zone: { 'a.test': spf('V=spf1 IP4:192.0.2.1 -ALL') },
    issues: ['UPPERCASE_CHARACTERS information'],
    says: 'V=spf1, IP4, -ALL, which receivers read as lower case',
  },
  { case: '§7.3 upper-case macro letters mean something', zone: { 'a.test': spf('v=spf1 exists:%{L}.x.test -all') }, issues: [] },
  {
    case: '§5.2 +all behind -include lets nobody send',
    zone: { 'a.test': spf('v=spf1 -include:b.test ~all'), 'b.test': spf('v=spf1 +all') },
    issues: [],
  },
  {
    case: '§6.1 +all behind redirect',
    zone: { 'a.test': spf('v=spf1 redirect=b.test'), 'b.test': spf('v=spf1 +all') },
    issues: ['PLUS_ALL_FOUND error'],
    says: 'b.test',
  },
  { case: '§5.1 +all after -all is never evaluated', zone: { 'a.test': spf('v=spf1 -all +all') }, issues: ['MULTIPLE_FALLBACKS warning'] },
  {
    case: 'a record that is too long to be read does not lack its end',
    zone: { 'a.test': spf(`v=spf1${' ?ptr'.repeat(10_000)} -all`) },
    issues: ['PTR_DEPRECATED warning', 'TOO_MANY_DNS_LOOKUPS error'],
  },
  { case: '§5.1 +all', zone: { 'a.test': spf('v=spf1 +all') }, issues: ['PLUS_ALL_FOUND error'] },
  {
    case: '§4.6.2 all without a qualifier is +all',
    zone: { 'a.test': spf('v=spf1 include:b.test -all'), 'b.test': spf('v=spf1 all') },
    issues: ['PLUS_ALL_FOUND error'],
    says: 'b.test',
  },
  { case: '§4.7 no all and no redirect', zone: { 'a.test': spf('v=spf1 ip4:192.0.2.1') }, issues: ['RECORD_TERMINATION_MISSING warning'] },
  {
    case: '§4.7 at the end of a redirect',
    zone: { 'a.test': spf('v=spf1 redirect=b.test'), 'b.test': spf('v=spf1 ip4:192.0.2.1') },
    issues: ['RECORD_TERMINATION_MISSING warning'],
    says: 'b.test',
  },
  {
    case: '§4.7 an included record needs no all',
    zone: { 'a.test': spf('v=spf1 include:b.test -all'), 'b.test': spf('v=spf1 ip4:192.0.2.1') },
    issues: [],
  },
  {
    case: '§5.1 terms after all',
    zone: { 'a.test': spf('v=spf1 -all ip4:192.0.2.1 exp=e.test') },
    issues: ['DATA_AFTER_ALL warning'],
    says: 'ip4:192.0.2.1',
  },
  {
    case: '§6 terms after redirect',
    zone: { 'a.test': spf('v=spf1 redirect=b.test ip4:192.0.2.1'), 'b.test': OTHER },
    issues: ['DATA_AFTER_REDIRECT warning'],
    says: 'ip4:192.0.2.1',
  },
  { case: '§6.1 all and redirect', zone: { 'a.test': spf('v=spf1 -all redirect=b.test') }, issues: ['MULTIPLE_FALLBACKS warning'] },
  { case: '§5.1 all twice', zone: { 'a.test': spf('v=spf1 ~all -all') }, issues: ['MULTIPLE_FALLBACKS warning'] },
  {
    case: '§6 redirect twice',
    zone: { 'a.test': spf('v=spf1 redirect=b.test redirect=b.test'), 'b.test': OTHER },
    issues: ['MULTIPLE_FALLBACKS error'],
  },
  {
    case: '§4.6.4 eleven terms that ask',
    zone: { 'a.test': spf(`v=spf1 ${Array.from({ length: 11 }, (_, i) => `exists:%{i}.x${i}.test`).join(' ')} -all`) },
    issues: ['TOO_MANY_DNS_LOOKUPS error'],
    says: '11 terms ask',
  },
  {
    case: '§4.6.4 terms after all do not count',
    zone: { 'a.test': spf(`v=spf1 -all ${'a:h.test '.repeat(11)}`) },
    issues: ['DATA_AFTER_ALL warning'],
  },
  {
    case: '§4.6.4 an include that is met twice counts twice',
    zone: {
      'a.test': spf('v=spf1 include:b.test include:c.test include:b.test -all'),
      'b.test': spf('v=spf1 exists:%{i}.1.test exists:%{i}.2.test exists:%{i}.3.test exists:%{i}.4.test -all'),
      'c.test': OTHER,
    },
    issues: ['TOO_MANY_DNS_LOOKUPS error', 'DUPLICATE_INCLUDE warning'],
    says: '11 terms ask',
  },
  {
    case: '§4.6.4 three void look-ups',
    zone: { 'a.test': spf('v=spf1 a:x1.test -mx:x2.test a:x3.test -all') },
    issues: ['TOO_MANY_DNS_LOOKUPS error'],
    says: 'hosts that do not exist',
  },
  {
    case: '§4.6.4 eleven exchanges',
    zone: { 'a.test': { ...spf('v=spf1 mx -all'), MX: exchanges(11) }, ...hosts(11, (i) => `192.0.2.${i}`) },
    issues: ['TOO_MANY_DNS_LOOKUPS error'],
    says: 'mail exchanges',
  },
  {
    case: '§4.5 two versions in one record',
    zone: { 'a.test': spf('v=spf1 ip4:192.0.2.1 v=spf1 -all') },
    issues: ['MULTIPLE_SPFV1_ON_SAME_RECORD error'],
  },
  {
    case: '§4.6.4 an include twice in the tree',
    zone: { 'a.test': spf('v=spf1 include:b.test include:c.test -all'), 'b.test': OTHER, 'c.test': spf('v=spf1 include:b.test -all') },
    issues: ['DUPLICATE_INCLUDE information'],
    says: 'b.test (in a.test, c.test)',
  },
  {
    case: '§4.6.4 an include twice, by records of others alone',
    zone: {
      'a.test': spf('v=spf1 include:c.test include:d.test -all'),
      'b.test': OTHER,
      'c.test': spf('v=spf1 include:b.test -all'),
      'd.test': spf('v=spf1 include:b.test -all'),
    },
    issues: ['DUPLICATE_INCLUDE information'],
    says: 'b.test (in c.test, d.test)',
  },
  {
    case: '§4.6.4 an include twice, by records of the domain itself',
    zone: {
      'a.test': spf('v=spf1 include:b.test include:_spf.a.test include:c.test include:c.test -all'),
      'b.test': OTHER,
      'c.test': OTHER,
      '_spf.a.test': spf('v=spf1 include:b.test -all'),
    },
    issues: ['DUPLICATE_INCLUDE warning'],
    says: 'b.test (in a.test, _spf.a.test), c.test (in a.test). Keep one',
  },
  {
    case: '§5.2 an include loop',
    zone: { 'a.test': spf('v=spf1 include:b.test -all'), 'b.test': spf('v=spf1 include:A.test. -all') },
    issues: ['DUPLICATE_INCLUDE error'],
    says: 'b.test → a.test',
  },
  ...['%{d}.x.test', '%{o}.x.test', '%{d3}.x.test', '%{dr}.x.test', '%{d2r-}.x.test', 'A%%.%{D}.x.test.'].map((macros) => ({
    case: `§7.2 redirect=${macros} is a constant here`,
    zone: { 'a.test': spf(`v=spf1 redirect=${macros}`) },
    issues: ['SPF_NOT_FOUND error'],
    says: 'x.test',
  })),
  {
    case: '§7.2 %{d} is the domain that is read, %{o} the one whose senders are asked about',
    zone: {
      'a.test': spf('v=spf1 include:b.test -all'),
      'b.test': spf('v=spf1 include:%{d}.x.test include:%{o}.x.test -all'),
      'b.test.x.test': OTHER,
      'a.test.x.test': OTHER,
    },
    issues: [],
  },
  {
    case: '§7.2 a macro of the message is not known',
    zone: { 'a.test': spf('v=spf1 include:%{i}.x.test include:%{l}.x.test include:%{h}.x.test -all') },
    issues: [],
  },
  {
    case: '§4.6.4 macros of the domain in a, mx and exists: three void look-ups',
    zone: { 'a.test': spf('v=spf1 a:%{d1r}.x.test mx:%{o}.x.test exists:%{d}.x.test -all') },
    issues: ['TOO_MANY_DNS_LOOKUPS error'],
    says: 'a:%{d1r}.x.test of a.test, mx:%{o}.x.test of a.test, exists:%{d}.x.test of a.test',
  },
  {
    case: '§4.6.4 void exists count',
    zone: { 'a.test': spf('v=spf1 exists:x1.test exists:x2.test exists:x3.test -all') },
    issues: ['TOO_MANY_DNS_LOOKUPS error'],
    says: 'exists:x3.test',
  },
  {
    case: '§4.6.4 void look-ups of an include that is met twice count twice',
    zone: {
      'a.test': spf('v=spf1 include:b.test include:c.test -all'),
      'b.test': spf('v=spf1 exists:x1.test exists:x2.test -all'),
      'c.test': spf('v=spf1 include:b.test -all'),
    },
    issues: ['TOO_MANY_DNS_LOOKUPS error', 'DUPLICATE_INCLUDE information'],
    says: 'exists:x1.test of b.test',
  },
  {
    case: '§4.6.4 hosts without IPv6 addresses are ordinary where no IPv6 address is listed',
    zone: { 'a.test': spf('v=spf1 a:m0.test a:m1.test a:m2.test -all'), ...hosts(3, (i) => `192.0.2.${i}`) },
    issues: ['TOO_MANY_DNS_LOOKUPS information'],
    says: 'A check of an IPv6 address that is not listed ends in permerror',
  },
  {
    case: '§4.6.4 and where those that are listed stand before them, in evaluation order',
    zone: {
      'a.test': spf('v=spf1 include:b.test include:c.test ~all'),
      'b.test': spf('v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all'),
      'c.test': spf('v=spf1 a:m0.test a:m1.test a:m2.test -all'),
      ...hosts(3, (i) => `192.0.2.${i}`),
    },
    issues: ['TOO_MANY_DNS_LOOKUPS information'],
    says: 'A check of an IPv6 address that is not listed ends in permerror',
  },
  {
    case: '§4.6.4 and where those behind them were reached before',
    zone: {
      'a.test': spf('v=spf1 include:b.test a:m0.test a:m1.test a:m2.test include:b.test ~all'),
      'b.test': spf('v=spf1 ip6:2001:db8::/32 -all'),
      ...hosts(3, (i) => `192.0.2.${i}`),
    },
    issues: ['TOO_MANY_DNS_LOOKUPS information', 'DUPLICATE_INCLUDE warning'],
  },
  ...['-ip6:2001:db8::/32', '?include:b.test', 'include:d.test'].map((term) => ({
    case: `§4.6.2 and where ${term} behind them lets nobody pass`,
    zone: {
      'a.test': spf(`v=spf1 a:m0.test a:m1.test a:m2.test ${term} -all`),
      'b.test': spf('v=spf1 ip6:2001:db8::/32 -all'),
      'd.test': spf('v=spf1 ~ip6:2001:db8::/32 -all'),
      ...hosts(3, (i) => `192.0.2.${i}`),
    },
    issues: ['TOO_MANY_DNS_LOOKUPS information'],
  })),
  ...['include:b.test', 'redirect=b.test', 'a:h.test', 'mx:h.test'].map((term) => ({
    case: `§4.6.4 and stand in the way of what ${term} lists behind them`,
    zone: {
      'a.test': spf(`v=spf1 include:c.test a:m2.test ${term}${term.startsWith('redirect') ? '' : ' -all'}`),
      'b.test': spf('v=spf1 ip6:2001:db8::/32 -all'),
      'c.test': spf('v=spf1 a:m0.test a:m1.test -all'),
      'h.test': { AAAA: ['2001:db8::1'], MX: [{ preference: 1, exchange: 'h.test' }] },
      ...hosts(3, (i) => `192.0.2.${i}`),
    },
    issues: ['TOO_MANY_DNS_LOOKUPS warning'],
    says: `so no sender gets to ${/b.test/.test(term) ? 'ip6:2001:db8::/32 of b.test' : `${term} of a.test`}.`,
  })),
  {
    case: '§4.6.4 and stand in the way of the IPv6 addresses that are',
    zone: { 'a.test': spf('v=spf1 a:m0.test a:m1.test a:m2.test ip6:2001:db8::/32 -all'), ...hosts(3, (i) => `192.0.2.${i}`) },
    issues: ['TOO_MANY_DNS_LOOKUPS warning'],
    says: 'A check of an IPv6 address that is not listed before them ends in permerror',
  },
  ...[
    'ip4:0.0.0.0/0',
    'ip4:0.0.0.0/1 ip4:128.0.0.0/1',
    'ip4:128.0.0.0/1',
    'ip4:0.0.0.0/2 ip4:192.0.0.0/2',
    'ip6:::/0',
    'ip6:::/1 ip6:8000::/1',
    'ip6:8000::/1',
    'ip6:2000::/3',
    'ip6:2000::/4',
    'a/0',
    'mx//0',
  ].map((terms) => ({
    case: `§5.1 ${terms} is as open as +all`,
    zone: {
      'a.test': { ...spf(`v=spf1 ${terms} -all`), A: ['192.0.2.1'], AAAA: ['2001:db8::1'], MX: exchanges(1) },
      'm0.test': { AAAA: ['2001:db8::1'] },
    },
    issues: ['INTERNET_AUTHORIZED error'],
    says: 'as with "+all"',
  })),
  {
    case: '§5.1 the halves of the Internet in two includes',
    zone: {
      'a.test': spf('v=spf1 include:b.test include:c.test -all'),
      'b.test': spf('v=spf1 ip4:0.0.0.0/2 -all'),
      'c.test': spf('v=spf1 ip4:64.0.0.0/2 -all'),
    },
    issues: ['INTERNET_AUTHORIZED error'],
    says: '0.0.0.0/1',
  },
  {
    case: '§4.6.2 who refuses or shrugs at the Internet lets nobody in',
    zone: { 'a.test': spf('v=spf1 ?ip4:0.0.0.0/0 ~ip6:::/0 -include:b.test -all'), 'b.test': spf('v=spf1 ip4:0.0.0.0/0 -all') },
    issues: [],
  },
  { case: '§5.6 a large network is no Internet', zone: { 'a.test': spf('v=spf1 ip4:0.0.0.0/2 ip6:2000::/5 -all') }, issues: [] },
  {
    case: '§5.7 exists of a name that is there whoever sends',
    zone: { 'a.test': spf('v=spf1 exists:%{d2}.x.test -all'), 'a.test.x.test': { A: ['127.0.0.2'] } },
    issues: ['INTERNET_AUTHORIZED error'],
    says: 'exists:%{d2}.x.test of a.test',
  },
  ...(
    [
      ['"v=spf1 -all"', 'character 1 is U+0022'],
      ['v=spf1\u00a0-all', 'character 7 is U+00A0'],
      ['v=spf1; -all', 'character 7 is U+003B'],
      [' v=spf1 -all', 'character 1 is U+0020'],
      ['\ufeffv=spf1 -all', 'character 1 is U+FEFF'],
      ['v=spf1\t-all', 'character 7 is U+0009'],
      ['v = spf1 -all', 'character 2 is U+0020'],
      ['v=spf1include:b.test -all', 'character 7 is U+0069'],
      ['v=spf -all', 'character 6 is U+0020'],
      ['v=\u0455pf1 -all', 'character 3 is U+0455'],
      ['\u03bd=spf1 -all', 'character 1 is U+03BD'],
      ['\uff56=spf1 -all', 'character 1 is U+FF56'],
      ['\u201cv=spf1 -all\u201d', 'character 1 is U+201C'],
      ['spf1 -all', 'character 1 is U+0073'],
      ['spf1 a mx include:b.test ~all', 'character 1 is U+0073'],
    ] as const
  ).flatMap(([text, says]) => [
    {
      case: `§4.5 ${JSON.stringify(text)} only looks like a record`,
      zone: { 'a.test': spf(text) },
      issues: ['SPF_NOT_FOUND error', 'SPF_LOOKALIKE error'],
      shows: says,
    },
    {
      case: `§4.5 ${JSON.stringify(text)} beside a record`,
      zone: { 'a.test': spf(text, 'v=spf1 -all') },
      issues: ['SPF_LOOKALIKE warning'],
      shows: says,
    },
  ]),
  {
    case: '§4.5 a look-alike at an include',
    zone: { 'a.test': spf('v=spf1 include:b.test -all'), 'b.test': spf("'v=spf1 -all'") },
    issues: ['SPF_NOT_FOUND error', 'SPF_LOOKALIKE error'],
    says: 'b.test',
  },
  {
    case: '§4.5 other versions and other texts are none',
    zone: {
      'a.test': spf(
        'v=spf1 -all',
        'v=spf10 -all',
        'v=spf1.1 -all',
        'spf2.0/pra -all',
        'v=DMARC1; p=none',
        'spf',
        '',
        'spf1',
        'spf1 is for all',
        'spf10 -all',
      ),
    },
    issues: [],
  },
  {
    case: '§6 unknown modifiers that are named like mechanisms',
    zone: { 'a.test': spf('v=spf1 include=b.test ip4=192.0.2.1 moo=x -all') },
    issues: ['UNKNOWN_MODIFIER warning'],
    says: 'include=b.test, ip4=192.0.2.1.',
  },
];

describe('issues of SPF', () => {
  it.each(ROWS)('$case', async ({ zone, issues, says = '', shows = '' }) => {
    const found = await judge(zone);
    expect(found.map(({ code, type }) => `${code} ${type}`)).toEqual(issues);
    expect(found[0]?.message ?? '').toContain(says);
    expect(found.at(-1)?.message ?? '').toContain(shows);
  });

  it('§2.6.7 a permerror of the address that was asked about', async () => {
    const zone = { 'a.test': spf('v=spf1 include:%{i}.x.test -all') };
    const ports = { resolver: unlimited(fakeResolver(zone)), signal };
    const verdict = await checkHost({ ip: parseIp('192.0.2.1')!, domain: 'a.test' }, ports);
    expect(judgeSpf(await walkSpf('a.test', ports), verdict)).toEqual([
      { code: 'IPTEST_PERMERROR', type: 'error', message: expect.stringContaining('192.0.2.1.x.test has no SPF record') },
    ]);
  });

  it('§2.6.6 a temperror of the address that was asked about', async () => {
    const zone: FakeZone = { 'a.test': spf('v=spf1 exists:%{i}.x.test -all'), '192.0.2.1.x.test': 'SERVFAIL' };
    const ports = { resolver: unlimited(fakeResolver(zone)), signal };
    const verdict = await checkHost({ ip: parseIp('192.0.2.1')!, domain: 'a.test' }, ports);
    expect(judgeSpf(await walkSpf('a.test', ports), verdict)).toEqual([
      { code: 'IPTEST_TEMPERROR', type: 'warning', message: expect.stringContaining('192.0.2.1.x.test A: ') },
    ]);
  });

  it('are all produced above and all documented', async () => {
    const produced = new Set(ROWS.flatMap(({ issues }) => issues.map((issue) => issue.split(' ')[0] as SpfIssue['code'])));
    expect([...produced, 'IPTEST_PERMERROR', 'IPTEST_TEMPERROR'].sort()).toEqual([...SPF_ISSUES].sort());
    expect(documentedCodes('spf-validator')).toEqual([...SPF_ISSUES]);
  });
});
