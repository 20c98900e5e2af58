import type { Clock } from '../ports/ports.ts';

/** The tokens by which a bucket refills in a second, and its capacity. */
export interface Rate {
  perS: number;
  burst: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Buckets of a generation. One that was not used for as long as it takes to fill may be forgotten: a new one is full too. */
const GENERATION_MAX = 10_000;

/**
 * Token buckets by key. A full bucket admits any one claim, however big, and is then in debt: what needs more than the burst at once is
 * rare, not forbidden. A bucket is forgotten when at least 10,000 others were used after it: two generations take turns, since a map that
 * loses its oldest entry for each new one walks over what it has lost.
 */
export class TokenBuckets {
  #young = new Map<string, Bucket>();
  #old = new Map<string, Bucket>();
  /** The one used last: what is waited for is taken next, and a request mostly asks for the same again. */
  #lastKey: string | undefined;
  #last: Bucket | undefined;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #rate: Rate;
  readonly #parts: () => number;

  /** The refill is divided by `parts`: how many hold buckets for the same keys. */
  constructor(clock: Pick<Clock, 'now'>, rate: Rate, parts: () => number = () => 1) {
    this.#clock = clock;
    this.#rate = rate;
    this.#parts = parts;
  }

  /** Milliseconds until the key's bucket admits `count`; 0 when it does. */
  waitMs(key: string, count: number): number {
    const bucket = this.#used(key);
    if (!bucket) return 0;
    const missing = Math.min(count, this.#rate.burst) - bucket.tokens;
    return missing <= 0 ? 0 : Math.ceil((missing / this.#perS()) * 1000);
  }

  /** Takes `count` whether or not they are there. */
  take(key: string, count: number): void {
    const bucket = this.#used(key);
    if (bucket) bucket.tokens -= count;
    else this.#remember(key, { tokens: this.#rate.burst - count, at: this.#clock.now() });
  }

  /** The key's bucket as of now, made young: asking in vain keeps a debt remembered. */
  #used(key: string): Bucket | undefined {
    const bucket = key === this.#lastKey ? this.#last : this.#find(key);
    if (!bucket) return undefined;
    const now = this.#clock.now();
    bucket.tokens = Math.min(this.#rate.burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#perS());
    bucket.at = now;
    return bucket;
  }

  #find(key: string): Bucket | undefined {
    const young = this.#young.get(key);
    const bucket = young ?? this.#old.get(key);
    if (!bucket) return undefined;
    if (!young) this.#remember(key, bucket);
    this.#lastKey = key;
    this.#last = bucket;
    return bucket;
  }

  #remember(key: string, bucket: Bucket): void {
    if (this.#young.size >= GENERATION_MAX) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, bucket);
    this.#lastKey = key;
    this.#last = bucket;
  }

  #perS(): number {
    return this.#rate.perS / this.#parts();
  }
}
