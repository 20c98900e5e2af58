import type { FastifyReply } from 'fastify';

/** An answer of JSON lines, each sent when it is there. */
export class Lines {
  readonly #reply: FastifyReply;
  #corked = false;
  #drained: PromiseWithResolvers<void> | undefined;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
  }

  open(): void {
    this.#reply.hijack();
    const { raw } = this.#reply;
    for (const [name, value] of Object.entries(this.#reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no', // nginx would keep the lines back
    });
    raw.flushHeaders();
    const resume = () => this.#drained?.resolve();
    raw.on('drain', resume).once('close', resume);
  }

  /** Lines of one turn of the event loop leave together. */
  write(line: string): void {
    const { raw } = this.#reply;
    if (!this.#corked) {
      this.#corked = true;
      raw.cork();
      process.nextTick(() => {
        this.#corked = false;
        raw.uncork();
      });
    }
    raw.write(`${line}\n`);
  }

  /** Resolves when the client has read enough for more lines, or has gone. */
  async ready(): Promise<void> {
    const { raw } = this.#reply;
    if (raw.closed || !raw.writableNeedDrain) return;
    this.#drained ??= Promise.withResolvers<void>();
    await this.#drained.promise;
    this.#drained = undefined;
  }

  end(): FastifyReply {
    this.#reply.raw.end();
    return this.#reply;
  }
}
