import { randomFillSync } from 'node:crypto';
import type { Cookie, EchoHeader } from './message.ts';
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
  settle(outcome: EchoOutcome): void;
}

/** Packets that looked like answers and were none. */
export interface IcmpCounters {
  /** The echo had its reply already. */
  duplicate: number;
  /** The reply came after its wait. */
  late: number;
  /** Wrong cookie, source or sequence number: forged, damaged, or of an earlier life. */
  foreign: number;
}

const MAX_PENDING = 0x8000; // half the sequence space: a free number is always near
const REMEMBERED = 4096;
const POOL_BYTES = 4096;

/** The echoes on their way, by sequence number, and the last ones that ended: so that no reply counts twice. */
export class EchoTable {
  readonly counters: IcmpCounters = { duplicate: 0, late: 0, foreign: 0 };
  readonly #pending = new Map<number, PendingEcho>();
  /** The last ones that ended, each where the low bits of its number say. */
  readonly #ended: { seq: number; cookie: Cookie; answered: boolean }[] = [];
  #lastSeq = 0;
  readonly #pool = new Uint32Array(POOL_BYTES / 4);
  #poolLeft = 0;

  get pending(): number {
    return this.#pending.size;
  }

  /** Takes a free sequence number and a fresh cookie. Throws when too many echoes are on their way. */
  add(echo: Omit<PendingEcho, 'seq' | 'cookie' | 'stampedByKernel'>): PendingEcho {
    if (this.#pending.size >= MAX_PENDING) throw new Error('too many echoes on their way');
    do this.#lastSeq = (this.#lastSeq + 1) & 0xffff;
    while (this.#pending.has(this.#lastSeq));
    const { sockaddr, wait_ms, sentAt, stamp_ms, settle } = echo;
    const added = { seq: this.#lastSeq, cookie: this.#cookie(), sockaddr, wait_ms, sentAt, stamp_ms, stampedByKernel: false, settle };
    this.#pending.set(added.seq, added);
    return added;
  }

  /** The pending echo that a message belongs to. Where the cookie was cut off, as in a router's short quote, the number must do. */
  find({ seq, cookie }: EchoHeader): PendingEcho | undefined {
    const echo = this.#pending.get(seq);
    return echo && (cookie === undefined || sameCookie(cookie, echo.cookie)) ? echo : undefined;
  }

  /** Ends an echo: with its reply, a refusal, or nothing. */
  settle(echo: PendingEcho, outcome: EchoOutcome): void {
    this.#pending.delete(echo.seq);
    this.#ended[echo.seq % REMEMBERED] = { seq: echo.seq, cookie: echo.cookie, answered: outcome.reply !== undefined };
    echo.settle(outcome);
  }

  /** Forgets an echo that was never sent. */
  remove(echo: PendingEcho): void {
    this.#pending.delete(echo.seq);
  }

  /** Counts a reply that belongs to no pending echo. */
  countStray({ seq, cookie }: EchoHeader): void {
    const ended = this.#ended[seq % REMEMBERED];
    if (ended?.seq !== seq || !cookie || !sameCookie(cookie, ended.cookie)) this.counters.foreign++;
    else if (ended.answered) this.counters.duplicate++;
    else {
      ended.answered = true;
      this.counters.late++;
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
