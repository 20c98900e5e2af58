import { type Clock, type Pass, within } from '@vedette/contract';
import { FairShare, type Holder } from './fair-share.ts';

/** The units of one account. */
interface Member extends Holder {
  account: string;
  /** Oldest first. */
  waiting: Waiter[];
  /** When one of those that waited, or would have, was last refused. */
  refusedAt: number;
  /** The same for each of its single units: one closure for a request that takes a hundred. */
  giveBack: Pass;
}

interface Waiter {
  units: number;
  /** How many had asked before it: of two accounts that hold as much, the lower order is first. */
  order: number;
  settle(pass: Pass | undefined): void;
}

/** How many may wait, unless said otherwise: mostly a permit is used more than once while one waits. */
const WAITING_PER_UNIT = 2;
/** So many accounts are known before any is forgotten. */
const MEMBERS = 64;
/** An internal error, made once: one with a stack for each wait would cost microseconds. */
const OUT_OF_TIME = new Error('nothing was free in time');

export interface FairPoolOptions {
  clock: Clock;
  /** How many units there are; it may change at any time. */
  total(): number;
  /** How many units may be waited for, for each that there is; 2 unless said otherwise. */
  waitingPerUnit?: number;
  /** Whether the last units are for accounts that hold little; they are unless said otherwise. */
  reserves?: boolean;
  /**
   * An account with a refusal within `forMs` waits no longer than `waitMs`: more requests wait than can be served, and a long queue would
   * serve no more.
   */
  afterRefusal?: { forMs: number; waitMs: number };
}

/**
 * A pool that accounts share by the rule of `FairShare`: a semaphore where each request takes one permit, or memory where it takes bytes. A
 * given unit is not taken back. A request that finds nothing free waits for a while; the account that holds least is served first. Where too
 * many wait, the newest of the account that has most waiting is refused.
 */
export class FairPool {
  readonly #clock: Clock;
  readonly #total: () => number;
  readonly #waitingPerUnit: number;
  readonly #share: FairShare;
  readonly #afterRefusal: FairPoolOptions['afterRefusal'];
  readonly #members = new Map<string, Member>();
  #membersMax = MEMBERS;
  /** The account that asked last is mostly the one that asks next. */
  #last: Member | undefined;
  /** The accounts with waiting requests. */
  readonly #queue = new Set<Member>();
  /** The units that are waited for. */
  #waiting = 0;
  #requests = 0;
  #refused = 0;

  constructor({ clock, total, waitingPerUnit = WAITING_PER_UNIT, reserves, afterRefusal }: FairPoolOptions) {
    this.#waitingPerUnit = waitingPerUnit;
    this.#share = new FairShare(reserves);
    this.#afterRefusal = afterRefusal;
    this.#clock = clock;
    this.#total = total;
  }

