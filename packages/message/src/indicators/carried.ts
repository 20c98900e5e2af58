import { isAtOrUnder } from '@vedette/contract';
import { base64Decoded, percentDecoded, unwrapLink } from '@vedette/web/links';
import { domainParts } from '@vedette/intel/names';
import { isWeb, readUrl } from './urls.ts';

/** A wrapped link may be wrapped again. */
const LEVELS_MAX = 5;
const PARAMETERS_MAX = 100;

/** Parameters, without `_`, `-` and `.`, by which a page is told where to go on to. */
const LEADING = new Set(
  'u url uri r ru rd rurl to go goto link href target targeturl dest desturl destination destinationurl redirect redirecturl redirecturi redirectto redir redirto next nexturl continue continueurl continueto return returnurl returnuri returnto returnpath back backurl out outurl forward forwardurl fwd jump jumpto location loc landing landingpage landingurl adurl click clickurl ued murl exturl external site web view spurl callback callbackurl successurl failureurl cancelurl service referto followup done relaystate'.split(
    ' ',
  ),
);
/** Pages that are told a URL in order to speak of it, not to go there. */
const SHARING: readonly (readonly [host: string, path: RegExp])[] = [
  ['facebook.com', /^\/(?:sharer|share|dialog)\b/],
  ['twitter.com', /^\/(?:intent|share|home)\b/],
  ['x.com', /^\/(?:intent|share)\b/],
  ['linkedin.com', /^\/(?:shareArticle|sharing|cws)\b/],
  ['pinterest.com', /^\/pin\/create\b/],
  ['reddit.com', /^\/submit\b/],
  ['t.me', /^\/share\b/],
  ['telegram.me', /^\/share\b/],
  ['api.whatsapp.com', /./],
  ['wa.me', /./],
  ['news.ycombinator.com', /./],
  ['getpocket.com', /^\/(?:save|edit)\b/],
  ['tumblr.com', /^\/(?:share|widgets)\b/],
  ['bsky.app', /^\/intent\b/],
  ['threads.net', /^\/intent\b/],
  ['vk.com', /^\/share\.php/],
  ['line.me', /./],
  ['xing.com', /^\/(?:spi|app|social)\b/],
  ['mail.google.com', /./],
  ['calendar.google.com', /./],
  ['outlook.live.com', /^\/calendar\b/],
  ['outlook.office.com', /^\/calendar\b/],
  ['validator.w3.org', /./],
  ['jigsaw.w3.org', /./],
];

/**
 * Where a URL leads as far as it tells itself, the nearest first: what a mail gateway or a tracker has wrapped, and what it names for an open redirect. `leads`: it is
 * one that a reader follows; what is fetched for a picture may be told URLs for other reasons.
 */
export function ledTo(url: URL, leads: boolean): string[] {
  const found = new Set<string>();
  let level = [url];
  for (let depth = 0; depth < LEVELS_MAX && level.length > 0; depth++) {
    const next: URL[] = [];
    for (const from of level) {
      const wrapped = unwrapLink(from.href)?.url;
      for (const to of wrapped === undefined ? (leads ? carriedBy(from) : []) : [wrapped]) {
        const target = readUrl(to);
        if (!target || !isWeb(target) || target.href === url.href || found.has(target.href)) continue;
        found.add(target.href);
        next.push(target);
      }
    }
    level = next;
  }
  return [...found];
}

/** URLs that another one carries, each on a host of its own. */
function carriedBy(url: URL): string[] {
  if (SHARING.some(([host, path]) => isAtOrUnder(url.hostname, host) && path.test(url.pathname))) return [];
  const carried = [...inParameters(url.search), ...inParameters(`?${url.hash.slice(url.hash.indexOf('?') + 1)}`), ...inPath(url)];
  return carried.flatMap((written) => {
    const to = readUrl(written);
    return to && isWeb(to) && /[.:]/.test(to.hostname) && to.hostname !== url.hostname ? [to.href] : [];
  });
}

function* inParameters(search: string): Generator<string> {
  const query = search.slice(1);
  const whole = asUrl(query, true);
  // `?https://…`: the query is the URL, and what seem to be parameters of this one are that one's.
  if (whole !== undefined) return yield whole;
  for (const pair of query.split('&', PARAMETERS_MAX)) {
    const at = pair.indexOf('=');
    if (at < 1) continue;
    const isLeading = LEADING.has(pair.slice(0, at).toLowerCase().replace(/[_.-]/g, ''));
    const value = pair.slice(at + 1);
    const found = isLeading ? asUrl(value, true) : undefined;
    const encoded = found ?? asBase64(value);
    if (encoded !== undefined) yield encoded;
  }
}

function* inPath({ pathname, search, hostname }: URL): Generator<string> {
  const amp = /^\/(?:amp|[cv])\/(s\/)?([^/]+\.[^/]+\/?.*)$/.exec(pathname);
  if (amp && (isGoogle(hostname) || isAtOrUnder(hostname, 'cdn.ampproject.org'))) yield `http${amp[1] ? 's' : ''}://${amp[2]}`;
  const at = pathname.search(/\/https?:\/{1,2}[^/]/i);
  if (at >= 0) yield fullSlashes(pathname.slice(at + 1) + search);
  for (const segment of pathname.split('/', PARAMETERS_MAX)) {
    const found = /^https?%(?:25)?3a/i.test(segment) ? asUrl(segment, false) : asBase64(segment);
    if (found !== undefined) yield found;
  }
}

const isGoogle = (hostname: string): boolean => /^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$/.test(hostname);

/** A value, decoded as often as it was encoded, where it is a URL; `//host` too, where that is one that browsers follow. */
function asUrl(value: string, withoutScheme: boolean): string | undefined {
  const once = percentDecoded(value).trim();
  const text = /^https?%3a/i.test(once) ? percentDecoded(once) : once;
  if (/^https?:[/\\]{1,2}[^/\\]/i.test(text)) return fullSlashes(text);
  const host = withoutScheme ? /^[/\\]{2,3}([a-z\d.-]{4,253})(?:[/?#:]|$)/i.exec(text)?.[1] : undefined;
  return host !== undefined && domainParts(host.toLowerCase()).root_domain !== '' && host.includes('.')
    ? `https://${text.replace(/^[/\\]+/, '')}`
    : undefined;
}

const fullSlashes = (text: string): string => text.replace(/^(https?:)[/\\]{1,2}/i, '$1//');

/** Names under which trackers keep a URL in JSON. */
const JSON_NAMES = new Set(['e', 'u', 'url', 'href', 'link', 'target', 'dest', 'destination', 'redirect', 'redirect_url']);

/** A URL, or JSON with one, in base64: they begin like this whatever follows. */
function asBase64(value: string): string | undefined {
  if (!/^(?:aHR0c|eyJ)/.test(value)) return undefined;
  const end = value.search(/[.%&]/);
  const text = base64Decoded((end < 0 ? value : value.slice(0, end)).replace(/=+$/, '')) ?? '';
  if (value.startsWith('aHR0c')) return asUrl(text, false);
  for (const [name, inner] of Object.entries(jsonOf(text)))
    if (JSON_NAMES.has(name) && typeof inner === 'string' && /^https?:\/\//i.test(inner)) return inner;
  return undefined;
}

function jsonOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // a SyntaxError
  }
}
