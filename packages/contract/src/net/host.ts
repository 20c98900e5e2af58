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
  // Characters that a URL would not read as part of a host, or would silently drop; DEL and controls; names that look like options.
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

export interface ParsedUrl extends ParsedHost {
  /** The normalised URL, without fragment, user name and password. */
  url: URL;
  port: number;
  /** Fragment as written, with its `#`; empty without. */
  fragment: string;
  /** User name and password as written, percent-encoded; empty without. */
  username: string;
  password: string;
  /** User name and password as the Basic scheme has them (RFC 7617 §2), in base64; absent where the URL names neither. */
  basic?: string;
}

/** Parses an absolute http or https URL of our own or of a protocol. Undefined for what `parseWebUrl` refuses, and for a user name or password. */
export function parseHttpUrl(text: string): ParsedUrl | undefined {
  const parsed = parseWebUrl(text);
  return parsed?.basic === undefined && !/^https?:\/\/[^/?#]*@/i.test(text.trim()) ? parsed : undefined;
}

/**
 * Parses an absolute http or https URL as browsers read it: the text before the last `@` of its authority is not part of the host.
 * Undefined for other schemes, a bad host, port 0, or control characters inside.
 */
export function parseWebUrl(text: string): ParsedUrl | undefined {
  const trimmed = text.trim();
  if (hasControl(trimmed) || /\s/u.test(trimmed) || !/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined;
  // A backslash is a slash to browsers and a character to others: two readings of one URL are one too many.
  if (trimmed.split(/[?#]/, 1)[0]!.includes('\\')) return undefined;
  const url = new URL(trimmed);
  const host = parseHost(url.hostname);
  if (!host || url.port === '0') return undefined;
  const { hash: fragment, username, password } = url;
  const basic = basicOf(url);
  url.hash = '';
  url.username = '';
  url.password = '';
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { ...host, url, port, fragment, username, password, ...(basic !== '' && { basic }) };
}

function basicOf({ username, password }: URL): string {
  if (username === '' && password === '') return '';
  const octets = (text: string) =>
    Buffer.from(
      text.replace(PERCENT, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
      'latin1',
    );
  return Buffer.concat([octets(username), Buffer.from(':'), octets(password)]).toString('base64');
}
const PERCENT = /%([0-9a-f]{2})/gi;

/** A URL as reports and logs show it: as it was written, but for its password. */
export function shownUrl(text: string): string {
  const whole = text.startsWith('//') ? `https:${text}` : text;
  if (!whole.includes('@') || !URL.canParse(whole)) return text;
  const url = new URL(whole);
  if (url.password === '') return text;
  url.password = '***';
  return url.href;
}

// oxlint-disable-next-line no-control-regex -- looking for them is the point
const hasControl = (text: string): boolean => /[\u0000-\u001f\u007f-\u009f]/.test(text);
