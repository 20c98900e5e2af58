const CROWDED_SHARE = 0.9;
const CROWDED_MS = 2_000;
const REJOIN_SHARE = 0.7;

/**
 * The slots for jobs of one kind, and whether the agent should be in the queue group: it leaves when more than 90 % have
 * been taken for 2 s, and comes back below 70 %. Pure; times in ms.
 */
export class Slots {
  readonly max: number;
  used = 0;
  #crowdedSince: number | undefined;
  #open = true;

  constructor(max: number) {
    this.max = max;
  }

  /** Takes a slot; false when all are taken. */
  take(): boolean {
    if (this.used >= this.max) return false;
    this.used += 1;
    return true;
  }

  release(): void {
    this.used -= 1;
  }

  /** Whether the agent should be in the queue group, judged at this time. */
  open(now: number): boolean {
    const share = this.used / this.max;
    if (share <= CROWDED_SHARE) this.#crowdedSince = undefined;
    else this.#crowdedSince ??= now;
    if (this.#open && this.#crowdedSince !== undefined && now - this.#crowdedSince >= CROWDED_MS) this.#open = false;
    else if (!this.#open && share < REJOIN_SHARE) this.#open = true;
    return this.#open;
  }
}
