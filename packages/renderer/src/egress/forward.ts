import { type ClientRequest, type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ProbeFailure } from '@vedette/contract';
import type { PlainTarget } from './destination.ts';
import { answerFields, HEAD_MAX_BYTES, requestFields } from './fields.ts';

export interface ForwardOptions {
  request: IncomingMessage;
  response: ServerResponse;
  target: PlainTarget;
  socket: Socket;
  /** Counts octets of the wire; what throws ends the exchange. */
  count(sent: number, received: number): void;
}

/** A server that says nothing for so long says nothing more. */
const IDLE_MS = 30_000;
const INTERIM_MAX = 8;

/**
 * Sends a plain request on over a connection of its own, and its answer back. Fields of one connection are not forwarded in either
 * direction, and no field about us is added: the server sees a browser. An offer to upgrade is passed over (RFC 9110 §7.8), for which
 * browsers use tunnels. Rejects with `ProbeFailure` http_protocol, http_timeout or too_large, as long as nothing of the answer was handed
 * on; later it breaks off.
 */
export async function forward({ request, response, target, socket, count }: ForwardOptions): Promise<void> {
  const fields = requestFields(request, target);
  const counter = startCounter(socket, count);
  const outgoing = sendRequest({
    createConnection: () => socket,
    method: request.method,
    path: target.path,
    headers: fields,
    setHost: false,
    maxHeaderSize: HEAD_MAX_BYTES,
    insecureHTTPParser: false,
  });
  outgoing.maxHeadersCount = 0;
  response.once('close', () => outgoing.destroy());
  try {
    const answering = answerTo(outgoing);
    request.on('data', () => outgoing.destroyed || attempt(outgoing, counter));
    request.pipe(outgoing);
    const answer = await answering;
    response.writeHead(answer.statusCode!, answer.statusMessage, answerFields(answer));
    await handOn(answer, response, () => attempt(outgoing, counter));
  } finally {
    outgoing.destroy();
    counter();
  }
}

/** The final answer's head. */
function answerTo(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let interim = 0;
    outgoing.once('response', resolve);
    outgoing.on('information', () => {
      if (++interim > INTERIM_MAX) outgoing.destroy(new ProbeFailure('http_protocol', 'too many interim answers'));
    });
    outgoing.once('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(new ProbeFailure('http_protocol', 'switched to a protocol that nobody asked for'));
    });
    outgoing.setTimeout(IDLE_MS, () => outgoing.destroy(new ProbeFailure('http_timeout')));
    outgoing.on('error', (error: NodeJS.ErrnoException) => reject(asFailure(error)));
  });
}

function handOn(answer: IncomingMessage, response: ServerResponse, onChunk: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    answer.on('data', onChunk);
    answer.once('error', (error) => reject(asFailure(error)));
    response.once('error', reject);
    response.once('close', resolve);
    answer.pipe(response);
  });
}

/** Tells what the socket has carried since it was asked last. */
function startCounter(socket: Socket, count: ForwardOptions['count']): () => void {
  let sent = 0;
  let received = 0;
  return () => {
    const { bytesWritten, bytesRead } = socket;
    const [more, moreCame] = [bytesWritten - sent, bytesRead - received];
    sent = bytesWritten;
    received = bytesRead;
    count(more, moreCame);
  };
}

function attempt(outgoing: ClientRequest, counter: () => void): void {
  try {
    counter();
  } catch (error) {
    outgoing.destroy(error as Error);
  }
}

function asFailure(error: NodeJS.ErrnoException): ProbeFailure {
  if (error instanceof ProbeFailure) return error;
  const code = error.code ?? error.message;
  return new ProbeFailure(code === 'HPE_HEADER_OVERFLOW' ? 'too_large' : 'http_protocol', code, { cause: error });
}
