import type { Clock } from '@vedette/contract';
import type { Bus, BusMessage } from '../wire/connection.ts';

/** One attempt or more under way: of a job at a location, or of a render. */
export interface InFlight {
  readonly startedAt: number;
  /** Looks whether something is due. */
  tick(now: number): void;
  busLost(): void;
}

export interface InboxOptions<F> {
  bus: Bus;
  /** Replies arrive at `<subject>.<job>.<address>`. */
  subject: string;
  /** Tokens of an address. */
  tokens: number;
  clock: Clock;
  sweepMs: number;
  /** A sweep this late means that we were stalled, and frames may be waiting unread. */
  stallMs: number;
  /** We were stalled for so long. */
  onStall: (ms: number) => void;
  /** `flights` are those of the job, if it is under way. */
  onMessage: (message: BusMessage, flights: ReadonlyMap<string, F> | undefined, address: string) => void;
}

/** One subscription and one sweep timer for all flights. */
export class Inbox<F extends InFlight> {
  #options: InboxOptions<F>;
  /**
   * Flights by job and address. Values of a long-lived Map may stay reachable after their deletion: V8 links tables that it outgrew to
   * their successors, and once one is old the rest is copied as if alive. This Map therefore holds maps that are empty when it drops them,
   * and the next one keeps its zeros.
   */
  #flights = new Map<string, ReadonlyMap<string, F>>();
  #stopped = new AbortController();
  #endings: (() => void)[];

  constructor(options: InboxOptions<F>) {
    const { bus, subject, tokens } = options;
    this.#options = options;
    const subscription = bus.subscribe(`${subject}.*${'.*'.repeat(tokens)}`, (message) => this.#onMessage(message));
    const endWatch = bus.onChange((connected) => {
      if (!connected) for (const flight of this.#all()) flight.busLost();
    });
    this.#endings = [endWatch, () => subscription.unsubscribe()];
    void this.#sweep();
  }

  add(job: string, flights: ReadonlyMap<string, F>): void {
    this.#flights.set(job, flights);
  }

  remove(job: string): void {
    this.#flights.delete(job);
  }

  /** Age of the oldest flight, ms; 0 without one. */
  oldestAgeMs(): number {
    const [oldest] = this.#all(); // a Map keeps the order of insertion
    return oldest === undefined ? 0 : this.#options.clock.now() - oldest.startedAt;
  }

  close(): void {
    this.#stopped.abort();
    for (const end of this.#endings) end();
  }

  #all(): IteratorObject<F> {
    return this.#flights.values().flatMap((ofJob) => ofJob.values());
  }

  /** Once for every frame, where indices cost half of what `split` does. */
  #onMessage(message: BusMessage): void {
    const start = this.#options.subject.length + 1;
    const middle = message.subject.indexOf('.', start);
    const flights = this.#flights.get(message.subject.slice(start, middle));
    this.#options.onMessage(message, flights, message.subject.slice(middle + 1));
  }

  async #sweep(): Promise<void> {
    const { clock, sweepMs, stallMs, onStall } = this.#options;
    const { signal } = this.#stopped;
    let before = clock.now();
    while (!signal.aborted) {
      await clock.sleep(sweepMs, signal).catch(() => {}); // stopped
      const now = clock.now();
      if (now - before > stallMs) onStall(now - before);
      before = now;
      for (const flight of this.#all()) flight.tick(now);
    }
  }
}
