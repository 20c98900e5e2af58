import { readFileSync } from 'node:fs';
import type { Disposability, Mailboxes } from '../ports/index.ts';
import { DomainList, isOrIsBelow, wordList } from '../names/index.ts';

/** The lists that are shipped: each is one source's, so that what that source takes back goes too when the list is refreshed. */
export const DISPOSABLE_SOURCES = ['disposable-email-domains', 'fakefilter', 'disposable-domains', 'mailchecker'] as const;
/** The sources kept by hand or by watching the services. The others are collected by machines, from each other as well. */
export const CURATED_SOURCES: ReadonlySet<string> = new Set<(typeof DISPOSABLE_SOURCES)[number]>([
  'disposable-email-domains',
  'fakefilter',
]);

/** A list as it is shipped. */
export interface ShippedList {
  rows: number;
  /** Day of the source's version, as YYYY-MM-DD. */
  date: string;
}

interface SourceList {
  list: DomainList;
  curated: boolean;
}

export interface MailboxSetters {
  readonly shipped: ReadonlyMap<string, ShippedList>;
  /** Sets a source's list, in place of the one that was there. */
  setDisposable(source: string, list: DomainList, options: { curated: boolean }): void;
}

/** Public or short-lived mailboxes, by domain. The heads of the files name their sources. */
class DisposableDomains implements Mailboxes, MailboxSetters {
  readonly #lists = new Map<string, SourceList>();
  readonly shipped: ReadonlyMap<string, ShippedList>;

  constructor() {
    const shipped = new Map<string, ShippedList>();
    for (const source of DISPOSABLE_SOURCES) {
      const bytes = readFileSync(new URL(`./disposable/${source}.txt`, import.meta.url));
      const list = new DomainList(bytes);
      this.setDisposable(source, list, { curated: CURATED_SOURCES.has(source) });
      shipped.set(source, { rows: list.rows, date: / of (\d{4}-\d\d-\d\d)/.exec(bytes.toString('latin1', 0, 500))![1]! });
    }
    this.shipped = shipped;
  }

  /** Judges the domain, or the one above it that is listed. A curated list is believed, and so are two others that agree. */
  disposability(domain: string): Disposability {
    let found = 0;
    for (const { list, curated } of this.#lists.values()) {
      if (!isOrIsBelow(domain, list)) continue;
      if (curated) return 'known';
      found++;
    }
    return found === 0 ? 'none' : found === 1 ? 'unconfirmed' : 'known';
  }

  /** Sets a source's list, in place of the one that was there: all that is judged from then on is judged by it. */
  setDisposable(source: string, list: DomainList, { curated }: { curated: boolean }): void {
    this.#lists.set(source, { list, curated });
  }
}

/** Starts with the shipped lists, until feeds bring others. */
export const createMailboxes = (): Mailboxes & MailboxSetters => new DisposableDomains();

/**
 * Mail hosts of such services, by which new domains of a service are recognised. Each is named as in MX records, or by the domain above it.
 * The lists above cannot be used for that: they also have hosts of firms and of dynamic DNS, which take mail of many others.
 */
export const DISPOSABLE_EXCHANGERS = wordList(`
mailinator.com guerrillamail.com guerrillamail.org yopmail.com mail.tm temp-mail.org temp-mail.io tempmail.plus mailsac.com maildrop.cc
mailnesia.com generator.email emailfake.com email-fake.com 1secmail.com dropmail.me getnada.com inboxes.com mohmal.com moakt.com
wabblywabble.com wallywatts.com erinn.biz discard.email mailcatch.com spamgourmet.com mintemail.com
emailondeck.com fakemailgenerator.com throwawaymail.com tempail.com minuteinbox.com mytrashmail.com disposable-email.com in-mail.net
1secmail.net 1secmail.org guerrillamail.net guerrillamail.biz guerrillamail.de guerrillamail.info guerrillamailblock.com sharklasers.com grr.la
spam4.me tempr.email dispostable.com harakirimail.com 10minutemail.com 20minutemail.com tempinbox.com mytemp.email spambox.me
`);
