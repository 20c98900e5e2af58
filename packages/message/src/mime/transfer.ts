import { decodeUuencode } from './uuencode.ts';

/**
 * The bytes of a body without its Content-Transfer-Encoding (RFC 2045 §6), of a text with one character for each byte. An unknown encoding
 * leaves the body as it is. Linear, never throws.
 */
export function decodeTransfer(text: string, encoding: string): Buffer {
  switch (encoding) {
    case 'base64':
      return decodeBase64(text);
    case 'quoted-printable':
      return decodeQuotedPrintable(text);
    case 'x-uuencode':
    case 'uuencode':
    case 'x-uue':
    case 'uue':
      return decodeUuencode(text);
    default:
      return Buffer.from(text, 'latin1');
  }
}

const [TAB, LF, CR, SPACE, EQUALS] = [9, 10, 13, 32, 61];
/** The text after the padding, as far as it is needed to tell more base64 from the footer of a mailing list. */
const BEHIND_PADDING =
  /[=\s]{0,9}(?:(?:[A-Za-z0-9+/]{4}){8}|(?:[A-Za-z0-9+/]{4}){0,7}(?:[A-Za-z0-9+/]{4}(?=[\r\n]|$)|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==))/y;

/**
 * RFC 2045 §6.8: what is not of its alphabet is passed over. It ends with its padding, unless pieces follow that were encoded each for itself. The two characters of
 * RFC 4648 §5 stand for those of the usual alphabet where those do not occur.
 */
export function decodeBase64(text: string): Buffer {
  // Node takes both alphabets at once, so that a line of dashes would be content.
  const usual = /[-_]/.test(text) && /[+/]/.test(text) ? text.replaceAll(/[-_]/g, '') : text;
  const first = usual.indexOf('=');
  if (first < 0 || !goesOn(usual, first)) return Buffer.from(usual, 'base64');
  return decodePieces(usual);
}

function goesOn(text: string, padding: number): boolean {
  BEHIND_PADDING.lastIndex = padding;
  return BEHIND_PADDING.test(text);
}

/** Base64 with padding within. */
function decodePieces(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(Math.ceil((text.length * 3) / 4) + 3);
  let to = 0;
  let bits = 0;
  let held = 0; // Characters of the group that is not whole.
  const flush = () => {
    if (held > 1) bytes[to++] = (bits >> (held === 2 ? 4 : 10)) & 255;
    if (held > 2) bytes[to++] = (bits >> 2) & 255;
    [bits, held] = [0, 0];
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === EQUALS && held > 1) {
      flush();
      if (!goesOn(text, at)) break;
    }
    const value = BASE64_VALUES[code]!;
    if (value < 0) continue;
    bits = (bits << 6) | value;
    if (++held < 4) continue;
    bytes[to++] = bits >> 16;
    bytes[to++] = (bits >> 8) & 255;
    bytes[to++] = bits & 255;
    [bits, held] = [0, 0];
  }
  flush();
  return bytes.subarray(0, to);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The value of each byte in base64; -1 outside the alphabet. */
export const BASE64_VALUES = Int8Array.from({ length: 256 }, (_, code) => ALPHABET.indexOf(String.fromCharCode(code)));

/** RFC 2045 §6.7: white space before the end of a line goes, soft breaks too; an equals sign that begins nothing stays. */
export function decodeQuotedPrintable(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  // Decoded in place: what is written is never longer than what has been read.
  let to = 0;
  let solid = 0; // The position behind the last character of this line that is not white space.
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === EQUALS) {
      const value = hexOf(bytes[at + 1]) * 16 + hexOf(bytes[at + 2]);
      if (value >= 0) {
        bytes[to++] = value;
        at += 2;
      } else {
        const end = softBreak(bytes, at + 1);
        if (end < 0) bytes[to++] = byte;
        else at = end - 1;
      }
      solid = to;
    } else if (byte === LF) {
      const crlf = to > solid && bytes[to - 1] === CR;
      to = solid;
      if (crlf) bytes[to++] = CR;
      bytes[to++] = LF;
      solid = to;
    } else {
      bytes[to++] = byte;
      if (byte !== SPACE && byte !== TAB && byte !== CR) solid = to;
    }
  }
  return bytes.subarray(0, to);
}

/** Where the next line begins, where nothing but white space stands before it; -1 otherwise. The end of the text is the end of a line. */
function softBreak(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === SPACE || bytes[at] === TAB) at++;
  if (bytes[at] === CR && bytes[at + 1] === LF) at++;
  if (at >= bytes.length) return at;
  return bytes[at] === LF ? at + 1 : -1;
}

/** The value of a hexadecimal digit; far below zero for other bytes. */
function hexOf(byte: number | undefined): number {
  if (byte === undefined) return -1_000;
  if (byte >= 48 && byte <= 57) return byte - 48;
  const upper = byte & ~32;
  return upper >= 65 && upper <= 70 ? upper - 55 : -1_000;
}
