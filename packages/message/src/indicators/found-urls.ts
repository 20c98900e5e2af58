import { isAddress, LIST_MAX } from './domain-lists.ts';
import { ledTo } from './carried.ts';
import { isDirectDownload } from './downloads.ts';
import { isWeb, readUrl } from './urls.ts';

/** Different spellings of URLs that are read. */
const READ_MAX = 20_000;

/** The URLs of a message, where they lead, and what they are. */
export class FoundUrls {
  readonly urls = new Set<string>();
  readonly redirects = new Set<string>();
  readonly directDownloads = new Set<string>();
  readonly withIpHost = new Set<string>();
  readonly hosts = new Set<string>();
  /** There were more than are kept. */
  truncated = false;
  readonly #read = new Set<string>();

  /** Takes a URL as it is written. `leads`: a reader may be led there. Returns the URL if its scheme is not one of the web. */
  add(written: string, leads: boolean): URL | undefined {
    if (this.#read.has(written)) return undefined;
    if (this.#read.size >= READ_MAX) {
      this.truncated = true;
      return undefined;
    }
    this.#read.add(written);
    const url = readUrl(written);
    if (!url || !isWeb(url)) return url;
    // A name without a dot belongs to a private network.
    if (!/[.:]/.test(url.hostname)) return undefined;
    if (this.#keep(this.urls, url)) for (const to of ledTo(url, leads)) this.#keep(this.redirects, new URL(to));
    return undefined;
  }

  /** Takes the `file:` URL of another host. */
  addFile(written: string): void {
    const url = readUrl(written);
    if (url?.protocol === 'file:' && /[.:]/.test(url.hostname)) this.#keep(this.urls, url);
  }

  /** Takes a host that was named without a URL. */
  addHost(host: string): void {
    if (this.hosts.size < LIST_MAX) this.hosts.add(host);
    else this.truncated = true;
  }

  /** Whether there was room for it. */
  #keep(list: Set<string>, url: URL): boolean {
    if (list.has(url.href)) return true;
    if (list.size >= LIST_MAX) {
      this.truncated = true;
      return false;
    }
    list.add(url.href);
    this.hosts.add(url.hostname.replace(/\.$/, ''));
    if (isAddress(url.hostname)) this.withIpHost.add(url.href);
    if (isDirectDownload(url)) this.directDownloads.add(url.href);
    return true;
  }
}
