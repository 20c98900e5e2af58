import { createHash } from 'node:crypto';
import { CHUNK_BYTES, type Payload } from '../frames/index.ts';
import { type Clock, unlessAborted, within } from '@vedette/contract';
import { type Bus, isNoResponders } from './connection.ts';

/** Chunks that are asked for ahead: the bus carries one while another is written. */
const WINDOW = 4;
/** A chunk that has not come by then is asked for once more: messages are at most once. */
const PATIENCE_MS = 3_000;
const TRIES = 2;

/** A payload cannot be had: who held it is gone, has dropped it, or sends another. */
export class PayloadLost extends Error {
  override name = 'PayloadLost';
}

/** One chunk of a payload, as it lies there; no copy. */
export const chunkAt = (payload: Uint8Array, offset: number): Uint8Array => payload.subarray(offset, offset + CHUNK_BYTES);

/** The description of a payload in a frame. Off and on again: hashing all of one at once would hold the event loop up. */
export async function payloadOf(bytes: Uint8Array): Promise<Payload> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve));
    hash.update(chunkAt(bytes, at));
  }
  return { bytes: bytes.length, sha256: hash.digest('hex') };
}

/** The answers to questions for chunks: one subscription for all of them, each with a last token of its own. */
export class ChunkInbox {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, (chunk: Uint8Array | undefined) => void>();
  #requests = 0;
  readonly #close: () => void;

  /** `prefix`: chunks arrive at `<prefix>.<id>`. */
  constructor(bus: Pick<Bus, 'subscribe'>, clock: Clock, prefix: string) {
    this.#clock = clock;
    const subscription = bus.subscribe(`${prefix}.*`, (message) => {
      const settle = this.#waiting.get(message.subject.slice(prefix.length + 1));
      settle?.(isNoResponders(message) || message.data.length === 0 ? undefined : message.data);
    });
    this.#close = () => subscription.unsubscribe();
  }

  /**
   * Fetches a payload, `ask` for chunk after chunk: it gets the id that the answer is to carry, and returns false where it cannot ask.
   * Rejects with `PayloadLost`, or with the signal's reason.
   */
  async fetch({ bytes, sha256 }: Payload, ask: (id: string, offset: number) => boolean, signal: AbortSignal): Promise<Buffer> {
    const payload = Buffer.allocUnsafeSlow(bytes);
    const hash = createHash('sha256');
    const coming: Promise<Uint8Array>[] = [];
    let requested = 0;
    for (let at = 0; at < bytes; at += CHUNK_BYTES) {
      for (; requested < bytes && coming.length < WINDOW; requested += CHUNK_BYTES) {
        const offset = requested;
        const chunk = this.#chunk((id) => ask(id, offset), signal);
        chunk.catch(() => {}); // it is awaited below, unless one before it fails
        coming.push(chunk);
      }
      const chunk = (await coming.shift())!;
      if (chunk.length !== Math.min(CHUNK_BYTES, bytes - at)) throw new PayloadLost('a chunk has another size than it should');
      hash.update(chunk);
      payload.set(chunk, at);
    }
    if (hash.digest('hex') !== sha256) throw new PayloadLost('the hash is of something else');
    return payload;
  }

  close(): void {
    this.#close();
    for (const settle of this.#waiting.values()) settle(undefined);
  }

  async #chunk(ask: (id: string) => boolean, signal: AbortSignal): Promise<Uint8Array> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const chunk = await this.#once(ask, signal);
      if (chunk === 'gone') break;
      if (chunk !== 'late') return chunk;
    }
    throw new PayloadLost('who had it does not send it');
  }

  async #once(ask: (id: string) => boolean, signal: AbortSignal): Promise<Uint8Array | 'gone' | 'late'> {
    signal.throwIfAborted();
    const id = (this.#requests += 1).toString(36);
    const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
    this.#waiting.set(id, resolve);
    try {
      if (!ask(id)) return 'gone';
      return (
        (await within(
          this.#clock,
          PATIENCE_MS,
          signal,
          () => LATE,
          (ended) => unlessAborted(ended, promise),
        )) ?? 'gone'
      );
    } catch (error) {
      if (error !== LATE) throw error;
      return 'late';
    } finally {
      this.#waiting.delete(id);
    }
  }
}

const LATE = new Error('a chunk did not come in time');
