import { chunkAt } from '../wire/chunks.ts';
import type { Bus, BusMessage } from '../wire/connection.ts';
import { readInputRequest } from './render-frames.ts';
import { subjects } from '../wire/subjects.ts';

/** The inputs of running jobs, sent in chunks to renderers that know the job's nonce. */
export class RenderInputs {
  readonly #bus: Bus;
  readonly #offered = new Map<string, { nonce: string; input: Uint8Array }>();
  readonly close: () => void;

  constructor(bus: Bus, gatewayId: string) {
    this.#bus = bus;
    const subscription = bus.subscribe(subjects.renderInput(gatewayId), (message) => this.#onRequest(message));
    this.close = () => subscription.unsubscribe();
  }

  /** Hands it out until what it gives is called. `key`: `<job>.<attempt>`. */
  offer(key: string, nonce: string, input: Uint8Array): () => void {
    this.#offered.set(key, { nonce, input });
    return () => void this.#offered.delete(key);
  }

  /** The chunk goes where renderers hear chunks, and nowhere that a stolen one may name. */
  #onRequest({ data }: BusMessage): void {
    const frame = readInputRequest(data);
    if (frame === undefined) return;
    const { job, attempt, nonce, key, renderer, id, offset } = frame;
    const offered = this.#offered.get(`${job}.${attempt}`);
    if (offered?.nonce !== nonce) return;
    this.#bus.publish(subjects.renderChunk(key, renderer, id), chunkAt(offered.input, offset));
  }
}
