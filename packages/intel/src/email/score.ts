import type { EmailAddress } from './address.ts';
import type { DomainTraits } from './domain.ts';
import type { MailDns } from './mail-dns.ts';
import type { UsernameTraits } from './username.ts';

/** All that is known of an address. `dns` is absent where there was nothing to ask. */
export interface EmailEvidence {
  address: EmailAddress;
  username: UsernameTraits;
  domain: DomainTraits;
  dns: MailDns | undefined;
  /** Another domain was probably meant. */
  misspelt: boolean;
}

/** Points taken from 100, by factor; docs/email-verify.md explains them. */
export const EMAIL_FACTORS = {
  invalid_format: 100,
  invalid_tld: 100,
  takes_no_mail: 100,
  disposable: 75,
  suspicious_domain: 35,
  did_you_mean: 31,
  imitates_brand: 31,
  dirty_words_username: 30,
  dirty_words_domain: 30,
  noreply_or_system: 20,
  suspicious_username: 20,
  no_mx_records: 20,
  only_digits: 15,
  risky_tld: 15,
  forwarder: 15,
  role: 10,
  celebrity: 5,
  no_spf_record: 3,
  spoofable: 2,
} as const satisfies Record<string, number>;
export type EmailFactor = keyof typeof EMAIL_FACTORS;

/** An address with this score or less should be blocked. */
export const BLOCK_SCORE = 70;

export interface EmailScore {
  /** 0 bad to 100 good. */
  score: number;
  factors: { factor: EmailFactor; points: number }[];
}

/** One strong sign brings an address to `BLOCK_SCORE`, two weak ones do not. What nobody knows does not count. */
export function scoreEmail(evidence: EmailEvidence): EmailScore {
  const factors = factorsOf(evidence).map((factor) => ({ factor, points: EMAIL_FACTORS[factor] }));
  const lost = factors.reduce((sum, { points }) => sum + points, 0);
  return { score: Math.max(0, 100 - lost), factors };
}

function factorsOf({ address, username, domain, dns, misspelt }: EmailEvidence): EmailFactor[] {
  if (!address.valid) return ['invalid_format'];
  if (!address.validTld) return ['invalid_tld'];
  const mail = dns ? mailFactors(dns) : [];
  if (mail.includes('takes_no_mail')) return ['takes_no_mail'];
  const present: [EmailFactor, boolean][] = [
    ['disposable', domain.disposable],
    ['suspicious_domain', domain.suspicious],
    ['did_you_mean', misspelt],
    ['imitates_brand', username.imitatesBrand && domain.public],
    ['dirty_words_username', username.dirtyWords],
    ['dirty_words_domain', domain.dirtyWords],
    ['noreply_or_system', username.noreply || username.system],
    ['suspicious_username', username.suspicious],
    ['only_digits', username.onlyDigits && !domain.chineseFree], // there the number is the name
    ['risky_tld', domain.riskyTld],
    ['forwarder', domain.forwarder],
    ['role', username.role && !username.noreply && !username.system], // one kind of user name counts once
    ['celebrity', username.celebrity],
  ];
  return [...present.flatMap(([factor, holds]) => (holds ? [factor] : [])), ...mail];
}

function mailFactors(dns: MailDns): EmailFactor[] {
  const { exchangers, nullMx, hasA, hasAaaa, hasSpf, unknown } = dns;
  if (nullMx) return ['takes_no_mail'];
  const hasAddress = hasA || hasAaaa;
  const lacksExchangers = exchangers.length === 0 && !unknown.has('exchangers');
  if (lacksExchangers && !hasAddress && !unknown.has('addresses')) return ['takes_no_mail'];
  return [
    ...(lacksExchangers && hasAddress ? (['no_mx_records'] as const) : []),
    ...(hasSpf || unknown.has('spf') ? [] : (['no_spf_record'] as const)),
    ...(isSpoofable(dns) ? (['spoofable'] as const) : []),
  ];
}

/**
 * Nothing published makes receivers refuse mail with a forged From. Only an enforced DMARC policy does: SPF, `-all` as well, is about the
 * envelope's sender, which whoever forges the From chooses freely (RFC 7208 §11.1).
 */
export const isSpoofable = ({ dmarcEnforced, unknown }: MailDns): boolean => !dmarcEnforced && !unknown.has('dmarc');
