/**
 * Gives the URLs of a chain the fragments that a browser has at each: one that a redirect does not name is kept (RFC 9110 §10.2.2). `first` is that of
 * the URL which was asked for, with its `#`; empty without.
 */
export function withFragments(urls: readonly string[], first: string): string[] {
  let fragment = first;
  return urls.map((written) => {
    const url = new URL(written);
    if (url.hash === '' && /^https?:$/.test(url.protocol)) url.hash = fragment;
    fragment = url.hash;
    return url.href;
  });
}
