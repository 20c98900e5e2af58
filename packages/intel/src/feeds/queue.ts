import type { Clock } from '@vedette/contract';
import { takeLock } from './lock.ts';

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

/** One feed at a time is fetched and built, by all gateways that share a folder: of its memory and its sources' patience there is one share. */
export class Queue {
  readonly #deps: QueueDeps;
  readonly shared: boolean;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: QueueDeps) {
    this.#deps = deps;
    this.shared = deps.shared;
  }

  /**
   * `fetch_ms`: how long a fetch may take. The argument of `work` tells whether this gateway still holds the lock; another one may have
   * taken it for dead.
   */
  run<T>(fetch_ms: number, signal: AbortSignal, work: (isOurs: () => Promise<boolean>) => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#locked(fetch_ms, signal, work));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #locked<T>(fetch_ms: number, signal: AbortSignal, work: (isOurs: () => Promise<boolean>) => Promise<T>): Promise<T> {
    const { folder, shared, clock, today, random } = this.#deps;
    signal.throwIfAborted();
    if (!shared) return work(async () => true);
    for (;;) {
      const held = await takeLock(folder, { now: today(), until: today() + fetch_ms + BUILD_MS, random: random() });
      if (!held) {
        await clock.sleep(TRY_AGAIN_MS * (0.5 + random()), signal);
        continue;
      }
      try {
        return await work(() => held.isHeld());
      } finally {
        await held.release();
      }
    }
  }
}
