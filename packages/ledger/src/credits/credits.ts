import { randomUUIDv7 } from 'node:crypto';
import { ApiError, type Clock } from '@vedette/contract';
import { createBatcher } from '../store/batcher.ts';
import type { Disk } from '../embedded/disk-reserve.ts';
import type { LedgerEvents } from '../store/events.ts';
import type { Store } from '../store/store.ts';
import { countedBatches } from './counted-batches.ts';
import { type ClaimedHold, createHolds, type Hold, type Reservation } from './holds.ts';
import { keepAnswers, type KeptAnswer } from './idempotency.ts';
import type { InDoubt } from './in-doubt.ts';
import type { Quotas } from './quotas.ts';

/** The time by which a hold outlives its request's deadline: for settling, and for clocks of two machines that differ by up to a minute. */
const HOLD_SLACK_MS = 30_000;
const BATCHING = { maxBatch: 4_000, maxQueue: 20_000 };
/** An answer may be a megabyte. */
const ANSWER_BATCHING = { maxBatch: 16, maxQueue: 20_000 };

export interface ReserveRequest {
  account: { id: string; keyId?: string };
  operation: string;
  /** Whole credits; 0 touches nothing. */
  cost: number;
  deadlineMs: number;
  /** The client's Idempotency-Key header, and the SHA-256 of the body that came with it. */
  idempotency?: { key: string; bodySha256: Uint8Array };
}

export interface Credits {
  /**
   * Holds the cost. Throws `ApiError` insufficient_credits, key_unknown (the account is gone), idempotency_conflict, ledger_unavailable or overloaded.
   * The hold may be lost in a crash of the database; settling then throws deadline.
   */
  reserve: (request: ReserveRequest) => Promise<Reservation>;
  /**
   * Charges the hold; resolves when the charge is on disk. `answer` is what the request gets for it: it is kept for repetitions
   * where the request has an Idempotency-Key. A free rerun that is settled without one is used up. Throws `ApiError` deadline when the hold has expired, and
   * ledger_unavailable when it could not be charged: then nothing stays charged, even if the outcome is not known yet.
   */
  settle: (reservation: Reservation, answer?: string) => Promise<void>;
  /**
   * Gives the hold back, or the free rerun, later if the database is away: then it throws `ApiError` ledger_unavailable. Does nothing when
   * the hold has ended already.
   */
  release: (reservation: Reservation) => Promise<void>;
}

interface Parts {
  store: Store;
  quotas: Quotas;
  inDoubt: InDoubt;
  /** The lease under which new holds are made. */
  lease: string;
  /** While it is short no answers are kept. */
  disk: Pick<Disk, 'isShort'>;
  clock: Clock;
  events: LedgerEvents;
}

export function createCredits({ store, quotas, inDoubt, lease, disk, ...counting }: Parts): Credits {
  const { hold, holdClaimed, charge, release } = createHolds(store, quotas, lease);

  const reserving = async (batch: Hold[]) => {
    try {
      return await hold(store.relaxed, batch);
    } catch (cause) {
      inDoubt.add(batch);
      throw cause;
    }
  };
  const reserveLane = createBatcher(countedBatches('reserve', counting, reserving), BATCHING);

  const settling = async (batch: Reservation[]) => {
    try {
      return await charge(batch);
    } catch {
      // The commit may have happened all the same: charging again finds out, on another connection.
      try {
        return await charge(batch);
      } catch (cause) {
        inDoubt.add(batch);
        throw cause;
      }
    }
  };
  const settleLane = createBatcher(countedBatches('settle', counting, settling), BATCHING);

  // Durable: a crash that brought the hold back would keep credits from their account, and repetitions of the request, until it expired.
  const releaseLane = createBatcher(countedBatches('release', counting, release), BATCHING);

  const keeping = async (batch: KeptAnswer[]) => {
    counting.events.notKept(await keepAnswers(store, batch, disk.isShort()));
    return batch.map(() => undefined);
  };
  const answerLane = createBatcher(countedBatches('answer', counting, keeping), ANSWER_BATCHING);

  /** Like `reserving`, for requests with an Idempotency-Key. */
  const claiming = async (batch: ClaimedHold[]) => {
    try {
      return await store.relaxed.transaction((database) => holdClaimed(database, batch));
    } catch (cause) {
      inDoubt.add(batch.map(({ held }) => held));
      throw cause;
    }
  };
  const claimLane = createBatcher<ClaimedHold, Reservation>(countedBatches('claim', counting, claiming), BATCHING);

  return {
    async reserve({ account, operation, cost, deadlineMs, idempotency }) {
      const holdMs = Math.ceil(deadlineMs) + HOLD_SLACK_MS;
      const held: Hold = { id: randomUUIDv7(), accountId: account.id, keyId: account.keyId, operation, cost, holdMs };
      if (cost === 0) return held;
      if (idempotency) return await claimLane({ held, claim: { id: held.id, accountId: account.id, operation, ...idempotency } });
      await reserveLane(held);
      return held;
    },
    async settle(reservation, answer) {
      const { claim, accountId } = reservation;
      // Before the charge: what was charged has its answer. An answer that cannot be kept costs its repetition another run, but no credit.
      if (claim && (answer !== undefined || reservation.cost === 0))
        await answerLane({ ...claim, accountId, answer }).catch((error: unknown) => {
          if (!(error instanceof ApiError)) throw error;
        });
      if (reservation.cost > 0) await settleLane(reservation);
    },
    async release(reservation) {
      if (reservation.cost === 0 && !reservation.claim) return;
      try {
        await releaseLane(reservation);
      } catch (cause) {
        inDoubt.add([reservation]);
        throw cause;
      }
    },
  };
}
