import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Clock, type ParsedHost, type ParsedUrl, ProbeFailure, type ProbePorts, unlessAborted, within } from '@vedette/contract';
import { certificateWanted, type Shown, startTls, type TlsProfile, type TlsSession } from '../../net/tls.ts';
import { askOverHttp1 } from './http1.ts';
import { askOverHttp2 } from './http2.ts';
import { type AnswerSink, type HttpHead, type HttpRequest, protocolError, type RequestFields } from './message.ts';
import { type Dial, Opener, type Route } from './opener.ts';
import type { HttpTrace } from '../trace.ts';

export interface ExchangeOptions {
  target: ParsedUrl;
  /** Filled as the exchange goes on, so a failure still has what was measured. */
  trace: HttpTrace;
  /** Fresh connections to the target, straight or through an exit: two when only a legacy handshake works, or a first address does not finish one. */
  opener: Opener;
  /** Takes each piece of the body as transferred. */
  onBody?: (chunk: Uint8Array) => void;
  /** The protocols offered over TLS; all when absent. */
  protocol?: Protocols;
  /** Limit on the body: what is beyond is not read. */
  bodyMaxBytes: number;
  /** Extra roots, PEM. */
  ca: readonly string[];
  userAgent: string;
  /** Beside those that every request carries. */
  requestFields?: RequestFields;
  /** A GET where nothing is said. */
  request?: HttpRequest | undefined;
  /** The name that the certificate must have, when it is not the target's. */
  certificateOf?: ParsedHost | undefined;
  /** Nothing is asked for over a certificate that is not valid. */
  verify?: boolean | undefined;
  /** Whether the body of an answer is not wanted at all. */
  enough?(head: HttpHead): boolean;
  clock: Clock;
  /** The sockets of `opener` close with it. */
  signal: AbortSignal;
}

/** The versions of HTTP that may be spoken: `any` is HTTP/2 where the server does, else HTTP/1.1. `h2` is spoken over TLS alone. */
export type Protocols = 'http/1.1' | 'any' | 'h2';

/**
 * One request over one fresh connection: connect, TLS, request, head, body. Redirects are not followed, an invalid
 * certificate does not stop it unless it is to be verified. Rejects with `ProbeFailure` of connect, tls_handshake, tls_cert_invalid,
 * http_protocol, http_timeout, too_large.
 */
export async function exchange(options: ExchangeOptions): Promise<void> {
  const { target, trace, protocol } = options;
  if (target.url.protocol === 'http:' && protocol === 'h2') throw protocolError('HTTP/2 is spoken over TLS alone');
  const socket = await openConnection(options);
  if (protocol === 'h2' && trace.tls?.alpn !== 'h2') {
    socket.destroy();
    throw protocolError('the server does not speak HTTP/2');
  }
  await answerOver(socket, options);
}

/** The request and its answer over a connection that `openConnection` opened. Rejects as `exchange` does once it is connected. */
export async function answerOver(socket: Socket, options: ExchangeOptions): Promise<void> {
  const { target, trace, userAgent, requestFields, request, clock } = options;
  const sink = sinkOf(options);
  try {
    if (trace.tls?.alpn === 'h2') await askOverHttp2(socket as TLSSocket, target.url, sink, userAgent, requestFields, request);
    else await askOverHttp1(socket, target.url, sink, userAgent, requestFields, request);
  } catch (error) {
    throw refusalOf(error, options);
  }
  trace.ended = clock.now();
}

/** The settings of one connection. */
export type ConnectionOptions = Pick<
  ExchangeOptions,
  'target' | 'trace' | 'opener' | 'protocol' | 'ca' | 'certificateOf' | 'verify' | 'clock' | 'signal'
>;

/**
 * A fresh connection over which the target can be asked: TCP for http, TLS for https. Rejects with `ProbeFailure` of connect,
 * tls_handshake, and tls_cert_invalid where the certificate is to be verified.
 */
