import type { Socket } from 'node:net';
import { type Endpoint, ProbeFailure } from '@vedette/contract';
import { formatEndpoint } from '../dns/engine/endpoints.ts';
import { type ProxyPeer, ProxyFault } from './proxy.ts';
import { readUntil } from './read.ts';

const HEAD_MAX_BYTES = 64 * 1024;

/**
 * Asks a proxy for a tunnel to an address (RFC 9110 §9.3.6): a name would be resolved once more, by the proxy. Rejects with `ProxyFault`,
 * `ConnectionLost`, or with `ProbeFailure` for what the proxy says of the target.
 */
export async function connectHttp(socket: Socket, peer: ProxyPeer, endpoint: Endpoint): Promise<void> {
  const authority = formatEndpoint(endpoint);
  const credentials = Buffer.from(`${peer.username ?? ''}:${peer.password ?? ''}`).toString('base64');
  const authorization = peer.username === undefined ? '' : `Proxy-Authorization: Basic ${credentials}\r\n`;
  const further = Object.entries(peer.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}${further.join('')}\r\n`);
  const head = (await readUntil(socket, '\r\n\r\n', HEAD_MAX_BYTES)).toString('latin1');
  const status = Number(/^HTTP\/1\.[01] (\d{3})\b/.exec(head)?.[1] ?? 0);
  if (status >= 200 && status < 300) return;
  if (status === 407) throw new ProxyFault('the credentials were refused');
  // A proxy that cannot reach the target says so by a 5xx (RFC 9110 §15.6.3, §15.6.5), one that may not by a 403 (§15.5.4).
  if (status === 504) throw new ProbeFailure('connect_timeout', `as seen from ${peer.called}`);
  if (status === 403 || status >= 500) throw new ProbeFailure('connect_unreachable', `${peer.called} answered ${status}`);
  throw new ProxyFault(status === 0 ? 'not an HTTP proxy' : `it answered ${status}`);
}
