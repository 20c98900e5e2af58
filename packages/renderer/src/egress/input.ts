import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A name that cannot be registered (RFC 6761 §6.4), and that no other job's page can guess. */
export const randomInputHost = (): string => `${randomBytes(16).toString('hex')}.invalid`;

/**
 * Answers with the page that came as the job's input, at its one path. In what is UTF-8 beyond ASCII, browsers are told so: without a word
 * they would take it for windows-1252. Servers that the page contacts do not learn this meaningless address.
 */
export function serveInput(input: Uint8Array, { method, url }: Pick<IncomingMessage, 'method' | 'url'>, response: ServerResponse): void {
  const isPage = (method === 'GET' || method === 'HEAD') && url?.endsWith('.invalid/') === true;
  const charset = isUtf8(input) && input.some((octet) => octet > 0x7f) ? '; charset=utf-8' : '';
  const fields = { 'content-type': `text/html${charset}`, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  if (isPage) response.writeHead(200, { ...fields, 'content-length': input.length }).end(method === 'HEAD' ? undefined : input);
  else response.writeHead(404, { 'content-length': 0, 'cache-control': 'no-store' }).end();
}
