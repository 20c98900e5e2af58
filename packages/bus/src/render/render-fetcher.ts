import type { Clock } from '@vedette/contract';
import { RENDER_PARTS, type RenderFinalFrame, type RenderPart } from '../frames/index.ts';
import { ChunkInbox } from '../wire/chunks.ts';
import type { Bus } from '../wire/connection.ts';
import { writeOutputRequest } from './render-frames.ts';
import type { RendererId } from './renderer-presence.ts';
import { subjects } from '../wire/subjects.ts';

/** Fetches what renderers hold for us. */
export class RenderFetcher {
  readonly #bus: Bus;
  readonly #prefix: string;
  readonly #inbox: ChunkInbox;

  /** `prefix`: the chunks arrive at `<prefix>.<id>`. */
  constructor(bus: Bus, clock: Clock, prefix: string) {
    this.#bus = bus;
    this.#prefix = prefix;
    this.#inbox = new ChunkInbox(bus, clock, prefix);
  }

  /** The parts of a result to fetch; the renderer drops it in any case. Rejects with `PayloadLost`, or with the signal's reason. */
  async fetch(
    payloads: NonNullable<RenderFinalFrame['payloads']>,
    { key, renderer }: RendererId,
    head: { job: string; attempt: number; nonce: string },
    signal: AbortSignal,
  ): Promise<Partial<Record<RenderPart, Buffer>>> {
    const subject = subjects.renderOutput(key, renderer);
    const fetched: Partial<Record<RenderPart, Buffer>> = {};
    const parts = RENDER_PARTS.filter((part) => payloads[part] !== undefined);
    try {
      for (const part of parts) {
        const ask = (id: string, offset: number) =>
          this.#bus.publish(subject, writeOutputRequest({ ...head, part, offset }), `${this.#prefix}.${id}`);
        fetched[part] = await this.#inbox.fetch(payloads[part]!, ask, signal);
      }
      return fetched;
    } finally {
      if (parts.length > 0) this.#bus.publish(subject, writeOutputRequest({ ...head, offset: 0 }));
    }
  }

  close(): void {
    this.#inbox.close();
  }
}
