import { type HtmlReading, htmlOf } from './html.ts';
import { isAddress } from './domain-lists.ts';
import { isWeb, readUrl } from './urls.ts';

/** At most so many entries of each list are told. */
const LIST_MAX = 1_000;

/** What a message names that an analyst would look for elsewhere. Each once, in the order met; at most 1,000 of each. */
export interface Indicators {
  /** Absolute http, https and ftp URLs, as browsers write them. */
  urls: string[];
  /** Where those lead that name another URL. */
  redirects: string[];
  direct_downloads: string[];
  with_ip_host: string[];
  emails: string[];
  bitcoin_addresses: string[];
  phone_numbers: string[];
  /** Hosts of the URLs and of where they lead, and hosts that were written so that nobody follows them: for `domainLists`. */
  hosts: string[];
  /** Hosts of the e-mail addresses: for `domainLists`. */
  email_hosts: string[];
  /** There were more than are told. */
  truncated: boolean;
}

/** Gathers the indicators of compromise of one message from all its parts. Asks nobody. */
export class IndicatorReader {
  readonly #urls = new Set<string>();
  readonly #emails = new Set<string>();
  readonly #images: Uint8Array[] = [];
  #truncated = false;

  /** Reads plain text. */
  text(text: string): void {
    for (const [found] of text.matchAll(/\bhttps?:\/\/[^\s<>"]{1,8192}/gi)) this.url(found);
  }

  /** Reads HTML: what it says, its links, styles and scripts. The reading is the caller's to use: there is one walk for both. */
  html(html: string): HtmlReading {
    const reading = htmlOf(html);
    for (const url of [reading.destinations, reading.resources].flat()) this.url(url);
    this.text(reading.text);
    return reading;
  }

  /** Reads a calendar (RFC 5545). */
  calendar(text: string): void {
    this.text(text.replace(/\r?\n[ \t]/g, ''));
  }

  /** Takes a URL that stands alone, such as one of List-Unsubscribe; of any scheme. */
  url(written: string): void {
    const url = readUrl(written);
    if (url && isWeb(url) && this.#urls.size < LIST_MAX) this.#urls.add(url.href);
    else if (url && isWeb(url)) this.#truncated = true;
  }

  /** Takes an address of a header field. */
  address(email: string): void {
    if (email.includes('@') && this.#emails.size < LIST_MAX) this.#emails.add(email.trim().toLowerCase());
  }

  /** Takes a picture to look for QR codes in: PNG, JPEG, GIF or BMP; what is none of them has none. */
  image(bytes: Uint8Array): void {
    this.#images.push(bytes);
  }

  /** Everything that was found. Pictures are looked at now. */
  async read(): Promise<Indicators> {
    const urls = [...this.#urls];
    const emails = [...this.#emails];
    const hosts = urls.map((url) => new URL(url).hostname);
    return {
      urls,
      redirects: [],
      direct_downloads: [],
      with_ip_host: urls.filter((url) => isAddress(new URL(url).hostname)),
      emails,
      bitcoin_addresses: [],
      phone_numbers: [],
      hosts,
      email_hosts: emails.map((email) => email.slice(email.lastIndexOf('@') + 1)),
      truncated: this.#truncated,
    };
  }
}
