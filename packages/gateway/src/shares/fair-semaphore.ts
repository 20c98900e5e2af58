import { type Clock, type Pass, within } from '@vedette/contract';

/** The permits of one account. */
interface Holder {
  account: string;
  held: number;
  /** Oldest first. */
  waiting: Waiter[];
  /** When one of those that waited, or would have, was last refused. */
  refusedAt: number;
  /** The same for each of its permits: one closure for a request that takes a hundred. */
  giveBack: Pass;
}

interface Waiter {
  /** How many had asked before: of two accounts that hold as much, the one that asked first is first. */
  asked: number;
  settle(pass: Pass | undefined): void;
}

/** How many may wait, unless said otherwise: mostly a permit is used more than once while one waits. */
const WAITING_PER_PERMIT = 2;
const RESERVED = 1 / 4;
/** An internal error, made once: one with a stack for each wait would cost microseconds. */
const OUT_OF_TIME = new Error('no permit came in time');

export interface FairSemaphoreOptions {
  clock: Clock;
  /** How many there are; it may change at any time. */
  permits(): number;
  /** How many may wait for each of them; 2 unless said otherwise. */
  waitingPerPermit?: number;
  /** The part of the permits that is for accounts that hold little, one permit at least; a quarter unless said otherwise, and with 0 none. */
  reserved?: number;
  /**
   * An account with a refusal within `forMs` waits no longer than `waitMs`: more requests wait than can be served, and a long queue would
   * serve no more.
   */
  afterRefusal?: { forMs: number; waitMs: number };
}

/**
 * A counting semaphore that accounts share. The last quarter of its permits, one at least, is for those who hold little: out of it an
 * account gets another only while it holds fewer than are free (dynamic thresholds, ADR 20). One account alone can use three quarters of
 * the permits (one of two), and the next account still finds some. A given permit is not taken back. A request without a permit waits for a
 * while; the account that holds least is served first. Where too many wait, the newest of the account that has most waiting is refused.
 */
export class FairSemaphore {
  readonly #clock: Clock;
  readonly #permits: () => number;
  readonly #waitingPerPermit: number;
  readonly #reserved: number;
  readonly #afterRefusal: FairSemaphoreOptions['afterRefusal'];
  readonly #holders = new Map<string, Holder>();
  /** The account that asked last is mostly the one that asks next. */
  #last: Holder | undefined;
  /** The accounts with waiting requests. */
  readonly #queue = new Set<Holder>();
  #held = 0;
  #waiting = 0;
  #asked = 0;
  #refused = 0;

  constructor({ clock, permits, waitingPerPermit = WAITING_PER_PERMIT, reserved = RESERVED, afterRefusal }: FairSemaphoreOptions) {
    this.#waitingPerPermit = waitingPerPermit;
    this.#reserved = reserved;
    this.#afterRefusal = afterRefusal;
    this.#clock = clock;
    this.#permits = permits;
  }

  /** Permits held and waited for now, the total, and the refusals so far, without requests that left by themselves. */
  get usage(): { held: number; waiting: number; max: number; refused: number } {
    return { held: this.#held, waiting: this.#waiting, max: this.#permits(), refused: this.#refused };
  }

  /**
   * Gives a permit, at once or after a wait; it is to be given back once. Undefined when none came within `waitMs`, or sooner after a refusal, when too many wait, or
   * when the signal aborts.
   */
  acquire(account: string, waitMs: number, signal?: AbortSignal): Pass | undefined | Promise<Pass | undefined> {
    const permits = this.#permits();
    if (this.#waiting > 0) this.#serve(permits); // there may be more permits than before
    const holder = this.#last?.account === account ? this.#last : this.#holderOf(account, permits);
    // Every waiting account holds as much as this one or more, or could have a permit too.
    if (this.#mayHave(holder, permits)) return this.#grant(holder);
    if (signal?.aborted) return undefined;
    if (this.#waiting < this.#waitingPerPermit * permits || this.#makeRoom(holder)) return this.#wait(holder, waitMs, signal);
    this.#refuse(holder);
    return undefined;
  }

  #holderOf(account: string, permits: number): Holder {
    const known = this.#holders.get(account);
    if (known !== undefined) return (this.#last = known);
    // Accounts without permits are forgotten now and then, not each time that they return their last.
    if (this.#holders.size >= 2 * permits)
      for (const [id, { held, waiting }] of this.#holders) if (held === 0 && waiting.length === 0) this.#holders.delete(id);
    const holder: Holder = { account, held: 0, waiting: [], refusedAt: -Infinity, giveBack: () => this.#release(holder) };
    this.#holders.set(account, holder);
    return (this.#last = holder);
  }

  #mayHave({ held }: Holder, permits: number): boolean {
    const free = permits - this.#held;
    const reserved = this.#reserved > 0 ? Math.max(1, permits * this.#reserved) : 0;
    return free > reserved || held < free;
  }

  #grant(holder: Holder): Pass {
    holder.held += 1;
    this.#held += 1;
    return holder.giveBack;
  }

  #release(holder: Holder): void {
    holder.held -= 1;
    this.#held -= 1;
    if (this.#waiting > 0) this.#serve(this.#permits());
  }

  /** Gives what is free to those who wait. If the account that holds least may not have a permit, no account may. */
  #serve(permits: number): void {
    for (;;) {
      const first = this.#first();
      if (first === undefined || !this.#mayHave(first, permits)) return;
      first.waiting[0]!.settle(this.#grant(first));
    }
  }

  #first(): Holder | undefined {
    let first: Holder | undefined;
    for (const holder of this.#queue)
      if (
        first === undefined ||
        holder.held < first.held ||
        (holder.held === first.held && holder.waiting[0]!.asked < first.waiting[0]!.asked)
      )
        first = holder;
    return first;
  }

  /** Sends the newest of the account that has most waiting away; false where that is the one that asks. */
  #makeRoom(asking: Holder): boolean {
    let most = asking;
    for (const holder of this.#queue) if (holder.waiting.length > most.waiting.length) most = holder;
    if (most === asking) return false;
    most.waiting.at(-1)!.settle(undefined);
    return true;
  }

  #wait(holder: Holder, waitMs: number, ended: AbortSignal | undefined): Promise<Pass | undefined> {
    const waits = (signal: AbortSignal) =>
      new Promise<Pass | undefined>((resolve) => {
        const goes = () => waiter.settle(undefined);
        const waiter: Waiter = {
          asked: this.#asked++,
          settle: (pass) => {
            signal.removeEventListener('abort', goes);
            this.#forget(holder, waiter);
            if (pass === undefined && !ended?.aborted) this.#refuse(holder);
            resolve(pass);
          },
        };
        holder.waiting.push(waiter);
        this.#queue.add(holder);
        this.#waiting += 1;
        signal.addEventListener('abort', goes);
      });
    return within(this.#clock, Math.min(waitMs, this.#patience(holder)), ended, () => OUT_OF_TIME, waits);
  }

  #refuse(holder: Holder): void {
    this.#refused += 1;
    holder.refusedAt = this.#clock.now();
  }

  #patience({ refusedAt }: Holder): number {
    if (this.#afterRefusal === undefined) return Infinity;
    const { forMs, waitMs } = this.#afterRefusal;
    return this.#clock.now() - refusedAt < forMs ? waitMs : Infinity;
  }

  #forget(holder: Holder, waiter: Waiter): void {
    holder.waiting.splice(holder.waiting.indexOf(waiter), 1);
    if (holder.waiting.length === 0) this.#queue.delete(holder);
    this.#waiting -= 1;
  }
}
