import { parseHost } from '@vedette/contract';
import { registrableOf } from '../registrable-of.ts';
import type { SiteHop } from '../evidence.ts';

/** Where a search begins: a name that leads there has no site of its own. */
const SEARCH_ENGINES = new Set([
  'google', 'bing', 'duckduckgo', 'yandex', 'baidu', 'yahoo', 'ecosia', 'startpage', 'qwant', 'ask', 'naver', 'seznam',
]); // prettier-ignore
const SEARCH_HOST = /^(?:www\.|search\.|[a-z]{2}\.search\.)?[a-z]+\.[a-z.]{2,6}$/;
const FRONT_PAGE = /^\/(?:webhp|search|home|index\.html?)?$/i;

/** Whether the URL is the front page of a search engine. */
export function isSearchEngine(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  const label = registrableOf(hostname).split('.', 1)[0]!;
  return SEARCH_ENGINES.has(label) && SEARCH_HOST.test(hostname) && FRONT_PAGE.test(pathname);
}

/** Parameters with the return URL of a log-in or a consent banner: such URLs are harmless at any domain. */
const COMES_BACK =
  /^(?:redirect_?ur[il]|return|return_?(?:to|url|uri|path)|continue|service|wreply|wtrealm|relaystate|next|state|cancel_?(?:url|uri)|done|callback(?:_?ur[il])?|redirect_?to|back_?ur[il]|fromur[il]|ptrt|origin|referrer|ref|target_?resource|goto_?after)$/i;
const CARRIED_URL = /^(?:https?:)?\/\/([^/?#:]{1,253})/i;

/** The registrable domain of a third party whose URL the query carries; undefined where it carries none. */
function thirdParty(to: URL, known: readonly string[]): string | undefined {
  for (const [name, value] of to.searchParams) {
    const host = COMES_BACK.test(name) ? undefined : CARRIED_URL.exec(value)?.[1]?.toLowerCase();
    const domain = host === undefined ? '' : registrableOf(host);
    if (domain.includes('.') && !known.includes(domain)) return domain;
  }
  // A query that is a URL, as simple redirectors have it.
  const bare = CARRIED_URL.exec(decoded(to.search.slice(1)))?.[1];
  const domain = bare === undefined ? '' : registrableOf(bare.toLowerCase());
  return domain.includes('.') && !known.includes(domain) ? domain : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a URIError: a per cent sign that is one
  }
}

/** Shorteners of one firm for its own pages: strangers cannot create links there, so they do not count as shorteners. */
const HOUSE_SHORTENERS = new Set([
  'youtu.be',
  'redd.it',
  'fb.me',
  'g.co',
  'forms.gle',
  'apple.co',
  'spoti.fi',
  'aka.ms',
  '1drv.ms',
  'pin.it',
]);

/**
 * Why a chain of redirects is suspicious, in words; empty where it is not. `own`: the registrable domain that was asked about. Only hops to
 * other domains are suspicious: an address in place of a name, a shortener on the way, a parked domain, a query that carries the URL of a
 * third party, or a private address at the end. The return URL of a log-in page does not count as a third party.
 */
export function suspicionOf(
  hops: readonly SiteHop[],
  own: string,
  is: { shortener(host: string): boolean; parked(host: string): boolean },
): string {
  const away = hops.slice(1).flatMap(({ url, refusal }) => (URL.canParse(url) ? [{ to: new URL(url), refusal }] : []));
  for (const { to, refusal } of away) {
    const host = to.hostname.replace(/^\[|\]$/g, '');
    const domain = registrableOf(host);
    if (domain === own) continue;
    if (refusal === 'blocked_private_address') return `it leads to ${host}, which is not a public address`;
    if (parseHost(host)?.kind !== 'name') return `it leads to the address ${host}`;
    if (is.shortener(host) && !HOUSE_SHORTENERS.has(domain)) return `it leads through the link shortener ${host}`;
    if (is.parked(host)) return `it leads to the parked domain ${host}`;
    const third = thirdParty(to, [own, domain]);
    if (third !== undefined) return `the URL that it leads to carries one of ${third}`;
  }
  return '';
}
