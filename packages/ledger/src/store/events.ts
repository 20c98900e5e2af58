import type { ApiErrorCode } from '@vedette/contract';
import type { NotKept } from '../credits/idempotency.ts';

/** A change of a request's credits. */
export type CreditWork = 'reserve' | 'settle' | 'release';
/** One commit: holds, holds of requests with an Idempotency-Key, charges, returned holds, and kept answers. */
export type Lane = 'reserve' | 'claim' | 'settle' | 'release' | 'answer';

/** The ledger's counts for metrics. */
export interface LedgerEvents {
  /** It ended well, or with the error of this code; so long after it was asked for. Requests that have nothing to pay are not told of. */
  ended(work: CreditWork, outcome: 'ok' | ApiErrorCode, ms: number): void;
  /** The number of requests that shared one commit. */
  committed(lane: Lane, requests: number, ms: number, outcome: 'ok' | 'failed'): void;
  /** Unended holds were returned: their requests took too long, or their gateway died. */
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
