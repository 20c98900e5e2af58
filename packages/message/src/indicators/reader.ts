import type { EmlLimit } from '../report/index.ts';
import { parseHost } from '@vedette/contract';
import { findBitcoin } from './text/bitcoin.ts';
import { readDataUrl } from './html/data-url.ts';
import { findEmails, readEmail } from './text/emails.ts';
import { base64Decoded, percentDecoded } from '@vedette/web/links';
import { LIST_MAX } from './domain-lists.ts';
import { findShares } from './file-shares.ts';
import { FoundUrls } from './found-urls.ts';
import { type HtmlReading, htmlOf } from './html/html.ts';
import { isNamespace } from './text/namespaces.ts';
import { findPhones, readPhone } from './text/phones.ts';
import { QrCodes } from './qr-codes.ts';
import { refang } from './text/refang.ts';
import { calendarText } from './html/calendar.ts';
import { findBareNames, findUrls, isKnownName } from './text/text-urls.ts';

/** Characters of text that are read, of all parts. */
const TEXT_MAX_CHARS = 4 * 1024 * 1024;

/** Base64 of `http…`, as scripts pass it to `atob`: it always begins like this. */
const ENCODED_URL = /(?<![\w+/-])aHR0c[\w+/-]{8,4000}={0,2}/g;

