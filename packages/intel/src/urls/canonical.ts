import { domainToASCII } from 'node:url';
import { formatIp, type IpAddress, parseCidrs, parseIp, translatedV4, unmapped } from '@vedette/contract';

/** A URL in the canonical form of Safe Browsing: octets as latin1, each escaped octet in upper-case hex. */
export interface CanonicalUrl {
  scheme: string;
  /** A name in A-labels, an IPv4 address, or an IPv6 address in brackets. */
  host: string;
  path: string;
  /** The query with its question mark; empty without. */
  query: string;
}

/** The longest URL of a feed or a request. */
const MAX_CHARS = 16_384;

/**
 * Canonicalises a URL as browsers do before they look it up in a list (Safe Browsing v5, "URLs and Hashing"). Lenient: the scheme may be missing,
 * and the host may be one that no browser would open. Text stands for its UTF-8. Undefined without a host.
 */
export function canonicalUrl(url: string | Uint8Array): CanonicalUrl | undefined {
  const octets = (typeof url === 'string' ? Buffer.from(url) : Buffer.from(url)).toString('latin1');
  if (octets.length > MAX_CHARS) return undefined;
  const [whole = ''] = octets.trim().replace(/[\t\r\n]/g, '').split('#', 1); // prettier-ignore
  const named = withScheme(whole) ?? withScheme(unescaped(whole));
  // Without slashes a scheme is another's, and what looks like one before a port is a host.
  if (!named && /^[a-z][a-z\d+.-]*:(?!\d)/i.test(whole)) return undefined;
  const { scheme, rest } = named ?? { scheme: 'http', rest: whole };
  const [authority = ''] = /^[^/?]*/.exec(rest)!;
  const host = hostOf(authority);
  if (host === '') return undefined;
  const [path, query] = splitAt(rest.slice(authority.length), '?');
  return { scheme, host, path: pathOf(path), query: query === undefined ? '' : `?${escaped(unescaped(query))}` };
}

/** The canonical URL as text. */
export const canonicalText = ({ scheme, host, path, query }: CanonicalUrl): string => `${scheme}://${host}${path}${query}`;

function withScheme(text: string): { scheme: string; rest: string } | undefined {
  const [head, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(text) ?? [];
  return head === undefined || scheme === undefined ? undefined : { scheme: scheme.toLowerCase(), rest: text.slice(head.length) };
}

function splitAt(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** The octets without escapes, however often they were escaped. No two escapes overlap, so that one pass from left to right finds them all. */
function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  const out: string[] = [];
  for (const octet of text) {
    out.push(octet);
    while (out.length >= 3 && out.at(-3) === '%' && isHex(out.at(-2)!) && isHex(out.at(-1)!)) {
      const [high, low] = out.splice(-2);
      out[out.length - 1] = String.fromCharCode(Number.parseInt(`${high}${low}`, 16));
    }
  }
  return out.join('');
}
const isHex = (octet: string): boolean => /^[\da-f]$/i.test(octet);

/** Escapes what is not visible ASCII, `#` and `%`. */
const escaped = (octets: string): string =>
  // oxlint-disable-next-line no-control-regex -- they are what is escaped
  octets.replace(/[\x00-\x20\x7f-\xff#%]/g, (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** The host of an authority, without user name, password and port. */
function hostOf(authority: string): string {
  const host = unescaped(authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, ''));
  const bracketed = /^\[(.*)\]$/.exec(host)?.[1];
  const v6 = bracketed === undefined ? undefined : parseIp(bracketed);
  if (v6) return v6.version === 6 ? v6Host(v6) : '';
  const name = toAscii(host)
    .replace(/\.{2,}/g, '.')
    .replace(/^\.|\.$/g, '');
  return ipv4Of(name) ?? escaped(name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
}

const NAT64 = parseCidrs(['64:ff9b::/96']);

/** An address that only wraps one of IPv4 is that (RFC 4291 §2.5.5.2, RFC 6052 §2.1). */
function v6Host(ip: IpAddress): string {
  const v4 = translatedV4(ip, NAT64) ?? unmapped(ip);
  return v4.version === 4 ? formatIp(v4) : `[${formatIp(v4)}]`;
}

/** IDN as A-labels, where the octets are UTF-8 and a name. */
function toAscii(host: string): string {
  if (!/[\x80-\xff]/.test(host)) return host;
  const text = Buffer.from(host, 'latin1').toString();
  return text.includes('\uFFFD') ? host : domainToASCII(text) || host;
}

/** An IPv4 address in any notation of inet_aton: parts in hex and octal, fewer than four, too large ones cut. */
function ipv4Of(text: string): string | undefined {
  // Windows reads four parts and a space, up to 15 characters, as the address before the space.
  const host = text.length <= 15 ? text.replace(/^(\d+(?:\.\d+){3}) .*$/, '$1') : text;
  const parts = host.split('.');
  if (parts.length > 4) return undefined;
  let value = 0n;
  for (const [at, part] of parts.entries()) {
    const number = numberOf(part);
    if (number === undefined) return undefined;
    // The last part fills what the others leave.
    const octets = BigInt(at === parts.length - 1 ? 5 - parts.length : 1);
    value = (value << (8n * octets)) | (number & ((1n << (8n * octets)) - 1n));
  }
  return formatIp({ version: 4, value });
}

function numberOf(part: string): bigint | undefined {
  if (/^0x[\da-f]{1,16}$/i.test(part)) return BigInt(part);
  if (/^0[0-7]{1,20}$/.test(part)) return BigInt(`0o${part.slice(1)}`);
  return /^(?:0|[1-9]\d{0,18})$/.test(part) ? BigInt(part) : undefined;
}

/** Resolves dot segments, and joins slashes. */
function pathOf(path: string): string {
  const segments: string[] = [];
  const all = unescaped(path).split('/').slice(1);
  for (const segment of all) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  const isFolder = segments.length > 0 && ['', '.', '..'].includes(all.at(-1) ?? '');
  return escaped(`/${segments.join('/')}${isFolder ? '/' : ''}`);
}
