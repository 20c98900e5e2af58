import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@vedette/contract';
import { type Signer, signer } from './signed-text.ts';

/** Where people reach the console, as far as cookies are concerned. */
interface Site {
  origin: string;
}

/** The prefix keeps other hosts and pages over plain HTTP from setting the cookie (RFC 6265bis §4.1.3.2). Plain HTTP is for the loopback alone. */
const cookieName = ({ origin }: Site, name: string): string => (origin.startsWith('https:') ? `__Host-vedette-${name}` : `vedette-${name}`);

/** A `Set-Cookie` that no script can read; without a value it removes the cookie. */
export const setCookie = (site: Site, name: string, value: string, maxAgeS?: number): string =>
  [
    `${cookieName(site, name)}=${value}`,
    'Path=/',
    'HttpOnly',
    // The provider leads back here from its own site.
    'SameSite=Lax',
    ...(site.origin.startsWith('https:') ? ['Secure'] : []),
    ...(value === '' ? ['Max-Age=0'] : []),
    ...(maxAgeS === undefined ? [] : [`Max-Age=${maxAgeS}`]),
  ].join('; ');

/** The value of a cookie; undefined where there is none, or more than one, of which one is not ours. */
export function cookieIn({ cookie }: IncomingHttpHeaders, site: Site, name: string): string | undefined {
  const prefix = `${cookieName(site, name)}=`;
  const values = (cookie ?? '').split(/; */).filter((piece) => piece.startsWith(prefix));
  return values.length === 1 && values[0]!.length > prefix.length ? values[0]!.slice(prefix.length) : undefined;
}

/** Methods that change nothing and cost nothing. Their answers cannot be read by other origins. */
const SAFE = new Set(['GET', 'HEAD']);

/**
 * Refuses requests that another origin's page has a browser send. Browsers say so in `Sec-Fetch-Site`; and every one of them sends `Origin`
 * with a POST, so one that lacks it is refused too. `SameSite` alone would let pages of sibling hosts through. Throws `ApiError` cross_site.
 */
export function assertSameOrigin(
  { method = '', headers }: { method?: string | undefined; headers: IncomingHttpHeaders },
  { origin }: Site,
): void {
  const site = headers['sec-fetch-site'];
  const isForeign = (site !== undefined && site !== 'same-origin') || (headers.origin !== undefined && headers.origin !== origin);
  if (isForeign || (!SAFE.has(method) && headers.origin === undefined)) throw new ApiError('cross_site');
}

/** Signs the ids of sessions: made-up ones, which strangers may send by the thousand, are refused without the database. */
export const sessionSigner = (secret: string): Signer => signer(secret, 'vedette session cookie');

/** The id of the session by which a browser asks; undefined without one. Throws `ApiError` cross_site, and session_ended for an id that is not ours. */
export function sessionIn(request: Parameters<typeof assertSameOrigin>[0], site: Site, { verified }: Signer): string | undefined {
  const signed = cookieIn(request.headers, site, 'session');
  if (signed === undefined) return undefined;
  assertSameOrigin(request, site);
  const id = verified(signed);
  if (id === undefined) throw new ApiError('session_ended');
  return id;
}
