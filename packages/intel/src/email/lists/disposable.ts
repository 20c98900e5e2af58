import { readFileSync } from 'node:fs';
import { DomainList } from './domain-list.ts';
import { wordList } from './word-list.ts';

/** The lists that are shipped: each is one source's, so that what that source takes back goes too when the list is refreshed. */
export const DISPOSABLE_SOURCES = ['disposable-email-domains', 'fakefilter', 'disposable-domains', 'mailchecker'] as const;

/** A list as it is shipped. */
export interface ShippedList {
  rows: number;
  /** Day of the source's version, as YYYY-MM-DD. */
  date: string;
}

/** Mailboxes that are open for minutes and to everybody, by domain. The heads of the files say where they are from. */
class DisposableDomains {
  readonly #lists = new Map<string, DomainList>();
  readonly shipped: ReadonlyMap<string, ShippedList>;

  constructor() {
    const shipped = new Map<string, ShippedList>();
    for (const source of DISPOSABLE_SOURCES) {
      const bytes = readFileSync(new URL(`./disposable/${source}.txt`, import.meta.url));
      const list = new DomainList(bytes);
      this.#lists.set(source, list);
      shipped.set(source, { rows: list.rows, date: / of (\d{4}-\d\d-\d\d)/.exec(bytes.toString('latin1', 0, 500))![1]! });
    }
    this.shipped = shipped;
  }

  /** Whether a list has the domain itself. */
  has(domain: string): boolean {
    for (const list of this.#lists.values()) if (list.has(domain)) return true;
    return false;
  }

  /** Sets a source's list, in place of the one that was there: all that is judged from then on is judged by it. */
  set(source: string, list: DomainList): void {
    this.#lists.set(source, list);
  }
}

export const disposable = new DisposableDomains();

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
