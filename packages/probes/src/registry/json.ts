import { ProbeFailure } from '@vedette/contract';

/** RDAP nests entities in entities, and a jCard in each: real answers stay below twenty. */
const DEPTH_MAX = 48;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Parses untrusted JSON (RFC 8259) and limits its nesting first, so that code may recurse over the value. Throws `ProbeFailure`
 * http_protocol where it is not JSON, too_large where it is nested too deep.
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (deepest(bytes) > DEPTH_MAX) throw new ProbeFailure('too_large', `JSON that is nested more than ${DEPTH_MAX} deep`);
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch (cause) {
    throw new ProbeFailure('http_protocol', 'not JSON', { cause });
  }
}

function deepest(bytes: Uint8Array): number {
  let depth = 0;
  let max = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (inString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (OPENING.has(byte)) max = Math.max(max, ++depth);
    else if (CLOSING.has(byte)) depth--;
  }
  return max;
}
