import { createHash } from 'node:crypto';

/** Placeholders that registries write for redacted data: the whole text, or its beginning. */
const REDACTED_WHOLE = /^[^\p{L}\d]*(?:private|private person|hidden|masked|withheld|statutory masking(?: enabled)?)[^\p{L}\d]*$/iu;
/** Fields that were never filled in: they hold no data, and do not count as redacted. */
const EMPTY = /^[^\p{L}\d]*(?:none|n\/a|unavailable|not applicable|null|unknown)?[^\p{L}\d]*$/iu;
const REDACTED_START =
  /^[^\p{L}\d]*(?:redacted\b|data (?:protected|redacted)|not (?:disclosed|shown|available)\b|non-?public data|gdpr (?:masked|redacted)|hidden upon user request|registrant not shown|this information is (?:private|hidden))/iu;
/** Anywhere in it: forms that carry a sentence. */
const REDACTED_INSIDE = /redacted for privacy|gdpr (?:redacted|masked)|not shown, please visit|redacted due to|information not available/i;

/** Services whose name stands in place of the owner's: their companies' names as they register. */
const PRIVACY_SERVICES = [
  'domains by proxy',
  'withheld for privacy',
  'whoisguard',
  'contact privacy inc',
  'perfect privacy',
  'privacy protect, llc',
  'privacyprotect.org',
  'privacyguardian.org',
  'privacy guardian',
  'privacy hero',
  'whois privacy',
  'whoisprivacy',
  'whois agent',
  'whois proxy',
  'whoisproxy',
  'whois protection',
  'domain protection services',
  'domain privacy',
  'domain proxy',
  'proxy protection llc',
  'registration private',
  'private registration',
  'privateregistration',
  'private by design',
  'identity protect',
  'identity protection service',
  'super privacy service',
  'anonymize, inc',
  'anonymise',
  'privatewhois',
  'private whois',
  'myprivacy',
  'my privacy',
  'moniker privacy services',
  'networksolutions private',
  'perfectprivacy',
  '1337 services',
  'njalla',
  'dynadot privacy',
  'super privacy',
  'privacydotlink',
  'privacy service',
  'privacy administrator',
  'knock knock whois not there',
  'see privacyguardian',
  'contactprivacy',
  'tieredaccess',
  'tiered access',
  'jewella privacy',
  'dreamhost privacy',
  'proxy service',
];

/** Whether a text stands in place of one that is not told. */
export const isRedacted = (text: string): boolean => [REDACTED_WHOLE, REDACTED_START, REDACTED_INSIDE].some((form) => form.test(text));

/** Whether a name is that of a service which registers for others. */
export function isPrivacyService(name: string): boolean {
  const lower = name.toLowerCase();
  return PRIVACY_SERVICES.some((service) => lower.includes(service));
}

/** The text, or nothing where it stands in place of one. */
export const withoutPlaceholder = (text: string): string => (EMPTY.test(text) || isRedacted(text) ? '' : text);

/** One mailbox: what follows RFC 5321 closely enough to be one, and no form or sentence. */
const MAILBOX = /^[^\s@<>,;:"()]{1,64}@([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?\.[a-z0-9-]{2,63})\.?$/i;

/** Returns the domain of an email address in lower case; empty for an invalid address. */
export const emailDomain = (address: string): string => MAILBOX.exec(address.trim())?.[1]?.toLowerCase() ?? '';

/** Returns the two facts kept of an owner's address: its digest and its domain. Both are empty for an invalid address. */
export function emailTraces(address: string): { owner_email_hash: string; owner_email_domain: string } {
  const owner_email_domain = emailDomain(address);
  if (owner_email_domain === '') return { owner_email_hash: '', owner_email_domain };
  return { owner_email_hash: createHash('sha256').update(address.trim().toLowerCase()).digest('hex'), owner_email_domain };
}
