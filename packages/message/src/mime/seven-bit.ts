import { BASE64_VALUES } from './transfer.ts';

/** Charsets of seven bits that the decoders of today have not: byte by byte, so that no length of runs makes them slow. */

const [LF, SO, SI, ESC, PLUS, DASH, OPEN, CLOSE, TILDE] = [0x0a, 0x0e, 0x0f, 0x1b, 0x2b, 0x2d, 0x7b, 0x7d, 0x7e];

/** Decodes UTF-7 (RFC 2152): UTF-16 in base64 begins with `+`, and ends with `-` or another character outside base64. */
export function decodeUtf7(bytes: Uint8Array): string {
  const text = Buffer.alloc(bytes.length * 2);
  let to = 0;
  let [shifted, bits, held] = [false, 0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const value = shifted ? BASE64_VALUES[byte]! : -1;
    if (value >= 0) {
      bits = (bits << 6) | value;
      held += 6;
      if (held < 16) continue;
      held -= 16;
      to = text.writeUInt16LE((bits >> held) & 0xffff, to);
      bits &= (1 << held) - 1;
    } else if (!shifted && byte === PLUS) {
      if (bytes[at + 1] === DASH) to = text.writeUInt16LE(PLUS, to);
      [shifted, bits, held] = [bytes[at + 1] !== DASH, 0, 0];
      if (!shifted) at++;
    } else {
      if (!shifted || byte !== DASH) to = text.writeUInt16LE(byte, to);
      shifted = false;
    }
  }
  return text.toString('utf16le', 0, to);
}

/** ISO-2022-JP without changes to ASCII and straight back: where an encoded word ends and the next begins, decoders of today see an attack. */
export function withoutIdleShifts(bytes: Uint8Array): Buffer {
  const needed = Buffer.allocUnsafe(bytes.length);
  let to = 0;
  for (let at = 0; at < bytes.length; at++) {
    const idle = bytes[at] === ESC && bytes[at + 1] === 0x28 && bytes[at + 2] === 0x42 && bytes[at + 3] === ESC;
    if (idle) at += 2;
    else needed[to++] = bytes[at]!;
  }
  return needed.subarray(0, to);
}

/** RFC 1557, ISO-2022-KR, as EUC-KR: between SO and SI, or the end of the line. The charset's designator occurs once. */
export function eucOfKorean(bytes: Uint8Array): Buffer {
  const euc = Buffer.allocUnsafe(bytes.length);
  let to = 0;
  let shifted = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === LF) shifted = false;
    if (byte === SO || byte === SI) shifted = byte === SO;
    else if (byte === ESC) at += 3;
    else euc[to++] = shifted ? raised(byte) : byte;
  }
  return euc.subarray(0, to);
}

/** RFC 1843, HZ, as GB 2312: between `~{` and `~}`, or the end of the line. `~~` is a tilde, a tilde at the end of a line joins it to the next. */
export function gbOfHz(bytes: Uint8Array): Buffer {
  const gb = Buffer.allocUnsafe(bytes.length);
  let to = 0;
  let shifted = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const next = byte === TILDE ? bytes[at + 1] : undefined;
    if (byte === LF) shifted = false;
    if (next === OPEN || next === CLOSE) shifted = next === OPEN;
    else if (next === TILDE) gb[to++] = TILDE;
    else if (next !== LF) {
      gb[to++] = shifted ? raised(byte) : byte;
      continue;
    }
    at++;
  }
  return gb.subarray(0, to);
}

const raised = (byte: number): number => (byte > 0x20 && byte < 0x7f ? byte | 0x80 : byte);
