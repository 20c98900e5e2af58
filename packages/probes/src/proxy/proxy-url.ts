import { parseHost } from '@vedette/contract';
import type { Proxy } from './proxy.ts';

const DEFAULT_PORTS = { socks5: 1080, http: 8080, https: 443 } as const;
const CREDENTIAL_MAX_BYTES = 255; // RFC 1929 §2

/**
 * Reads `socks5://user:pw@host:port` and the like; reserved characters in credentials are percent-encoded, and without a port it is 1080,
 * 8080 or 443. Undefined when it is nothing of the kind. The text holds a password: error messages must not repeat it.
 */
export function parseProxyUrl(text: string): Proxy | undefined {
  const match = /^(socks5|https?):\/\/(?:([^:@/]*):([^:@/]*)@)?([^@/]+?)(?::(\d{1,5}))?\/?$/i.exec(text);
  if (!match) return undefined;
  const [, scheme = '', user, secret, authority = '', number] = match;
  const kind = scheme.toLowerCase() as Proxy['kind']; // the pattern has no other
  const host = parseHost(authority)?.host;
  const port = number === undefined ? DEFAULT_PORTS[kind] : Number(number);
  const username = decode(user);
  const password = decode(secret);
  if (host === undefined || port < 1 || port > 65_535 || username === false || password === false) return undefined;
  return {
    kind,
    called: 'the proxy',
    host,
    port,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}

/** False when it is not percent-encoded text of at most 255 octets. */
function decode(text: string | undefined): string | undefined | false {
  if (text === undefined) return undefined;
  try {
    const decoded = decodeURIComponent(text);
    return Buffer.byteLength(decoded) <= CREDENTIAL_MAX_BYTES && decoded;
  } catch {
    return false;
  }
}
