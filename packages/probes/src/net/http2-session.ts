import { type ClientHttp2Session, connect } from 'node:http2';
import type { TLSSocket } from 'node:tls';

/** Speaks HTTP/2 over a socket that is already connected, with nothing in it that a server can make us keep (RFC 9113 §10.5). */
export function openHttp2Session(
  socket: TLSSocket,
  origin: string,
  limits: { headerLines: number; headerBytes: number },
): ClientHttp2Session {
  return connect(origin, {
    createConnection: () => socket,
    maxHeaderListPairs: limits.headerLines + PSEUDO_HEADERS,
    maxReservedRemoteStreams: 0,
    maxSessionMemory: 1, // MB
    maxSettings: 32,
    maxOutstandingPings: 4,
    settings: { enablePush: false, maxHeaderListSize: limits.headerBytes },
  });
}

const PSEUDO_HEADERS = 1; // :status

/**
 * HTTP/2 has no reason phrase (RFC 9113 §8.3.1): the registered one stands in. Node's list is not
 * imported: that reads every export of the module, and one of them loads undici, 2 MB.
 */
export const reasonPhrase = (status: number): string => process.getBuiltinModule('node:http').STATUS_CODES[status] ?? '';