  /** Units held and waited for now, the total, and the refusals so far, without requests that left by themselves. */
  get usage(): { held: number; waiting: number; max: number; refused: number } {
    return { held: this.#share.held, waiting: this.#waiting, max: this.#total(), refused: this.#refused };
  }

  /** Takes units at once, which the pass returns; undefined when there is no room. A single unit is to be given back once. */
  take(account: string, units: number): Pass | undefined {
    const total = this.#total();
    const member = this.#memberOf(account, total);
    if (this.#mayHave(member, total, units)) return this.#grant(member, units);
    this.#refuse(member);
    return undefined;
  }

  /**
   * Takes units at once or after a wait. A single unit is to be given back once. Undefined when there was no room within `waitMs`, or sooner
   * after a refusal, when too many wait, or when the signal aborts.
   */
  acquire(account: string, waitMs: number, signal?: AbortSignal, units = 1): Pass | undefined | Promise<Pass | undefined> {
    const total = this.#total();
    const member = this.#memberOf(account, total);
    if (this.#mayHave(member, total, units)) return this.#grant(member, units);
    if (signal?.aborted) return undefined;
    if (this.#waiting < this.#waitingPerUnit * total || this.#makeRoom(member)) return this.#wait(member, units, waitMs, signal);
    this.#refuse(member);
    return undefined;
  }

  #memberOf(account: string, total: number): Member {
    if (this.#waiting > 0) this.#serve(total); // there may be more units than before
    if (this.#last?.account === account) return this.#last;
    const known = this.#members.get(account);
    if (known !== undefined) return (this.#last = known);
    if (this.#members.size >= this.#membersMax) this.#forgetIdle();
    const member: Member = { account, held: 0, waiting: [], refusedAt: -Infinity, giveBack: () => this.#release(member, 1) };
    this.#members.set(account, member);
    return (this.#last = member);
  }

  /** Accounts that hold nothing are forgotten now and then, not each time that they return their last. */
  #forgetIdle(): void {
    for (const [id, { held, waiting }] of this.#members) if (held === 0 && waiting.length === 0) this.#members.delete(id);
    this.#membersMax = Math.max(MEMBERS, 2 * this.#members.size);
  }

  /** Every other account that waits holds as much as this one or more, or could have been served too; the account's own wait comes first. */
  #mayHave(member: Member, total: number, units: number): boolean {
    return member.waiting.length === 0 && this.#share.hasRoom(member, total, units);
  }

  #grant(member: Member, units: number): Pass {
    this.#share.count(member, units);
    return units === 1 ? member.giveBack : this.#giveBackOnce(member, units);
  }

  #giveBackOnce(member: Member, units: number): Pass {
    let given = true;
    return () => {
      if (given) this.#release(member, units);
      given = false;
    };
  }

  #release(member: Member, units: number): void {
    this.#share.count(member, -units);
    if (this.#waiting > 0) this.#serve(this.#total());
  }

  /** Gives free units to waiting requests. If the account that holds least may not have them, no account may. */
  #serve(total: number): void {
    for (;;) {
      const first = this.#first();
      const waiter = first?.waiting[0];
      if (first === undefined || waiter === undefined || !this.#share.hasRoom(first, total, waiter.units)) return;
      waiter.settle(this.#grant(first, waiter.units));
    }
  }

  #first(): Member | undefined {
    let first: Member | undefined;
    for (const member of this.#queue)
      if (
        first === undefined ||
        member.held < first.held ||
        (member.held === first.held && member.waiting[0]!.order < first.waiting[0]!.order)
      )
        first = member;
    return first;
  }

  /** Sends the newest of the account that has most waiting away; false where that is the one that asks. */
  #makeRoom(asking: Member): boolean {
    let most = asking;
    for (const member of this.#queue) if (member.waiting.length > most.waiting.length) most = member;
    if (most === asking) return false;
    most.waiting.at(-1)!.settle(undefined);
    return true;
  }

  #wait(member: Member, units: number, waitMs: number, ended: AbortSignal | undefined): Promise<Pass | undefined> {
    const waits = (signal: AbortSignal) =>
      new Promise<Pass | undefined>((resolve) => {
        const goes = () => waiter.settle(undefined);
        const waiter: Waiter = {
          units,
          order: this.#requests++,
          settle: (pass) => {
            signal.removeEventListener('abort', goes);
            this.#forget(member, waiter);
            if (pass === undefined && !ended?.aborted) this.#refuse(member);
            resolve(pass);
          },
        };
        member.waiting.push(waiter);
        this.#queue.add(member);
        this.#waiting += units;
        signal.addEventListener('abort', goes);
      });
    return within(this.#clock, Math.min(waitMs, this.#patience(member)), ended, () => OUT_OF_TIME, waits);
  }

  #refuse(member: Member): void {
    this.#refused += 1;
    member.refusedAt = this.#clock.now();
  }

  #patience({ refusedAt }: Member): number {
    if (this.#afterRefusal === undefined) return Infinity;
    const { forMs, waitMs } = this.#afterRefusal;
    return this.#clock.now() - refusedAt < forMs ? waitMs : Infinity;
  }

  #forget(member: Member, waiter: Waiter): void {
    member.waiting.splice(member.waiting.indexOf(waiter), 1);
    if (member.waiting.length === 0) this.#queue.delete(member);
    this.#waiting -= waiter.units;
  }
}
