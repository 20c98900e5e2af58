import {
  BIMI_ISSUES,
  type BimiIssue,
  discoverBimi,
  judgeBimi,
  locationsOf,
  markRoots,
  readCarriedLogo,
  readEvidence,
  readLogo,
} from '@vedette/mail/bimi';
import { afterAll, describe, expect, it } from 'vitest';
import { fakeResolver, type FakeZone, unlimited } from '../../intel/fake-resolver.ts';
import { documentedCodes } from '../../intel/issue-docs.ts';
import { GOVERNMENT, LOGO, logotypeOf, makeMarkPki, PRIOR_USE, UNREGISTERED } from './mark-pki.ts';

const signal = new AbortController().signal;
const now = new Date('2026-11-21T00:00:00Z');
const pki = makeMarkPki();
afterAll(() => pki[Symbol.dispose]());
const roots = markRoots([pki.root]);
const VMC = pki.issue();

const RECORD = 'v=BIMI1; l=https://a.test/logo.svg; a=https://a.test/vmc.pem';

interface Row {
  case: string;
  /** What `default._bimi.a.test` has. */
  txt?: string | string[];
  zone?: FakeZone;
  /** What is at l= and a=; an Error is what came of fetching it. */
  logo?: Uint8Array | Error;
  pem?: string | Error;
  revoked?: boolean;
  /** Every issue found, as `CODE type`. */
  issues: string[];
  says?: string;
}

const judge = async ({ txt = RECORD, zone, logo = LOGO, pem = VMC, revoked = false }: Omit<Row, 'case' | 'issues'>) => {
  const resolver = fakeResolver({
    'default._bimi.a.test': { TXT: [txt].flat() },
    '_dmarc.a.test': { TXT: ['v=DMARC1; p=reject'] },
    ...zone,
  });
  const { publication, record, orgDomain, dmarc } = await discoverBimi('default', 'a.test', { resolver: unlimited(resolver), signal });
  const locations = record && locationsOf(record.list);
  const mark = pem instanceof Error ? undefined : await readEvidence(Buffer.from(pem), roots, now);
  return judgeBimi({
    publication,
    logo: locations?.logo && (logo instanceof Error ? { error: logo.message } : { file: await readLogo(logo) }),
    evidence: locations?.evidence && (mark ? { file: mark } : { error: String(pem) }),
    carried: locations?.isLogoCarried && mark ? readCarriedLogo(mark) : undefined,
    selector: 'default',
    host: 'a.test',
    orgDomain,
    dmarc,
    revoked,
  });
};

