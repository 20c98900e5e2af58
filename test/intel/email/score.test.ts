import {
  BLOCK_SCORE,
  EMAIL_FACTORS,
  type EmailEvidence,
  judgeDomain,
  judgeUsername,
  type MailDns,
  parseEmail,
  scoreEmail,
} from '@vedette/intel/email';
import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const GOOD: MailDns = {
  hasA: true,
  hasAaaa: true,
  exchangers: ['mx.example.org'],
  nullMx: false,
  hasTxt: true,
  hasSpf: true,
  spfQualifier: 'fail',
  dmarc: 'reject',
  dmarcEnforced: true,
  unknown: new Set(),
  errors: [],
};
const evidence = (email: string, dns: Partial<MailDns> = {}, misspelt = false): EmailEvidence => {
  const address = parseEmail(email);
  const mail = { ...GOOD, ...dns };
  return { address, username: judgeUsername(address.username), domain: judgeDomain(address, mail.exchangers), dns: mail, misspelt };
};
const NOTHING: Partial<MailDns> = {
  hasA: false,
  hasAaaa: false,
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
  ['a role under a risky top-level domain', evidence('sales@example.xyz'), 75, ['risky_tld', 'role']],
  ['a celebrity', evidence('elon.musk@example.org'), 95, ['celebrity']],
  ['a disposable mailbox', evidence('jane@mailinator.com'), 25, ['disposable']],
  ['a forwarder', evidence('jane@simplelogin.com'), 85, ['forwarder']],
  ['a misspelt provider', evidence('jane@gmial.com', {}, true), 69, ['did_you_mean']],
  ['an imitated brand', evidence('paypal.support@gmail.com'), 69, ['imitates_brand']],
  ['a suspicious domain', evidence('jane@paypal-login.com'), 65, ['suspicious_domain']],
  ['dirty words', evidence('fucker@example.org'), 70, ['dirty_words_username']],
  ['dirty words in the domain', evidence('jane@fuckers.org'), 70, ['dirty_words_domain']],
  ['a made-up name', evidence('x7k2m9q4w1@example.org'), 80, ['suspicious_username']],
  ['a number', evidence('20261121@example.org'), 85, ['only_digits']],
  ['a number where numbers are names', evidence('20261121@qq.com'), 100, []],
  ['addresses but no exchangers', evidence('jane@example.org', { exchangers: [] }), 80, ['no_mx_records']],
  ['neither', evidence('sales@example.org', NOTHING), 0, ['takes_no_mail']],
  ['a null MX', evidence('jane@example.org', { exchangers: [], nullMx: true }), 0, ['takes_no_mail']],
  [
    'a DNS that does not answer',
    evidence('jane@example.org', { ...NOTHING, unknown: new Set(['addresses', 'exchangers', 'spf', 'dmarc']) }),
    100,
    [],
  ],
  ['neither, whatever the policy', evidence('jane@example.org', { ...NOTHING, unknown: new Set(['dmarc']) }), 0, ['takes_no_mail']],
  [
    'no exchangers, and addresses that nobody knows',
    evidence('jane@example.org', { ...NOTHING, unknown: new Set(['addresses']) }),
    95,
    ['no_spf_record', 'spoofable'],
  ],
  [
    'an SPF redirect that leads to silence',
    evidence('jane@example.org', { spfQualifier: '', dmarc: 'none', dmarcEnforced: false, unknown: new Set(['spf']) }),
    98,
    ['spoofable'],
  ],
  ['a malformed address', evidence('jane@@example.org'), 0, ['invalid_format']],
  ['an unknown top-level domain', evidence('jane@example.notatld'), 0, ['invalid_tld']],
];

describe('scoreEmail', () => {
  it.each(ROWS)('%s', (_what, given, score, factors) => {
    expect(scoreEmail(given)).toEqual({
      score,
      factors: factors.map((factor) => ({ factor, points: EMAIL_FACTORS[factor as keyof typeof EMAIL_FACTORS] })),
    });
  });

  it('never rises when a sign is added', () => {
    const base = evidence('jane@example.org');
    const flags = <T extends object>(traits: T) =>
      fc.record(Object.fromEntries(Object.keys(traits).map((key) => [key, fc.boolean()]))) as fc.Arbitrary<T>;
    const merged = <T extends object>(a: T, b: T) =>
      Object.fromEntries(Object.entries(a).map(([key, holds]) => [key, holds || b[key as keyof T]])) as T;
    // Two flags take nothing away by themselves and one explains a number: they are left as they are.
    const domains = flags(base.domain).map((traits) => ({ ...traits, chineseFree: false }));
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
