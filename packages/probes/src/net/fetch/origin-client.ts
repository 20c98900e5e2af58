import type { Socket } from 'node:net';
import { ProbeFailure } from '@vedette/contract';
import Client from 'undici/lib/dispatcher/client.js';

export interface ClientLimits {
  headBytes: number;
  /** Interim answers, RFC 9110 §15.2. */
  interim: number;
  /** The body as transferred. */
  bodyBytes: number;
}

export interface OriginRequest {
  /** Path and query of the URL. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** A new connection to the origin; undefined to use the kept one. */
  socket: Socket | undefined;
  /** Called with the first octets of an answer. */
  onFirstByte(): void;
}

export interface OriginAnswer {
  status: number;
  /** Lower-case names; values are Latin-1, as received. */
  headers: [name: string, value: string][];
  body: Buffer;
}

/** What comes beside the body: heads, trailers, chunk lines, TLS records. */
const BESIDE_BODY_BYTES = 1024 * 1024;
const BESIDE_BODY_SHARE = 0.1;

/**
 * GET requests to one origin over HTTP/1.1, one after the other, by undici on sockets that it is given: it resolves and dials nothing. A
 * connection is kept from one request to the next, until `close`.
 */
export class OriginClient {
  readonly origin: string;
  readonly #limits: ClientLimits;
  readonly #client: Client;
  #socket: Socket | undefined;
  /** Given with the request that is under way, and not used yet. */
  #given: Socket | undefined;
  #readBefore = 0;

  constructor(origin: string, limits: ClientLimits) {
    this.origin = origin;
    this.#limits = limits;
    this.#client = new Client(origin, {
      connect: (_options, connected) => queueMicrotask(() => this.#connect(connected)),
      allowH2: false,
      maxHeaderSize: limits.headBytes,
      maxResponseSize: limits.bodyBytes,
      // The deadline of the caller closes the socket.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** The address of the kept connection; empty without one. */
  get keptAddress(): string {
    return (this.#socket?.destroyed === false && this.#socket.remoteAddress) || '';
  }

  /** Rejects with `ProbeFailure` http_protocol or too_large. */
  get({ path, headers, socket, onFirstByte }: OriginRequest): Promise<OriginAnswer> {
    const { interim: interimMax } = this.#limits;
    if (socket) this.#socket?.destroy();
    this.#given = socket;
    this.#readBefore = socket ? 0 : this.#socket!.bytesRead;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let interim = 0;
      let head: Pick<OriginAnswer, 'status' | 'headers'> = { status: 0, headers: [] };
      this.#client.dispatch(
        { method: 'GET', path, headers },
        {
          onRequestStart() {},
          onResponseStarted: onFirstByte,
          onResponseStart(controller, status, fields) {
            head = { status, headers: pairsOf(fields) };
            if (status < 200 && ++interim > interimMax) controller.abort(failed('too many interim answers'));
          },
          onResponseData: (_controller, chunk) => void chunks.push(chunk),
          onResponseEnd: () => {
            // undici takes a reset for the end of a body without a length.
            const error = this.#socket?.errored;
            if (error) reject(this.#failureOf(error));
            else resolve({ ...head, body: Buffer.concat(chunks) });
          },
          onResponseError: (_controller, error) => reject(this.#failureOf(error)),
        },
      );
    });
  }

  close(): void {
    void this.#client.destroy();
  }

  /** One connection for each request: undici would ask for more for as long as servers accept and close at once. */
  #connect(connected: (...args: [error: null, socket: Socket] | [error: Error, socket: null]) => void): void {
    const socket = this.#given;
    this.#given = undefined;
    if (!socket) return connected(closed(), null);
    this.#socket = socket;
    socket.on('readable', () => this.#count(socket));
    connected(null, socket);
  }

  /** undici limits neither a reason phrase nor chunk extensions. */
  #count(socket: Socket): void {
    const { bodyBytes } = this.#limits;
    const max = bodyBytes * (1 + BESIDE_BODY_SHARE) + BESIDE_BODY_BYTES;
    if (socket.bytesRead - this.#readBefore > max) socket.destroy(new ProbeFailure('too_large', 'more framing than body'));
  }

  #failureOf(error: NodeJS.ErrnoException): Error {
    const { name, code = '', message } = error;
    const { headBytes, bodyBytes } = this.#limits;
    if (code === 'UND_ERR_HEADERS_OVERFLOW') return new ProbeFailure('too_large', `headers of more than ${headBytes} bytes`);
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return new ProbeFailure('too_large', `more than ${bodyBytes} bytes`);
    if (code === 'UND_ERR_SOCKET') return closed(error);
    // A refusal by the parser mostly has no code. What else has none, or one that is not listed, is ours: a `ProbeFailure`, or a defect.
    return name === 'HTTPParserError' || OF_THE_SERVER.test(code) ? failed(message, error) : error;
  }
}

const OF_THE_SERVER = /^(?:UND_ERR_(?!INVALID_ARG)\w+|ERR_SSL_\w+|E[A-Z]+)$/;

const failed = (seen: string, cause?: Error): ProbeFailure => new ProbeFailure('http_protocol', seen, { cause });
const closed = (cause?: Error): ProbeFailure => failed('the connection was closed', cause);

const pairsOf = (fields: Readonly<Record<string, string | string[] | undefined>>): OriginAnswer['headers'] =>
  Object.entries(fields).flatMap(([name, values]) => [values ?? []].flat().map((value): [string, string] => [name, value]));
