import { BREAKS, clean, wordsOf } from './markup/markup.ts';
import { absoluteUrl, isHttp, siteOf, URL_MAX_CHARS } from './urls.ts';
import type { OpenElement, PageReader } from './markup/walk.ts';

const LINKS_MAX = 1_000;
const TEXT_MAX_CHARS = 300;

/** Where a visitor can go from a page. */
export interface PageLink {
  /** Absolute. */
  url: string;
  /** Its label: its text, else `aria-label`, `title` or the alternative text of a picture in it. */
  text: string;
  rel: string;
  /** It leads to another registrable domain. */
  external: boolean;
}

interface Written {
  href: string;
  text: string;
  name: string;
  rel: string;
}

/** `javascript:`, `data:` and the like lead nowhere. */
const LEADS = new Set(['https:', 'http:', 'mailto:', 'tel:', 'sms:', 'ftp:', 'ftps:', 'geo:', 'xmpp:', 'whatsapp:', 'magnet:']);

export class LinkReader implements PageReader {
  /** There were more. */
  truncated = false;
  readonly #links: Written[] = [];
  #open: { element: OpenElement; link: Written } | undefined;

  links(url: string, base: string): PageLink[] {
    const own = siteOf(new URL(url));
    return this.#links.flatMap(({ href, text, name, rel }) => {
      const to = absoluteUrl(href, base);
      if (!to || !LEADS.has(to.protocol)) return [];
      return [
        { url: to.href, text: clean(text, TEXT_MAX_CHARS) || clean(name, TEXT_MAX_CHARS), rel, external: isHttp(to) && siteOf(to) !== own },
      ];
    });
  }

  open(element: OpenElement): void {
    const { name, attributes, inert } = element;
    if (this.#open && name === 'img') this.#open.link.name ||= (attributes['alt'] ?? '').slice(0, TEXT_MAX_CHARS);
    if (this.#open && BREAKS.has(name)) this.#open.link.text += ' ';
    const href = attributes['href'] ?? attributes['xlink:href'];
    if (inert || href === undefined || (name !== 'a' && name !== 'area')) return;
    if (this.#links.length >= LINKS_MAX) {
      this.truncated = true;
      return;
    }
    const named = attributes['aria-label'] || attributes['title'] || (name === 'area' ? attributes['alt'] : '') || '';
    const rel = wordsOf(attributes['rel']?.toLowerCase()).join(' ').slice(0, TEXT_MAX_CHARS);
    const link = { href: href.slice(0, URL_MAX_CHARS + 1), text: '', name: named.slice(0, TEXT_MAX_CHARS), rel };
    this.#links.push(link);
    if (name === 'a') this.#open = { element, link };
  }

  text(text: string): void {
    const link = this.#open?.link;
    if (link && link.text.length < 2 * TEXT_MAX_CHARS) link.text += text.slice(0, 2 * TEXT_MAX_CHARS);
  }

  close(element: OpenElement): void {
    if (this.#open?.element === element) this.#open = undefined;
  }
}
