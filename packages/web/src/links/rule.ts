/** How one service writes the URL that its own links lead to. `find` gives it as it stands there, or undefined where it cannot be told. */
export interface LinkRule {
  /** The service, as people call it. */
  name: string;
  /** Its purpose: a mail gateway or tracker of messages, or a site's exit page before external links. */
  kind: 'gateway' | 'exit';
  /** Hosts that are its own; `*.` stands for one or more labels. Look-alikes of other owners are not included. */
  hosts: readonly string[];
  find(url: URL): string | undefined;
}

/** A parameter of the query, decoded once. A plus sign stays one: it is one in most URLs that are carried. */
export function parameter(url: URL, ...names: readonly string[]): string | undefined {
  for (const name of names)
    for (const pair of url.search.slice(1).split('&')) {
      const at = pair.indexOf('=');
      if (at > 0 && pair.slice(0, at) === name && pair.length > at + 1) return percentDecoded(pair.slice(at + 1));
    }
  return undefined;
}

/** Percent escapes decoded as UTF-8; unchanged if they are invalid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a URIError: a per cent sign that is one, or another character set
  }
}

/** Decodes base64 of either alphabet, with or without padding; undefined if it is invalid, or not UTF-8. */
export function base64Decoded(text: string): string | undefined {
  if (!/^[\w+/-]+={0,2}$/.test(text)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64url'));
  } catch {
    return undefined; // a TypeError: other octets
  }
}
