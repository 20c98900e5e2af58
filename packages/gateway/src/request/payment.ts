import type { Reservation } from '@vedette/ledger';
import type { Parts } from './parts.ts';
import type { GateRow } from '../shares/gate.ts';

/** The fate of one request's hold. */
export class Payment {
  readonly #parts: Parts;
  readonly #reservation: Reservation;
  #answered = false;
  #waived = false;
  #charged: number | undefined;
  #outcome: PromiseWithResolvers<number> | undefined;

  constructor(reservation: Reservation, parts: Parts) {
    this.#reservation = reservation;
    this.#parts = parts;
  }

  /** Resolves when it is known to what was charged. */
  async charged(): Promise<number> {
    if (this.#charged !== undefined) return this.#charged;
    this.#outcome ??= Promise.withResolvers<number>();
    return this.#outcome.promise;
  }

  /** The answer is there, and is kept if requested: it is paid for even when the client has left. Throws `ApiError`, as the ledger does. */
  async settle(answer: string | undefined): Promise<void> {
    this.#answered = true;
    if (!this.#waived) await this.#settle(answer);
  }

  /** The price of the answer. */
  get cost(): number {
    return this.#waived ? 0 : this.#reservation.cost;
  }

  /** The report is free: `settle` charges nothing, and `end` gives the hold back. */
  readonly waive = (): void => {
    this.#waived = true;
  };

  /**
   * Call at the end: without a report the request is free, unless `owed`. The ledger returns a hold that can be neither charged nor
   * returned here.
   */
  async end(owed: boolean): Promise<void> {
    if (this.#charged !== undefined) return;
    const charging = owed && !this.#answered && !this.#waived;
    try {
      if (charging) await this.#settle();
      else await this.#release();
    } catch (err) {
      this.#parts.log.warn({ err }, charging ? 'the request of a client that left was not charged' : 'hold not released');
    }
    this.#close(this.#charged ?? 0);
  }

  async #settle(answer?: string): Promise<void> {
    const { cost, operation } = this.#reservation;
    await this.#parts.ledger.settle(this.#reservation, answer);
    if (cost > 0) this.#parts.metrics.charged.inc({ operation }, cost);
    this.#close(cost);
  }

  async #release(): Promise<void> {
    const { cost, operation } = this.#reservation;
    await this.#parts.ledger.release(this.#reservation);
    if (cost > 0) this.#parts.metrics.released.inc({ operation }, cost);
  }

  #close(charged: number): void {
    this.#charged = charged;
    this.#outcome?.resolve(charged);
  }
}

export const CREDITS_GATE: GateRow = {
  name: 'Credits',
  limits: 'credits of the account, and requests that wait for the ledger',
  limit: 'the price of the request is reserved, or an earlier answer is repeated',
  codes: ['insufficient_credits', 'idempotency_conflict', 'overloaded', 'ledger_unavailable'],
  cause: 'account',
  files: ['packages/ledger/src/credits/holds.ts', 'packages/ledger/src/credits/idempotency.ts', 'packages/ledger/src/store/batcher.ts'],
};
