import { type Clock, ENDED } from '@vedette/contract';
import type { RenderPart } from '../frames/index.ts';
import { chunkAt } from '../wire/chunks.ts';
import type { Bus, BusMessage } from '../wire/connection.ts';
import { readOutputRequest } from './render-frames.ts';

/** A result that is not fetched within this time is dropped. */
const HOLD_MS = 20_000;
const NOTHING = new Uint8Array();

/** The parts of a result to fetch. */
export type Parts = ReadonlyMap<RenderPart, Uint8Array>;

interface Held {
  parts: Parts;
  nonce: string;
  bytes: number;
  /** Ends the wait for the next request. */
  expiry: AbortController;
}

/** Results until their gateways have fetched them, or for a while. */
export class RenderOutbox {
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #onFreed: () => void;
  readonly #held = new Map<string, Held>();
  #bytes = 0;

  /** `onFreed`: there is more room than before. */
  constructor(bus: Bus, clock: Clock, onFreed: () => void) {
    this.#bus = bus;
    this.#clock = clock;
    this.#onFreed = onFreed;
  }

  get bytes(): number {
    return this.#bytes;
  }

  hold(key: string, nonce: string, parts: Parts): void {
    if (parts.size === 0) return;
    const bytes = parts.values().reduce((sum, { length }) => sum + length, 0);
    const held = { nonce, parts, bytes, expiry: new AbortController() };
    this.#held.set(key, held);
    this.#bytes += bytes;
    this.#keep(key, held);
  }

  drop(key: string): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    held.expiry.abort(ENDED);
    this.#held.delete(key);
    this.#bytes -= held.bytes;
    this.#onFreed();
  }

  /** A gateway requests a chunk, or ends the transfer. A request without the job's nonce, or after the end, gets no answer. */
  readonly onRequest = ({ data, reply }: BusMessage): void => {
    const frame = readOutputRequest(data);
    if (frame === undefined) return;
    const key = `${frame.job}.${frame.attempt}`;
    const held = this.#held.get(key);
    const known = held?.nonce === frame.nonce;
    if (frame.part === undefined) {
      if (known) this.drop(key);
      return;
    }
    if (reply === undefined) return;
    const part = known ? held.parts.get(frame.part) : undefined;
    this.#bus.publish(reply, part === undefined ? NOTHING : chunkAt(part, frame.offset));
    if (known) this.#keep(key, held);
  };

  /** Holds it for as long again. */
  #keep(key: string, held: Held): void {
    held.expiry.abort(ENDED);
    held.expiry = new AbortController();
    this.#clock.sleep(HOLD_MS, held.expiry.signal).then(
      () => this.drop(key),
      () => {}, // a request came
    );
  }
}
