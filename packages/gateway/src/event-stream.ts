import { pipeline } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { inPieces, PIECE_BYTES } from './pieces.ts';

/** `text/event-stream` (WHATWG HTML §9.2): each location as it finishes, then the whole report. */
export class EventStream {
  readonly #reply: FastifyReply;
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
    raw.flushHeaders();
  }

  /** `data` is JSON on one line. */
  send(event: string, data: string): void {
    this.#reply.raw.write(line(event, data));
  }

  end(event: string, data: string): FastifyReply {
    const { raw } = this.#reply;
    if (data.length <= PIECE_BYTES) raw.end(line(event, data));
    else pipeline(inPieces(Buffer.from(line(event, data))), raw, () => undefined); // its client may leave
    return this.#reply;
  }
}

const line = (event: string, data: string): string => `event: ${event}\ndata: ${data}\n\n`;
