import type { ApiErrorCode } from '@vedette/contract';
import type { NotKept } from '../credits/idempotency.ts';

/** What is done with a request's credits. */
export type CreditWork = 'reserve' | 'settle' | 'release';
/** What is committed together: holds, those of requests with an Idempotency-Key, charges, holds given back, and answers that are kept. */
export type Lane = 'reserve' | 'claim' | 'settle' | 'release' | 'answer';

/** What the ledger counts, for metrics. */
export interface LedgerEvents {
  /** It ended well, or with the error of this code; so long after it was asked for. Requests that have nothing to pay are not told of. */
  ended(work: CreditWork, outcome: 'ok' | ApiErrorCode, ms: number): void;
  /** So many requests shared one commit. */
  committed(lane: Lane, requests: number, ms: number, outcome: 'ok' | 'failed'): void;
  /** Holds that nobody ended were given back: their requests took too long, or their gateway died. */
  swept(reason: 'late' | 'dead', holds: number): void;
  /** Answers for repetitions that had no room, by what had none: their account's share, the share of all, the disk. */
  notKept(answers: Readonly<Record<NotKept, number>>): void;
  /** The books were audited: so many figures do not add up. */
  audited(discrepancies: number): void;
  /** A work of upkeep failed; it is done again soon. */
  upkeepFailed(): void;
}

export const countNothing: LedgerEvents = {
  ended() {},
  committed() {},
  swept() {},
  notKept() {},
  audited() {},
  upkeepFailed() {},
};
