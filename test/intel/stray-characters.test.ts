import { discoverBimi, judgeBimi } from '@vedette/mail/bimi';
import { fetchKeys, judgeDkim } from '@vedette/mail/dkim';
import { inspectDmarc, judgeDmarc } from '@vedette/mail/dmarc';
import { strayCharacter, tagValue } from '@vedette/mail/tag-list';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dmarcValidator } from '../../packages/operations/src/dmarc-validator/index.ts';
import { answer } from '../operations/answer.ts';
import { KEYS } from '../mail/dkim/keys.ts';
import { fakeResolver, type FakeZone, unlimited } from './fake-resolver.ts';
import { mailContext } from './mail-context.ts';
import { runs } from '../runs.ts';

const signal = new AbortController().signal;
const ports = (zone: FakeZone) => ({ resolver: unlimited(fakeResolver(zone)), signal });
const MX = [{ preference: 1, exchange: 'mx.a.test' }];

/** Judges a record: its list of tags, and the issues as `CODE type`. */
const PROTOCOLS = {
  async dmarc(text: string) {
    const report = await inspectDmarc('a.test', ports({ '_dmarc.a.test': { TXT: [text] }, 'a.test': { MX } }));
    return { record: report.record, issues: judgeDmarc(report) };
  },
  async dkim(text: string) {
    const keys = await fetchKeys('s', 'a.test', ports({ 's._domainkey.a.test': { TXT: [text] } }));
    return { record: keys.records[0], issues: judgeDkim(keys).issues };
  },
  async bimi(text: string) {
    const zone: FakeZone = { 'default._bimi.a.test': { TXT: [text] }, '_dmarc.a.test': { TXT: ['v=DMARC1; p=reject'] } };
    const { publication, record, orgDomain, dmarc } = await discoverBimi('default', 'a.test', ports(zone));
    const subject = {
      logo: undefined,
      evidence: undefined,
      carried: undefined,
      selector: 'default',
      host: 'a.test',
      orgDomain,
      dmarc,
      revoked: false,
    };
    return { record, issues: judgeBimi({ publication, ...subject }) };
  },
};

const judge = async (protocol: keyof typeof PROTOCOLS, text: string) => {
  const { record, issues } = await PROTOCOLS[protocol](text);
  return { record, issues, codes: issues.map(({ code, type }) => `${code} ${type}`) };
};

