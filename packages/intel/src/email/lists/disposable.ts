import { readFileSync } from 'node:fs';
import { DomainList } from './domain-list.ts';
import { wordList } from './word-list.ts';

/**
 * Mailboxes that are open for minutes and to everybody, by domain; their subdomains count. The head of the file says where the list is from.
 * Whoever has a newer one sets `domains`: all that is judged from then on is judged by it.
 */
export const disposable = { domains: new DomainList(readFileSync(new URL('./disposable.txt', import.meta.url))) };

/**
 * Hosts that take the mail of such services, beside those under the domains above: new domains of a service are known by them. Each
 * is named as it is in MX records, or by the domain above it.
 */
export const DISPOSABLE_EXCHANGERS = wordList(`
mailinator.com guerrillamail.com guerrillamail.org yopmail.com mail.tm temp-mail.org temp-mail.io tempmail.plus mailsac.com maildrop.cc
mailnesia.com generator.email emailfake.com email-fake.com 1secmail.com dropmail.me getnada.com inboxes.com mohmal.com moakt.com
wabblywabble.com wallywatts.com erinn.biz discard.email mailcatch.com spamgourmet.com mintemail.com
emailondeck.com fakemailgenerator.com throwawaymail.com tempail.com minuteinbox.com mytrashmail.com disposable-email.com in-mail.net
`);
