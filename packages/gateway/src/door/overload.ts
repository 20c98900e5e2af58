import { ApiError } from '@vedette/contract';
import type { Metrics } from '../metrics/metrics.ts';
import { FairShare, type Holder } from '../shares/fair-share.ts';
import type { GateRow } from '../shares/gate.ts';

/**
 * How many requests may be in our own hands at first, at least and at most. Requests that wait for a target or the DNS delay no others.
 * Fewer than the least would not be faster, since the ledger works in batches. A slow disk alone does not lead there: who keeps N requests
 * under way never finds less room than for N, as the limit falls only while half of it is in use.
 */
const START = 512;
const MIN = 64;
const MAX = 1_024;
/** The time of our own that a request may cost: its waits for the event loop, for the ledger, for its turn. */
const TARGET_MS = 10;
/** The limit is looked at so often; the event loop's delay is taken a few times in between. */
const SAMPLE_MS = 20;
const SAMPLES = 5;
/** Multiplicative decrease, slow increase: as TCP shares a line (RFC 5681). */
const DECREASE = 0.9;
const INCREASE = 1.05;
/** Once no request is refused any more, the learnt limit is soon forgotten. */
const RECOVERY = 1.25;

/** All unknown keys count as one account, since a client can make up any number of keys. */
export const STRANGERS = '';
/** Made once: a stack for each would cost the time that there is not. */
export const OVERLOADED = new ApiError('overloaded', '', { retryAfterS: 1 });

interface Asker extends Holder {
  name: string;
  /** Its requests, in our hands or not. */
  visits: number;
}

/**
 * Bounds the requests that are in the gateway's own hands, by a limit that follows their own time: beyond it more of them only make each
 * slower. Accounts share the places by the rule of `FairShare`, so that newcomers find one.
 */
export class Overload {
  readonly #clock: { now(): number };
  readonly #metrics: Metrics;
  readonly #askers = new Map<string, Asker>();
  #limit: number;
  readonly #share = new FairShare();
  #timer: NodeJS.Timeout | undefined;
  // The counts of this period.
  #peak = 0;
  #refused = 0;
  #ended = 0;
  #ownMs = 0;
  #sampledAt = 0;
  #samples = 0;
  #delayMs = 0;

  /** `limited: false` never refuses (VEDETTE_LIMITS). */
  constructor({ clock, metrics, limited }: { clock: { now(): number }; metrics: Metrics; limited: boolean }) {
    this.#clock = clock;
    this.#metrics = metrics;
    this.#limit = limited ? START : Infinity;
  }

  /** Takes in a request of this asker; undefined when it is to be refused. */
  enter(name: string): Visit | undefined {
    if (this.#timer === undefined && this.#limit !== Infinity) this.#watch();
    const asker = this.asker(name);
    return this.hasRoom(asker) ? new Visit(this, asker, this.#clock) : undefined;
  }

  asker(name: string): Asker {
    let asker = this.#askers.get(name);
    if (asker === undefined) this.#askers.set(name, (asker = { name, held: 0, visits: 0 }));
    return asker;
  }

  /** Whether one more request of this asker may come into our hands; counted where it may not. */
  hasRoom(asker: Asker): boolean {
    if (this.#share.hasRoom(asker, this.#limit, 1)) return true;
    this.#refused++;
    return false;
  }

  /** A request comes into our hands (1), or leaves them (-1). */
  count(asker: Asker, change: 1 | -1): void {
    this.#share.count(asker, change);
    if (this.#share.held > this.#peak) this.#peak = this.#share.held;
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
    // Refusing requests does not help when the loop is slow without many requests.
    if (latencyMs > TARGET_MS && this.#peak >= this.#limit / 2) this.#limit = Math.max(MIN, this.#limit * DECREASE);
    else if (latencyMs <= TARGET_MS && this.#refused > 0) this.#limit = Math.min(MAX, this.#limit * INCREASE);
    else if (latencyMs <= TARGET_MS && this.#limit < START) this.#limit = Math.min(START, this.#limit * RECOVERY);
    this.#metrics.concurrency.set(this.#peak);
    this.#metrics.concurrencyLimit.set(this.#limit);
    this.#samples = this.#delayMs = this.#ended = this.#ownMs = this.#refused = 0;
    this.#peak = this.#share.held;
    for (const [name, { visits }] of this.#askers) if (visits === 0) this.#askers.delete(name);
    if (this.#askers.size === 0 && this.#limit >= START) this.close();
  }

  /** No requests, and no learnt limit left: nothing to watch. */
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
}

/** One request, from its head to its answer. While its body comes or its target is waited for, it is not in our own hands. */
export class Visit {
  readonly #overload: Overload;
  readonly #clock: { now(): number };
  #asker: Asker;
  #held = false;
  #over = false;
  #since = 0;
  #ownMs = 0;

  constructor(overload: Overload, asker: Asker, clock: { now(): number }) {
    this.#overload = overload;
    this.#clock = clock;
    this.#asker = asker;
    asker.visits++;
    this.back();
  }

  /** The request's account is known, and its body may come: clients that send only heads do not close the door for others. */
  admit(name: string): void {
    this.away();
    if (this.#asker.name === name) return;
    this.#asker.visits--;
    this.#asker = this.#overload.asker(name);
    this.#asker.visits++;
  }

  /** The request is here. Throws `ApiError` overloaded where many bodies have come at once. */
  begin(): void {
    if (!this.#overload.hasRoom(this.#asker)) throw OVERLOADED;
    this.back();
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
    this.#overload.ended(this.#ownMs);
  }

  /** It is over, however it ended. */
  release(): void {
    if (this.#over) return;
    this.away();
    this.#over = true;
    this.#asker.visits--;
  }
}

export const OVERLOAD_GATE: GateRow = {
  name: 'Own work',
  limits: 'requests in the hands of the gateway: neither their bodies nor their targets are waited for',
  limit: `${START} at first, then ${MIN} to ${MAX}, so that own work takes ${TARGET_MS} ms a request; the last quarter is for accounts that hold little`,
  codes: ['overloaded'],
  cause: 'service',
};

export const SECOND_OVERLOAD_GATE: GateRow = {
  ...OVERLOAD_GATE,
  name: 'Own work, again',
  limit: 'the same places, once the body is here',
};
