import type { Socket } from 'node:net';
import { type Clock, type ParsedUrl, ProbeFailure, type ProbePorts } from '@vedette/contract';
import { certificateWanted, type Shown, startTls, type TlsProfile, type TlsSession } from '../net/tls.ts';
import { getOverHttp1 } from './http1.ts';
import { getOverHttp2 } from './http2.ts';
import type { AnswerSink, RequestFields } from './message.ts';
import type { HttpTrace } from './trace.ts';

export interface ExchangeOptions {
  target: ParsedUrl;
  /** Filled as the exchange goes on, so a failure still has what was measured. */
  trace: HttpTrace;
  /** A fresh connection to the target, straight or through an exit. Called twice when only a legacy handshake works. */
  open: () => Promise<Socket>;
  /** Takes each piece of the body as transferred. */
  onBody?: (chunk: Uint8Array) => void;
  /** What is offered over TLS; any where nothing is said. */
  protocol?: Protocols;
  /** Limit on the body: what is beyond is not read. */
  bodyMaxBytes: number;
  /** Extra roots, PEM. */
  ca: readonly string[];
  userAgent: string;
  /** Beside those that every request carries. */
  requestFields?: RequestFields;
  clock: Clock;
  /** The sockets of `open` close with it. */
  signal: AbortSignal;
}

/** The versions of HTTP that may be spoken: `any` is HTTP/2 where the server does, else HTTP/1.1. */
export type Protocols = 'http/1.1' | 'any';

/**
 * One GET over one fresh connection: connect, TLS, request, head, body. Redirects are not followed, an invalid
 * certificate does not stop it. Rejects with `ProbeFailure` of connect, tls_handshake, http_protocol, http_timeout, too_large.
 */
export async function exchange(options: ExchangeOptions): Promise<void> {
  const { target, trace, userAgent, requestFields, clock } = options;
  const sink = sinkOf(options);
  if (target.url.protocol === 'http:') {
    const socket = await connect(options);
    trace.phase = 'answer';
    await getOverHttp1(socket, target.url, sink, userAgent, requestFields);
  } else {
    const { socket, ...session } = await secure(options);
    trace.tls = session;
    trace.phase = 'answer';
    try {
      await (session.alpn === 'h2' ? getOverHttp2 : getOverHttp1)(socket, target.url, sink, userAgent, requestFields);
    } catch (error) {
      // Under TLS 1.3 the handshake is over for a client before the server has looked at its certificate.
      const refused = session.asksForCertificate && trace.firstByte === undefined && !options.signal.aborted;
      throw refused ? certificateWanted() : error;
    }
  }
  trace.ended = clock.now();
}

/** The exchange of a probe, out of the target's budgets at this location: rejects as `exchange` does, and with target_limited. */
export async function exchangeWithin(
  { limits, ca, userAgent, clock }: ProbePorts,
  { address, ...options }: Omit<ExchangeOptions, 'ca' | 'userAgent' | 'clock'> & { address: string },
): Promise<void> {
  const release = limits.http(address, options.target.host);
  try {
    await exchange({ ...options, ca, userAgent, clock });
  } finally {
    release();
  }
}

async function connect({ open, trace, clock }: ExchangeOptions): Promise<Socket> {
  trace.phase = 'connect';
  trace.connecting = clock.now();
  const socket = await open();
  trace.connected = clock.now();
  if (socket.remoteAddress !== undefined) trace.remoteAddress ??= socket.remoteAddress;
  return socket;
}

async function secure(options: ExchangeOptions): Promise<TlsSession> {
  try {
    return await handshake(options, 'modern');
  } catch (error) {
    // Only what OpenSSL itself refused, or was refused for, may go better with other parameters.
    const cause =
      error instanceof ProbeFailure && error.code === 'tls_handshake' ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
    const code = cause?.code;
    if (!code?.startsWith('ERR_SSL_') || code === 'ERR_SSL_WRONG_VERSION_NUMBER') throw error;
    return handshake(options, 'legacy');
  }
}

async function handshake(options: ExchangeOptions, profile: TlsProfile): Promise<TlsSession> {
  const { target, trace, ca, signal, clock, protocol = 'any' } = options;
  const socket = await connect(options);
  trace.phase = 'tls';
  const onShown = (shown: Shown) => (trace.shown = shown);
  const session = await startTls({ socket, host: target, alpn: ALPN[protocol], ca, profile, signal, onShown });
  trace.secured = clock.now();
  return session;
}

const ALPN: Record<Protocols, readonly string[]> = { any: ['h2', 'http/1.1'], 'http/1.1': ['http/1.1'] };

function sinkOf({ trace, clock, onBody, bodyMaxBytes }: ExchangeOptions): AnswerSink {
  return {
    firstByte() {
      trace.firstByte ??= clock.now();
    },
    head(head) {
      trace.head = head;
    },
    body(chunk) {
      const room = bodyMaxBytes - trace.bodyBytes;
      const taken = chunk.length > room ? chunk.subarray(0, room) : chunk;
      trace.bodyBytes += taken.length;
      onBody?.(taken);
      trace.bodyTruncated = chunk.length > room;
      return !trace.bodyTruncated;
    },
  };
}
