import { DMARC_ISSUES, type DmarcIssue, inspectDmarc, judgeDmarc } from '@vedette/mail/dmarc';
import { describe, expect, it } from 'vitest';
import { fakeResolver, type FakeZone, unlimited } from '../../intel/fake-resolver.ts';
import { documentedCodes } from '../../intel/issue-docs.ts';

const signal = new AbortController().signal;
const MX = [{ preference: 1, exchange: 'mx.a.test' }];
const judge = async (zone: FakeZone, host = 'a.test') =>
  judgeDmarc(await inspectDmarc(host, { resolver: unlimited(fakeResolver(zone)), signal }));

interface Row {
  case: string;
  /** What is asked about, else `a.test`. */
  host?: string;
  /** What `_dmarc.a.test` has. */
  txt: string | string[];
  /** Other names. */
  zone?: FakeZone;
  /** Every issue found, as `CODE type`. */
  issues: string[];
  says?: string;
}
const REJECT = 'v=DMARC1; p=reject';
const ROWS: Row[] = [
  {
    case: 'RFC 9989 §4.7 every tag',
    txt: 'v=DMARC1; p=reject; sp=quarantine; np=reject; adkim=s; aspf=R; fo=1:d:s; rua=mailto:r@a.test; ruf=mailto:r@sub.a.test; t=n; psd=u; rf=afrf; ri=86400; pct=100',
    zone: { 'a.test': { MX }, 'sub.a.test': { MX } },
    issues: [],
  },
  { case: 'RFC 9989 §4.8 white space around = and ;', txt: 'v = DMARC1 ;p =  reject;', issues: [] },
  { case: 'RFC 9989 §4.8 the name of the version is case-insensitive', txt: 'V=DMARC1; p=reject', issues: [] },
  { case: 'RFC 9989 §4.7 values are case-insensitive', txt: 'v=DMARC1; p=REJECT; sp=None', issues: [] },
  { case: 'RFC 9989 §4.10 no record', txt: [], issues: ['DMARC_NOT_FOUND error'], says: '_dmarc.a.test' },
  {
    case: 'RFC 9989 §4.10.2 the walk leads to a registry’s record, and the Public Suffix List to another',
    host: 'mail.council.gov.uk',
    txt: [],
    zone: { '_dmarc.gov.uk': { TXT: [`${REJECT}; sp=none`] }, '_dmarc.council.gov.uk': { TXT: [REJECT] } },
    issues: ['ORGANIZATION_IS_PUBLIC_SUFFIX information'],
    says: 'never look at it, and apply the record at _dmarc.council.gov.uk (reject). Add psd=n there',
  },
  {
    case: 'RFC 9989 §4.10.2 the walk leads to a registry’s record, and the Public Suffix List to none',
    host: 'council.gov.uk',
    txt: [],
    zone: { '_dmarc.gov.uk': { TXT: [`${REJECT}; sp=none`] } },
    issues: ['ORGANIZATION_IS_PUBLIC_SUFFIX information'],
    says: 'find no record to apply. Publish one with psd=n at _dmarc.council.gov.uk',
  },
  { case: 'RFC 9989 §4.10 two records', txt: [REJECT, REJECT], issues: ['DUPLICATE_DMARC_RECORDS error'] },
  {
    case: 'RFC 9989 §4.10 two records that are not recognised',
    txt: ['p=none', 'p=reject'],
    issues: ['DUPLICATE_DMARC_RECORDS error', 'V_TAG_NOT_FOUND error', 'P_TAG_IS_NONE warning'],
  },
  {
    case: 'RFC 9989 §4.10 a record that is not recognised beside one that is',
    txt: [REJECT, 'p=none'],
    issues: ['DUPLICATE_DMARC_RECORDS warning'],
    says: 'skip',
  },
  { case: 'RFC 9989 §4.8 the version is case-sensitive', txt: 'v=dmarc1; p=reject', issues: ['V_TAG_NOT_FOUND error'] },
  { case: 'RFC 9989 §4.8 the version is missing', txt: 'p=reject', issues: ['V_TAG_NOT_FOUND error'] },
  { case: 'RFC 9989 §4.8 the version comes first', txt: 'p=reject; v=DMARC1', issues: ['V_TAG_NOT_FIRST error'] },
  { case: 'RFC 9989 §4.10.1 neither p nor rua', txt: 'v=DMARC1; adkim=s', issues: ['MISSING_P_TAG error'] },
  {
    case: 'RFC 9989 §4.10.1 rua without p',
    txt: 'v=DMARC1; rua=mailto:r@a.test',
    zone: { 'a.test': { MX } },
    issues: ['MISSING_P_TAG warning'],
  },
  { case: 'RFC 9989 §4.8 a TXT record of another kind', txt: 'v=spf1 -all', issues: ['NO_DMARC_TAGS_FOUND error'] },
  { case: 'RFC 9989 §4.8 another TXT record beside', txt: ['v=spf1 -all', REJECT], issues: [] },
  { case: 'RFC 6376 §3.2 a part without =', txt: `${REJECT}; none`, issues: ['INVALID_DMARC_TAG_FOUND warning'], says: 'none' },
  { case: 'RFC 6376 §3.2 a tag twice', txt: `${REJECT}; sp=none; sp=none`, issues: ['INVALID_DMARC_TAG_FOUND error'], says: 'sp' },
  { case: 'RFC 9989 §4.7 t is y or n', txt: `${REJECT}; t=1`, issues: ['INVALID_DMARC_TAG_FOUND error'], says: 't= is y or n' },
  { case: 'RFC 9989 §4.7 psd is y, n or u', txt: `${REJECT}; psd=x`, issues: ['INVALID_DMARC_TAG_FOUND error'], says: 'psd=' },
  { case: 'RFC 9989 §4.7 unknown tags are ignored', txt: `${REJECT}; foo=bar`, issues: ['UNKNOWN_DMARC_TAG_FOUND warning'], says: 'foo' },
  { case: 'RFC 6376 §3.2 names are case-sensitive', txt: `${REJECT}; SP=none`, issues: ['UNKNOWN_DMARC_TAG_FOUND warning'], says: 'SP' },
  { case: 'RFC 9989 §4.7 p', txt: 'v=DMARC1; p=block', issues: ['INVALID_P_TAG_CHARS error'], says: 'block' },
  { case: 'RFC 9989 §4.7 p=none', txt: 'v=DMARC1; p=none', issues: ['P_TAG_IS_NONE warning'] },
  { case: 'RFC 9989 §4.7 t=y', txt: `${REJECT}; t=y`, issues: ['T_TAG_IS_TESTING warning'], says: 't=y' },
  { case: 'RFC 9989 §4.7 adkim', txt: `${REJECT}; adkim=relaxed`, issues: ['INVALID_ADKIM_TAG_CHARS error'] },
  { case: 'RFC 9989 §4.7 aspf', txt: `${REJECT}; aspf=`, issues: ['INVALID_ASPF_TAG_CHARS error'] },
  { case: 'RFC 9989 §4.7 sp', txt: `${REJECT}; sp=rejected`, issues: ['INVALID_SP_TAG_CHARS error'], says: 'sp=' },
  { case: 'RFC 9989 §4.7 np', txt: `${REJECT}; np=rejected`, issues: ['INVALID_NP_TAG_CHARS error'], says: 'np=' },
  { case: 'RFC 9989 §4.7 fo', txt: `${REJECT}; fo=1,d`, issues: ['INVALID_FO_TAG_CHARS error'] },
  { case: 'RFC 9989 §4.8 rua is no URI', txt: `${REJECT}; rua=r@a.test`, issues: ['INVALID_RUA_TAG_CHARS error'], says: 'mailto:' },
  {
    case: 'RFC 9989 §4.8 an empty rua asks for no reports, and the policy stays',
    txt: `${REJECT}; rua=`,
    issues: ['INVALID_RUA_TAG_CHARS warning'],
    says: 'rua= is empty, so no reports are asked for. Add an address, or remove the tag',
  },
  { case: 'RFC 9989 §4.8 an empty ruf', txt: `${REJECT}; ruf= ;`, issues: ['INVALID_RUF_TAG_CHARS warning'], says: 'ruf= is empty' },
  {
    case: 'RFC 9989 §4.8 no URI beside one that works',
    txt: `${REJECT}; rua=mailto:r@a.test,r@a.test,`,
    zone: { 'a.test': { MX } },
    issues: ['INVALID_RUA_TAG_CHARS warning'],
    says: '"r@a.test", nothing',
  },
  { case: 'RFC 9989 §4.8 commas alone', txt: `${REJECT}; rua=,`, issues: ['INVALID_RUA_TAG_CHARS error'] },
  {
    case: 'RFC 9989 §4.7 no mailto beside one that works',
    txt: `${REJECT}; rua=mailto:r@a.test,https://a.test/r; ruf=https://a.test/r,mailto:r@a.test`,
    zone: { 'a.test': { MX } },
    issues: ['RUA_TAG_INVALID_EMAIL warning', 'RUF_TAG_INVALID_EMAIL warning'],
    says: 'https://a.test/r',
  },
  {
    case: 'RFC 9989 §4.8 a size limit',
    txt: `${REJECT}; rua=mailto:r@a.test!10m`,
    zone: { 'a.test': { MX } },
    issues: ['RUA_TAG_SIZE_LIMIT information'],
    says: '!10m',
  },
  {
    case: 'RFC 9989 §4.7 more than 20 domains',
    txt: `${REJECT}; rua=${Array.from({ length: 21 }, (_, i) => `mailto:r@d${i}.a.test`).join(',')}`,
    zone: { '*.a.test': { MX } },
    issues: ['RUA_TAG_TOO_MANY_DOMAINS warning'],
    says: 'r@d20.a.test',
  },
  {
    case: 'RFC 9989 §4.7 rua is no mailto',
    txt: `${REJECT}; rua=https://a.test/r`,
    issues: ['RUA_TAG_INVALID_EMAIL error'],
    says: 'https://a.test/r',
  },
  {
    case: 'RFC 6068 §2 a percent-encoded address',
    txt: `${REJECT}; rua=mailto:r%2Cx@a.test`,
    zone: { 'a.test': { MX } },
    issues: ['RUA_TAG_INVALID_EMAIL error'],
  },
  { case: 'RFC 6068 §2 encoding that is not UTF-8', txt: `${REJECT}; rua=mailto:r%FF@a.test`, zone: { 'a.test': { MX } }, issues: [] },
  {
    case: 'RFC 9990 §4 no consent',
    txt: `${REJECT}; rua=mailto:r@b.test`,
    zone: { 'b.test': { MX } },
    issues: ['RUA_TAG_NO_CONSENT warning'],
    says: 'TXT record "v=DMARC1" at a.test._report._dmarc.b.test.',
  },
  {
    case: 'RFC 9990 §4 consent',
    txt: `${REJECT}; rua=mailto:r@b.test`,
    zone: { 'b.test': { MX }, 'a.test._report._dmarc.b.test': { TXT: ['v=DMARC1;'] } },
    issues: [],
  },
  {
    case: 'RFC 9990 §4 consent to everybody',
    txt: `${REJECT}; rua=mailto:r@b.test`,
    zone: { 'b.test': { MX }, '*._report._dmarc.b.test': { TXT: ['v=DMARC1'] } },
    issues: [],
  },
  {
    case: 'RFC 9990 §4 consent that nobody knows',
    txt: `${REJECT}; rua=mailto:r@b.test`,
    zone: { 'b.test': { MX }, 'a.test._report._dmarc.b.test': 'SERVFAIL' },
    issues: [],
  },
  {
    case: 'RFC 5321 §5.1 no MX: mail goes to the address of the domain',
    txt: `${REJECT}; rua=mailto:r@a.test`,
    zone: { 'a.test': { A: ['192.0.2.1'] } },
    issues: ['RUA_TAG_EMAIL_NO_MX warning'],
    says: "no mail exchange for a.test, so reports arrive only if a mail server is at the domain's own address",
  },
  {
    case: 'RFC 7505 §3 a null MX',
    txt: `${REJECT}; rua=mailto:r@a.test`,
    zone: { 'a.test': { MX: [{ preference: 0, exchange: '.' }] } },
    issues: ['RUA_TAG_EMAIL_NO_MX error'],
  },
  { case: 'RFC 5321 §5.1 an MX that nobody knows', txt: `${REJECT}; rua=mailto:r@a.test`, zone: { 'a.test': 'TIMEOUT' }, issues: [] },
  {
    case: 'RFC 9991 §3 ruf: a size limit, and no consent',
    txt: `${REJECT}; ruf=mailto:r@b.test!10m`,
    zone: { 'b.test': { MX } },
    issues: ['RUF_TAG_SIZE_LIMIT information', 'RUF_TAG_NO_CONSENT warning'],
  },
  {
    case: 'RFC 9991 §3 ruf: more than 20 domains',
    txt: `${REJECT}; ruf=${Array.from({ length: 21 }, (_, i) => `mailto:r@d${i}.a.test`).join(',')}`,
    zone: { '*.a.test': { MX } },
    issues: ['RUF_TAG_TOO_MANY_DOMAINS warning'],
  },
  {
    case: 'RFC 9989 §4.7 the one address of ruf is none of the many domains of rua',
    txt: `${REJECT}; rua=${Array.from({ length: 21 }, (_, i) => `mailto:r@d${i}.a.test`).join(',')}; ruf=mailto:f@d0.a.test`,
    zone: { '*.a.test': { MX } },
    issues: ['RUA_TAG_TOO_MANY_DOMAINS warning'],
    says: 'are not checked: r@d20.a.test. ',
  },
  {
    case: 'RFC 9989 §4.7 addresses of either tag that are not checked stand under it alone',
    txt: `${REJECT}; rua=${Array.from({ length: 21 }, (_, i) => `mailto:r@d${i}.a.test`).join(',')}; ruf=mailto:f@d21.a.test`,
    zone: { '*.a.test': { MX } },
    issues: ['RUA_TAG_TOO_MANY_DOMAINS warning', 'RUF_TAG_TOO_MANY_DOMAINS warning'],
    says: 'are not checked: r@d20.a.test. ',
  },
  { case: 'RFC 9991 §3 ruf is no URI', txt: `${REJECT}; ruf=mailto`, issues: ['INVALID_RUF_TAG_CHARS error'] },
  { case: 'RFC 9991 §3 ruf is no address', txt: `${REJECT}; ruf=mailto:`, issues: ['RUF_TAG_INVALID_EMAIL error'] },
  { case: 'RFC 9991 §3 ruf without MX', txt: `${REJECT}; ruf=mailto:r@a.test`, issues: ['RUF_TAG_EMAIL_NO_MX warning'] },
  { case: 'RFC 7489 §6.3 rf', txt: `${REJECT}; rf=a,b`, issues: ['INVALID_RF_TAG_CHARS warning'] },
  { case: 'RFC 7489 §6.3 pct', txt: `${REJECT}; pct=101`, issues: ['INVALID_PCT_TAG_CHARS warning'] },
  {
    case: 'RFC 9989 §9.3 pct no longer acts, but where RFC 7489 is followed',
    txt: `${REJECT}; pct=18`,
    issues: ['PCT_TAG_IS_HISTORIC warning'],
    says: 'those that still follow RFC 7489 apply quarantine or reject to 18 % of the mail, and one level less to the rest',
  },
  { case: 'RFC 7489 §6.3 ri', txt: `${REJECT}; ri=4294967296`, issues: ['INVALID_RI_TAG_CHARS warning'] },
];

