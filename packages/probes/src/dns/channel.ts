import type { TLSSocket } from 'node:tls';
import { type ParsedHost, ProbeFailure, type ProbePorts } from '@vedette/contract';
import { startTls } from '../net/tls.ts';
import type { DirectServer } from './direct-schema.ts';
import { HttpsChannel } from './transport/https-channel.ts';
import { StreamChannel } from './transport/stream-channel.ts';

const DEFAULT_PATH = '/dns-query';

/** A connection to one server, over which questions are asked. */
export interface Channel {
  /** Resolves with the response to the query. Rejects with `ProbeFailure`, the socket's error, or the signal's reason. */
  ask(query: Buffer, signal: AbortSignal): Promise<Buffer>;
  close(): void;
}

/**
 * Connects to a server whose address was judged, by a transport with connections. Rejects with `ProbeFailure` connect_…, tls_handshake,
 * tls_cert_invalid, and http_protocol where a server for https does not speak HTTP/2.
 */
export async function openChannel(
  { port, transport, path = DEFAULT_PATH }: Pick<DirectServer, 'port' | 'transport' | 'path'>,
  { address, host }: { address: string; host: ParsedHost },
  { dialler, ca, clock, userAgent }: ProbePorts,
  signal: AbortSignal,
): Promise<Channel> {
  const socket = await dialler.tcp({ address, port, service: 'dns', signal });
  if (transport !== 'tls' && transport !== 'https') return new StreamChannel(socket);
  const secured = await secure(socket, transport, { host, ca, clock, signal });
  if (transport === 'tls') return new StreamChannel(secured);
  const named = host.kind === 'ipv6' ? `[${host.host}]` : host.host;
  return new HttpsChannel(secured, { authority: port === 443 ? named : `${named}:${port}`, path, userAgent });
}

async function secure(
  socket: Parameters<typeof startTls>[0]['socket'],
  transport: 'tls' | 'https',
  { host, ca, clock, signal }: { host: ParsedHost; signal: AbortSignal } & Pick<ProbePorts, 'ca' | 'clock'>,
): Promise<TLSSocket> {
  const alpn = transport === 'tls' ? ['dot'] : ['h2'];
  const session = await startTls({ socket, host, alpn, ca, profile: 'modern', clock, signal });
  const fault = session.certificate.valid
    ? transport === 'https' && session.alpn !== 'h2'
      ? new ProbeFailure('http_protocol', 'the server does not speak HTTP/2')
      : undefined
    : new ProbeFailure('tls_cert_invalid', session.certificate.error);
  if (!fault) return session.socket;
  session.socket.destroy();
  throw fault;
}
