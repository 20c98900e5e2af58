import { type ParsedHost, parseHost } from '@vedette/contract';

/** Where a request of the browser wants to go, in the words of our policy. */
export interface Destination extends ParsedHost {
  port: number;
}

/** A plain request: where to, and for what. */
export interface PlainTarget extends Destination {
  /** Path and query, as they were written. */
  path: string;
  /** Host, and port where it is not 80, as a Host field has them. */
  authority: string;
}

const AUTHORITY = /^(\[[\da-f:.]+\]|[^:[\]/?#@\s]+):(\d{1,5})$/i;
const ABSOLUTE_FORM = /^http:\/\/([^/?#]+)([/?][\x21-\x7e]*)?$/i;

/** The target of a CONNECT (RFC 9112 §3.2.3): host and port, nothing else. Undefined where it is not one. */
export function parseAuthority(text: string): Destination | undefined {
  const [, written, digits] = AUTHORITY.exec(text) ?? [];
  const host = written === undefined ? undefined : parseHost(written);
  const port = Number(digits);
  return host && port > 0 && port <= 65_535 ? { ...host, port } : undefined;
}

/** The target of a request to a proxy (RFC 9112 §3.2.2), http alone: TLS is spoken through tunnels. Undefined for any other form, userinfo included. */
export function parsePlainTarget(text: string): PlainTarget | undefined {
  const [, authority = '', path = '/'] = ABSOLUTE_FORM.exec(text) ?? [];
  const destination = parseAuthority(/:\d+$/.test(authority) ? authority : `${authority}:80`);
  return destination && { ...destination, path: path.startsWith('?') ? `/${path}` : path, authority };
}
