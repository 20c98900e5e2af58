import { hash } from 'node:crypto';
import { parse } from 'tldts';
import type { CanonicalUrl } from './canonical.ts';

const HOSTS_MAX = 4;
const FOLDERS_MAX = 3;

/**
 * The expressions by which lists may have a URL, at most 30: its host and up to four names above it, from the registrable one on, each with its path,
 * with and without query, and up to four folders above it. The URL itself comes first, and the nearest host before those above it.
 */
export const expressionsOf = (url: CanonicalUrl): string[] => hostsOf(url.host).flatMap((host) => pathsOf(url).map((path) => host + path));

/** The expression that stands for a URL alone. */
export const exactExpression = ({ host, path, query }: CanonicalUrl): string => `${host}${path}${query === '?' ? '' : query}`;

/** The host of an expression, and its path with the query. */
export function partsOf(expression: string): { host: string; path: string } {
  const at = expression.indexOf('/');
  return { host: expression.slice(0, at), path: expression.slice(at) };
}

/** The first eight octets of the SHA-256 of an expression, as a number: what lists are searched by. */
export const hashOf = (expression: string): bigint => hash('sha256', Buffer.from(expression, 'latin1'), 'buffer').readBigUInt64BE(0);

/** The host, and the names above it down to what one tenant registered: the nearest to that, longest first. None for addresses. */
function hostsOf(host: string): string[] {
  const { domain, isIp } = parse(host, { allowPrivateDomains: true, extractHostname: false, validateHostname: false });
  if (isIp || domain === null || host.startsWith('[')) return [host];
  const above: string[] = [];
  for (let name = host; name !== domain;) {
    name = name.slice(name.indexOf('.') + 1);
    above.push(name);
  }
  return [host, ...above.slice(-HOSTS_MAX)];
}

/** The path with its query, the path, and the folders above it, the longest first: the first three and the root. */
function pathsOf({ path, query }: CanonicalUrl): string[] {
  const segments = path.split('/').slice(1, -1);
  const folders = segments.slice(0, FOLDERS_MAX).map((_, at) => `/${segments.slice(0, at + 1).join('/')}/`);
  return [...new Set([...(query.length > 1 ? [path + query] : []), path, ...folders.reverse(), '/'])];
}
