import type { Clock } from '@vedette/contract';

/** How often something is tested: rarely while it is well, often while it fails. */
export interface Intervals {
  well_ms: number;
  failing_ms: number;
}

/** Repeats a test until it is stopped. A failure that a test beside it found wakes it, so that nothing fails for a whole long interval. */
export class Rhythm {
  readonly #clock: Clock;
  readonly #intervals: () => Intervals;
  #stopped = false;
  #asleep = new AbortController();

  constructor(clock: Clock, intervals: () => Intervals) {
    this.#clock = clock;
    this.#intervals = intervals;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Tests at once and from then on. `isWell` tells the last verdict, whichever test gave it. */
  async run(test: () => Promise<unknown>, isWell: () => boolean): Promise<void> {
    await test();
    while (!this.#stopped) {
      if (isWell()) await this.#sleep(this.#intervals().well_ms);
      if (!isWell()) await this.#sleep(this.#intervals().failing_ms);
      if (!this.#stopped) await test();
    }
  }

  /** Ends the long interval: the last verdict was bad. */
  wake(): void {
    this.#asleep.abort();
  }

  stop(): void {
    this.#stopped = true;
    this.#asleep.abort();
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#stopped) return;
    this.#asleep = new AbortController();
    await this.#clock.sleep(ms, this.#asleep.signal).catch(() => undefined); // woken, or stopped
  }
}
