import { absoluteUrl, isHttp } from './urls.ts';
import type { OpenElement, PageReader } from './markup/walk.ts';

/** The longest delay of a refresh that counts as a redirect: a visitor cannot read the page before. */
const DELAY_MAX_S = 30;
const CONTENT_MAX_CHARS = 16_384;

/** The instruction of a `Refresh` header or a `meta http-equiv=refresh`. */
export interface Refresh {
  /** Its target, absolute; the page's own URL if it names no URL. */
  url: string;
  delay_s: number;
}

/** U, R, L and an equals sign may stand before the URL, each with less meaning without the next. */
const URL_PREFIX = /^[uU](?:[rR](?:[lL](?:[\t\n\f\r ]*(=[\t\n\f\r ]*)?)?)?)?/;

/**
 * The shared declarative refresh steps (HTML §4.2.5.3, and §7.5.8 for the header): undefined where browsers do nothing. `url`: of the page;
 * `base`: what its relative URLs are relative to, which for the header is the same.
 */
export function readRefresh(content: string, url: string, base = url): Refresh | undefined {
  const input = content.slice(0, CONTENT_MAX_CHARS);
  const time = /^[\t\n\f\r ]*([0-9]*)([.0-9]*)/.exec(input)!;
  const [all, seconds, rest] = [time[0], time[1] ?? '', time[2] ?? ''];
  if (seconds === '' && !rest.startsWith('.')) return undefined;
  const delay_s = Math.min(Number(seconds === '' ? 0 : seconds), Number.MAX_SAFE_INTEGER);
  let tail = input.slice(all.length);
  if (tail === '') return { url, delay_s };
  const separator = /^(?:[\t\n\f\r ]+[;,]?|[;,])[\t\n\f\r ]*/.exec(tail);
  if (!separator) return undefined;
  tail = tail.slice(separator[0].length);
  if (tail === '') return { url, delay_s };
  const target = absoluteUrl(targetIn(tail), base);
  return !target || target.protocol === 'javascript:' ? undefined : { url: target.href, delay_s };
}

/** The URL in what follows the separator: with or without `url=`, with or without quotes. */
function targetIn(tail: string): string {
  const prefix = URL_PREFIX.exec(tail);
  // `u`, `ur`, `url` without an equals sign are the beginning of the URL itself.
  if (prefix && prefix[1] === undefined) return tail;
  const text = prefix ? tail.slice(prefix[0].length) : tail;
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return text;
  return text.slice(1).split(quote, 1)[0]!;
}

/**
 * Where `Refresh` leads a visitor, absolute and without fragment; empty if it reloads the page itself, has too long a delay, or does not
 * lead to a page.
 */
export function refreshTarget(content: string, url: string, base = url): string {
  const refresh = readRefresh(content, url, base);
  return refresh ? followable(refresh, url) : '';
}

/** Where a refresh leads that a visitor would wait for; empty as for `refreshTarget`. */
export function followable(refresh: Refresh, url: string): string {
  if (refresh.delay_s > DELAY_MAX_S) return '';
  const target = new URL(refresh.url);
  target.hash = '';
  const own = new URL(url);
  own.hash = '';
  return isHttp(target) && target.href !== own.href ? target.href : '';
}

/** Finds the first `meta http-equiv=refresh` that a browser with scripts obeys. */
export class RefreshReader implements PageReader {
  refresh: Refresh | undefined;
  readonly #url: string;
  readonly #base: () => string;

  constructor(url: string, base: () => string) {
    this.#url = url;
    this.#base = base;
  }

  open({ name, attributes, inert }: OpenElement): void {
    if (this.refresh || name !== 'meta' || inert || attributes['http-equiv']?.trim().toLowerCase() !== 'refresh') return;
    this.refresh = readRefresh(attributes['content'] ?? '', this.#url, this.#base());
  }
}
