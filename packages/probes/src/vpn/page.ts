import { decodeText } from '../http/charset.ts';
import { unpackUpTo } from '../http/wire/coding.ts';
import { contentCodings, type HttpHead, headerValues } from '../http/wire/message.ts';

/** Limit on the body as transferred, and again on what it unpacks to. */
export const PAGE_MAX_BYTES = 128 * 1024;
/** Limit on the page as JSON, so that it fits a frame beside its headers whatever has to be escaped. */
const JSON_MAX_BYTES = 96 * 1024;

/**
 * The beginning of a page as text, from the beginning of its body. Empty when it is not text, or is encoded in an unknown way. A part that
 * cannot be unpacked or read is left out, never an error.
 */
export async function pageText(head: HttpHead, body: Uint8Array): Promise<string> {
  const type = headerValues(head, 'content-type')[0] ?? 'text/html';
  if (!/^\s*(text\/|application\/(xhtml\+)?xml)/i.test(type)) return '';
  const { bytes } = await unpackUpTo(contentCodings(head), body, PAGE_MAX_BYTES);
  return fitJson(await decodeText(bytes, type));
}

function fitJson(text: string): string {
  let fitting = text;
  while (Buffer.byteLength(JSON.stringify(fitting)) > JSON_MAX_BYTES) fitting = fitting.slice(0, Math.floor(fitting.length * 0.75));
  return fitting;
}
