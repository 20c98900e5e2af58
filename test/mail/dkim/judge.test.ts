import { DKIM_ISSUES, type DkimIssue, fetchKeys, judgeDkim } from '@vedette/mail/dkim';
import { describe, expect, it } from 'vitest';
import { fakeResolver, type FakeRecords, type FakeZone, unlimited } from '../../intel/fake-resolver.ts';
import { documentedCodes } from '../../intel/issue-docs.ts';
import { ED25519_NON_KEYS, KEYS } from './keys.ts';

const signal = new AbortController().signal;
const NAME = 's._domainkey.a.test';
const judge = async (published: FakeRecords | undefined) =>
  judgeDkim(await fetchKeys('s', 'a.test', { resolver: unlimited(fakeResolver(published ? { [NAME]: published } : {})), signal }));

interface Row {
  case: string;
  txt: string | string[] | undefined;
  /** Every issue found, as `CODE type`. */
  issues: string[];
  /** Size of the key, where it can be read. */
  bits?: number;
  says?: string;
}
const rsa = `v=DKIM1; k=rsa; p=${KEYS.rsa2048}`;
const ROWS: Row[] = [
  { case: 'RFC 6376 §3.6.1 an RSA key as SubjectPublicKeyInfo', txt: rsa, issues: [], bits: 2048 },
  { case: 'RFC 6376 §3.6.1 an RSA key as RSAPublicKey', txt: `v=DKIM1; p=${KEYS.rsa2048Pkcs1};`, issues: [], bits: 2048 },
  { case: 'RFC 8463 §4.2 an Ed25519 key', txt: `v=DKIM1; k=ed25519; p=${KEYS.ed25519}`, issues: [], bits: 256 },
  {
    case: 'RFC 6376 §3.6.1 a version that is empty, and first all the same',
    txt: `v=; k=rsa; p=${KEYS.rsa2048}`,
    issues: ['V_TAG_NOT_FOUND error'],
    bits: 2048,
    says: 'v= is "", not "DKIM1"',
  },
  { case: 'RFC 6376 §3.6.1 an empty version, and no key', txt: 'v=; k=rsa', issues: ['V_TAG_NOT_FOUND error', 'MISSING_P_TAG error'] },
  {
    case: 'RFC 6376 §3.6.1 every tag',
    txt: `v=DKIM1; g=*; h=sha256:SHA1; k=RSA; n=a note; s=email:*; t=y:s; p=${KEYS.rsa2048}`,
    issues: [],
    bits: 2048,
  },
  {
    case: 'RFC 6376 §3.6.1 white space folds p=',
    txt: `v=DKIM1; p=${KEYS.rsa2048.slice(0, 30)} \t${KEYS.rsa2048.slice(30)}`,
    issues: [],
    bits: 2048,
  },
  { case: 'RFC 6376 §3.6.2.1 no record', txt: undefined, issues: ['DKIM_NOT_FOUND error'], says: NAME },
  { case: 'RFC 6376 §3.6.2.2 two keys', txt: [rsa, rsa], issues: ['DUPLICATE_DKIM_RECORDS error'], bits: 2048 },
  {
    case: 'RFC 6376 §3.6.2.2 another TXT record beside the key',
    txt: ['v=spf1 -all', rsa],
    issues: ['DUPLICATE_DKIM_RECORDS warning'],
    bits: 2048,
    says: 'v=spf1 -all',
  },
  { case: 'RFC 6376 §3.6.1 v= may be missing', txt: `k=rsa; p=${KEYS.rsa2048}`, issues: ['V_TAG_NOT_FOUND information'], bits: 2048 },
  { case: 'RFC 6376 §3.6.1 v= of another version', txt: `v=DKIM2; p=${KEYS.rsa2048}`, issues: ['V_TAG_NOT_FOUND error'], bits: 2048 },
  { case: 'RFC 6376 §3.6.1 v= is case-sensitive', txt: `v=dkim1; p=${KEYS.rsa2048}`, issues: ['V_TAG_NOT_FOUND error'], bits: 2048 },
  { case: 'RFC 6376 §3.6.1 v= comes first', txt: `k=rsa; v=DKIM1; p=${KEYS.rsa2048}`, issues: ['V_TAG_NOT_FIRST error'], bits: 2048 },
  { case: 'RFC 6376 §3.6.1 p= is missing', txt: 'v=DKIM1; k=rsa', issues: ['MISSING_P_TAG error'] },
  { case: 'RFC 6376 §3.6.1 p= is empty', txt: 'v=DKIM1; p=', issues: ['PUBLIC_KEY_REVOKED error'] },
  { case: 'RFC 6376 §3.6.1 p= is not base64', txt: 'v=DKIM1; p="MIGf"', issues: ['INVALID_P_TAG_CHARS error'] },
  { case: 'RFC 6376 §3.6.1 p= has half a character', txt: 'v=DKIM1; p=MIGfM', issues: ['INVALID_P_TAG_CHARS error'] },
  { case: 'RFC 6376 §3.6.1 p= is cut off', txt: `v=DKIM1; p=${KEYS.rsa2048.slice(0, 200)}`, issues: ['PUBLIC_KEY_NOT_VALID error'] },
  {
    case: 'RFC 6376 §3.6.1 p= is another kind of key',
    txt: `v=DKIM1; p=${KEYS.p256}`,
    issues: ['PUBLIC_KEY_NOT_VALID error'],
    says: 'type ec',
  },
  {
    case: 'RFC 8017 §3.1 the exponent is 1',
    txt: `v=DKIM1; p=${KEYS.exponent1}`,
    issues: ['PUBLIC_KEY_NOT_VALID error'],
    says: 'exponent 1',
  },
  {
    case: 'RFC 8463 §4.2 an Ed25519 key as SubjectPublicKeyInfo',
    txt: `v=DKIM1; k=ed25519; p=${KEYS.ed25519Spki}`,
    issues: ['PUBLIC_KEY_NOT_VALID error'],
    says: 'last 32 octets',
  },
  ...Object.entries(ED25519_NON_KEYS).map(([name, octets]) => ({
    case: `RFC 8032 §5.1.3 ${name}`,
    txt: `v=DKIM1; k=ed25519; p=${Buffer.from(octets, 'hex').toString('base64')}`,
    issues: ['PUBLIC_KEY_NOT_VALID error'],
  })),
  {
    case: 'RFC 8463 §4.2 an Ed25519 key of the wrong size',
    txt: 'v=DKIM1; k=ed25519; p=AAAA',
    issues: ['PUBLIC_KEY_NOT_VALID error'],
    says: '32 octets, this one 3',
  },
  {
    case: 'RFC 8463 §4.2 an Ed25519 key without k=',
    txt: `v=DKIM1; p=${KEYS.ed25519}`,
    issues: ['PUBLIC_KEY_NOT_VALID error'],
    says: 'add k=ed25519',
  },
  { case: 'RFC 8301 §3.2 less than 1024 bits', txt: `v=DKIM1; p=${KEYS.rsa512}`, issues: ['WEAK_PUBLIC_KEY_BITS error'], bits: 512 },
  { case: 'RFC 8301 §3.2 less than 2048 bits', txt: `v=DKIM1; p=${KEYS.rsa1024}`, issues: ['WEAK_PUBLIC_KEY_BITS warning'], bits: 1024 },
  { case: 'RFC 6376 §3.6.1 no DKIM tag', txt: 'google-site-verification=abc', issues: ['NO_DKIM_TAGS_FOUND error'] },
  { case: 'RFC 6376 §3.6.1 an SPF record from a wildcard', txt: 'v=spf1 -all', issues: ['NO_DKIM_TAGS_FOUND error'] },
  {
    case: 'RFC 6376 §3.2 a part without =',
    txt: `v=DKIM1; rsa; p=${KEYS.rsa2048}`,
    issues: ['INVALID_DKIM_TAG_FOUND error'],
    bits: 2048,
    says: 'rsa',
  },
  {
    case: 'RFC 6376 §3.2 an empty part',
    txt: `v=DKIM1;; p=${KEYS.rsa2048}`,
    issues: ['INVALID_DKIM_TAG_FOUND error'],
    bits: 2048,
    says: 'an empty tag',
  },
  {
    case: 'RFC 6376 §3.2 a tag twice',
    txt: `${rsa}; k=rsa`,
    issues: ['INVALID_DKIM_TAG_FOUND error'],
    bits: 2048,
    says: 'k= more than once',
  },
  { case: 'RFC 6376 §3.2 non-ASCII', txt: `${rsa}; n=é`, issues: ['INVALID_DKIM_TAG_FOUND error'], bits: 2048 },
  { case: 'RFC 6376 §3.2 unknown tags are ignored', txt: `${rsa}; x=1`, issues: ['UNKNOWN_DKIM_TAG_FOUND warning'], bits: 2048, says: 'x' },
  {
    case: 'RFC 6376 §3.2 tag names are case-sensitive',
    txt: `${rsa}; T=s`,
    issues: ['UNKNOWN_DKIM_TAG_FOUND warning'],
    bits: 2048,
    says: 'T',
  },
  { case: 'RFC 6376 §3.6.1 h= is no list of words', txt: `${rsa}; h=sha256,sha1`, issues: ['INVALID_H_TAG_CHARS error'], bits: 2048 },
  { case: 'RFC 8301 §3.1 h= without sha256', txt: `${rsa}; h=sha1`, issues: ['INVALID_H_TAG_CHARS error'], bits: 2048, says: 'sha256' },
  { case: 'RFC 6376 §3.6.1 k= is unknown', txt: `v=DKIM1; k=dsa; p=${KEYS.rsa2048}`, issues: ['INVALID_K_TAG_CHARS error'], says: 'dsa' },
  { case: 'RFC 6376 §3.6.1 s= is no list of words', txt: `${rsa}; s=e-mail!`, issues: ['INVALID_S_TAG_CHARS error'], bits: 2048 },
  {
    case: 'RFC 6376 §3.6.1 s= without e-mail',
    txt: `${rsa}; s=tlsrpt`,
    issues: ['INVALID_S_TAG_CHARS error'],
    bits: 2048,
    says: 'leaves out e-mail',
  },
  { case: 'RFC 6376 §3.6.1 t= is no list of words', txt: `${rsa}; t=y s`, issues: ['INVALID_T_TAG_CHARS error'], bits: 2048 },
  { case: 'RFC 6376 §3.6.1 t= has an unknown flag', txt: `${rsa}; t=y:x`, issues: ['INVALID_T_TAG_CHARS warning'], bits: 2048 },
];

