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
  /** The lists of harmful names that have the domain; unset where there was nothing to look up. */
  listings?: readonly DomainListing[];
  /** Whether one of these lists, or of disposable mailboxes, is being loaded. */
  awaitsLists?: boolean;
}

/** A list that has a domain. */
export interface DomainListing {
  name: string;
  /** Lists of one group copy from one another; empty for one alone. */
  group: string;
  /** `low` for lists that are put together from others, unchecked. */
  confidence: 'high' | 'low';
}

/** Points taken from 100, by factor; docs/email-verify.md explains them. */
export const EMAIL_FACTORS = {
  invalid_format: 100,
  invalid_tld: 100,
  takes_no_mail: 100,
  disposable: 75,
  homograph: 75,
  mixed_scripts: 35,
  brand_in_domain: 35,
  listed_domain: 35,
  mail_fails: 35,
  did_you_mean: 31,
  imitates_brand: 31,
  listed_domain_unconfirmed: 24,
  dirty_words_username: 24,
  dirty_words_domain: 24,
  noreply_or_system: 20,
  disposable_unconfirmed: 17,
  suspicious_domain: 12,
  suspicious_username: 12,
  only_digits: 12,
  brand_in_username: 12,
  risky_tld: 12,
  forwarder: 12,
  no_mx_records: 12,
  mail_unanswered: 12,
  doubtful_words: 10,
  lists_awaited: 10,
  role: 10,
  celebrity: 5,
  no_spf_record: 3,
  spf_unanswered: 3,
  spoofable: 2,
  dmarc_unanswered: 2,
} as const satisfies Record<string, number>;
export type EmailFactor = keyof typeof EMAIL_FACTORS;

/** An address with this score or less should be blocked. */
export const BLOCK_SCORE = 70;

export interface EmailScore {
  /** 0 bad to 100 good. */
  score: number;
  factors: FoundFactor[];
}

export interface FoundFactor {
  factor: EmailFactor;
  points: number;
  /** The finding, when the factor's name leaves it open: the brand, the mail host. */
  detail?: string;
}

/**
 * Traits that say nothing against a sender: role names (RFC 5321 §4.5.1 requires a postmaster, and shops write from `noreply`), and numbers
 * of customers, members or telephones. Nor does a list say anything that is still being loaded.
 */
const NEVER_BLOCKING: ReadonlySet<EmailFactor> = new Set(['noreply_or_system', 'role', 'only_digits', 'lists_awaited']);

/**
 * One strong sign brings an address to `BLOCK_SCORE`; one of those between does not, nor do two weak ones. A factor that never blocks
 * counts only while the score stays above the threshold. An unknown fact does not count.
 */
export function scoreEmail(evidence: EmailEvidence): EmailScore {
  const { homograph, lure } = evidence.domain.imitation;
  const delivery = evidence.dns?.delivery.detail;
  const lists = evidence.listings?.map(({ name }) => name).join(', ');
  const details: Partial<Record<EmailFactor, string | undefined>> = {
    homograph,
    brand_in_domain: lure,
    listed_domain: lists,
    listed_domain_unconfirmed: lists,
    takes_no_mail: delivery,
    mail_fails: delivery,
    mail_unanswered: delivery,
  };
  const found = factorsOf(evidence);
  const without = 100 - sum(found.filter((factor) => !NEVER_BLOCKING.has(factor)).map((factor) => EMAIL_FACTORS[factor]));
  let room = without > BLOCK_SCORE ? without - BLOCK_SCORE - 1 : Infinity;
  const factors = found.map((factor): FoundFactor => {
    const points = NEVER_BLOCKING.has(factor) ? Math.min(EMAIL_FACTORS[factor], room) : EMAIL_FACTORS[factor];
    if (NEVER_BLOCKING.has(factor)) room -= points;
    const detail = details[factor];
    return detail === undefined ? { factor, points } : { factor, points, detail };
  });
  return { score: Math.max(0, 100 - sum(factors.map(({ points }) => points))), factors };
}

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