export async function openConnection(options: ConnectionOptions): Promise<Socket> {
  const { target, trace, verify } = options;
  if (target.url.protocol === 'http:') {
    const socket = await connect(options);
    trace.phase = 'answer';
    return socket;
  }
  const { socket, ...session } = await secure(options);
  trace.tls = session;
  if (verify && !session.certificate.valid) {
    socket.destroy();
    throw new ProbeFailure('tls_cert_invalid', session.certificate.error);
  }
  trace.phase = 'answer';
  return socket;
}

/**
 * The failure of a request over the connection. Under TLS 1.3 the handshake is over for a client before the server has looked at its
 * certificate.
 */
export function refusalOf(error: unknown, { trace, signal }: Pick<ExchangeOptions, 'trace' | 'signal'>): unknown {
  const refused = trace.tls?.asksForCertificate === true && trace.firstByte === undefined && !signal.aborted;
  return refused ? certificateWanted() : error;
}

/** The exchange of a probe, out of the target's budgets at this location: rejects as `exchange` does, and with target_limited. */
export async function exchangeWithin(
  { limits, ca, userAgent, clock }: ProbePorts,
  { addresses, dial, next_ms, until, connectUntil, ...options }: Omit<ExchangeOptions, 'ca' | 'userAgent' | 'clock' | 'opener'> & Route,
): Promise<void> {
  const held = new Set<() => void>();
  // An attempt that came to nothing keeps no place while another address answers.
  const admitted: Dial = async (address, signal) => {
    const release = limits.http(address, options.target.host);
    held.add(release);
    try {
      return await dial(address, signal);
    } catch (error) {
      held.delete(release);
      release();
      throw error;
    }
  };
  try {
    const opener = new Opener({ addresses, dial: admitted, next_ms, until, connectUntil }, { ...options, clock });
    await exchange({ ...options, opener, ca, userAgent, clock });
  } finally {
    for (const release of held) release();
  }
}

async function connect({ opener, trace, clock }: ConnectionOptions): Promise<Socket> {
  trace.phase = 'connect';
  trace.connecting = clock.now();
  const socket = await opener.open();
  trace.connected = clock.now();
  return socket;
}

/** An address that accepts connections and finishes no handshake is left for another one, once. */
async function secure(options: ConnectionOptions): Promise<TlsSession> {
  try {
    return await secureOnce(options);
  } catch (error) {
    if (!(error instanceof SlowHandshake)) throw error;
    options.opener.moveOn(error);
    return await secureOnce(options).catch((other: unknown) => {
      // The one that accepted says more than others that do not.
      throw options.trace.phase === 'connect' && !options.signal.aborted ? error : other;
    });
  }
}

async function secureOnce(options: ConnectionOptions): Promise<TlsSession> {
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

/** An address has not finished its handshake in its part of the time. */
class SlowHandshake extends ProbeFailure {}

async function handshake(options: ConnectionOptions, profile: TlsProfile): Promise<TlsSession> {
  const { target, certificateOf = target, trace, ca, signal, clock, opener, protocol = 'any' } = options;
  const socket = await connect(options);
  trace.phase = 'tls';
  const onShown = (shown: Shown) => (trace.shown = shown);
  const start = (limited: AbortSignal) =>
    unlessAborted(limited, startTls({ socket, host: certificateOf, alpn: ALPN[protocol], ca, profile, clock, signal, onShown }));
  const ms = opener.handshakeMs;
  const slow = () => new SlowHandshake('tls_handshake', `no end after ${Math.round(ms ?? 0)} ms`);
  try {
    const session = await (ms === undefined ? start(signal) : within(clock, ms, signal, slow, start));
    trace.secured = clock.now();
    return session;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const ALPN: Record<Protocols, readonly string[]> = { any: ['h2', 'http/1.1'], 'http/1.1': ['http/1.1'], h2: ['h2'] };

function sinkOf({ trace, clock, onBody, bodyMaxBytes, enough }: ExchangeOptions): AnswerSink {
  return {
    ...(enough && { enough }),
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
