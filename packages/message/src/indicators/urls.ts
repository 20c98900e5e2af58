/** Longer ones are cut: what is of use to anybody stands at the beginning. */
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
 * Where an attribute leads: relative URLs to the `base` of the message, of which most have none, so that they lead nowhere; without a scheme to https, as mail
 * programs have it.
 */
export function readReference(written: string, base: string | undefined): URL | undefined {
  return readUrl(written, base) ?? (/^\s*[/\\]{2}[^/\\]/.test(written) ? readUrl(written, 'https://localhost/') : undefined);
}

export const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:' || protocol === 'ftp:';
