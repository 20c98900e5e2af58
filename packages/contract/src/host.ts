import { formatIp, parseIp } from './address.ts';

/** A host as we use it: lower-case A-labels without a trailing dot, or an address in canonical text. */
export interface ParsedHost {
  kind: 'name' | 'ipv4' | 'ipv6';
  host: string;
}

const MAX_NAME_OCTETS = 253; // RFC 1035 §3.1, without the root label
const MAX_LABEL_OCTETS = 63;

/**
 * Normalises what a client wrote as a host: IDN to A-labels (UTS 46), numbers of any radix to the address they mean
 * (WHATWG URL), one trailing dot dropped. Undefined when it is not a host. Underscores are welcome (RFC 2181 §11).
 */
export function parseHost(text: string): ParsedHost | undefined {
  // What a URL would read as something else than a host, or silently drop; DEL and controls; names that look like options.
  if (/[\s/\\@?#%<>^|"`{}$&()*!,;=+~']/u.test(text) || text.startsWith('-') || hasControl(text)) return undefined;
  const v6 = parseIp(text.replace(/^\[(.*)\]$/, '$1'));
  if (v6?.version === 6) return { kind: 'ipv6', host: formatIp(v6) };
  if (text.includes(':') || text.includes('[') || text.includes(']')) return undefined;
  if (!URL.canParse(`http://${text}/`)) return undefined;
  const host = new URL(`http://${text}/`).hostname.replace(/\.$/, '');
  const v4 = parseIp(host);
  if (v4?.version === 4) return { kind: 'ipv4', host: formatIp(v4) };
  return isDnsName(host) ? { kind: 'name', host } : undefined;
}

/** Whether a normalised name fits the DNS: labels of 1–63 octets of letters, digits, hyphens and underscores, 253 in all. */
export function isDnsName(name: string): boolean {
  return (
    name.length > 0 &&
    name.length <= MAX_NAME_OCTETS &&
    name
      .split('.')
      .every((label) => label.length > 0 && label.length <= MAX_LABEL_OCTETS && /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/.test(label))
  );
}

/**
 * What a client wrote as an owner of records: whatever `parseHost` takes, and names that no host may have but the DNS holds (RFC 2181 §11):
 * the root `.`, hyphens at the ends of labels, and the owner of a wildcard, `*.example.org` (RFC 4592 §2.1.1). Undefined for anything else.
 */
export function parseOwner(text: string): ParsedHost | undefined {
  if (text === '.') return { kind: 'name', host: text };
  const host = parseHost(text);
  if (host) return host;
  const wildcard = text.startsWith('*.') ? '*.' : '';
  const below = text.slice(wildcard.length);
  const name = parseHost(below)?.host ?? below.toLowerCase().replace(/\.$/, '');
  return isOwner(name) && wildcard.length + name.length <= MAX_NAME_OCTETS ? { kind: 'name', host: wildcard + name } : undefined;
}

/** A number cannot stand last, or it would be part of an address; and what looks like an A-label must be one. */
const isOwner = (name: string): boolean =>
  name
    .split('.')
    .every(
      (label, i, { length }) =>
        /^[a-z0-9_-]{1,63}$/.test(label) &&
        (i < length - 1 || !/^(\d+|0x[0-9a-f]*)$/.test(label)) &&
        (!label.startsWith('xn--') || parseHost(label) !== undefined),
    );

export interface ParsedUrl extends ParsedHost {
  /** The normalised URL, without fragment. */
  url: URL;
  port: number;
}

/** Parses an absolute http or https URL. Undefined for other schemes, userinfo, a bad host, port 0, or control characters inside. */
export function parseHttpUrl(text: string): ParsedUrl | undefined {
  const trimmed = text.trim();
  if (hasControl(trimmed) || /\s/u.test(trimmed) || !/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined;
  // A backslash is a slash to browsers and a character to others: two readings of one URL are one too many.
  if (trimmed.split(/[?#]/, 1)[0]!.includes('\\')) return undefined;
  const url = new URL(trimmed);
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(trimmed)) return undefined;
  const host = parseHost(url.hostname);
  if (!host || url.port === '0') return undefined;
  url.hash = '';
  return { ...host, url, port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port) };
}

// oxlint-disable-next-line no-control-regex -- looking for them is the point
const hasControl = (text: string): boolean => /[\u0000-\u001f\u007f-\u009f]/.test(text);
