import { domainParts } from '@vedette/intel/names';
import type { OpenElement, PageReader } from './markup/walk.ts';

/** Longer URLs are useless, and each URL is parsed. */
export const URL_MAX_CHARS = 8_192;
/** A name is 253 characters; conversion to A-labels takes the square of what there is. */
const AUTHORITY_MAX_CHARS = 1_000;
const AUTHORITY = /^[^/?#]{0,20}:?[/\\]{2,20}([^/?#\\]*)/;

/** The absolute form of a URL in a page; undefined if it is invalid or too long. */
export function absoluteUrl(written: string, base: string): URL | undefined {
  const text = written.trim();
  if (text.length > URL_MAX_CHARS || (AUTHORITY.exec(text)?.[1]?.length ?? 0) > AUTHORITY_MAX_CHARS) return undefined;
  return URL.parse(text, base) ?? undefined;
}

/** The same as text, where it leads to a page; else empty. */
export function absoluteHttpUrl(written: string, base: string): string {
  const url = written.trim() === '' ? undefined : absoluteUrl(written, base);
  return url && isHttp(url) ? url.href : '';
}

export const isHttp = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:';

/** The registrable domain that a URL leads to; the host itself where it is an address or a public suffix. */
export const siteOf = ({ hostname }: URL): string =>
  /^\[|\d\.?$/.test(hostname) ? hostname : domainParts(hostname.replace(/\.$/, '')).root_domain || hostname;

/** A page's own URL without its user name and password, so that no reference inherits them. */
export function withoutUser(text: string): string {
  if (!text.includes('@') || !URL.canParse(text)) return text;
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}

/** Reads the base of relative URLs: the first `base` with `href` (HTML §4.2.3), else the page's own URL. */
export class BaseReader implements PageReader {
  #base: string;
  #frozen = false;
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
    this.#base = url;
  }

  /** The base as far as the page was read. */
  get base(): string {
    return this.#base;
  }

  open({ name, attributes, inert, inPicture }: OpenElement): void {
    const href = attributes['href'];
    if (name !== 'base' || href === undefined || inert || inPicture || this.#frozen) return;
    this.#frozen = true;
    const url = absoluteUrl(href, this.#url);
    if (url && url.protocol !== 'data:' && url.protocol !== 'javascript:') this.#base = url.href;
  }
}
