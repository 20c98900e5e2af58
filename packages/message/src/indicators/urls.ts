/** Longer URLs are cut: the useful part is at the beginning. */
export const URL_MAX_CHARS = 8_192;
/** A name is 253 characters; to convert one to A-labels takes the square of what there is. */
const HOST_MAX_CHARS = 1_000;
const AUTHORITY = /^[^/?#\\]{0,20}:?[/\\]{2,20}([^/?#\\]*)/;

/** Parses a URL as written, absolute or relative to a base; undefined for other text. Never throws, and takes time linear in its length. */
export function readUrl(written: string, base?: string): URL | undefined {
  const text = written.length > 2 * URL_MAX_CHARS ? written.slice(0, 2 * URL_MAX_CHARS).trim() : written.trim();
  const authority = AUTHORITY.exec(text)?.[1] ?? '';
  if (authority.length - (authority.lastIndexOf('@') + 1) > HOST_MAX_CHARS) return undefined;
  return URL.parse(text.slice(0, URL_MAX_CHARS), base) ?? undefined;
}

/**
 * The URL of an attribute: relative URLs are resolved against the `base` of the message. Most messages do not have one, so that relative
 * URLs lead nowhere. URLs without a scheme become https, as in mail programs.
 */
export function readReference(written: string, base: string | undefined): URL | undefined {
  return readUrl(written, base) ?? (/^\s*[/\\]{2}[^/\\]/.test(written) ? readUrl(written, 'https://localhost/') : undefined);
}

export const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:' || protocol === 'ftp:';