const L = 'l=https://a.test/logo.svg';
const ROWS: Row[] = [
  { case: 'BIMI §4.2 logo and certificate', issues: [] },
  { case: 'BIMI §4.2 every tag', txt: `${RECORD}; avp=brand; lps=a,b;`, issues: [] },
  { case: 'BIMI §4.2 white space', txt: ` v = BIMI1 ; ${L} ;a = https://a.test/vmc.pem`, issues: [] },
  { case: 'BIMI §4.2 declination', txt: 'v=BIMI1; l=; a=;', issues: [] },
  { case: 'BIMI §4.2 declination without a=', txt: 'v=BIMI1; l=', issues: [] },
  {
    case: 'BIMI §4.1 an alias',
    zone: { 'default._bimi.a.test': { CNAME: ['bimi.provider.test'] }, 'bimi.provider.test': { TXT: [RECORD] } },
    issues: ['BIMI_VIA_CNAME information'],
    says: 'bimi.provider.test',
  },
  { case: 'BIMI §7.2 no record', txt: [], issues: ['BIMI_NOT_FOUND error'], says: 'default._bimi.a.test' },
  { case: 'BIMI §7.2 a TXT record of another kind', txt: 'v=spf1 a=x -all', issues: ['BIMI_NOT_FOUND error'] },
  { case: 'BIMI §7.2 two records', txt: [RECORD, RECORD], issues: ['DUPLICATE_BIMI_RECORDS error'] },
  {
    case: 'BIMI §7.2 a record that is not recognised beside one that is',
    txt: [RECORD, RECORD.slice(9)],
    issues: ['DUPLICATE_BIMI_RECORDS warning'],
    says: 'skip',
  },
  { case: 'BIMI §4.2 the version is missing', txt: RECORD.slice(9), issues: ['V_TAG_NOT_FOUND error'] },
  { case: 'BIMI §4.2 the version is case-sensitive', txt: RECORD.replace('BIMI1', 'bimi1'), issues: ['V_TAG_NOT_FOUND error'] },
  { case: 'BIMI §4.2 another version', txt: RECORD.replace('BIMI1', 'BIMI2'), issues: ['V_TAG_NOT_FOUND error'] },
  { case: 'BIMI §4.2 the version comes first', txt: `${RECORD.slice(9)}; v=BIMI1`, issues: ['V_TAG_NOT_FIRST error'] },
  { case: 'BIMI §4.2 l= is required', txt: 'v=BIMI1; a=https://a.test/vmc.pem', issues: ['MISSING_L_TAG error'] },
  {
    case: 'Google: the logo is left to the certificate',
    txt: 'v=BIMI1;l=;a=https://a.test/vmc.pem',
    logo: new Error('never fetched'),
    issues: ['MISSING_L_TAG warning'],
    says: 'the logo inside the certificate is meant',
  },
  {
    case: 'Google: a logo that is left to the certificate is judged',
    txt: 'v=BIMI1;l=;a=https://a.test/vmc.pem',
    pem: pki.issue({ logotype: logotypeOf(Buffer.from(LOGO.toString().replace('tiny-ps', 'tiny'))) }),
    issues: ['MISSING_L_TAG warning', 'INVALID_SVG_FILE error'],
  },
  {
    case: 'Google: a logo that is left to a certificate without one',
    txt: 'v=BIMI1;l=;a=https://a.test/vmc.pem',
    pem: pki.issue({ logotype: null }),
    issues: ['MISSING_L_TAG warning', 'VMC_LOGOTYPE_EXTENSION_NOT_FOUND error'],
  },
  { case: 'BIMI §4.2 l= is empty, a= is no URL', txt: 'v=BIMI1; l=; a=x', issues: ['MISSING_L_TAG error', 'INVALID_A_TAG_CHARS error'] },
  { case: 'BIMI §4.2 no evidence', txt: `v=BIMI1; ${L}`, issues: ['MISSING_A_TAG warning'] },
  { case: 'BIMI §4.2 empty evidence', txt: `v=BIMI1; ${L}; a=`, issues: ['MISSING_A_TAG warning'] },
  { case: 'BIMI §4.2 l= is https', txt: RECORD.replace('l=https', 'l=http'), issues: ['INVALID_L_TAG_CHARS error'], says: 'http://' },
  { case: 'BIMI §4.2 l= is one URL', txt: RECORD.replace('logo.svg', 'logo.svg, https://b.test'), issues: ['INVALID_L_TAG_CHARS error'] },
  {
    case: 'BIMI §4.2 a comma in l= is encoded',
    txt: RECORD.replace('logo.svg', 'logo.svg,v2'),
    issues: ['INVALID_L_TAG_CHARS error'],
    says: '%2C',
  },
  {
    case: 'BIMI §4.2 a comma in a= is encoded',
    txt: RECORD.replace('vmc.pem', 'vmc,2.pem'),
    issues: ['INVALID_A_TAG_CHARS error'],
    says: '%2C',
  },
  { case: 'BIMI §4.2 l= is a URL', txt: RECORD.replace('https://a.test/logo.svg', 'logo.svg'), issues: ['INVALID_L_TAG_CHARS error'] },
  { case: 'BIMI §4.2 a= is https', txt: `v=BIMI1; ${L}; a=self`, issues: ['INVALID_A_TAG_CHARS error'], says: 'self' },
  { case: 'BIMI §5.2 the logo is not there', logo: new Error('status 404'), issues: ['INVALID_SVG_FILE error'], says: 'status 404' },
  {
    case: 'SVG Tiny PS §2 another profile',
    logo: Buffer.from('<svg/>'),
    issues: ['INVALID_SVG_FILE error', 'VMC_LOGO_MISMATCH error'],
    says: 'baseProfile',
  },
  {
    case: 'SVG Tiny PS §2 a shape that is cut',
    logo: Buffer.from(LOGO.toString().replace('64 64', '64 32')),
    pem: pki.issue({ logotype: logotypeOf(Buffer.from(LOGO.toString().replace('64 64', '64 32'))) }),
    issues: ['INVALID_SVG_FILE warning'],
    says: 'square',
  },
  { case: 'VMC §4 the certificate is not there', pem: new Error('too large'), issues: ['INVALID_PEM_CERT_FILE error'], says: 'too large' },
  { case: 'RFC 7468 no PEM', pem: 'hello', issues: ['INVALID_PEM_CERT_FILE error'], says: 'no certificate in PEM' },
  {
    case: 'RFC 5280 §6.1 a stranger signed it',
    pem: pki.issue({ issuer: 'stranger' }),
    issues: ['INVALID_PEM_CERT_FILE error'],
    says: 'authority',
  },
  { case: 'RFC 5280 §6.3 revoked', revoked: true, issues: ['INVALID_PEM_CERT_FILE error'], says: 'revoked' },
  {
    case: 'VMC §4 the leaf comes first',
    pem: pki.intermediate + VMC.replace(pki.intermediate, ''),
    issues: ['INVALID_PEM_CERT_FILE warning'],
    says: 'first',
  },
  {
    case: 'RFC 9399 §4.1 the hash of the logo',
    pem: pki.issue({ logotype: logotypeOf(LOGO, { hashed: Buffer.from('x') }) }),
    issues: ['INVALID_PEM_CERT_FILE error'],
    says: 'hash',
  },
  { case: 'MC Requirements: a trademark', pem: pki.issue({ subject: UNREGISTERED }), issues: ['PEM_CERT_FILE_HAS_NO_TRADEMARK error'] },
  { case: 'MC Requirements: a common mark', pem: pki.issue({ subject: PRIOR_USE }), issues: ['PEM_CERT_FILE_HAS_NO_TRADEMARK warning'] },
  { case: 'MC Requirements: a government mark is a full VMC', pem: pki.issue({ subject: GOVERNMENT }), issues: [] },
  { case: 'VMC §4 another domain', pem: pki.issue({ names: 'DNS:b.test' }), issues: ['PEM_CERT_DOMAIN_MISMATCH error'], says: 'b.test' },
  { case: 'VMC §4 one selector', pem: pki.issue({ names: 'DNS:b.test,DNS:default._bimi.a.test' }), issues: [] },
  { case: 'VMC §4 another selector', pem: pki.issue({ names: 'DNS:x._bimi.a.test' }), issues: ['PEM_CERT_DOMAIN_MISMATCH error'] },
  {
    case: 'VMC §4 another logo',
    pem: pki.issue({ logotype: logotypeOf(Buffer.concat([LOGO, Buffer.from(' ')])) }),
    issues: ['VMC_LOGO_MISMATCH error'],
  },
  { case: 'RFC 9399 §4.1 no logotype', pem: pki.issue({ logotype: null }), issues: ['VMC_LOGOTYPE_EXTENSION_NOT_FOUND error'] },
  { case: 'RFC 6376 §3.2 a part without =', txt: `${RECORD}; x`, issues: ['INVALID_BIMI_TAG_FOUND error'], says: ': "x".' },
  { case: 'RFC 6376 §3.2 a tag twice', txt: `${RECORD}; ${L}`, issues: ['INVALID_BIMI_TAG_FOUND error'], says: 'l= more than once' },
  { case: 'BIMI §4.2 avp', txt: `${RECORD}; avp=x`, issues: ['INVALID_BIMI_TAG_FOUND error'], says: 'avp=x' },
  { case: 'BIMI §4.2 unknown tags are ignored', txt: `${RECORD}; e=1`, issues: ['UNKNOWN_BIMI_TAG_FOUND warning'], says: 'e' },
  { case: 'RFC 6376 §3.2 names are case-sensitive', txt: `${RECORD}; AVP=brand`, issues: ['UNKNOWN_BIMI_TAG_FOUND warning'], says: 'AVP' },
  {
    case: 'BIMI §7.1 no DMARC policy',
    zone: { '_dmarc.a.test': {} },
    issues: ['DMARC_NOT_ENFORCED warning'],
    says: 'Receivers show no logo: there is no DMARC policy for a.test.',
  },
  ...(['SERVFAIL', 'TIMEOUT'] as const).map((failure) => ({
    case: `BIMI §7.2 nobody knows (${failure}): never that there is none`,
    zone: { 'default._bimi.a.test': failure },
    issues: ['RECORD_NOT_ANSWERED error'],
    says: 'default._bimi.a.test TXT: ',
  })),
  ...(['SERVFAIL', 'TIMEOUT'] as const).map((failure) => ({
    case: `BIMI §7.1 a DMARC policy of which nobody knows (${failure})`,
    zone: { '_dmarc.a.test': failure },
    issues: ['DMARC_NOT_ANSWERED warning'],
    says: '_dmarc.a.test TXT: ',
  })),
  ...([{}, 'SERVFAIL'] as const).map((dmarc) => ({
    case: `BIMI §7.1 who declines needs no DMARC, be it ${JSON.stringify(dmarc)}`,
    txt: 'v=BIMI1; l=; a=;',
    zone: { '_dmarc.a.test': dmarc },
    issues: [],
  })),
];