/** Links of WhatsApp, which talk to a number: with the code of its country, mostly without a plus. */
const MESSENGER = /^https?:\/\/(?:wa\.me\/|(?:api|web)\.whatsapp\.com\/send\/?\?(?:[^#]*&)?phone=)(?:%2B|\+)?(\d{7,15})(?=[/?&#]|$)/i;

/** The items of a message that an analyst would search for elsewhere. Each once, in the order met; at most 1,000 of each. */
export interface Indicators {
  /** Absolute http, https and ftp URLs, and file URLs of other hosts, as browsers write them. */
  urls: string[];
  /** Where those lead that a mail gateway or a tracker wrapped, or that name another URL to go on to: every step. */
  redirects: string[];
  /** URLs of both lists whose path ends like a file that browsers save, or whose service offers it as a download. */
  direct_downloads: string[];
  /** URLs of both lists whose host is an address, in any spelling. */
  with_ip_host: string[];
  /** Addresses in lower case, with domains in A-labels. */
  emails: string[];
  /** Addresses of the main network, with a checksum that holds. */
  bitcoin_addresses: string[];
  /** Numbers in E.164 where the country is known, else their digits. */
  phone_numbers: string[];
  /** Hosts of the URLs and of their targets, and defanged names: for `domainLists`. */
  hosts: string[];
  /** Hosts of the e-mail addresses: for `domainLists`. */
  email_hosts: string[];
  /** The limits that the message exceeded. */
  limits: ReadonlySet<EmlLimit>;
}

/** Gathers the indicators of compromise of one message from all its parts. Time is linear in what it is given. Sends no request. */
export class IndicatorReader {
  readonly #urls = new FoundUrls();
  readonly #emails = new Set<string>();
  readonly #bitcoin = new Set<string>();
  readonly #phones = new Set<string>();
  readonly #codes = new QrCodes();
  readonly #limits = new Set<EmlLimit>();
  /** Texts in which numbers are looked for when all is there, and numbers that stand alone. */
  readonly #spoken: string[] = [];
  readonly #dialled: string[] = [];
  #chars = 0;
  /** A document within a document is read, one within that is not. */
  #within = false;

  /** Reads plain text, and the codes that it draws with characters. */
  text(text: string): void {
    this.#codes.text(text);
    this.#read(text);
  }

  /** Reads HTML: what it says, its links, styles and scripts. The reading is the caller's to use: a second walk is for what draws codes. */
  html(html: string): HtmlReading {
    const reading = htmlOf(html);
    for (const url of reading.destinations) this.#reference(url, true);
    for (const url of reading.resources) this.#reference(url, false);
    for (const url of reading.data) this.#data(url);
    this.#read(reading.text);
    this.#codes.html(html);
    this.#scan(reading.scripts);
    this.#scan(Array.from(reading.scripts.matchAll(ENCODED_URL), ([encoded]) => base64Decoded(encoded) ?? '').join('\n'));
    return reading;
  }

  /** Reads a calendar (RFC 5545). */
  calendar(calendar: string): void {
    const { text, html } = calendarText(calendar);
    this.text(text);
    for (const description of html) this.html(description);
  }

  /** Takes an address of a header field. */
  address(written: string): void {
    const email = readEmail(written);
    if (email !== undefined) this.#add(this.#emails, email);
  }

  /** Takes a picture to look for QR codes in: PNG, JPEG, GIF, BMP or WebP. Anything else has none. */
  image(bytes: Uint8Array): void {
    this.#codes.add(bytes);
  }

  /** Reads the text of a QR code. A host name without a scheme is a URL too, since scanners open it. */
  code(text: string): void {
    const written = text.trim();
    if (isBareAddress(written)) this.#urls.add(`http://${written}`, true);
    else if (/^(?:tel|mailto|sms|smsto|facetime):/i.test(written)) this.#reference(written, true);
    else this.#read(text);
  }

  /** Everything that was found. Pictures are looked at now, and numbers are tried. */
  async read(): Promise<Indicators> {
    for (const text of await this.#codes.read()) this.code(text);
    if (this.#codes.truncated) this.#limits.add('images');
    for (const url of this.#urls.urls) {
      const number = MESSENGER.exec(url)?.[1];
      if (number !== undefined) this.#dialled.push(`+${number}`);
    }
    for (const number of this.#dialled) {
      const phone = await readPhone(number);
      if (phone !== undefined) this.#add(this.#phones, phone);
    }
    for (const text of this.#spoken)
      if (!(await findPhones(text, (number) => this.#add(this.#phones, number)))) this.#limits.add('indicators');
    if (this.#urls.truncated) this.#limits.add('indicators');
    const emails = [...this.#emails];
    return {
      urls: [...this.#urls.urls],
      redirects: [...this.#urls.redirects],
      direct_downloads: [...this.#urls.directDownloads],
      with_ip_host: [...this.#urls.withIpHost],
      emails,
      bitcoin_addresses: [...this.#bitcoin],
      phone_numbers: [...this.#phones],
      hosts: [...this.#urls.hosts],
      email_hosts: emails.map((email) => email.slice(email.lastIndexOf('@') + 1)),
      limits: this.#limits,
    };
  }

  #read(text: string): void {
    const rest = this.#scan(text);
    if (rest !== '') this.#spoken.push(rest);
  }

  /** Finds everything in a text but numbers to call. Returns the rest of the text. */
  #scan(written: string): string {
    const room = TEXT_MAX_CHARS - this.#chars;
    if (written.length > room) this.#limits.add('text');
    this.#chars += Math.min(room, written.length);
    const text = refang(written.slice(0, room));
    if (!findBitcoin(text, (address) => this.#add(this.#bitcoin, address))) this.#limits.add('indicators');
    const { urls, rest } = findUrls(text);
    const bare = findBareNames(rest);
    for (const url of [urls, bare.urls].flat()) if (!isNamespace(url)) this.#urls.add(url, true);
    for (const name of bare.names) this.#host(name);
    for (const url of findShares(text)) this.#urls.addFile(url);
    findEmails(bare.rest, (email) => this.#add(this.#emails, email));
    return bare.rest;
  }

  #host(name: string): void {
    const host = parseHost(name);
    if (host?.kind === 'name') this.#urls.addHost(host.host);
  }

  /** Adds the URL of an attribute. */
  #reference(written: string, leads: boolean): void {
    const other = this.#urls.add(written, leads);
    if (!other) return;
    const value = other.href.slice(other.protocol.length);
    switch (other.protocol) {
      case 'mailto:':
        this.#mailto(value);
        break;
      case 'tel:':
      case 'sms:':
      case 'smsto:':
      case 'callto:':
      case 'facetime:':
        if (this.#dialled.length < LIST_MAX) this.#dialled.push(percentDecoded(value.split(/[?;,]/, 1)[0]!));
        break;
      case 'data:':
        this.#data(written);
        break;
      case 'cid:':
      case 'mid:':
        break;
      case 'file:':
        this.#scan(percentDecoded(other.href));
        break;
      default: // `javascript:`, `ms-word:ofe|u|https://…`, `bitcoin:…`
        this.#scan(percentDecoded(value));
    }
  }

  /** RFC 6068: addresses, and fields of which some are addresses and the body is text. */
  #mailto(value: string): void {
    const [to = '', fields = ''] = value.split('?', 2);
    for (const address of to.split(',', LIST_MAX)) this.address(percentDecoded(address));
    for (const field of fields.split('&', 20)) this.#scan(percentDecoded(field.slice(field.indexOf('=') + 1).replaceAll('+', ' ')));
  }

  #data(url: string): void {
    const data = readDataUrl(url);
    if (!data) return;
    if (/^image\/(?!svg)/.test(data.type)) return this.image(data.content);
    if (this.#within) {
      this.#limits.add('depth');
      return;
    }
    this.#within = true;
    if (/^(?:text\/html|application\/xhtml\+xml|image\/svg)/.test(data.type)) this.html(data.text());
    else if (data.type.startsWith('text/')) this.#scan(data.text());
    this.#within = false;
  }

  #add(list: Set<string>, entry: string): void {
    if (list.has(entry)) return;
    if (list.size < LIST_MAX) list.add(entry);
    else this.#limits.add('indicators');
  }
}

/** Whether a text is the name of a host under a known top-level domain, with a path or without. */
export const isBareAddress = (text: string): boolean =>
  /^[\w.-]+(?:\/\S*)?$/.test(text) && isKnownName(text.split('/', 1)[0]!.toLowerCase());
