import { BoundedMap, type Clock } from '@vedette/contract';

const REMEMBER_MS = 60_000;
const MAX_REMEMBERED = 50_000;

/** Attempts that were finished or cancelled within the last minute: what still arrives for them is not started. */
export class RecentJobs {
  #clock: Clock;
  /** When each attempt ended, the earliest first. */
  #endedAt = new BoundedMap<string, number>(MAX_REMEMBERED);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(key: string): void {
    const now = this.#clock.now();
    this.#endedAt.set(key, now);
    for (const [oldest, at] of this.#endedAt) {
      if (now - at <= REMEMBER_MS) break;
      this.#endedAt.delete(oldest);
    }
  }

  has(key: string): boolean {
    const at = this.#endedAt.get(key);
    return at !== undefined && this.#clock.now() - at <= REMEMBER_MS;
  }
}
