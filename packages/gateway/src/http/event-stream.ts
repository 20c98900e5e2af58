import { pipeline } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { inPieces, PIECE_BYTES } from './pieces.ts';

/** Proxies close what is silent, many after half a minute; the standard advises 15 s (WHATWG HTML §9.2.7). */
const KEEP_ALIVE_MS = 15_000;

/**
 * `text/event-stream` (WHATWG HTML §9.2): the chosen locations, each one as it finishes, then the whole report. Every event has an id: a client that reconnects
 * by itself says it in `Last-Event-ID`, and is not measured for again.
 */
export class EventStream {
  readonly #reply: FastifyReply;
  #sent = 0;
  #keepAlive: NodeJS.Timeout | undefined;
  opened = false;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
  }

  open(): void {
    this.opened = true;
    this.#reply.hijack();
    const { raw } = this.#reply;
    for (const [name, value] of Object.entries(this.#reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no', // nginx would keep the events back
    });
    // A comment: libraries pass on an id without data as an event, whose empty text is not JSON.
    raw.write(': measuring\n\n');
    // No empty line: Python's httpx-sse takes one for an event, without data, as soon as an id was sent.
    this.#keepAlive = setInterval(() => raw.write(': still measuring\n'), KEEP_ALIVE_MS).unref();
    raw.once('close', () => clearInterval(this.#keepAlive));
  }

  /** `data` is JSON on one line. */
  send(event: string, data: string): void {
    this.#reply.raw.write(this.#event(event, data));
  }

  end(event: string, data: string): FastifyReply {
    clearInterval(this.#keepAlive);
    const { raw } = this.#reply;
    if (data.length <= PIECE_BYTES) raw.end(this.#event(event, data));
    else pipeline(inPieces(Buffer.from(this.#event(event, data))), raw, () => undefined); // its client may leave
    return this.#reply;
  }

  #event(event: string, data: string): string {
    return `id: ${this.#nextId()}\nevent: ${event}\ndata: ${data}\n\n`;
  }

  #nextId(): string {
    return `${this.#reply.request.id}-${this.#sent++}`;
  }
}