describe('issues of DMARC', () => {
  it.each(ROWS)('$case', async ({ host, txt, zone, issues, says = '' }) => {
    const found = await judge({ '_dmarc.a.test': { TXT: [txt].flat() }, ...zone }, host);
    expect(found.map(({ code, type }) => `${code} ${type}`)).toEqual(issues);
    expect(found[0]?.message ?? '').toContain(says);
  });

  it.each([
    ['gov.uk', {}],
    ['council.gov.uk', { '_dmarc.council.gov.uk': REJECT }],
    ['mail.council.gov.uk', { '_dmarc.mail.council.gov.uk': REJECT }],
    ['mail.council.gov.uk', { '_dmarc.council.gov.uk': `${REJECT}; psd=n` }],
    ['mail.council.gov.uk', { '_dmarc.gov.uk': `${REJECT}; psd=y` }],
  ])('RFC 9989 §4.10.2 says nothing of the Public Suffix List where all apply the same: %s %j', async (host, records) => {
    const zone = Object.entries({ '_dmarc.gov.uk': `${REJECT}; sp=none`, ...records }).map(([name, text]) => [name, { TXT: [text] }]);
    expect(await judge(Object.fromEntries(zone), host)).toEqual([]);
  });

  it.each([
    ['mail.shop.de', 'shop.de', []],
    ['mail.shop.de', 'reports.shop.de', []],
    ['mail.shop.co.uk', 'shop.co.uk', []],
    ['mail.shop.co.uk', 'other.co.uk', ['RUA_TAG_NO_CONSENT', 'RUF_TAG_NO_CONSENT']],
    ['shop.github.io', 'other.github.io', ['RUA_TAG_NO_CONSENT', 'RUF_TAG_NO_CONSENT']],
  ])('RFC 9990 §4 reports of %s to %s: %j, without a DMARC record above', async (host, domain, codes) => {
    const record = `${REJECT}; rua=mailto:r@${domain}; ruf=mailto:r@${domain}`;
    const zone: FakeZone = { [`_dmarc.${host}`]: { TXT: [record] }, [domain]: { MX } };
    expect((await judge(zone, host)).map(({ code }) => code)).toEqual(codes);
  });

  it.each(['SERVFAIL', 'TIMEOUT'] as const)('says nothing where nobody knows: %s', async (failure) => {
    expect(await judge({ '_dmarc.a.test': failure })).toEqual([]);
    expect(await judge({ '_dmarc.test': failure })).toEqual([]);
  });

  it('are all produced above and all documented', () => {
    const produced = new Set(ROWS.flatMap(({ issues }) => issues.map((issue) => issue.split(' ')[0] as DmarcIssue['code'])));
    expect([...produced].sort()).toEqual([...DMARC_ISSUES].sort());
    expect(documentedCodes('dmarc-validator')).toEqual([...DMARC_ISSUES]);
  });
});
