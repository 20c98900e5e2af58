import { randomFillSync } from 'node:crypto';
import type { EchoStrays } from '@vedette/contract';
import { type Cookie, type EchoHeader, flowCookie } from './message.ts';
import type { EchoOutcome } from './pace.ts';

/** An echo request whose wait has not ended. Times are monotonic ms, stamps wall-clock ms. */
export interface PendingEcho {
  seq: number;
  cookie: Cookie;
  sockaddr: Uint8Array;
  wait_ms: number;
  sentAt: number;
  /** When it left: the kernel's stamp once it is known, until then the time just before the system call. */
  stamp_ms: number;
  stampedByKernel: boolean;
  /** Where strays about it are counted. */
  strays: EchoStrays | undefined;
  settle(outcome: EchoOutcome): void;
}

/** Packets that looked like answers but did not count, from any sender. */
export interface IcmpCounters extends Pick<EchoStrays, 'duplicate' | 'late'> {
  /** Wrong cookie, source or sequence number: forged, damaged, or of an earlier life. */
  foreign: number;
}

/** The record of an ended echo. */
type EndedEcho = Pick<PendingEcho, 'seq' | 'cookie' | 'sockaddr' | 'strays'> & { answered: boolean };

const MAX_PENDING = 0x8000; // half the sequence space: a free number is always near
const REMEMBERED = 4096;
const POOL_BYTES = 4096;

/** The echoes on their way, by sequence number, and the last ones that ended: so that no reply counts twice. */
export class EchoTable {
  readonly counters: IcmpCounters = { duplicate: 0, late: 0, foreign: 0 };
  readonly #pending = new Map<number, PendingEcho>();
  /** The last ones that ended, each where the low bits of its number say. */
  readonly #ended: EndedEcho[] = [];
  #lastSeq = 0;
  readonly #pool = new Uint32Array(POOL_BYTES / 4);
  #poolLeft = 0;

  get pending(): number {
    return this.#pending.size;
  }

  /** Takes a free sequence number and a fresh cookie, that of a flow where one is given. Throws when too many echoes are on their way. */
  add(echo: Omit<PendingEcho, 'seq' | 'cookie' | 'stampedByKernel'>, flow?: number): PendingEcho {
    if (this.#pending.size >= MAX_PENDING) throw new Error('too many echoes on their way');
    do this.#lastSeq = (this.#lastSeq + 1) & 0xffff;
    while (this.#pending.has(this.#lastSeq));
    const { sockaddr, wait_ms, sentAt, stamp_ms, strays, settle } = echo;
    const added = {
      seq: this.#lastSeq,
      cookie: flow === undefined ? this.#cookie() : flowCookie(this.#cookie(), this.#lastSeq, flow),
      sockaddr,
      wait_ms,
      sentAt,
      stamp_ms,
      stampedByKernel: false,
      strays,
      settle,
    };
    this.#pending.set(added.seq, added);
    return added;
  }

  /** The pending echo that a message belongs to. Where the cookie was cut off, as in a router's short quote, the number must do. */
  find({ seq, cookie }: EchoHeader): PendingEcho | undefined {
    const echo = this.#pending.get(seq);
    return echo && (cookie === undefined || sameCookie(cookie, echo.cookie)) ? echo : undefined;
  }

  /** The pending echo that was sent first, of those that are wanted. */
  oldest(isWanted: (echo: PendingEcho) => boolean): PendingEcho | undefined {
    return this.#pending.values().find(isWanted);
  }

  /** Ends an echo: with its reply, a refusal, or nothing. */
  settle(echo: PendingEcho, outcome: EchoOutcome): void {
    this.#pending.delete(echo.seq);
    const { seq, cookie, sockaddr, strays } = echo;
    this.#ended[seq % REMEMBERED] = { seq, cookie, sockaddr, strays, answered: outcome.reply !== undefined };
    echo.settle(outcome);
  }

  /** Forgets an echo that was not sent. */
  remove(echo: PendingEcho): void {
    this.#pending.delete(echo.seq);
  }

  /** Takes back an echo that was sent after all. */
  restore(echo: PendingEcho): void {
    this.#pending.set(echo.seq, echo);
  }

  /** Counts a reply that answers no pending echo; `isFrom` tells whether an address is its source. */
  countStray({ seq, cookie }: EchoHeader, isFrom: (sockaddr: Uint8Array) => boolean): void {
    const ended = this.#ended[seq % REMEMBERED];
    const echo = this.#pending.get(seq) ?? (ended?.seq === seq ? ended : undefined);
    const isOurs = echo !== undefined && cookie !== undefined && sameCookie(cookie, echo.cookie);
    const isOfTarget = echo !== undefined && isFrom(echo.sockaddr);
    if (echo !== ended || ended === undefined || !isOurs || !isOfTarget) {
      this.counters.foreign++;
      if (echo?.strays && (isOurs || isOfTarget)) echo.strays.wrong++;
    } else {
      const kind = ended.answered ? 'duplicate' : 'late';
      ended.answered = true;
      this.counters[kind]++;
      if (ended.strays) ended.strays[kind]++;
    }
  }

  /** Ends every echo whose wait is over at `now`. */
  expire(now: number): void {
    for (const echo of this.#pending.values()) if (now - echo.sentAt > echo.wait_ms) this.settle(echo, {});
  }

  #cookie(): Cookie {
    if (this.#poolLeft === 0) {
      randomFillSync(this.#pool);
      this.#poolLeft = this.#pool.length;
    }
    this.#poolLeft -= 2;
    return { high: this.#pool[this.#poolLeft]!, low: this.#pool[this.#poolLeft + 1]! };
  }
}

const sameCookie = (one: Cookie, other: Cookie): boolean => one.high === other.high && one.low === other.low;
