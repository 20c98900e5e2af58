import type { Clock } from '@vedette/contract';

/** How much the last outcome weighs in the failure rate. */
const WEIGHT = 0.1;
/** Above this share of failures clients no longer wait. */
const LIMIT = 0.3;
/** A rate of fewer outcomes says little. */
const LEAST = 10;
const OPEN_MS = 60_000;

/**
 * Keeps requests from waiting for an engine that fails: more than 30 % failures, smoothed, open it for 60 s. Then one question at a time
 * goes through; the first answer closes it, and a failure opens it again.
 */
export class Breaker {
  #rate = 0;
  #outcomes = 0;
  #openUntil: number | undefined;
  #trying = false;
  readonly #clock: Pick<Clock, 'now'>;

  readonly #onOpen: () => void;

  constructor(clock: Pick<Clock, 'now'>, onOpen: () => void) {
    this.#clock = clock;
    this.#onOpen = onOpen;
  }

  get state(): 'closed' | 'open' | 'half-open' {
    if (this.#openUntil === undefined) return 'closed';
    return this.#clock.now() < this.#openUntil ? 'open' : 'half-open';
  }

  /** Whether a question may go out now; its outcome is then to be told, or that it was left without one. */
  admits(): boolean {
    if (this.state === 'closed') return true;
    if (this.state === 'open' || this.#trying) return false;
    this.#trying = true;
    return true;
  }

  succeeded(): void {
    if (this.#openUntil === undefined) this.#count(0);
    else if (this.#trying) {
      this.#openUntil = undefined;
      this.#rate = 0;
      this.#outcomes = 0;
    }
    this.#trying = false;
  }

  failed(): void {
    // The result of a question sent before it opened is not news.
    if (this.#openUntil === undefined) this.#count(1);
    const opens = this.#trying || (this.#openUntil === undefined && this.#outcomes >= LEAST && this.#rate > LIMIT);
    this.#trying = false;
    if (!opens) return;
    this.#openUntil = this.#clock.now() + OPEN_MS;
    this.#onOpen();
  }

  /** The question was not sent, or its client left. */
  left(): void {
    this.#trying = false;
  }

  #count(failure: 0 | 1): void {
    this.#outcomes++;
    this.#rate += WEIGHT * (failure - this.#rate);
  }
}
