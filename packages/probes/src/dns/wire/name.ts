import { parseIp } from '@vedette/contract';

/** A message or a record that is not what RFC 1035 and its successors say. */
export class MalformedMessage extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'MalformedMessage';
  }
}

/** The root label included, RFC 1035 §3.1. */
export const MAX_NAME_OCTETS = 255;
export const MAX_LABEL_OCTETS = 63;
export const MAX_TEXT_CHARS = 4 * MAX_NAME_OCTETS; // every octet as `\\DDD`

/** Whether this is a letter in upper case, as far as the DNS knows letters (RFC 4343 §3). */
export const isUpper = (octet: number): boolean => octet >= 0x41 && octet <= 0x5a;

/** `\DDD`, RFC 1035 §5.1. */
export const escapeOctet = (octet: number): string => `\\${String(octet).padStart(3, '0')}`;

/**
 * A name in wire form, in lower case; one trailing dot is allowed, `\.` and `\DDD` are understood. Undefined where the DNS cannot hold it:
 * an empty label, one of more than 63 octets, more than 255 in all, or characters beyond ASCII (A-labels are the caller's business).
 */
export function encodeName(text: string): Buffer | undefined {
  if (text === '.') return Buffer.from([0]);
  // The text is never shorter than the name: dots become lengths, and the first label's length and the root come on top.
  if (text.length > MAX_TEXT_CHARS) return undefined;
  const wire = Buffer.allocUnsafe(text.length + 2);
  let label = 0; // where the current label's length stands
  let size = 1;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code === 0x2e) {
      if (!closeLabel(wire, label, size)) return undefined;
      label = size++;
      continue;
    }
    if (code === 0x5c) {
      const digits = /^\d{3}/.exec(text.slice(i + 1, i + 4))?.[0];
      code = digits === undefined ? text.charCodeAt(i + 1) : Number(digits);
      i += digits?.length ?? 1;
      if (!(code <= 0xff)) return undefined;
    } else if (code > 0x7f) return undefined;
    wire[size++] = isUpper(code) ? code | 0x20 : code;
  }
  // A trailing dot has already begun the root label.
  if (label > 0 && size === label + 1) size = label;
  else if (!closeLabel(wire, label, size)) return undefined;
  wire[size++] = 0;
  return size <= MAX_NAME_OCTETS ? wire.subarray(0, size) : undefined;
}

function closeLabel(wire: Buffer, at: number, end: number): boolean {
  const length = end - at - 1;
  wire[at] = length;
  return length > 0 && length <= MAX_LABEL_OCTETS;
}

/**
 * The name under which an address' PTR records stand: in-addr.arpa (RFC 1035 §3.5) or ip6.arpa (RFC 3596 §2.5). Undefined for names that
 * are not addresses.
 */
export function reverseName(address: string): string | undefined {
  const ip = parseIp(address);
  if (!ip) return undefined;
  if (ip.version === 4) return `${address.split('.').reverse().join('.')}.in-addr.arpa`;
  return `${ip.value.toString(16).padStart(32, '0').split('').reverse().join('.')}.ip6.arpa`;
}
