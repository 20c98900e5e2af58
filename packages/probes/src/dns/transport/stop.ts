/** Ends a run: an AbortSignal reduced to one listener at a time, which makes it cheap enough for every query. */
export class Stop {
  #stopped = false;
  #reason: unknown;
  #listener: ((reason: unknown) => void) | undefined;

  /** Calls `listener` when the run is stopped; instead of the one before. */
  listen(listener: ((reason: unknown) => void) | undefined): void {
    this.#listener = listener;
  }

  stop(reason: unknown): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#reason = reason;
    this.#listener?.(reason);
  }

  /** Throws the reason of the stop, if there was one. */
  throwIfStopped(): void {
    if (this.#stopped) throw this.#reason;
  }
}
