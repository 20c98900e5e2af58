import { isAtOrUnder } from '@vedette/contract';
import { getPublicSuffix } from 'tldts';
import { type SeenVisit, valuesOf } from './evidence.ts';
import type { Result } from './results.ts';

/** A cookie as it was set. */
export interface Cookie {
  name: string;
  /** Host that it is sent to. */
  domain: string;
  /** It is sent to that host alone. */
  hostOnly: boolean;
  path: string;
  secure: boolean;
  httpOnly: boolean;
  /** Empty where it says nothing that browsers know. */
  sameSite: 'strict' | 'lax' | 'none' | '';
  /** The name begins with `__Host-` or `__Secure-`. */
  prefix: '__Host-' | '__Secure-' | '';
  /** It is set to delete one. */
  deleted: boolean;
}

/** Set by its platform on every answer; its owner cannot change it. */
const NOT_COUNTED = 'heroku-session-affinity';
const COOKIES_MAX = 200;

/** The cookies that a visit leaves in a browser (RFC 6265 §5.3), each once. */
export function readCookies({ hops }: SeenVisit, now: Date): Cookie[] {
  const jar = new Map<string, Cookie>();
  for (const [i, { url, fields }] of hops.entries()) {
    for (const text of valuesOf(fields, 'set-cookie')) {
      const cookie = readCookie(text, new URL(url), now);
      if (!cookie || cookie.name === NOT_COUNTED) continue;
      // A rejected cookie leaves the one before it in place.
      const key = `${breaksPrefix(cookie)} ${cookie.domain} ${cookie.path} ${cookie.name}`;
      jar.delete(key);
      // A cookie that is deleted on the way is gone before the page is asked for.
      if ((!cookie.deleted || i === hops.length - 1) && jar.size < COOKIES_MAX) jar.set(key, cookie);
    }
  }
  return [...jar.values()];
}

/** Undefined for what is not a cookie, or is for another site. */
function readCookie(text: string, url: URL, now: Date): Cookie | undefined {
  const [pair = '', ...attributes] = text.split(';');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, Math.max(0, equals)).trim();
  if (name === '') return undefined;
  const said = new Map(attributes.map(attributeOf));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const wanted = (said.get('domain') ?? '').replace(/^\./, '').toLowerCase();
  if (wanted !== '' && wanted !== host && (!isAtOrUnder(host, wanted) || getPublicSuffix(wanted) === wanted)) return undefined;
  const path = said.get('path') ?? '';
  const sameSite = said.get('samesite')?.toLowerCase();
  return {
    name,
    domain: wanted === '' ? host : wanted,
    hostOnly: wanted === '',
    path: path.startsWith('/') ? path : url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf('/'))),
    secure: said.has('secure'),
    httpOnly: said.has('httponly'),
    sameSite: sameSite === 'strict' || sameSite === 'lax' || sameSite === 'none' ? sameSite : '',
    prefix: name.startsWith('__Host-') ? '__Host-' : name.startsWith('__Secure-') ? '__Secure-' : '',
    deleted: isDeleted(said, now),
  };
}

function attributeOf(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text.trim().toLowerCase(), ''] : [text.slice(0, equals).trim().toLowerCase(), text.slice(equals + 1).trim()];
}

function isDeleted(said: ReadonlyMap<string, string>, now: Date): boolean {
  const maxAge = said.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  return Date.parse(said.get('expires') ?? '') <= now.getTime();
}

/** Whether browsers drop it, since it breaks the promise of its name (RFC 6265bis §4.1.3). */
export const breaksPrefix = ({ prefix, secure, hostOnly, path }: Cookie): boolean =>
  (prefix !== '' && !secure) || (prefix === '__Host-' && (!hostOnly || path !== '/'));

/** Whether its name is that of a session or a log-in. */
export const isSession = ({ name }: Cookie): boolean => /login|sess/i.test(name);
/** Whether its name is that of a token against forged requests. */
const isAntiForgery = ({ name }: Cookie): boolean => /csrf/i.test(name);

/** Findings from harmless to bad: the worst one is the result. */
const WORSE: readonly Result[] = [
  'cookies-without-secure-flag-but-protected-by-hsts',
  'cookies-without-secure-flag',
  'cookies-session-without-secure-flag-but-protected-by-hsts',
  'cookies-samesite-flag-invalid',
  'cookies-anticsrf-without-samesite-flag',
  'cookies-session-without-httponly-flag',
  'cookies-session-without-secure-flag',
];

/** Judges the cookies of a visit as the HTTP Observatory does. `setCookies`: the fields of the judged answer. */
export function judgeCookies(cookies: readonly Cookie[], setCookies: readonly string[], hasHsts: boolean): Result {
  const counted = cookies.filter((cookie) => !breaksPrefix(cookie));
  if (counted.length === 0) return 'cookies-not-found';
  const found = new Set<Result>(setCookies.some(hasInvalidSameSite) ? ['cookies-samesite-flag-invalid'] : []);
  for (const cookie of counted) {
    const { secure, httpOnly, sameSite } = cookie;
    if (!secure && sameSite === 'none') found.add('cookies-samesite-flag-invalid');
    if (!secure) found.add(hasHsts ? 'cookies-without-secure-flag-but-protected-by-hsts' : 'cookies-without-secure-flag');
    if (isAntiForgery(cookie) && sameSite === '') found.add('cookies-anticsrf-without-samesite-flag');
    if (!isSession(cookie)) continue;
    if (!secure) found.add(hasHsts ? 'cookies-session-without-secure-flag-but-protected-by-hsts' : 'cookies-session-without-secure-flag');
    if (!httpOnly) found.add('cookies-session-without-httponly-flag');
  }
  const all = counted.every(({ sameSite }) => sameSite !== '');
  return (
    WORSE.findLast((result) => found.has(result)) ??
    (all ? 'cookies-secure-with-httponly-sessions-and-samesite' : 'cookies-secure-with-httponly-sessions')
  );
}

function hasInvalidSameSite(setCookie: string): boolean {
  return setCookie.split(';').some((part) => {
    const [name = '', value = ''] = part.split('=');
    return name.trim().toLowerCase() === 'samesite' && !['lax', 'strict', 'none'].includes(value.trim().toLowerCase());
  });
}
