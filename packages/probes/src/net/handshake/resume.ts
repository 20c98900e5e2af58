import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import type { Clock } from '@vedette/contract';

export interface ResumeOptions {
  /** A connected socket, which is closed afterwards. */
  socket: Socket;
  /** Sent as SNI. */
  serverName: string | undefined;
  version: 'TLSv1.2' | 'TLSv1.3';
  /** Asks for a ticket; without, a session has an id only. */
  tickets: boolean;
  alpn: readonly string[];
  /** The session to be resumed. */
  session?: Buffer | undefined;
  clock: Pick<Clock, 'sleep'>;
  signal: AbortSignal;
}

/** A handshake that was completed. */
export interface Completed {
  reused: boolean;
  /** Resumes the session in another handshake; undefined without. */
  session: Buffer | undefined;
  hasTicket: boolean;
  alpn: string;
  stapled: boolean;
}

/** Tickets of TLS 1.3 come behind the handshake. */
const TICKET_WAIT_MS = 500;

/** Completes a handshake with the terms of an old client, whatever the certificate is. Undefined where it fails; rejects with the signal's reason. */
export async function completeHandshake(options: ResumeOptions): Promise<Completed | undefined> {
  const { socket: tcp, serverName, version, tickets, alpn, session, clock, signal } = options;
  signal.throwIfAborted();
  const socket = connect({
    socket: tcp,
    secureContext: contextOf(version, tickets),
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
    requestOCSP: true,
    minDHSize: 1,
    ALPNProtocols: [...alpn],
    ...(serverName !== undefined && { servername: serverName }),
    ...(session && { session }),
  });
  const ended = new AbortController();
  const over = AbortSignal.any([signal, ended.signal]);
  let later: Buffer | undefined;
  let stapled = false;
  socket.on('OCSPResponse', (response: Buffer | null) => (stapled = response !== null && response.length > 0));
  socket.on('error', () => ended.abort());
  socket.on('close', () => ended.abort());
  try {
    if (!(await secured(socket, over))) return undefined;
    if (version === 'TLSv1.3') {
      const came = new AbortController();
      socket.once('session', (ticket) => {
        later = ticket;
        came.abort();
      });
      await clock.sleep(TICKET_WAIT_MS, AbortSignal.any([over, came.signal])).catch(() => {}); // it came, or the end
    }
    const isOld = version === 'TLSv1.2';
    return {
      reused: socket.isSessionReused(),
      session: isOld ? socket.getSession() : later,
      hasTicket: isOld ? socket.getTLSTicket() !== undefined : later !== undefined,
      alpn: typeof socket.alpnProtocol === 'string' ? socket.alpnProtocol : '',
      stapled,
    };
  } finally {
    socket.destroy();
    signal.throwIfAborted();
  }
}

const secured = (socket: TLSSocket, over: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    socket.once('secureConnect', () => resolve(true));
    over.addEventListener('abort', () => resolve(false), { once: true });
    if (over.aborted) resolve(false);
  });

const contexts = new Map<string, SecureContext>();

function contextOf(version: ResumeOptions['version'], tickets: boolean): SecureContext {
  const key = `${version} ${tickets}`;
  const known = contexts.get(key);
  if (known) return known;
  const made = createSecureContext({
    ca: [],
    minVersion: version === 'TLSv1.3' ? version : 'TLSv1',
    maxVersion: version,
    ciphers: 'ALL:@SECLEVEL=0',
    ...(!tickets && { secureOptions: constants.SSL_OP_NO_TICKET }),
  });
  contexts.set(key, made);
  return made;
}