describe('a character that is not plain ASCII', () => {
  it.each<[keyof typeof PROTOCOLS, string, string, string]>([
    ['dmarc', 'v=DMARC1; p=re\u0458ect', 'INVALID_P_TAG_CHARS', 'U+0458'],
    ['dmarc', 'v=DMARC1; p=reject\u00a0', 'INVALID_P_TAG_CHARS', 'U+00A0'],
    ['dmarc', 'v=DMARC1; p=reject; sp=\u201creject\u201d', 'INVALID_SP_TAG_CHARS', 'U+201C'],
    ['dmarc', 'v=DMARC1; p=reject; rua=mailto:r@a.test\u00a0', 'INVALID_RUA_TAG_CHARS', 'U+00A0'],
    ['dmarc', 'v=DMARC1; p=reject; fo=1\u200b', 'INVALID_FO_TAG_CHARS', 'U+200B'],
    ['dmarc', 'v=DMARC1\u00a0; p=reject', 'V_TAG_NOT_FOUND', 'U+00A0'],
    ['dkim', `v=DKIM1; p=\u00a0${KEYS.rsa2048}`, 'INVALID_P_TAG_CHARS', 'U+00A0'],
    ['dkim', `v=DKIM1; p=${KEYS.rsa2048.slice(0, 40)}\u00a0${KEYS.rsa2048.slice(40)}`, 'INVALID_P_TAG_CHARS', 'U+00A0'],
    ['dkim', `v=DKIM1\u00a0; p=${KEYS.rsa2048}`, 'V_TAG_NOT_FOUND', 'U+00A0'],
    ['dkim', `v=DKIM1; t=y\u00a0; p=${KEYS.rsa2048}`, 'INVALID_T_TAG_CHARS', 'U+00A0'],
    ['bimi', 'v=BIMI1; l=https://a.test/lo\u0433o.svg; a=https://a.test/vmc.pem', 'INVALID_L_TAG_CHARS', 'U+0433'],
    ['bimi', 'v=BIMI1; l=https://a.test/logo.svg; a=https://\u0430.test/vmc.pem', 'INVALID_A_TAG_CHARS', 'U+0430'],
    ['bimi', 'v=BIMI1\u00a0; l=https://a.test/logo.svg; a=https://a.test/vmc.pem', 'V_TAG_NOT_FOUND', 'U+00A0'],
  ])('in %s, %j, is %s and named', async (protocol, text, code, character) => {
    const { issues, codes } = await judge(protocol, text);
    expect(codes).toEqual([`${code} error`]);
    expect(issues[0]?.message).toContain(character);
  });

  it.each<[keyof typeof PROTOCOLS, string, string[], string[]]>([
    [
      'dmarc',
      'v=DMARC1;\u00a0p=reject;\u00a0rua=mailto:d@a.test',
      ['INVALID_DMARC_TAG_FOUND error'],
      ['p= is there, but U+00A0 stands before it', 'rua= is there'],
    ],
    ['dmarc', 'v=DMARC1; p\u00a0=reject', ['INVALID_DMARC_TAG_FOUND error'], ['p= is there, but U+00A0 stands after it']],
    ['dmarc', 'v=DMARC1; \u0440=reject', ['INVALID_DMARC_TAG_FOUND error'], ['p= is there, but U+0440 stands in its name']],
    ['dmarc', 'v=DMARC1; p=reject;\u00a0sp=none', ['INVALID_DMARC_TAG_FOUND error'], ['sp= is there, but U+00A0 stands before it']],
    ['dmarc', 'v=DMARC1; p=reject;\u00a0foo=none', ['INVALID_DMARC_TAG_FOUND warning'], ['foo=none" (U+00A0']],
    [
      'dmarc',
      '\u00a0v=DMARC1;\u00a0p=reject',
      ['V_TAG_NOT_FOUND error', 'INVALID_DMARC_TAG_FOUND error'],
      ['v= is there, but U+00A0 stands before it'],
    ],
    [
      'dkim',
      `v=DKIM1;\u00a0k=rsa;\u00a0p=${KEYS.rsa2048}`,
      ['INVALID_DKIM_TAG_FOUND error'],
      ['k= is there', 'p= is there, but U+00A0 stands before it'],
    ],
    ['dkim', `\ufeffv=DKIM1; p=${KEYS.rsa2048}`, ['INVALID_DKIM_TAG_FOUND error'], ['v= is there, but U+FEFF stands before it']],
    [
      'bimi',
      'v=BIMI1;\u00a0l=https://a.test/l.svg;\u00a0a=https://a.test/vmc.pem',
      ['INVALID_BIMI_TAG_FOUND error'],
      ['l= is there, but U+00A0 stands before it', 'a= is there'],
    ],
  ])('in the name of a tag, in %s, %j, is an error that names tag and character', async (protocol, text, expected, said) => {
    const { issues, codes } = await judge(protocol, text);
    expect(codes).toEqual(expected);
    for (const words of said) expect(issues.map(({ message }) => message).join(' ')).toContain(words);
  });

  it.each([
    ['a.test', 'v=DMARC1;\u00a0p=reject', ''],
    ['a.test', 'v=DMARC1;\u00a0p=reject; rua=mailto:r@a.test', 'none'],
    ['x.a.test', 'v=DMARC1; p=reject;\u00a0sp=none', ''],
    ['x.a.test', 'v=DMARC1; p=reject;\u00a0sp=none; rua=mailto:r@a.test', 'none'],
    ['a.test', 'v=DMARC1; p=reject;\u00a0t=y', 'reject'],
  ])('in the name of a tag makes the policy of %s neither enforced nor valid: %s', async (host, text, applied_policy) => {
    const { context } = mailContext({ '_dmarc.a.test': { TXT: [text] }, 'a.test': { MX } });
    expect(await answer(dmarcValidator, { host }, context)).toMatchObject({
      has_dmarc_record: true,
      applied_policy,
      dmarc_enforced: false,
      valid: false,
    });
  });

  it.each([
    ['v=DMARC1; p=re\u0458ect', ''],
    ['v=DMARC1; p=re\u0458ect; rua=mailto:r@a.test', 'none'],
    ['v=DMARC1; p=reject; sp=\u201creject\u201d', ''],
    ['v=DMARC1; p=reject; sp=\u201creject\u201d; rua=mailto:r@a.test', 'none'],
  ])('makes a policy neither enforced nor valid: %s', async (text, applied_policy) => {
    const { context } = mailContext({ '_dmarc.a.test': { TXT: [text] }, 'a.test': { MX } });
    expect(await answer(dmarcValidator, { host: 'a.test' }, context)).toMatchObject({
      has_dmarc_record: true,
      applied_policy,
      dmarc_enforced: false,
      valid: false,
    });
  });
});

