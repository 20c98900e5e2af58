import { escapeOctet } from './name.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Octets as text, different ones as different texts: UTF-8 where it is valid, else ASCII with every other octet as `\DDD`. A backslash is two
 * (RFC 1035 §5.1), so that the text `\255` and the octet 255 are not one.
 */
export function decodeText(octets: Uint8Array): string {
  try {
    return utf8.decode(octets).replaceAll('\\', String.raw`\\`);
  } catch {
    return escapeText(octets, '\\');
  }
}

/** A text of `decodeText` in quotes, as in a zone file. */
export const quoteDecoded = (text: string): string => `"${text.replaceAll('"', String.raw`\"`)}"`;

/** A quoted character string as in a zone file. */
export const quoteText = (octets: Uint8Array): string => `"${escapeText(octets, '"\\')}"`;

function escapeText(octets: Uint8Array, special: string): string {
  let text = '';
  for (const octet of octets) {
    const char = String.fromCharCode(octet);
    if (octet < 0x20 || octet > 0x7e) text += escapeOctet(octet);
    else text += special.includes(char) ? `\\${char}` : char;
  }
  return text;
}
