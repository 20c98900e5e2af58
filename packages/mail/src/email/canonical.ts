import { isAtOrUnder } from '@vedette/contract';
import type { EmailAddress } from './address.ts';
import { FREE_PROVIDERS } from '@vedette/intel/mailboxes';

/** How a provider reads local parts: which spellings reach one mailbox. */
interface MailboxRule {
  /** The character before a tag that the owner may add freely. */
  tag?: '+' | '-';
  /** Characters that do not count. */
  ignored?: RegExp;
  /** The domain that stands for all of the provider's. */
  domain?: string;
}

const PLUS: MailboxRule = { tag: '+' };
const GMAIL: MailboxRule = { tag: '+', ignored: /\./g, domain: 'gmail.com' };
const ICLOUD: MailboxRule = { tag: '+', domain: 'icloud.com' };
const PROTON: MailboxRule = { tag: '+', ignored: /[._-]/g, domain: 'proton.me' };
const YAHOO: MailboxRule = { tag: '-' };
const YANDEX: MailboxRule = { tag: '+', ignored: /[.-]/g, domain: 'yandex.ru' };

const RULES: ReadonlyMap<string, MailboxRule> = new Map<string, MailboxRule>([
  ['gmail.com', GMAIL],
  ['googlemail.com', GMAIL],
  ['icloud.com', ICLOUD],
  ['me.com', ICLOUD],
  ['mac.com', ICLOUD],
  ['proton.me', PROTON],
  ['protonmail.com', PROTON],
  ['pm.me', PROTON],
  ['ya.ru', YANDEX],
  ['ymail.com', YAHOO],
  ['rocketmail.com', YAHOO],
  ...['posteo.de', 'posteo.net', 'mailbox.org', 'hey.com', 'runbox.com', 'pobox.com', 'zoho.com', 'zohomail.com'].map(
    (domain) => [domain, PLUS] as const,
  ),
]);

// Families with a domain for many countries, by their first label.
const FAMILIES: ReadonlyMap<string, MailboxRule> = new Map([
  ...['outlook', 'hotmail', 'live', 'msn', 'windowslive', 'passport'].map((label) => [label, PLUS] as const),
  ['yahoo', YAHOO],
  ['yandex', YANDEX],
]);
/** The family's own domains only: any owner may have a host of such a name. */
const familyRule = (domain: string): MailboxRule | undefined =>
  FREE_PROVIDERS.has(domain) ? FAMILIES.get(domain.slice(0, domain.indexOf('.'))) : undefined;

const FASTMAIL = /^(?:([^.]+)\.)?(fastmail\.(?:com|fm|net|us|jp|co\.uk))$/;

/** Hosting for other people's domains, by mail exchanger: all of these accept `+` tags. */
const PLUS_EXCHANGERS = ['google.com', 'googlemail.com', 'outlook.com', 'messagingengine.com', 'protonmail.ch', 'icloud.com'];

/**
 * One spelling for all addresses that reach the same mailbox, in lower case; as far as the provider is known by domain or by its
 * mail exchangers. A malformed address stays as it is.
 */
export function canonicalEmail({ valid, text, username, domain }: EmailAddress, exchangers: readonly string[]): string {
  if (!valid) return text;
  const local = username.toLowerCase();
  if (local.startsWith('"')) return `${local}@${domain}`;
  const fastmail = FASTMAIL.exec(domain);
  if (fastmail) return `${fastmail[1] ?? withoutTag(local, '+')}@${fastmail[2]}`; // anything@user.fastmail.com is user@fastmail.com
  const rule = RULES.get(domain) ?? familyRule(domain) ?? ruleByExchanger(exchangers);
  if (!rule) return `${local}@${domain}`;
  const name = rule.tag ? withoutTag(local, rule.tag) : local;
  const bare = rule.ignored ? name.replace(rule.ignored, '') : name;
  return `${bare === '' ? local : bare}@${rule.domain ?? domain}`;
}

const withoutTag = (local: string, tag: string): string => {
  const at = local.indexOf(tag);
  return at > 0 ? local.slice(0, at) : local;
};

const ruleByExchanger = (exchangers: readonly string[]): MailboxRule | undefined =>
  exchangers.some((host) => PLUS_EXCHANGERS.some((provider) => isAtOrUnder(host, provider))) ? PLUS : undefined;
