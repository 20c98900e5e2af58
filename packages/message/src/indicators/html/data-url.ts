import { percentDecoded } from '@vedette/web/links';

/** The content of a `data:` URL (RFC 2397). */
export interface DataUrl {
  /** The media type, in lower case, without parameters. */
  type: string;
  content: Uint8Array;
  /** The content as UTF-8, which such documents are in. */
  text(): string;
}

const HEAD_MAX_CHARS = 200;

/** Parses a `data:` URL; undefined for other text. */
export function readDataUrl(url: string): DataUrl | undefined {
  const comma = url.slice(0, HEAD_MAX_CHARS).indexOf(',');
  if (comma < 0 || !/^data:/i.test(url)) return undefined;
  const head = url.slice('data:'.length, comma).toLowerCase();
  const body = url.slice(comma + 1);
  const content = /;\s*base64\s*$/.test(head)
    ? Buffer.from(body.includes('%') ? percentDecoded(body) : body, 'base64')
    : Buffer.from(percentDecoded(body));
  return { type: head.split(';', 1)[0]!.trim() || 'text/plain', content, text: () => content.toString() };
}
