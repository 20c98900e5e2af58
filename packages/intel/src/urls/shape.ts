import { type ParsedUrl, parseHost, parseWebUrl } from '@vedette/contract';
import { POPULAR_DOMAINS } from '../identity/index.ts';
import { hostPopularity, judgeHostName, tenantOf } from '../names/index.ts';
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
/** Pictures for screens with more dots have names such as `button@2x.png`. */
const MAILBOX =
  /(?:^|[=/?&#;,:])([a-z0-9][a-z0-9._+-]{0,63}@[a-z0-9][a-z0-9.-]{0,250}\.(?!(?:png|jpe?g|gif|webp|svg|css|js)\b)[a-z]{2,20})(?![a-z0-9@.])/i;
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
    pathNames: pathNames(url, names),
    isOtherPort: !PORTS.has(url.port),
    mailbox: mailboxIn(url),
  };
}

/** The user name of a URL, where it reads like another site than the host that the URL leads to. */
export function posingUserName(written: string, names: Names): { name: string; host: string } | undefined {
  const url = /^https?:\/\/[^/?#]*@/i.test(written) ? parseWebUrl(written) : undefined;
  const name = url ? posesAs(url, names) : '';
  return url && name !== '' ? { name, host: url.host } : undefined;
}

const isForgedOften = (name: string, names: Names): boolean => names.brands().token(name)?.isOften === true;

/** Names that one reads as the place that the URL leads to: a host with a public suffix and a known owner or `www.`, or a brand alone. */
function posesAs({ username, host, kind }: ParsedUrl, names: Names): string {
  const name = decoded(username).trim().toLowerCase();
  const own = kind === 'name' ? (tenantOf(host) ?? host) : host;
  if (isForgedOften(name, names))
    return own.split('.', 1)[0] === name || names.brands().token(name)!.brand.domains.includes(own) ? '' : name;
  const parsed = name.includes('.') ? parseHost(name.split(/[/?#]/, 1)[0]!) : undefined;
  if (parsed?.kind !== 'name') return '';
  const tenant = tenantOf(parsed.host);
  if (tenant === undefined || tenant === own) return '';
  const isKnown =
    POPULAR_DOMAINS.has(tenant) || names.brands().ownerOf(tenant) !== undefined || hostPopularity(parsed.host, names) !== 'low';
  const label = tenant.split('.', 1)[0]!;
  return isKnown || parsed.host.startsWith('www.') || isForgedOften(label, names) ? parsed.host : '';
}

/** Numbers of any radix for an address, and escaped letters in the host: people write neither. */
function obscured(written: string, { host, kind }: ParsedUrl): string {
  const authority = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(written.trim())?.[1] ?? '';
  const text = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  return /%[2-7][\da-f]/i.test(text) || (kind === 'ipv4' && text.replace(/\.$/, '') !== host) ? text : '';
}

/** Paths of projects, packages and badges begin with the code host. */
const CODE_HOSTS: ReadonlySet<string> = new Set(['github.com', 'gitlab.com', 'bitbucket.org']);

/**
 * The domain of a well-known site as a folder of a site that few know, as kits name theirs. Pages about a site have its domain last, archives and
 * translators as a part of a URL.
 */
function pathNames({ url, host }: ParsedUrl, names: Names): string {
  if (/\/https?:\//i.test(url.pathname)) return '';
  const folders = decoded(url.pathname).toLowerCase().split('/').slice(1, -1).slice(0, 8);
  const named = folders
    .map((folder) => folder.replace(/^www\./, ''))
    .find((name) => POPULAR_DOMAINS.has(name) && isForgedOften(name.split('.', 1)[0]!, names) && !CODE_HOSTS.has(name));
  if (named === undefined || named === tenantOf(host)) return '';
  return judgeHostName(host, names).popularity === 'low' ? named : '';
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
