import { type Rate, TokenBuckets } from '@vedette/contract';

export interface SharedBucketsOptions {
  clock: { now(): number };
  /** How many gateways share the rates: each lets its part through. */
  gateways: () => number;
}

/** A rate over all accounts, and the part of its refill that one account gets: who floods leaves the rest to the others. */
export interface SharedRate extends Rate {
  share: number;
  /** The tokens that one account may take at once; unset = all of the burst. */
  ownBurst?: number;
}

/** A bucket for all accounts, and beside it each account's own. */
export class SharedBuckets {
  readonly #all: TokenBuckets;
  readonly #own: TokenBuckets;
  /** Made once for all that a request asks of one zone. */
  #last = { account: '', key: '', ownKey: ' ' };

  constructor({ clock, gateways }: SharedBucketsOptions, { perS, burst, share, ownBurst = burst }: SharedRate) {
    this.#all = new TokenBuckets(clock, { perS, burst }, gateways);
    this.#own = new TokenBuckets(clock, { perS: perS * share, burst: ownBurst }, gateways);
  }

  waitMs(account: string, key: string, count: number): number {
    return Math.max(this.allWaitMs(key, count), this.ownWaitMs(account, key, count));
  }

  allWaitMs(key: string, count: number): number {
    return this.#all.waitMs(key, count);
  }

  ownWaitMs(account: string, key: string, count: number): number {
    return this.#own.waitMs(this.#ownKey(account, key), count);
  }

  /** Takes `count` whether or not they are there. */
  take(account: string, key: string, count: number): void {
    this.#all.take(key, count);
    this.#own.take(this.#ownKey(account, key), count);
  }

  #ownKey(account: string, key: string): string {
    if (this.#last.account !== account || this.#last.key !== key) this.#last = { account, key, ownKey: `${account} ${key}` };
    return this.#last.ownKey;
  }
}