describe('issues of DKIM', () => {
  it.each(ROWS)('$case', async ({ txt, issues, bits, says = '' }) => {
    const found = await judge(txt === undefined ? undefined : { TXT: [txt].flat() });
    expect(found.issues.map(({ code, type }) => `${code} ${type}`)).toEqual(issues);
    expect(found.key?.bits).toBe(bits);
    expect(found.issues[0]?.message ?? '').toContain(says);
  });

  it('never says that nothing is there where nobody knows', async () => {
    const keys = await fetchKeys('s', 'a.test', { resolver: unlimited(fakeResolver({ [NAME]: 'TIMEOUT' })), signal });
    const issue = { code: 'RECORD_NOT_ANSWERED', type: 'error', message: expect.stringContaining(`${NAME} TXT: `) };
    expect(judgeDkim(keys)).toEqual({ keyType: '', key: undefined, issues: [issue] });
    expect(keys.error).toBe(`${NAME} TXT: The resolver did not answer in time: ${NAME}`);
  });

  it('RFC 6376 §3.6.1 a wildcard that revokes every other selector is no error', async () => {
    const keys = await fetchKeys('s', 'a.test', { resolver: unlimited(fakeResolver({ [NAME]: { TXT: ['v=DKIM1; p='] } })), signal });
    expect(judgeDkim(keys, { selector: '*', pruned: false })).toEqual({
      keyType: 'rsa',
      key: undefined,
      issues: [
        { code: 'PUBLIC_KEY_REVOKED', type: 'information', message: expect.stringContaining('right for a domain that sends no mail') },
      ],
    });
  });

  it.each([
    ['absent', {}, 'DKIM_NOT_FOUND', 'which has no key'],
    ['without TXT records', { 's.provider.test': { A: ['192.0.2.1'] } }, 'DKIM_NOT_FOUND', 'which has no key'],
    ['without DKIM tags', { 's.provider.test': { TXT: ['v=spf1 -all'] } }, 'NO_DKIM_TAGS_FOUND', 'no DKIM tag'],
  ])('RFC 1034 §3.6.2 beside an alias no record can be published: a target that is %s', async (_case, zone: FakeZone, code, says) => {
    const resolver = fakeResolver({ ...zone, [NAME]: { CNAME: ['s.provider.test'] } });
    const [issue, ...more] = judgeDkim(await fetchKeys('s', 'a.test', { resolver: unlimited(resolver), signal })).issues;
    expect([issue?.code, issue?.type, more]).toEqual([code, 'error', []]);
    expect(issue?.message).toContain(`${NAME} is an alias of s.provider.test, `);
    expect(issue?.message).toContain(says);
    expect(issue?.message).toContain('enable DKIM there, or remove the alias');
    expect(issue?.message).not.toMatch(/publish the/i);
  });

  it('follows an alias and names its target', async () => {
    const resolver = fakeResolver({
      [NAME]: { CNAME: ['s.provider.test'] },
      's.provider.test': { TXT: [[rsa.slice(0, 255), rsa.slice(255)]] },
    });
    const keys = await fetchKeys('s', 'a.test', { resolver: unlimited(resolver), signal });
    expect(keys).toMatchObject({ cname: 's.provider.test', records: [{ text: rsa }] });
  });

  it('are all produced above and all documented', () => {
    const produced = new Set(ROWS.flatMap(({ issues }) => issues.map((issue) => issue.split(' ')[0] as DkimIssue['code'])));
    expect([...produced, 'RECORD_NOT_ANSWERED'].sort()).toEqual([...DKIM_ISSUES].sort()); // the last is judged on its own, above
    expect(documentedCodes('dkim-validator')).toEqual([...DKIM_ISSUES]);
  });
});