function factorsOf({ address, username, domain, dns, misspelt, listings = [], awaitsLists = false }: EmailEvidence): EmailFactor[] {
  if (!address.valid) return ['invalid_format'];
  if (!address.validTld) return ['invalid_tld'];
  const mail = dns ? mailFactors(dns) : [];
  const isBelieved = isConfirmed(listings);
  const suspiciousUsername = isSuspiciousUsername(username, domain);
  if (mail.includes('takes_no_mail')) return ['takes_no_mail'];
  const present: [EmailFactor, boolean][] = [
    ['disposable', domain.disposable === 'known'],
    ['disposable_unconfirmed', domain.disposable === 'unconfirmed'],
    ['homograph', domain.imitation.homograph !== ''],
    ['mixed_scripts', domain.imitation.mixedScripts && domain.imitation.homograph === ''],
    ['brand_in_domain', domain.imitation.lure !== ''],
    ['listed_domain', isBelieved],
    ['listed_domain_unconfirmed', listings.length > 0 && !isBelieved],
    ['suspicious_domain', domain.oddName || (domain.imitation.mention !== '' && domain.imitation.lure === '')],
    ['did_you_mean', misspelt],
    ['imitates_brand', username.imitatesBrand && domain.public],
    ['brand_in_username', username.namesBrand && !username.imitatesBrand && domain.public],
    ['dirty_words_username', username.dirtyWords === 'obscene'],
    ['dirty_words_domain', domain.dirtyWords === 'obscene'],
    ['doubtful_words', username.dirtyWords === 'doubtful' || domain.dirtyWords === 'doubtful'],
    ['noreply_or_system', username.noreply || username.system],
    ['suspicious_username', suspiciousUsername],
    // One kind of user name counts once; at these domains the number is the name.
    ['only_digits', username.onlyDigits && !suspiciousUsername && !domain.chineseFree && !domain.educational],
    ['risky_tld', domain.riskyTld],
    ['forwarder', domain.forwarder],
    ['role', username.role && !username.noreply && !username.system],
    ['celebrity', username.celebrity],
    ['lists_awaited', awaitsLists],
  ];
  return [...present.flatMap(([factor, holds]) => (holds ? [factor] : [])), ...mail];
}

/** Whether a curated list has the domain, or two that do not copy from one another. */
const isConfirmed = (listings: readonly DomainListing[]): boolean =>
  listings.some(({ confidence }) => confidence === 'high') || new Set(listings.map(({ name, group }) => group || name)).size > 1;

/** Aliases are made by machines, and schools call people by their numbers. */
export const isSuspiciousUsername = ({ suspicious, invisible }: UsernameTraits, { forwarder, educational }: DomainTraits): boolean =>
  invisible || (suspicious && !forwarder && !educational);

function mailFactors(dns: MailDns): EmailFactor[] {
  const { delivery, exchangers, hasSpf, unknown } = dns;
  if (delivery.state === 'impossible') return ['takes_no_mail'];
  return [
    ...(delivery.state === 'fails' ? [isSilent(dns) ? ('mail_fails' as const) : ('mail_unanswered' as const)] : []),
    ...(delivery.state === 'possible' && exchangers.length === 0 ? (['no_mx_records'] as const) : []),
    ...(hasSpf || unknown.has('spf') ? [] : (['no_spf_record'] as const)),
    // As much as where there is none: a silent DNS is no advantage. Where all is silent, that counts already.
    ...(unknown.has('spf') && !isSilent(dns) ? (['spf_unanswered'] as const) : []),
    ...(unknown.has('dmarc') && !isSilent(dns) ? (['dmarc_unanswered'] as const) : []),
    ...(isSpoofable(dns) ? (['spoofable'] as const) : []),
  ];
}

/** Whether nothing that was asked about the domain itself has an answer. One question without any may be a lost packet. */
const isSilent = ({ unknown }: MailDns): boolean => (['addresses', 'exchangers', 'spf'] as const).every((topic) => unknown.has(topic));

/**
 * Nothing published makes receivers refuse mail with a forged From. Only an enforced DMARC policy does: SPF, also with `-all`, checks the
 * envelope's sender, which a forger of the From chooses freely (RFC 7208 §11.1).
 */
export const isSpoofable = ({ dmarcEnforced, dmarcEnforcedByList, unknown }: MailDns): boolean =>
  !dmarcEnforced && !dmarcEnforcedByList && !unknown.has('dmarc');
