import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress, constants } from 'node:zlib';
import { contentCodings, type HttpHead, headerValues } from '../http/message.ts';

/** Limit on the body as transferred, and again on what it unpacks to. */
export const PAGE_MAX_BYTES = 128 * 1024;
/** Limit on the page as JSON, so that it fits a frame beside its headers whatever has to be escaped. */
const JSON_MAX_BYTES = 96 * 1024;
const CHARSET_SEARCH_CHARS = 1024; // HTML §13.2.3.2

const decoders = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  // The window that RFC 9659 asks of every decoder.
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } })],
]);

/**
 * The beginning of a page as text, from the beginning of its body. Empty when it is not text, or is encoded more than
 * once or in an unknown way. What cannot be unpacked or read is left out, never an error.
 */
export async function pageText(head: HttpHead, body: Uint8Array): Promise<string> {
  const type = headerValues(head, 'content-type')[0] ?? 'text/html';
  if (!/^\s*(text\/|application\/(xhtml\+)?xml)/i.test(type)) return '';
  const [coding, ...others] = contentCodings(head);
  const decoder = decoders.get(coding ?? '');
  if (others.length > 0 || (coding !== undefined && !decoder)) return '';
  const bytes = decoder ? await unpack(decoder(), body) : body.subarray(0, PAGE_MAX_BYTES);
  return fitJson(decodeText(bytes, type));
}

/** Unpacks until there is enough, or it goes wrong. The rest of a bomb is never unpacked. */
function unpack(decoder: Transform, body: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const parts: Uint8Array[] = [];
    let size = 0;
    const done = () => {
      resolve(Buffer.concat(parts).subarray(0, PAGE_MAX_BYTES));
      decoder.destroy();
    };
    decoder.on('data', (part: Uint8Array) => {
      parts.push(part);
      size += part.length;
      if (size >= PAGE_MAX_BYTES) done();
    });
    decoder.on('end', done);
    decoder.on('error', done); // a body that was cut off is one, too
    decoder.end(body);
  });
}

function decodeText(bytes: Uint8Array, type: string): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, CHARSET_SEARCH_CHARS)).toString('latin1');
  const label =
    /charset\s*=\s*["']?([\w-]+)/i.exec(type)?.[1] ?? /<meta[^>]{0,200}?charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // a charset that nobody knows
  }
}

function fitJson(text: string): string {
  let fitting = text;
  while (Buffer.byteLength(JSON.stringify(fitting)) > JSON_MAX_BYTES) fitting = fitting.slice(0, Math.floor(fitting.length * 0.75));
  return fitting;
}
