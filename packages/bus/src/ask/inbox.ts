import type { Clock } from '@vedette/contract';
import { isNoResponders, type Bus, type BusMessage } from '../wire/connection.ts';
import type { BusEvents } from '../wire/events.ts';
import type { Flight } from './flight.ts';
import { readReply } from '../wire/frames.ts';
import type { Presence } from '../presence/presence.ts';

const SWEEP_MS = 20;
/** A sweep this late means that we were stalled, and frames may be waiting unread. */
const STALL_MS = 100;

export interface InboxOptions {
  bus: Bus;
  /** Replies arrive at `<subject>.<job>.<location>.<attempt>`. */
  subject: string;
  presence: Presence;
  clock: Clock;
  events: BusEvents;
}

/** One subscription and one sweep timer for the flights of all requests. */
export class Inbox {
  #options: InboxOptions;
  /**
   * Flights by job and location. Whatever a long-lived Map held may outlive it: V8 leaves the tables that it outgrew linked to their
   * successors, and once one is old the rest is copied as if alive. So this one holds maps that are empty when it lets go of
   * them, and the next one keeps its zeros.
   */
  #flights = new Map<string, ReadonlyMap<string, Flight>>();
  #stopped = new AbortController();
  #endings: (() => void)[];

  constructor(options: InboxOptions) {
    const { bus, subject } = options;
    this.#options = options;
    const subscription = bus.subscribe(`${subject}.*.*.*`, (message) => this.#onMessage(message));
    const endWatch = bus.onChange((connected) => {
      if (!connected) for (const flight of this.#all()) flight.apply({ type: 'bus_lost' });
    });
    this.#endings = [endWatch, () => subscription.unsubscribe()];
    void this.#sweep();
  }

  add(job: string, flights: ReadonlyMap<string, Flight>): void {
    this.#flights.set(job, flights);
  }

  remove(job: string): void {
    this.#flights.delete(job);
  }

  /** Age of the oldest flight, ms; 0 when there is none. */
  oldestAgeMs(): number {
    const [oldest] = this.#all(); // a Map keeps the order of insertion
    return oldest === undefined ? 0 : this.#options.clock.now() - oldest.startedAt;
  }

  close(): void {
    this.#stopped.abort();
    for (const end of this.#endings) end();
  }

  #all(): IteratorObject<Flight> {
    return this.#flights.values().flatMap((ofJob) => ofJob.values());
  }

  #onMessage(message: BusMessage): void {
    const { job, location, attempt } = this.#addressee(message.subject);
    const flight = this.#flights.get(job)?.get(location);
    if (flight === undefined) return this.#countLate(location, message);
    if (isNoResponders(message)) return flight.apply({ type: 'no_responders', attempt });
    const frame = readReply(message.data);
    if (frame === undefined) return flight.apply({ type: 'broken', attempt });
    flight.apply({ type: 'frame', attempt, frame });
  }

  /** Once for every frame, where indices cost half of what `split` does. */
  #addressee(subject: string): { job: string; location: string; attempt: number } {
    const start = this.#options.subject.length + 1;
    const middle = subject.indexOf('.', start);
    const end = subject.lastIndexOf('.');
    return { job: subject.slice(start, middle), location: subject.slice(middle + 1, end), attempt: Number(subject.slice(end + 1)) };
  }

  #countLate(location: string, { data }: BusMessage): void {
    const { presence, events } = this.#options;
    if (readReply(data)?.type === 'final') events.late(presence.knows(location) ? location : '');
  }

  async #sweep(): Promise<void> {
    const { clock, presence } = this.#options;
    const { signal } = this.#stopped;
    let before = clock.now();
    while (!signal.aborted) {
      await clock.sleep(SWEEP_MS, signal).catch(() => {}); // stopped
      const now = clock.now();
      if (now - before > STALL_MS) presence.stalled(now - before);
      before = now;
      for (const flight of this.#all()) if (flight.run.wakeAt <= now) flight.apply({ type: 'tick' });
    }
  }
}
