import {
  BLOCK_SCORE,
  EMAIL_FACTORS,
  type EmailEvidence,
  judgeDomain,
  judgeUsername,
  type MailDns,
  parseEmail,
  scoreEmail,
} from '@vedette/mail/email';
import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createMailboxes } from '@vedette/intel/mailboxes';
import { shippedNames } from '@vedette/intel/names';

const NAMES = shippedNames();
const MAILBOXES = createMailboxes();
const LISTS = { names: NAMES, mailboxes: MAILBOXES };

const GOOD: MailDns = {
  hasA: true,
  exchangers: ['mx.example.org'],
  delivery: { state: 'possible', detail: '' },
  hasTxt: true,
  hasSpf: true,
  spfQualifier: 'fail',
  dmarc: 'reject',
  dmarcEnforced: true,
  dmarcEnforcedByList: false,
  unknown: new Set(),
  errors: [],
};
const evidence = (email: string, dns: Partial<MailDns> = {}, misspelt = false): EmailEvidence => {
  const address = parseEmail(email);
  const mail = { ...GOOD, ...dns };
  return {
    address,
    username: judgeUsername(address.username, NAMES),
    domain: judgeDomain(address, mail.exchangers, LISTS),
    dns: mail,
    misspelt,
  };
};
const NOTHING: Partial<MailDns> = {
  delivery: { state: 'impossible', detail: 'example.org has no address' },
  hasA: false,
  exchangers: [],
  hasTxt: false,
  hasSpf: false,
  spfQualifier: '',
  dmarc: '',
  dmarcEnforced: false,
};

