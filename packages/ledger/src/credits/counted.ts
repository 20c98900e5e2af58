import { ApiError, type Clock } from '@vedette/contract';
import type { CreditWork, LedgerEvents } from '../store/events.ts';
import type { Credits } from './credits.ts';
import type { Reservation } from './holds.ts';

/** The credits held for requests under way. */
export interface Held {
  holds: number;
  /** Credits. */
  credits: number;
}

/** The credits, with what is done with them counted, and what is held now. */
export function countedCredits(credits: Credits, clock: Clock, events: LedgerEvents): Credits & { held: () => Held } {
  /** Costs by reservation: of requests under way, so there are no more of them than of these. */
  const held = new Map<string, number>();

  async function timed<T>(work: CreditWork, run: () => Promise<T>): Promise<T> {
    const started = clock.now();
    try {
      const result = await run();
      events.ended(work, 'ok', clock.now() - started);
      return result;
    } catch (error) {
      events.ended(work, error instanceof ApiError ? error.code : 'internal', clock.now() - started);
      throw error;
    }
  }

  /** Errors are ignored: the ledger's sweeps return a hold that could not be ended. */
  const ending = async (work: CreditWork, reservation: Reservation, run: () => Promise<void>): Promise<void> => {
    try {
      await timed(work, run);
    } finally {
      held.delete(reservation.id);
    }
  };

  const paid: Credits = {
    async reserve(request) {
      const reservation = await timed('reserve', () => credits.reserve(request));
      if (reservation.cost > 0) held.set(reservation.id, reservation.cost);
      return reservation;
    },
    settle: (reservation, answer) => ending('settle', reservation, () => credits.settle(reservation, answer)),
    release: (reservation) => ending('release', reservation, () => credits.release(reservation)),
  };
  /** Free requests are not counted, and wait for nothing. */
  const creditsOf = ({ cost }: { cost: number }): Credits => (cost === 0 ? credits : paid);

  return {
    reserve: (request) => creditsOf(request).reserve(request),
    settle: (reservation, answer) => creditsOf(reservation).settle(reservation, answer),
    release: (reservation) => creditsOf(reservation).release(reservation),
    held: () => ({ holds: held.size, credits: held.values().reduce((sum, cost) => sum + cost, 0) }),
  };
}
