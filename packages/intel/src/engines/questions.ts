import { type IpAddress, parseIp } from '@vedette/contract';
import { parse } from 'tldts';
import { canonicalUrl, expressionsOf, partsOf } from '../urls/index.ts';

/** The questions about a subject: the labels put before a zone, the subject itself first. */
export interface Subject {
  /** 4 and 6 for addresses, 0 for names. */
  family: 4 | 6 | 0;
  /** The keys for zones: the address, or the host and names above it. */
  keys: readonly string[];
  /** The possible entries: the address, or every name from the host up to the registrable one. */
  entries: readonly string[];
  /** The registrable name; empty for addresses. */
  registrable: string;
}

/** A URL, which only lists in memory have. Its entries are its expressions, itself first. */
export type UrlSubject = Pick<Subject, 'entries' | 'registrable'> & { family: 'url' };
export type AnySubject = Pick<Subject, 'entries' | 'registrable'> & { family: Subject['family'] | 'url' };

/** At most so many names of one host: the host, and those nearest to the registrable one. Lists rarely have names in between. */
const MAX_NAMES = 5;
/** Hosts of many tenants are so near to the registrable name; each further label of a long name would cost a search of every list. */
const MAX_TENANT_DEPTH = 8;
const NIBBLES = 32;
/** Octets of a name's text (RFC 1035 §3.1). */
const MAX_NAME = 253;

/** Undefined for an invalid address. An IPv4 address in IPv6 form is asked as what it is. */
export function addressSubject(address: string): Subject | undefined {
  const ip = parseIp(address);
  return ip && { family: ip.version, keys: [address], entries: [address], registrable: '' };
}

/**
 * Returns the host and its parents down to the registrable domain. Public suffixes, such as `co.uk` or `github.io`, are left out, since a
 * site is not to blame for its neighbours. Names that `isShared` reports as hosts of many tenants are left out too, except the host itself.
 */
export function nameSubject(host: string, isShared: (name: string) => boolean): Subject {
  const { domain, isIp } = parse(host, { allowPrivateDomains: true, extractHostname: false, validateHostname: false });
  if (isIp || domain === null) return { family: 0, keys: [], entries: [], registrable: '' };
  const all = [host];
  for (let name = host; name !== domain;) {
    name = name.slice(name.indexOf('.') + 1);
    all.push(name);
  }
  const shared = all.findIndex((name, n) => n > 0 && n >= all.length - MAX_TENANT_DEPTH && isShared(name));
  const names = shared < 0 ? all : all.slice(0, shared);
  const keys = names.length > MAX_NAMES ? [host, ...names.slice(1 - MAX_NAMES)] : names;
  return { family: 0, keys, entries: names, registrable: domain };
}

/**
 * A URL and its expressions, but for expressions that accuse all pages of a host with many tenants. Undefined for text without a host.
 */
export function urlSubject(text: string, isShared: (name: string) => boolean): UrlSubject | undefined {
  const url = canonicalUrl(text);
  if (!url) return undefined;
  const [own = '', ...above] = expressionsOf(url);
  const isOfMany = (entry: string): boolean => {
    const { host, path } = partsOf(entry);
    return path === '/' && isShared(host);
  };
  return { family: 'url', entries: [own, ...above.filter((entry) => !isOfMany(entry))], registrable: '' };
}

/** The name that a zone is asked for about a key (RFC 5782 §2.1, §2.4, §3); undefined where the DNS cannot hold it. */
export function questionName(key: string, zone: string): string | undefined {
  const ip = parseIp(key);
  const name = `${ip ? reversed(ip) : key}.${zone}`;
  return name.length <= MAX_NAME ? name : undefined;
}

function reversed({ version, value }: IpAddress): string {
  if (version === 4) return [0n, 8n, 16n, 24n].map((shift) => (value >> shift) & 255n).join('.');
  return Array.from({ length: NIBBLES }, (_, i) => ((value >> BigInt(4 * i)) & 15n).toString(16)).join('.');
}