const ROWS: [string, EmailEvidence, number, string[]][] = [
  ['a person at a well-kept domain', evidence('jane.doe@example.org'), 100, []],
  ['a person at a free provider', evidence('jane.doe@gmail.com'), 100, []],
  [
    'a domain without SPF and DMARC',
    evidence('jane@example.org', { hasSpf: false, spfQualifier: '', dmarc: '', dmarcEnforced: false }),
    95,
    ['no_spf_record', 'spoofable'],
  ],
  ['a role', evidence('sales@example.org'), 90, ['role']],
  ['the postmaster', evidence('postmaster@example.org'), 80, ['noreply_or_system']],
  ['a role under a risky top-level domain', evidence('sales@example.xyz'), 78, ['risky_tld', 'role']],
  ['a celebrity', evidence('elon.musk@example.org'), 95, ['celebrity']],
  ['a disposable mailbox', evidence('jane@mailinator.com'), 25, ['disposable']],
  ['a mailbox that one copied list calls disposable', evidence('jane@abikmail.com'), 83, ['disposable_unconfirmed']],
  ['a forwarder', evidence('jane@simplelogin.com'), 88, ['forwarder']],
  ['an alias that a machine made', evidence('x7k2m9q4w1@simplelogin.com'), 88, ['forwarder']],
  ["a student's number", evidence('u1234567@anu.edu.au'), 100, []],
  ['one of figures alone', evidence('20231234@student.hust.edu.vn'), 100, []],
  ['an invisible character at a university', evidence('ja\u202ene@anu.edu.au'), 88, ['suspicious_username']],
  ['a misspelt provider', evidence('jane@outlok.example.org', {}, true), 69, ['did_you_mean']],
  ['an imitated brand', evidence('paypal.support@gmail.com'), 69, ['imitates_brand']],
  ['a brand that is a family name', evidence('team.chase@gmail.com'), 88, ['brand_in_username']],
  ['a brand beside a lure', evidence('jane@paypal-login.com'), 65, ['brand_in_domain']],
  ['a brand beside another word', evidence('jane@paypal-deutschland.de'), 88, ['suspicious_domain']],
  ['a word of 31 letters', evidence('jane@abcdefghijklmnopqrstuvwxyzabcde.org'), 88, ['suspicious_domain']],
  ['a name with six hyphens', evidence('jane@one-two-three-four-five-six-seven.org'), 88, ['suspicious_domain']],
  ['a long name of words', evidence('info@landkreis-schmalkalden-meiningen.de'), 90, ['role']],
  ['a name of figures', evidence('jane@12345.com'), 100, []],
  ['an internationalised name, whose A-label has hyphens', evidence('jane@münchen-mail.de'), 100, []],
  ['a brand in Cyrillic letters', evidence('jane@pаypal.com'), 25, ['homograph']],
  ['a label that mixes Latin and Cyrillic', evidence('jane@x5ритейл.com'), 65, ['mixed_scripts']],
  ['a vice president', evidence('dick.cheney@example.org'), 90, ['doubtful_words']],
  ['dirty words', evidence('fucker@example.org'), 76, ['dirty_words_username']],
  ['dirty words in the domain', evidence('jane@fuckers.org'), 76, ['dirty_words_domain']],
  ['a made-up name', evidence('x7k2m9q4w1@example.org'), 88, ['suspicious_username']],
  ['a number', evidence('20261121@example.org'), 88, ['only_digits']],
  ['a telephone number with figures in a row', evidence('9845012345@gmail.com'), 88, ['only_digits']],
  [
    'a number under a risky top-level domain',
    evidence('12345@shop.shop', { dmarc: '', dmarcEnforced: false }),
    74,
    ['only_digits', 'risky_tld', 'spoofable'],
  ],
  ['a number with an invisible character', evidence('12345\u200b@example.org'), 88, ['suspicious_username']],
  ['a number where numbers are names', evidence('20261121@qq.com'), 100, []],
  ['addresses but no exchangers', evidence('jane@example.org', { exchangers: [] }), 88, ['no_mx_records']],
  ['neither', evidence('sales@example.org', NOTHING), 0, ['takes_no_mail']],
  [
    'a DNS that fails: a sender gets no further either',
    evidence('jane@example.org', {
      ...NOTHING,
      delivery: { state: 'fails', detail: 'example.org MX: SERVFAIL' },
      unknown: new Set(['addresses', 'exchangers', 'spf', 'dmarc']),
    }),
    65,
    ['mail_fails'],
  ],
  [
    'one question that has no answer beside others that have',
    evidence('jane@example.org', { delivery: { state: 'fails', detail: 'example.org MX: SERVFAIL' }, unknown: new Set(['exchangers']) }),
    88,
    ['mail_unanswered'],
  ],
  [
    'mail hosts whose names have no answer',
    evidence('jane@example.org', { delivery: { state: 'fails', detail: 'example.org MX: SERVFAIL' } }),
    88,
    ['mail_unanswered'],
  ],
  ['mail exchangers that we did not ask about', evidence('jane@example.org', { delivery: { state: 'unknown', detail: '' } }), 100, []],
  ['neither, whatever the policy', evidence('jane@example.org', { ...NOTHING, unknown: new Set(['dmarc']) }), 0, ['takes_no_mail']],
  [
    'an SPF redirect that leads to silence',
    evidence('jane@example.org', { spfQualifier: '', dmarc: 'none', dmarcEnforced: false, unknown: new Set(['spf']) }),
    95,
    ['spf_unanswered', 'spoofable'],
  ],
  ['a DMARC record of which the DNS is silent', evidence('jane@example.org', { unknown: new Set(['dmarc']) }), 98, ['dmarc_unanswered']],
  [
    'a domain on a curated list of phishing',
    { ...evidence('jane@example.org'), listings: [{ name: 'Kept', group: '', confidence: 'high' }] },
    65,
    ['listed_domain'],
  ],
  [
    'a domain on one list that copies from others',
    { ...evidence('jane@example.org'), listings: [{ name: 'Kept', group: '', confidence: 'low' }] },
    76,
    ['listed_domain_unconfirmed'],
  ],
  ['a person while a list is being loaded', { ...evidence('jane.doe@example.org'), awaitsLists: true }, 90, ['lists_awaited']],
  ['a malformed address', evidence('jane@@example.org'), 0, ['invalid_format']],
  ['an unknown top-level domain', evidence('jane@example.notatld'), 0, ['invalid_tld']],
];

/** What a factor of these rows is about. */
const DETAILS: Partial<Record<string, string>> = {
  homograph: 'paypal',
  brand_in_domain: 'paypal',
  listed_domain: 'Kept',
  listed_domain_unconfirmed: 'Kept',
  takes_no_mail: 'example.org has no address',
  mail_fails: 'example.org MX: SERVFAIL',
  mail_unanswered: 'example.org MX: SERVFAIL',
};

