import { isAtOrUnder } from '@vedette/contract';

interface Cookie {
  name: string;
  value: string;
  domain: string;
  hostOnly: boolean;
  path: string;
  secure: boolean;
}

/** Cookies of one visit: as many as browsers promise to keep for a domain (RFC 6265 §6.1), and no longer ones. */
const COOKIES_MAX = 50;
const COOKIE_MAX_CHARS = 4096;

/**
 * Cookies set along the redirects of one visit (RFC 6265 §5.3): without them, a page that sets a cookie and redirects to itself never ends.
 * It lives no longer than the visit, so that of all attributes only those count that say where a cookie goes.
 */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();
  readonly #now: Date;

  /** `now` is the wall clock's, for cookies that are deleted by a date in the past. */
  constructor(now: Date) {
    this.#now = now;
  }

  /** Takes the values of the Set-Cookie fields of an answer. */
  store(setCookies: readonly string[], url: URL): void {
    for (const text of setCookies) {
      if (text.length > COOKIE_MAX_CHARS) continue;
      const [pair = '', ...attributes] = text.split(';');
      const equals = pair.indexOf('=');
      const name = pair.slice(0, equals).trim();
      if (equals < 1 || name === '') continue;
      const said = new Map(attributes.map(attributeOf));
      const cookie = placed({ name, value: pair.slice(equals + 1).trim() }, said, url);
      if (!cookie || (cookie.secure && url.protocol !== 'https:')) continue;
      const key = `${cookie.domain} ${cookie.path} ${name}`;
      this.#cookies.delete(key);
      if (!isDeleted(said, this.#now) && this.#cookies.size < COOKIES_MAX) this.#cookies.set(key, cookie);
    }
  }

  /** The Cookie field for a request; empty where there is nothing to send. */
  headerFor(url: URL): string {
    const host = url.hostname;
    return [...this.#cookies.values()]
      .filter(({ domain, hostOnly }) => (hostOnly ? host === domain : isAtOrUnder(host, domain)))
      .filter(({ path, secure }) => isUnderPath(url.pathname, path) && (!secure || url.protocol === 'https:'))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
      .replace(/[^\t\x20-\x7e]/g, '');
  }
}

function attributeOf(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text.trim().toLowerCase(), ''] : [text.slice(0, equals).trim().toLowerCase(), text.slice(equals + 1).trim()];
}

/**
 * Where the cookie goes; undefined where it may not be set from here. A cookie cannot be set for a top-level domain, and an address has no
 * subdomains.
 */
function placed(pair: Pick<Cookie, 'name' | 'value'>, said: ReadonlyMap<string, string>, url: URL): Cookie | undefined {
  const host = url.hostname;
  const wanted = (said.get('domain') ?? '').replace(/^\./, '').toLowerCase();
  const hostOnly = wanted === '' || wanted === host;
  if (!hostOnly && (!wanted.includes('.') || !isAtOrUnder(host, wanted))) return undefined;
  const path = said.get('path') ?? '';
  const defaultPath = url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf('/')));
  return {
    ...pair,
    domain: hostOnly ? host : wanted,
    hostOnly,
    path: path.startsWith('/') ? path : defaultPath,
    secure: said.has('secure'),
  };
}

function isDeleted(said: ReadonlyMap<string, string>, now: Date): boolean {
  const maxAge = said.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  const expires = Date.parse(said.get('expires') ?? '');
  return expires <= now.getTime();
}

/** RFC 6265 §5.1.4. */
const isUnderPath = (path: string, above: string): boolean =>
  path === above || (path.startsWith(above) && (above.endsWith('/') || path[above.length] === '/'));
