import { type ParsedUrl, parseHost } from '@vedette/contract';
import { IMITATED_BRANDS, judgeHostName, POPULAR_DOMAINS, tenantOf } from '../names/index.ts';
import type { Names } from '../ports/index.ts';

/** Traits of a URL as it is written. Texts are empty where nothing is found. */
export interface UrlShape {
  hasUserName: boolean;
  /** The user name, where it reads like a host or a brand that the URL does not lead to. */
  posesAs: string;
  isIpv4: boolean;
  isIp: boolean;
  /** The host as written, where it hides the address or the name that it stands for. */
  obscured: string;
  /** A well-known site's domain that the path names. */
  pathNames: string;
  isOtherPort: boolean;
  /** A mailbox in the path, the query or the fragment. */
  mailbox: string;
}

const PORTS: ReadonlySet<number> = new Set([80, 443]);
const MAILBOX = /(?:^|[=/?&#;,:])([a-z0-9][a-z0-9._+-]{0,63}@[a-z0-9][a-z0-9.-]{0,250}\.[a-z]{2,20})(?![a-z0-9@])/i;
/** Longer parts hold no address that a person was sent. */
const MAILBOX_PART_MAX = 4_096;

/** Judges a URL by how it is written. `written`: as the client wrote it; `url`: as a browser reads it. */
export function urlShape(written: string, url: ParsedUrl, names: Names): UrlShape {
  const isIpv4 = url.kind === 'ipv4';
  return {
    hasUserName: url.username !== '' || url.password !== '',
    posesAs: posesAs(url, names),
    isIpv4,
    isIp: url.kind !== 'name',
    obscured: obscured(written, url),
    pathNames: pathNames(url),
    isOtherPort: !PORTS.has(url.port),
    mailbox: mailboxIn(url),
  };
}

/** Names that one reads as the place that the URL leads to: a host with a public suffix and a known owner or `www.`, or a brand alone. */
function posesAs({ username, host, kind }: ParsedUrl, names: Names): string {
  const name = decoded(username).trim().toLowerCase();
  const own = kind === 'name' ? (tenantOf(host) ?? host) : host;
  if (IMITATED_BRANDS.has(name)) return own.split('.', 1)[0] === name ? '' : name;
  const parsed = name.includes('.') ? parseHost(name.split(/[/?#]/, 1)[0]!) : undefined;
  if (parsed?.kind !== 'name') return '';
  const tenant = tenantOf(parsed.host);
  if (tenant === undefined || tenant === own) return '';
  const isKnown = POPULAR_DOMAINS.has(tenant) || judgeHostName(parsed.host, names).popularity !== 'low';
  const label = tenant.split('.', 1)[0]!;
  return isKnown || parsed.host.startsWith('www.') || IMITATED_BRANDS.has(label) ? parsed.host : '';
}

/** Numbers of any radix for an address, and escapes in the host: people write neither. */
function obscured(written: string, { host, kind }: ParsedUrl): string {
  const authority = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(written.trim())?.[1] ?? '';
  const text = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  return text.includes('%') || (kind === 'ipv4' && text.replace(/\.$/, '') !== host) ? text : '';
}

/** A segment of the path that is the domain of a well-known site, as kits name their folders: not where it is a part of an archive's or translator's URL. */
function pathNames({ url, host }: ParsedUrl): string {
  const own = tenantOf(host);
  if (/\/https?:\//i.test(url.pathname)) return '';
  for (const segment of decoded(url.pathname).toLowerCase().split('/').slice(1, 8)) {
    const name = segment.replace(/^www\./, '');
    const label = name.split('.', 1)[0]!;
    if (name.includes('.') && POPULAR_DOMAINS.has(name) && IMITATED_BRANDS.has(label) && name !== own) return name;
  }
  return '';
}

const mailboxIn = ({ url, fragment }: ParsedUrl): string =>
  [url.pathname, url.search, fragment].flatMap((part) => MAILBOX.exec(decoded(part.slice(0, MAILBOX_PART_MAX)))?.[1] ?? [])[0] ?? '';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a URIError: a per cent sign that is one
  }
}