describe('scoreEmail', () => {
  it.each(ROWS)('%s', (_what, given, score, factors) => {
    expect(scoreEmail(given)).toEqual({
      score,
      factors: factors.map((factor) => {
        const points = EMAIL_FACTORS[factor as keyof typeof EMAIL_FACTORS];
        const detail = DETAILS[factor];
        return detail === undefined ? { factor, points } : { factor, points, detail };
      }),
    });
  });

  it('blocks for one strong sign, and not for one between nor for two weak ones of a domain without SPF and DMARC', () => {
    const points = Object.values(EMAIL_FACTORS);
    const weak = points.filter((one) => one <= 12);
    const strong = points.filter((one) => one >= 30);
    const between = points.filter((one) => one > 12 && one < 30);
    const bare = EMAIL_FACTORS.no_spf_record + EMAIL_FACTORS.spoofable;
    expect(100 - Math.max(...between) - bare).toBeGreaterThan(BLOCK_SCORE);
    expect(100 - 2 * Math.max(...weak) - bare).toBeGreaterThan(BLOCK_SCORE);
    // What one copied list says, of a role at a domain that has not got round to DMARC.
    const { disposable_unconfirmed, role, spoofable, risky_tld } = EMAIL_FACTORS;
    expect(100 - disposable_unconfirmed - role - spoofable).toBeGreaterThan(BLOCK_SCORE);
    expect(100 - disposable_unconfirmed - risky_tld - spoofable).toBeLessThanOrEqual(BLOCK_SCORE);
    expect(100 - Math.min(...strong)).toBeLessThanOrEqual(BLOCK_SCORE);
  });

  it.each<[string, string, Partial<MailDns>]>([
    ['at a long name', 'noreply@abcdefghijklmnopqrstuvwxyzabcde.org', {}],
    ['beside a brand', 'noreply@paypal-communication.com', {}],
    ['under a risky top-level domain', 'notifications@alphabet.xyz', {}],
    ['at a doubtful word', 'postmaster@porn.com', {}],
    ['at an obscene word', 'postmaster@fuckers.org', {}],
    ['at a mailbox that one copied list calls disposable', 'abuse@abikmail.com', {}],
    [
      'where only addresses are',
      'noreply@example.org',
      { exchangers: [], hasSpf: false, spfQualifier: '', dmarc: '', dmarcEnforced: false },
    ],
    ['at a long name under a risky top-level domain', 'info@abcdefghijklmnopqrstuvwxyzabcde.xyz', {}],
    ['for a number there', '12345@abcdefghijklmnopqrstuvwxyzabcde.xyz', {}],
    ['for a number at a mailbox that one copied list calls disposable', '9845012345@abikmail.com', { dmarc: '', dmarcEnforced: false }],
  ])('who reads the mail never blocks, nor does a number: %s', (_what, email, dns) => {
    const { score, factors } = scoreEmail(evidence(email, dns));
    expect(score).toBe(BLOCK_SCORE + 1);
    expect(100 - factors.reduce((sum, { points }) => sum + points, 0)).toBe(score);
  });

  it('what never blocks counts in full where something else does', () => {
    expect(scoreEmail(evidence('noreply@paypal-login.com'))).toMatchObject({ score: 45 });
    expect(scoreEmail(evidence('sales@paypal-login.com'))).toMatchObject({ score: 55 });
    expect(scoreEmail(evidence('12345@paypal-login.com'))).toMatchObject({ score: 53 });
  });

  it('never blocks by a list that is being loaded', () => {
    const given = evidence('jane.doe@privaterelay.appleid.com', { exchangers: [] });
    expect([scoreEmail(given).score, scoreEmail({ ...given, awaitsLists: true }).score]).toEqual([76, BLOCK_SCORE + 1]);
  });

  it('never rises when a sign is added', () => {
    const base = evidence('jane@example.org');
    const flags = <T extends object>(traits: T) =>
      fc.record(
        Object.fromEntries(
          Object.entries(traits).map(([key, value]) => [key, typeof value === 'boolean' ? fc.boolean() : fc.constant(value)]),
        ),
      ) as fc.Arbitrary<T>;
    const merged = <T extends object>(a: T, b: T) =>
      Object.fromEntries(Object.entries(a).map(([key, holds]) => [key, holds === false ? b[key as keyof T] : holds])) as T;
    // Three flags take nothing away by themselves and excuse something: they are left as they are.
    const domains = flags(base.domain).map((traits) => ({ ...traits, chineseFree: false, forwarder: false, educational: false }));
    fc.assert(
      fc.property(flags(base.username), flags(base.username), domains, domains, (u1, u2, d1, d2) => {
        const fewer = scoreEmail({ ...base, username: u1, domain: d1 }).score;
        const more = scoreEmail({ ...base, username: merged(u1, u2), domain: merged(d1, d2) }).score;
        expect(more).toBeLessThanOrEqual(fewer);
      }),
    );
  });

  it('has every factor in a row above and in docs/email-verify.md, with its points', async () => {
    expect(new Set(ROWS.flatMap(([, , , factors]) => factors))).toEqual(new Set(Object.keys(EMAIL_FACTORS)));
    const page = await readFile(new URL('../../../docs/email-verify.md', import.meta.url), 'utf8');
    const documented = [...page.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, factor, points]) => [factor, Number(points)]);
    expect(Object.fromEntries(documented)).toEqual(EMAIL_FACTORS);
    expect(page).toContain(`at ${BLOCK_SCORE} or lower`);
  });
});
