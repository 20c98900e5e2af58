import { formatIp, parseHost, type ParsedHost, parseIp, unmapped } from '@vedette/contract';

const MAX_NAME_OCTETS = 253; // RFC 1035 §3.1, without the root label
const MAX_LABEL_OCTETS = 63;

/** The labels of a name, from left to right; a dot behind a backslash is part of one (RFC 1035 §5.1). The root has none. */
export const labelsOf = (name: string): string[] => name.match(/(?:\\.|[^\\.])+/gs) ?? [];

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

/**
 * Parses a client's text as an owner of records: all that `parseHost` accepts, and names that the DNS holds but no host may have (RFC 2181
 * §11), unless they look like a URL or a command. These are the root `.`, hyphens at the ends of labels, `*` for a label (RFC 4592 §2),
 * slashes (RFC 2317), and any octet as `\DDD`, or behind a backslash (RFC 1035 §5.1). An address stands for its reverse name, so an IPv4
 * one has to be written whole: `192.0.2` is 192.0.0.2 to some, and a network to others. The name has the form in which names of answers are
 * shown. Undefined for anything else.
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
