import { formatIp, parseIp, unmapped } from './address.ts';
import { labelsOf } from './names.ts';

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

/**
 * Parses a client's address as `parseIp` does: dotted quads without octal or short forms, RFC 4291 without a zone or brackets. An
 * IPv4-mapped address is the IPv4 address that it stands for. Undefined when it is anything else.
 */
export function parseAddress(text: string): ParsedHost | undefined {
  const written = parseIp(text);
  if (!written) return undefined;
  const ip = unmapped(written);
  return { kind: ip.version === 4 ? 'ipv4' : 'ipv6', host: formatIp(ip) };
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
 * What a client wrote as an owner of records: whatever `parseHost` takes, and names that no host may have but the DNS holds (RFC 2181 §11), as far as
 * nobody means a URL or a command by them: the root `.`, hyphens at the ends of labels, `*` for a label (RFC 4592 §2), slashes (RFC 2317), and any
 * octet as `\DDD`, or behind a backslash (RFC 1035 §5.1). An address stands for its reverse name, so an IPv4 one has to be written whole: `192.0.2`
 * is 192.0.0.2 to some, and a network to others. The name has the form in which names of answers are shown. Undefined for anything else.
 */
export function parseOwner(text: string): ParsedHost | undefined {
  if (text === '.') return { kind: 'name', host: text };
  const host = parseHost(text);
  if (host) return host.kind !== 'ipv4' || text.replace(/\.$/, '') === host.host ? host : undefined;
  const labels = text.match(/^(?:(?:\\.|[^\\.])+(?:\.|$))+$/s) ? labelsOf(text).map(ownerLabel) : [];
  const name = labels.join('.');
  const isName =
    labels.length > 0 && !labels.includes(undefined) && octetsOf(name) <= MAX_NAME_OCTETS && !NO_TOP_LEVEL.test(labels.at(-1)!);
  return isName ? { kind: 'name', host: name } : undefined;
}

/** A number cannot stand last, or it would be part of an address; nor can a slash, or it would be a URL's or a network's. */
const NO_TOP_LEVEL = /^(?:\d+|0x[0-9a-f]*|\*)$|\//;
/** Characters that stand for themselves, and escapes that stand for an octet. */
const OWNER_OCTETS = /^(?:[\w/-]|\\\d{3}|\\[^\d])+$/;
const ESCAPE = /\\(\d{3}|.)/g;

const octetsOf = (name: string): number => name.replace(ESCAPE, '.').length;

/** A label that looks like an A-label must be one. */
function ownerLabel(label: string): string | undefined {
  if (label === '*') return label;
  if (/[^!-~]/.test(label)) {
    const host = parseHost(label);
    return host?.kind === 'name' ? host.host : undefined;
  }
  if (!OWNER_OCTETS.test(label)) return undefined;
  const octets = label.replace(ESCAPE, (_, code: string) => (code.length === 3 ? String.fromCharCode(Number(code)) : code));
  const shown = octets
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/[.\\]/g, String.raw`\$&`)
    .replace(/[^!-~]/g, (octet) => `\\${String(octet.charCodeAt(0)).padStart(3, '0')}`);
  const fits = octets.length <= MAX_LABEL_OCTETS && !/[^\0-\u00ff]/.test(octets); // oxlint-disable-line no-control-regex -- octets
  return fits && (!shown.startsWith('xn--') || parseHost(shown) !== undefined) ? shown : undefined;
}

export interface ParsedUrl extends ParsedHost {
  /** The normalised URL, without fragment, user name and password. */
  url: URL;
  port: number;
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
  const basic = basicOf(url);
  url.hash = '';
  url.username = '';
  url.password = '';
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { ...host, url, port, ...(basic !== '' && { basic }) };
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