/** The code that a stray character in a tag's value leads to; tags without one of their own have the list's. */
const CODES: Record<keyof typeof PROTOCOLS, { tags: [tag: string, value: string, code: string][] }> = {
  dmarc: {
    tags: [
      ['v', 'DMARC1', 'V_TAG_NOT_FOUND'],
      ['p', 'reject', 'INVALID_P_TAG_CHARS'],
      ['sp', 'quarantine', 'INVALID_SP_TAG_CHARS'],
      ['np', 'reject', 'INVALID_NP_TAG_CHARS'],
      ['adkim', 's', 'INVALID_ADKIM_TAG_CHARS'],
      ['aspf', 'r', 'INVALID_ASPF_TAG_CHARS'],
      ['fo', '1:d', 'INVALID_FO_TAG_CHARS'],
      ['rua', 'mailto:r@a.test,mailto:s@a.test', 'INVALID_RUA_TAG_CHARS'],
      ['ruf', 'mailto:r@a.test', 'INVALID_RUF_TAG_CHARS'],
      ['rf', 'afrf', 'INVALID_RF_TAG_CHARS'],
      ['pct', '100', 'INVALID_PCT_TAG_CHARS'],
      ['ri', '86400', 'INVALID_RI_TAG_CHARS'],
      ['t', 'n', 'INVALID_DMARC_TAG_FOUND'],
      ['psd', 'u', 'INVALID_DMARC_TAG_FOUND'],
      ['foo', 'bar', 'UNKNOWN_DMARC_TAG_FOUND'],
    ],
  },
  dkim: {
    tags: [
      ['v', 'DKIM1', 'V_TAG_NOT_FOUND'],
      ['h', 'sha256', 'INVALID_H_TAG_CHARS'],
      ['k', 'rsa', 'INVALID_K_TAG_CHARS'],
      ['n', 'a note', 'INVALID_DKIM_TAG_FOUND'],
      ['p', KEYS.rsa2048, 'INVALID_P_TAG_CHARS'],
      ['s', 'email:*', 'INVALID_S_TAG_CHARS'],
      ['t', 's', 'INVALID_T_TAG_CHARS'],
      ['foo', 'bar', 'INVALID_DKIM_TAG_FOUND'],
    ],
  },
  bimi: {
    tags: [
      ['v', 'BIMI1', 'V_TAG_NOT_FOUND'],
      ['l', 'https://a.test/logo.svg', 'INVALID_L_TAG_CHARS'],
      ['a', 'https://a.test/vmc.pem', 'INVALID_A_TAG_CHARS'],
      ['avp', 'brand', 'INVALID_BIMI_TAG_FOUND'],
      ['lps', 'true', 'INVALID_BIMI_TAG_FOUND'],
      ['foo', 'bar', 'INVALID_BIMI_TAG_FOUND'],
    ],
  },
};

const stray = fc.oneof(
  fc.constantFrom('\u00a0', '\u200b', '\u2060', '\ufeff', '\u00ad', '\u0458', '\u201c', '\u3000', '\u212a', '\u2028', '\u{1f600}'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((text) => text > '~' && text !== '\ufffd'), // U+FFFD has the whole text read as Latin-1
);

describe.each(Object.entries(CODES))('one character inserted anywhere in the name of a tag of %s', (name, { tags }) => {
  it('never makes the tag one that is missing', async () => {
    const protocol = name as keyof typeof PROTOCOLS;
    const invisible = stray.filter((character) => !/\p{L}/u.test(character));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: tags.length - 1 }), fc.nat(), invisible, async (which, position, character) => {
        const [tag] = tags[which]!;
        const at = position % (tag.length + 1);
        const changed = tag.slice(0, at) + character + tag.slice(at);
        const text = tags.map(([other, value]) => `${other === tag ? changed : other}=${value}`).join(';');
        const { record, issues } = await judge(protocol, text);
        expect(record?.list.misnamed.map((found) => found.name)).toEqual([tag]);
        expect(
          issues.filter(({ code }) => /^INVALID_(DMARC|DKIM|BIMI)_TAG_FOUND$/.test(code)).map(({ message }) => message),
        ).toContainEqual(expect.stringContaining(strayCharacter(character)));
        const codes = issues.map((issue) => issue.code);
        expect(codes.filter((found) => /^MISSING|NOT_FIRST|_RECORDS|NO_\w+_TAGS|(DMARC|DKIM|BIMI)_NOT_FOUND/.test(found))).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe.each(Object.entries(CODES))('one character inserted anywhere in the value of a tag of %s', (name, { tags }) => {
  it('never removes the tag from the report', async () => {
    const protocol = name as keyof typeof PROTOCOLS;
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: tags.length - 1 }), fc.nat(), stray, fc.boolean(), async (which, position, character, spaced) => {
        const [tag, value, code] = tags[which]!;
        const at = position % (value.length + 1);
        const changed = value.slice(0, at) + character + value.slice(at);
        const text = tags.map(([other, as]) => `${other}=${spaced ? ' ' : ''}${other === tag ? changed : as}`).join(spaced ? ' ; ' : ';');
        const { record, issues } = await judge(protocol, text);
        expect(record && tagValue(record.list, tag)).toBe(changed);
        const codes = issues.map((issue) => issue.code);
        expect(codes).toContain(code);
        expect(codes.filter((found) => /^MISSING|NOT_FIRST|_RECORDS|NO_\w+_TAGS|(DMARC|DKIM|BIMI)_NOT_FOUND/.test(found))).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });
});