describe('issues of BIMI', () => {
  it.each(ROWS)('$case', async ({ issues, says = '', ...row }) => {
    const found = await judge(row);
    expect(found.map(({ code, type }) => `${code} ${type}`)).toEqual(issues);
    expect(found[0]?.message ?? '').toContain(says);
  });

  it('are all produced above and all documented', () => {
    const produced = new Set(ROWS.flatMap(({ issues }) => issues.map((issue) => issue.split(' ')[0] as BimiIssue['code'])));
    expect([...produced].sort()).toEqual([...BIMI_ISSUES].sort());
    expect(documentedCodes('bimi-validator')).toEqual([...BIMI_ISSUES]);
  });
});

describe('which record counts', () => {
  const org = { '_dmarc.a.test': { TXT: ['v=DMARC1; p=reject'] }, 'x._bimi.a.test': { TXT: [RECORD] } } satisfies FakeZone;
  const discover = (zone: FakeZone) => discoverBimi('x', 'sub.a.test', { resolver: unlimited(fakeResolver(zone)), signal });

  it('is the one of the organizational domain, with the same selector, where the host has none', async () => {
    expect(await discover(org)).toMatchObject({
      publication: { bimiHost: 'x._bimi.a.test' },
      record: { text: RECORD },
      orgDomain: 'a.test',
    });
  });

  it('is the own one where there is one, usable or not', async () => {
    for (const text of ['v=BIMI1; l=', 'l=https://a.test/x.svg'])
      expect(await discover({ ...org, 'x._bimi.sub.a.test': { TXT: [text] } })).toMatchObject({
        publication: { bimiHost: 'x._bimi.sub.a.test' },
        record: { text },
      });
  });

  it('hangs on no policy or record of a registry, as those who show logos go by the Public Suffix List', async () => {
    const zone: FakeZone = {
      '_dmarc.gov.uk': { TXT: ['v=DMARC1; p=reject; sp=none'] },
      '_dmarc.council.gov.uk': { TXT: ['v=DMARC1; p=reject'] },
      'x._bimi.council.gov.uk': { TXT: [RECORD] },
      'x._bimi.gov.uk': { TXT: ['v=BIMI1; l=; a=;'] },
    };
    for (const host of ['council.gov.uk', 'mail.council.gov.uk'])
      expect(await discoverBimi('x', host, { resolver: unlimited(fakeResolver(zone)), signal })).toMatchObject({
        publication: { bimiHost: 'x._bimi.council.gov.uk' },
        orgDomain: 'council.gov.uk',
        dmarc: { state: 'enforced', why: '' },
      });
    expect(await discoverBimi('x', 'gov.uk', { resolver: unlimited(fakeResolver(zone)), signal })).toMatchObject({
      orgDomain: 'gov.uk',
      dmarc: { state: 'weak', why: 'the DMARC record at _dmarc.gov.uk comes to sp=none' },
    });
    delete zone['_dmarc.council.gov.uk'];
    expect(await discoverBimi('x', 'council.gov.uk', { resolver: unlimited(fakeResolver(zone)), signal })).toMatchObject({
      dmarc: { state: 'weak', why: 'there is no DMARC policy for council.gov.uk' },
    });
  });

  it('stays open where the own one is unknown', async () => {
    expect(await discover({ ...org, 'x._bimi.sub.a.test': 'SERVFAIL' })).toMatchObject({
      publication: { bimiHost: 'x._bimi.sub.a.test' },
      record: undefined,
      errors: [expect.stringContaining('x._bimi.sub.a.test TXT')],
    });
  });

  it.each([
    ['p=reject', ''],
    ['p=quarantine', ''],
    ['p=quarantine; pct=100', ''],
    ['p=quarantine; pct=50', 'says pct=50'],
    ['p=reject; sp=quarantine; pct=10', 'says pct=10'],
    ['p=reject; pct=50', 'says pct=50'],
    ['p=quarantine; t=y', 'says t=y'],
    ['p=reject; t=y', 'says t=y'],
    ['p=none', 'comes to p=none'],
    ['p=reject; sp=none', 'comes to sp=none'],
    ['p=none; sp=reject', 'comes to p=none'],
    ['p=x', 'make nothing of'],
  ])('counts under DMARC %s unless it %j', async (policy, obstacle) => {
    const discovered = await discover({ ...org, '_dmarc.a.test': { TXT: [`v=DMARC1; ${policy}`] } });
    expect(discovered.dmarc.state).toBe(obstacle === '' ? 'enforced' : 'weak');
    expect(discovered.dmarc.why).toContain(obstacle);
    expect(discovered.dmarc.why.includes('_dmarc.a.test')).toBe(obstacle !== '');
  });

  it.each([
    ['p=reject', 'p=reject', ''],
    ['p=reject', 'p=none', '_dmarc.a.test comes to p=none'],
    ['p=reject', 'p=reject; sp=none', '_dmarc.a.test comes to sp=none'],
    ['p=reject', 'p=quarantine; pct=20', '_dmarc.a.test says pct=20'],
    ['p=none', 'p=reject', '_dmarc.sub.a.test comes to p=none'],
    ['p=reject; sp=none', 'p=reject', '_dmarc.sub.a.test comes to sp=none'],
  ])('needs both policies, %s of the host and %s of its organizational domain', async (own, organization, obstacle) => {
    const zone: FakeZone = {
      ...org,
      '_dmarc.sub.a.test': { TXT: [`v=DMARC1; ${own}`] },
      '_dmarc.a.test': { TXT: [`v=DMARC1; ${organization}`] },
    };
    const discovered = await discover(zone);
    expect(discovered.dmarc.state).toBe(obstacle === '' ? 'enforced' : 'weak');
    expect(discovered.dmarc.why).toContain(obstacle);
  });

  it.each([
    ['p=reject', 'unknown', '_dmarc.a.test TXT: '],
    ['p=none', 'weak', '_dmarc.sub.a.test comes to p=none'],
  ])('of the host %s is %s where the organizational domain does not answer', async (own, state, why) => {
    const discovered = await discover({ ...org, '_dmarc.sub.a.test': { TXT: [`v=DMARC1; ${own}`] }, '_dmarc.a.test': 'SERVFAIL' });
    expect(discovered.dmarc).toEqual({ state, why: expect.stringContaining(why) });
  });
});
