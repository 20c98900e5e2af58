import { setImmediate } from 'node:timers/promises';

/** How far into a page its own word on its charset is looked for (WHATWG HTML, "prescan a byte stream", step 1). */
const PRESCAN_BYTES = 1024;
const STEP_BYTES = 256 * 1024;
const META_CHARSET = /<meta\s[^>]{0,500}?charset\s*=\s*["']?\s*([\w:.+-]{1,40})/i;
const HEADER_CHARSET = /;\s*charset\s*=\s*"?([\w:.+-]{1,40})/i;

const BYTE_ORDER_MARKS: readonly [label: string, ...mark: number[]][] = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16be', 0xfe, 0xff],
  ['utf-16le', 0xff, 0xfe],
];

/**
 * The text of a page as browsers read it: by its byte order mark, else the charset of its Content-Type, else that of its own `meta`, else as
 * UTF-8 where it is, else as windows-1252. An unknown charset counts as none. Some of the older ones take 20 ns a byte, so that others may do
 * something in between.
 */
export async function decodeText(bytes: Uint8Array, contentType: string): Promise<string> {
  const decoder = decoderFor(bytes, contentType);
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) await setImmediate();
    parts.push(decoder.decode(bytes.subarray(at, at + STEP_BYTES), { stream: true }));
  }
  return parts.join('') + decoder.decode();
}

function decoderFor(bytes: Uint8Array, contentType: string): TextDecoder {
  const marked = BYTE_ORDER_MARKS.find(([, ...mark]) => mark.every((octet, i) => bytes[i] === octet))?.[0];
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, PRESCAN_BYTES)).toString('latin1');
  const meta = META_CHARSET.exec(beginning)?.[1];
  return (
    decoderOf(marked) ??
    decoderOf(HEADER_CHARSET.exec(contentType)?.[1]) ??
    // Who can read that in ASCII does not have UTF-16 (WHATWG HTML, same place, step 15).
    decoderOf(meta !== undefined && /^utf-?16/i.test(meta) ? 'utf-8' : meta) ??
    (isUtf8(bytes) ? new TextDecoder() : new TextDecoder('windows-1252'))
  );
}

function decoderOf(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined; // a RangeError: nobody's label
  }
}

/** A body that was cut off may end within a character. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
