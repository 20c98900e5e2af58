import { type Clock, type Pass, within } from '@vedette/contract';

/** The bytes of one account. */
interface Holder {
  held: number;
  /** Oldest first. */
  waiting: Waiter[];
}

interface Waiter {
  bytes: number;
  settle(pass: Pass | undefined): void;
}

/** The part that is for those who hold little. */
const RESERVED = 1 / 4;
const OUT_OF_TIME = new Error('no room came in time');

/**
 * Bytes of memory that accounts share, by the rule of `FairSemaphore`: out of the last quarter an account gets more only while it holds
 * less than would be left. Waiting requests are served when bytes come back, the account that holds least first.
 */
export class FairBytes {
  readonly #clock: Clock;
  readonly #total: number;
  readonly #holders = new Map<string, Holder>();
  #held = 0;
  #refused = 0;

  constructor(clock: Clock, total: number) {
    this.#clock = clock;
    this.#total = total;
  }

  /** Bytes held and waited for now, the total, and how often there was no room. */
  get usage(): { held: number; waiting: number; max: number; refused: number } {
    let waiting = 0;
    for (const holder of this.#holders.values()) for (const { bytes } of holder.waiting) waiting += bytes;
    return { held: this.#held, waiting, max: this.#total, refused: this.#refused };
  }

  /** Takes so many bytes, which the pass returns, once however often it is called; undefined without room. */
  take(account: string, bytes: number): Pass | undefined {
    const holder = this.#holderOf(account);
    if (holder.waiting.length === 0 && this.#fits(holder, bytes)) return this.#grant(account, holder, bytes);
    this.#forget(account, holder);
    this.#refused += 1;
    return undefined;
  }

  /** Takes them when there is room; undefined where none came within `waitMs`. Rejects with the signal's reason. */
  async wait(account: string, bytes: number, waitMs: number, signal: AbortSignal): Promise<Pass | undefined> {
    const holder = this.#holderOf(account);
    if (holder.waiting.length === 0 && this.#fits(holder, bytes)) return this.#grant(account, holder, bytes);
    const { promise, resolve } = Promise.withResolvers<Pass | undefined>();
    const waiter = { bytes, settle: resolve };
    holder.waiting.push(waiter);
    const goes = () => resolve(undefined);
    try {
      const pass = await within(
        this.#clock,
        waitMs,
        signal,
        () => OUT_OF_TIME,
        (ended) => {
          ended.addEventListener('abort', goes);
          return promise;
        },
      );
      if (signal.aborted) pass?.();
      signal.throwIfAborted();
      if (pass === undefined) this.#refused += 1;
      return pass;
    } finally {
      const at = holder.waiting.indexOf(waiter);
      if (at >= 0) holder.waiting.splice(at, 1);
      this.#forget(account, holder);
    }
  }

  #fits({ held }: Holder, bytes: number): boolean {
    const left = this.#total - this.#held - bytes;
    return left >= this.#total * RESERVED || (left >= 0 && held < left);
  }

  #grant(account: string, holder: Holder, bytes: number): Pass {
    this.#holders.set(account, holder);
    holder.held += bytes;
    this.#held += bytes;
    let given = true;
    return () => {
      if (!given) return;
      given = false;
      holder.held -= bytes;
      this.#held -= bytes;
      this.#forget(account, holder);
      this.#serve();
    };
  }

  /** Gives returned bytes to waiting requests; if the account that holds least may not have them, no account may. */
  #serve(): void {
    for (;;) {
      let first: [string, Holder] | undefined;
      for (const entry of this.#holders) if (entry[1].waiting.length > 0 && (!first || entry[1].held < first[1].held)) first = entry;
      if (first === undefined) return;
      const [account, holder] = first;
      const waiter = holder.waiting[0]!;
      if (!this.#fits(holder, waiter.bytes)) return;
      holder.waiting.shift();
      waiter.settle(this.#grant(account, holder, waiter.bytes));
    }
  }

  #holderOf(account: string): Holder {
    let holder = this.#holders.get(account);
    if (holder === undefined) this.#holders.set(account, (holder = { held: 0, waiting: [] }));
    return holder;
  }

  #forget(account: string, holder: Holder): void {
    if (holder.held === 0 && holder.waiting.length === 0 && this.#holders.get(account) === holder) this.#holders.delete(account);
  }
}
