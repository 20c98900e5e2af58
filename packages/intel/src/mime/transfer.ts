/**
 * The bytes of a body without its Content-Transfer-Encoding (RFC 2045 §6), of a text with one character for each byte. An encoding that nobody knows is none.
 * Linear, never throws.
 */
export function decodeTransfer(text: string, encoding: string): Buffer {
  switch (encoding) {
    case 'base64':
      return decodeBase64(text);
    case 'quoted-printable':
      return decodeQuotedPrintable(text);
    default:
      return Buffer.from(text, 'latin1');
  }
}

/** What is not of its alphabet is passed over (RFC 2045 §6.8). */
export const decodeBase64 = (text: string): Buffer => Buffer.from(text, 'base64');

const [TAB, LF, CR, SPACE, EQUALS] = [9, 10, 13, 32, 61];

/** RFC 2045 §6.7: white space before the end of a line goes, soft breaks too; an equals sign that begins nothing stays. */
export function decodeQuotedPrintable(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  // Decoded in place: what is written is never longer than what has been read.
  let to = 0;
  let solid = 0; // Behind the last character of this line that is no white space.
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
      const crlf = bytes[at - 1] === CR && to > solid;
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

/** Of a hexadecimal digit; far below zero of anything else. */
function hexOf(byte: number | undefined): number {
  if (byte === undefined) return -1_000;
  if (byte >= 48 && byte <= 57) return byte - 48;
  const upper = byte & ~32;
  return upper >= 65 && upper <= 70 ? upper - 55 : -1_000;
}
