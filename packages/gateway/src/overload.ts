import type { Clock } from '@vedette/contract';
import type { Metrics } from './metrics.ts';

/**
 * How many requests may be in our own hands at first, at least and at most. What waits for a target or the DNS is in nobody's way. Fewer
 * than the least would not be faster: the ledger works in batches, and what is slow then is the machine.
 */
const START = 128;
const MIN = 64;
const MAX = 1_024;
/** The time of our own that a request may cost: its waits for the event loop, for the ledger, for its turn. */
const TARGET_MS = 25;
/** The limit is looked at so often; the event loop's delay is taken a few times in between. */
const SAMPLE_MS = 20;
const SAMPLES = 5;
/** Multiplicative decrease, slow increase: as TCP shares a line (RFC 5681). */
const DECREASE = 0.9;
const INCREASE = 1.05;
/** What one asker may hold while nobody else asks, so that a newcomer finds room at once, and while somebody does. */
const PART_ALONE = 3 / 4;
const PART_BESIDE_OTHERS = 1 / 4;
/** Periods for which an asker counts after its last request. */
const REMEMBERED = 10;

/** Everybody whose key is not known yet counts as one: keys are free to make up. */
export const STRANGERS = '';

interface Asker {
  held: number;
  /** The period of its last request. */
  period: number;
}

/**
 * Bounds the requests that are in the gateway's own hands, by a limit that follows their own time: beyond it more of them only make each
 * slower. No account holds more than a quarter of it while others ask, so that their requests do not wait behind its own.
 */
export class Overload {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #metrics: Metrics;
  readonly #askers = new Map<string, Asker>();
  #limit: number;
  #held = 0;
  #period = 0;
  #timer: NodeJS.Timeout | undefined;
  // What this period has seen.
  #peak = 0;
  #refused = 0;
  #ended = 0;
  #ownMs = 0;
  #sampledAt = 0;
  #samples = 0;
  #delayMs = 0;

  /** `limited: false` never refuses (VEDETTE_LIMITS). */
  constructor({ clock, metrics, limited }: { clock: Pick<Clock, 'now'>; metrics: Metrics; limited: boolean }) {
    this.#clock = clock;
    this.#metrics = metrics;
    this.#limit = limited ? START : Infinity;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Takes in a request of this asker; undefined when it is to be refused. */
  enter(name: string): Visit | undefined {
    if (this.#timer === undefined && this.#limit !== Infinity) this.#watch();
    const asker = this.#asker(name);
    const part = this.#askers.size > 1 ? PART_BESIDE_OTHERS : PART_ALONE;
    if (this.#held >= this.#limit || asker.held >= this.#limit * part) {
      this.#refused++;
      return undefined;
    }
    return new Visit(this, asker, this.#clock);
  }

  /** Whose request it is. */
  asker(name: string): Asker {
    return this.#asker(name);
  }

  /** A request comes into our hands (1), or leaves them (-1). */
  count(asker: Asker, change: 1 | -1): void {
    asker.held += change;
    this.#held += change;
    if (this.#held > this.#peak) this.#peak = this.#held;
  }

  /** A request was answered after so much time of our own. */
  ended(ownMs: number): void {
    this.#ended++;
    this.#ownMs += ownMs;
  }

  /** Takes the event loop's delay, `lateMs`; at the end of a period moves the limit. */
  sample(lateMs: number): void {
    this.#delayMs += lateMs;
    if (++this.#samples < SAMPLES) return;
    const latencyMs = this.#delayMs / SAMPLES + (this.#ended === 0 ? 0 : this.#ownMs / this.#ended);
    // What is slow without many requests is not made faster by refusing them.
    if (latencyMs > TARGET_MS && this.#peak >= this.#limit / 2) this.#limit = Math.max(MIN, this.#limit * DECREASE);
    else if (latencyMs <= TARGET_MS && this.#refused > 0) this.#limit = Math.min(MAX, this.#limit * INCREASE);
    this.#metrics.concurrency.set(this.#peak);
    this.#metrics.concurrencyLimit.set(this.#limit);
    this.#samples = this.#delayMs = this.#ended = this.#ownMs = this.#refused = 0;
    this.#peak = this.#held;
    this.#period++;
    for (const [name, asker] of this.#askers) if (asker.held === 0 && this.#period - asker.period > REMEMBERED) this.#askers.delete(name);
    if (this.#askers.size === 0) this.close();
  }

  /** Nobody asks: nothing to watch. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #watch(): void {
    this.#sampledAt = this.#clock.now();
    this.#timer = setInterval(() => {
      const now = this.#clock.now();
      this.sample(Math.max(0, now - this.#sampledAt - SAMPLE_MS));
      this.#sampledAt = now;
    }, SAMPLE_MS).unref();
  }

  #asker(name: string): Asker {
    let asker = this.#askers.get(name);
    if (asker === undefined) this.#askers.set(name, (asker = { held: 0, period: 0 }));
    asker.period = this.#period;
    return asker;
  }
}

/** One request in our own hands, from its head to its answer. It counts while its body comes, but that time is not ours. */
export class Visit {
  readonly #overload: Overload;
  readonly #clock: Pick<Clock, 'now'>;
  #asker: Asker;
  #held = false;
  #over = false;
  #since = 0;
  #ownMs = 0;

  constructor(overload: Overload, asker: Asker, clock: Pick<Clock, 'now'>) {
    this.#overload = overload;
    this.#clock = clock;
    this.#asker = asker;
    this.back();
  }

  /** It is known whose request it is, and its body may come. */
  admit(name: string): void {
    this.#ownMs += this.#clock.now() - this.#since;
    const asker = this.#overload.asker(name);
    if (asker === this.#asker) return;
    this.#overload.count(this.#asker, -1);
    this.#asker = asker;
    this.#overload.count(asker, 1);
  }

  /** The request is here. */
  begin(): void {
    this.#since = this.#clock.now();
  }

  /** It waits for others now. */
  away(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#ownMs += this.#clock.now() - this.#since;
    this.#overload.count(this.#asker, -1);
  }

  /** It is in our hands again. */
  back(): void {
    if (this.#held || this.#over) return;
    this.#held = true;
    this.#since = this.#clock.now();
    this.#overload.count(this.#asker, 1);
  }

  /** It has its answer. */
  answered(): void {
    this.away();
    this.#over = true;
    this.#overload.ended(this.#ownMs);
  }

  /** It is over, however it ended. */
  release(): void {
    this.away();
    this.#over = true;
  }
}
