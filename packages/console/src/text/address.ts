/** Where a link may lead: a page of ours, or one of these schemes. Anything else is no link. */
const SCHEMES = new Set(['http:', 'https:', 'mailto:']);
const HERE = 'https://here.invalid';

/** The address as a link may have it; undefined for what must not be one, such as `javascript:` in any disguise. */
export function safeAddress(address: string): string | undefined {
  // Browsers drop tabs and line feeds, and take `\` for `/`: only the parsed address tells whether it stays here.
  if (address.startsWith('/')) {
    if (!URL.canParse(address, HERE)) return undefined;
    const { origin, pathname, search, hash } = new URL(address, HERE);
    return origin === HERE && !pathname.startsWith('//') ? pathname + search + hash : undefined;
  }
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return SCHEMES.has(url.protocol) ? url.href : undefined;
}

/** A URL without the user and the password in it; any other text as it is. */
export function withoutUser(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.username + url.password === '') return text;
  url.username = '';
  url.password = '';
  return url.href;
}
