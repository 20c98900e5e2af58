import { ENDED, type Clock } from '@vedette/contract';
import type { RenderCancelFrame, RenderContact, RenderFinalFrame, RenderNackFrame, RenderReplyFrame } from '../frames/index.ts';
import { isNoResponders, type Bus, type BusMessage } from '../wire/connection.ts';
import { Attempt, type Silence } from '../ask/attempt.ts';
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
/**
 * A renderer with a job beats every 250 ms. One that misses so many of them is asked whether it is still there, and asked again. One that says
 * nothing at all for five seconds is lost, though the server knows it still: it is frozen.
 */
const SILENCE: Silence = { ms: 1_500, againMs: 1_500, lostMs: 5_000 };

export interface FlightPlan {
  job: string;
  attempt: number;
  nonce: string;
  /** The renderer that is to take it; any of them where there is none. */
  to: RendererId | undefined;
  kind: string;
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
  readonly #attempt: Attempt;
  readonly #land: (landing: Landing) => void;
  /** The renderer that took it. */
  #by: RendererId | undefined;
  /** Whether `onContacts` was called. */
  #contactsReported = false;

  constructor(plan: FlightPlan, { bus, presence, clock }: { bus: Bus; presence: RendererPresence; clock: Clock }) {
    this.#plan = plan;
    this.#bus = bus;
    this.#presence = presence;
    this.#clock = clock;
    this.#attempt = new Attempt({
      number: plan.attempt,
      nonce: plan.nonce,
      agent: undefined, // its first frame names it
      sentAt: clock.now(),
      location: plan.kind,
      fleet: {
        ackLimitMs: () => ACK_MS,
        heardAt: () => (this.#by === undefined ? -Infinity : presence.heardAt(this.#by)),
        listeningSince: () => presence.listeningSince(),
      },
      silence: SILENCE,
    });
    const { promise, resolve } = Promise.withResolvers<Landing>();
    this.landing = promise;
    this.#land = (landing) => {
      this.#attempt.state = 'over';
      resolve(landing);
    };
  }

  get startedAt(): number {
    return this.#attempt.sentAt;
  }

  launch(): void {
    if (!this.#send(this.#plan.to)) this.#land({ how: 'bus_lost' });
  }

  /** How long it has been at work, ms; 0 before an acknowledgement. */
  get workedMs(): number {
    const now = this.#clock.now();
    return now - (this.#attempt.takenAt ?? now);
  }

  /** Whether the frame was as it should be. */
  onMessage(message: BusMessage): boolean {
    const attempt = this.#attempt;
    if (isNoResponders(message)) {
      this.#last.resolve();
      if (attempt.awaited) this.#nobody();
      return true;
    }
    const frame = readRenderReply(message.data);
    if (frame === undefined || !attempt.isAnsweredBy(frame.nonce, nameOf(frame))) return !attempt.awaited;
    this.#presence.heard(frame);
    if (frame.type === 'final' && frame.contacts && !this.#contactsReported) {
      this.#contactsReported = true;
      this.#plan.onContacts(frame.contacts);
    }
    if (frame.type !== 'ack') this.#last.resolve();
    if (attempt.awaited) this.#onFrame(frame);
    else attempt.agent = nameOf(frame);
    return true;
  }

  /** Checks for too long a silence. */
  tick(now: number): void {
    const attempt = this.#attempt;
    if (!attempt.awaited) return;
    const by = this.#by;
    const isSilent = now >= attempt.silentAt();
    if (by === undefined) return isSilent ? this.#land({ how: 'silent' }) : undefined;
    if (isSilent && attempt.isLost(now)) return this.#land({ how: 'lost', by });
    if (this.#plan.isLate(by, this.workedMs)) return this.#land({ how: 'late', by });
    if (!isSilent) return;
    attempt.ask(now);
    this.#send(by);
  }

  busLost(): void {
    if (this.#attempt.awaited) this.#land({ how: 'bus_lost' });
  }

  /** The request has left. */
  cancel(reason: RenderCancelFrame['reason']): void {
    this.#attempt.state = 'over';
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
    if (frame.type === 'nack') return this.#land({ how: 'nack', by, reason: frame.reason });
    this.#by = by;
    this.#attempt.heard(nameOf(by), this.#clock.now());
    if (frame.type === 'final') this.#land({ how: 'final', by, frame });
  }

  #nobody(): void {
    if (this.#by === undefined) return this.#land({ how: 'nobody' });
    this.#presence.gone(this.#by);
    this.#land({ how: 'lost', by: this.#by });
  }

  #send(to: RendererId | undefined): boolean {
    const { kind, text, reply } = this.#plan;
    const subject = to === undefined ? subjects.render(kind) : subjects.pinnedRender(kind, to.key, to.renderer);
    return this.#bus.publish(subject, text, reply);
  }
}
