/** The part that is for accounts that hold little. */
const RESERVED = 1 / 4;

/** The units that one account holds. */
export interface Holder {
  held: number;
}

/**
 * Units that accounts share: permits, places, or bytes of memory. The last quarter of them, one at least, is for accounts that hold little:
 * an account gets more of it only while it holds fewer units than are free (dynamic thresholds, ADR 20). One account alone can use three
 * quarters (one of two), and the next account still finds some.
 */
export class FairShare {
  readonly #reserves: boolean;
  #held = 0;

  /** `reserves: false` keeps nothing for accounts that hold little. */
  constructor(reserves = true) {
    this.#reserves = reserves;
  }

  /** The units that all accounts together hold. */
  get held(): number {
    return this.#held;
  }

  /** Returns whether an account may take so many more units, out of `total`: the rule decides on the last of them. */
  hasRoom({ held }: Holder, total: number, units: number): boolean {
    const free = total - this.#held - (units - 1);
    return held < free || free > (this.#reserves ? Math.max(1, total * RESERVED) : 0);
  }

  /** Counts units that an account takes, or with a negative number returns. */
  count(holder: Holder, units: number): void {
    holder.held += units;
    this.#held += units;
  }
}
