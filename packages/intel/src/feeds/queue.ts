import { join } from 'node:path';
import { type Clock, ENDED } from '@vedette/contract';
import type { Feed } from './feed.ts';
import { BEAT_MS, type Held, HolderWatch, takeLock } from './lock.ts';

/** Feeds that a gateway fetches and reads at once: a silent source holds up no other. */
const LANES = 4;
/** Larger files are fetched one at a time: of memory there is one share for them. */
const LARGE_BYTES = 16 * 1_048_576;
/** How long who waits for another gateway sleeps between two tries, give or take half. */
const TRY_AGAIN_MS = 5_000;
/** A list is read and in place so long after its source has answered, at the latest. */
const BUILD_MS = 600_000;

export interface QueueDeps {
  folder: string;
  /** Whether other gateways have the folder too. */
  shared: boolean;
  clock: Clock;
  /** Wall-clock time, epoch ms. */
  today(): number;
  /** A number from 0 to 1. */
  random(): number;
}

type Queued = Pick<Feed, 'name' | 'urgent' | 'max_bytes'>;

interface Waiting {
  feed: Queued;
  start(): Promise<void>;
}

/** Four feeds at a time, the urgent first, and one large file among them. Of gateways that share a folder one at a time has a feed. */
export class Queue {
  readonly #deps: QueueDeps;
  readonly shared: boolean;
  readonly #waiting: Waiting[] = [];
  readonly #running = new Set<Waiting>();

  constructor(deps: QueueDeps) {
    this.#deps = deps;
    this.shared = deps.shared;
  }

  /**
   * `fetch_ms`: how long a fetch may take. The argument of `work` tells whether this gateway still holds the lock; another one may have
   * taken it for dead.
   */
  run<T>(feed: Queued, fetch_ms: number, signal: AbortSignal, work: (isOurs: () => Promise<boolean>) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ feed, start: () => this.#locked(feed.name, fetch_ms, signal, work).then(resolve, reject) });
      // Feeds that come in the same moment are put in order.
      setImmediate(() => this.#next());
    });
  }

  #next(): void {
    while (this.#running.size < LANES) {
      const hasLarge = [...this.#running].some(({ feed }) => isLarge(feed));
      const free = this.#waiting.filter(({ feed }) => !(hasLarge && isLarge(feed)));
      const one = free.find(({ feed }) => feed.urgent) ?? free[0];
      if (!one) return;
      this.#waiting.splice(this.#waiting.indexOf(one), 1);
      void this.#start(one);
    }
  }

  async #start(one: Waiting): Promise<void> {
    this.#running.add(one);
    await one.start();
    this.#running.delete(one);
    this.#next();
  }

  async #locked<T>(feed: string, fetch_ms: number, signal: AbortSignal, work: (isOurs: () => Promise<boolean>) => Promise<T>): Promise<T> {
    const { folder, shared, clock, today, random } = this.#deps;
    signal.throwIfAborted();
    if (!shared) return work(async () => true);
    const watch = new HolderWatch(clock);
    for (;;) {
      const until = today() + fetch_ms + BUILD_MS;
      const held = await takeLock(join(folder, 'locks', feed), { now: today(), until, random: random(), watch });
      if (!held) {
        await clock.sleep(TRY_AGAIN_MS * (0.5 + random()), signal);
        continue;
      }
      const over = new AbortController();
      void this.#beat(held, over.signal);
      try {
        return await work(() => held.isHeld());
      } finally {
        over.abort(ENDED);
        await held.release();
      }
    }
  }

  /** Shows other gateways that this one is alive, until the signal. Does not reject. */
  async #beat(held: Held, over: AbortSignal): Promise<void> {
    try {
      for (;;) {
        await this.#deps.clock.sleep(BEAT_MS, over);
        await held.beat();
      }
    } catch {
      // The work is over.
    }
  }
}

const isLarge = ({ max_bytes }: Queued): boolean => max_bytes > LARGE_BYTES;
