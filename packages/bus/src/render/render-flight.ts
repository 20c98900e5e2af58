import { ENDED, type Clock } from '@vedette/contract';
import type { RenderCancelFrame, RenderContact, RenderFinalFrame, RenderNackFrame, RenderReplyFrame } from '../frames/index.ts';
import { isNoResponders, type Bus, type BusMessage } from '../wire/connection.ts';
import type { InFlight } from '../ask/inbox.ts';
import { readRenderReply, writeRenderCancel } from './render-frames.ts';
import { nameOf, type RendererId, type RendererPresence } from './renderer-presence.ts';
import { subjects } from '../wire/subjects.ts';

/** How one attempt ended. */
export type Landing =
  | { how: 'final'; by: RendererId; frame: RenderFinalFrame }
  | { how: 'nack'; by: RendererId; reason: RenderNackFrame['reason'] }
  /** No renderer is subscribed. */
  | { how: 'nobody' }
  /** No renderer acknowledged it. */
  | { how: 'silent' }
  /** It was acknowledged by one that is there no more, or does not say so. */
  | { how: 'lost'; by: RendererId }
  /** The renderer that acknowledged it is alive, but takes longer than others would. */
  | { how: 'late'; by: RendererId }
  | { how: 'bus_lost' };

/** A cancelled renderer reports its contacts and ends within this time. */
const LAST_MS = 1_000;

/** An ack takes a round trip; beside a browser that keeps all cores busy, a little more. */
const ACK_MS = 2_000;
/** A renderer with a job beats every 250 ms. One that misses so many of them is asked whether it is still there, and asked again. */
const MISSED_MS = 1_500;
/** One that says nothing at all for so long is lost, though the server knows it still: it is frozen. */
const LOST_MS = 5_000;

export interface FlightPlan {
  job: string;
  attempt: number;
  nonce: string;
  /** Subject that the job goes to. */
  subject: string;
  /** Subject of one renderer alone. */
  pinned: (by: RendererId) => string;
  /** The job, JSON text. */
  text: string;
  /** Subject of the frames back. */
  reply: string;
  /** Whether one that is at it for so many ms is to be given up for another. */
  isLate(by: RendererId, ms: number): boolean;
  /** Hears whom the job has contacted, once at the most. */
  onContacts(contacts: readonly RenderContact[]): void;
}

/** One attempt at one render, from its publish to its landing. */
export class RenderFlight implements InFlight {
  readonly landing: Promise<Landing>;
  readonly #last = Promise.withResolvers<void>();
  readonly #plan: FlightPlan;
  readonly #bus: Bus;
  readonly #presence: RendererPresence;
  readonly #clock: Clock;
  readonly startedAt: number;
  readonly #land: (landing: Landing) => void;
  /** The renderer that acknowledged it. */
  #by: RendererId | undefined;
  #ackedAt = Infinity;
  #askedAt = -Infinity;
  #over = false;
  /** Whether `onContacts` was called. */
  #told = false;

  constructor(plan: FlightPlan, { bus, presence, clock }: { bus: Bus; presence: RendererPresence; clock: Clock }) {
    this.#plan = plan;
    this.#bus = bus;
    this.#presence = presence;
    this.#clock = clock;
    this.startedAt = clock.now();
    const { promise, resolve } = Promise.withResolvers<Landing>();
    this.landing = promise;
    this.#land = (landing) => {
      this.#over = true;
      resolve(landing);
    };
  }

  launch(): void {
    const { subject, text, reply } = this.#plan;
    if (!this.#bus.publish(subject, text, reply)) this.#land({ how: 'bus_lost' });
  }

  /** How long it has been at work, ms; 0 before an acknowledgement. */
  get workedMs(): number {
    return Math.max(0, this.#clock.now() - this.#ackedAt);
  }

  /** Whether the frame was as it should be. */
  onMessage(message: BusMessage): boolean {
    if (isNoResponders(message)) {
      this.#last.resolve();
      if (!this.#over) this.#nobody();
      return true;
    }
    const frame = readRenderReply(message.data);
    if (frame?.nonce !== this.#plan.nonce || (this.#by && nameOf(this.#by) !== nameOf(frame))) return this.#over;
    this.#presence.heard(frame);
    if (frame.type === 'final' && frame.contacts && !this.#told) {
      this.#told = true;
      this.#plan.onContacts(frame.contacts);
    }
    if (frame.type !== 'ack') this.#last.resolve();
    if (this.#over) this.#by ??= { key: frame.key, renderer: frame.renderer };
    else this.#onFrame(frame);
    return true;
  }

  /** Checks for too long a silence. */
  tick(now: number): void {
    if (this.#over) return;
    const by = this.#by;
    if (by === undefined) {
      if (now - Math.max(this.startedAt, this.#presence.listeningSince()) > ACK_MS) this.#land({ how: 'silent' });
      return;
    }
    const heardAt = Math.max(this.#presence.heardAt(by), this.startedAt);
    if (now - heardAt > LOST_MS) return this.#lost(by);
    if (this.#plan.isLate(by, now - this.#ackedAt)) return this.#land({ how: 'late', by });
    if (now - heardAt < MISSED_MS || now - this.#askedAt < MISSED_MS) return;
    this.#askedAt = now;
    this.#bus.publish(this.#plan.pinned(by), this.#plan.text, this.#plan.reply);
  }

  busLost(): void {
    if (!this.#over) this.#land({ how: 'bus_lost' });
  }

  /** The request has left. */
  cancel(reason: RenderCancelFrame['reason']): void {
    this.#over = true;
    const { job, attempt } = this.#plan;
    this.#bus.publish(subjects.renderCancel, writeRenderCancel({ job, attempt, reason }));
  }

  /** Resolves when who has it, or is about to, has said its last, or should have. */
  async last(): Promise<void> {
    const timer = new AbortController();
    await Promise.race([this.#last.promise, this.#clock.sleep(LAST_MS, timer.signal)]).finally(() => timer.abort(ENDED));
  }

  #onFrame(frame: RenderReplyFrame): void {
    const by = { key: frame.key, renderer: frame.renderer };
    if (frame.type === 'ack') {
      this.#by = by;
      this.#ackedAt = Math.min(this.#ackedAt, this.#clock.now());
    } else if (frame.type === 'nack') this.#land({ how: 'nack', by, reason: frame.reason });
    else this.#land({ how: 'final', by, frame });
  }

  #nobody(): void {
    if (this.#by === undefined) return this.#land({ how: 'nobody' });
    this.#presence.gone(this.#by);
    this.#lost(this.#by);
  }

  #lost(by: RendererId): void {
    this.#land({ how: 'lost', by });
  }
}
