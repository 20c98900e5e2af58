import { judgeSpf, SPF_ISSUES, type SpfIssue, walkSpf } from '@vedette/intel/spf';
import { describe, expect, it } from 'vitest';
import { fakeResolver, type FakeZone, unlimited } from '../fake-resolver.ts';
import { documentedCodes } from '../issue-docs.ts';
import { exchanges, hosts, spf } from './rfc7208.ts';

const signal = new AbortController().signal;
const judge = async (zone: FakeZone) => judgeSpf(await walkSpf('a.test', { resolver: unlimited(fakeResolver(zone)), signal }));

interface Row {
  case: string;
  zone: FakeZone;
  /** Every issue found, as `CODE type`. */
  issues: string[];
  /** What the message of the first one says. */
  says?: string;
}
const OTHER = spf('v=spf1 ip4:203.0.113.0/24 -all');
const ROWS: Row[] = [
  {
    case: '§2.3 a clean record',
    zone: { 'a.test': spf('v=spf1 ip4:192.0.2.0/24 include:b.test -all exp=e.test'), 'b.test': OTHER },
    issues: [],
  },
  { case: '§4.5 no record', zone: { 'a.test': { TXT: ['x=1'] } }, issues: ['SPF_NOT_FOUND error'], says: 'a.test has no SPF record' },
  { case: '§4.4 nobody knows: no issue', zone: { 'a.test': 'SERVFAIL' }, issues: [] },
  {
    case: '§5.2 an include without a record',
    zone: { 'a.test': spf('v=spf1 include:b.test -all') },
    issues: ['SPF_NOT_FOUND error'],
    says: 'b.test',
  },
  {
    case: '§5.2 an include that nobody knows: no issue',
    zone: { 'a.test': spf('v=spf1 include:b.test -all'), 'b.test': 'TIMEOUT' },
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
    issues: ['UPPERCASE_CHARACTERS warning'],
    says: 'V=spf1, IP4, -ALL',
  },
  { case: '§7.3 upper-case macro letters mean something', zone: { 'a.test': spf('v=spf1 exists:%{L}.x.test -all') }, issues: [] },
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
    issues: ['DUPLICATE_INCLUDE warning'],
    says: 'b.test',
  },
  {
    case: '§5.2 an include loop',
    zone: { 'a.test': spf('v=spf1 include:b.test -all'), 'b.test': spf('v=spf1 include:A.test. -all') },
    issues: ['DUPLICATE_INCLUDE error'],
    says: 'b.test → a.test',
  },
];

describe('issues of SPF', () => {
  it.each(ROWS)('$case', async ({ zone, issues, says = '' }) => {
    const found = await judge(zone);
    expect(found.map(({ code, type }) => `${code} ${type}`)).toEqual(issues);
    expect(found[0]?.message ?? '').toContain(says);
  });

  it('are all produced above and all documented', async () => {
    const produced = new Set(ROWS.flatMap(({ issues }) => issues.map((issue) => issue.split(' ')[0] as SpfIssue['code'])));
    expect([...produced].sort()).toEqual([...SPF_ISSUES].sort());
    expect(documentedCodes('spf-validator')).toEqual([...SPF_ISSUES]);
  });
});
