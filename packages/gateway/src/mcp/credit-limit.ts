import { ApiError, type Clock } from '@vedette/contract';

const HOUR_MS = 3_600_000;

/** A client's own limit: credits that its key may spend here in an hour. */
export const CREDITS_HEADER = 'vedette-max-credits';

/** The credits that keys have spent by tools in their hour. */
export class CreditLimit {
  readonly #clock: Clock;
  readonly #hours = new Map<string, { spent: number; until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts what a call may cost, unless that goes beyond `max`. Returns what corrects it, once the charge is known. Throws `ApiError` insufficient_credits. */
  take(keyId: string, cost: number, max: number): (charged: number) => void {
    const now = this.#clock.now();
    for (const [id, { until }] of this.#hours) {
      if (until > now) break; // they began in this order
      this.#hours.delete(id);
    }
    const hour = this.#hours.get(keyId) ?? { spent: 0, until: now + HOUR_MS };
    if (hour.spent + cost > max)
      throw new ApiError(
        'insufficient_credits',
        `tools have spent ${hour.spent} of ${max} credits of this hour (${CREDITS_HEADER}), and this call costs ${cost}`,
        { retryAfterS: (hour.until - now) / 1000 },
      );
    this.#hours.set(keyId, hour);
    hour.spent += cost;
    return (charged) => {
      hour.spent += charged - cost;
    };
  }
}

/** The limit that a client has set. Throws `ApiError` invalid_parameter. */
export function creditLimitIn(header: string | undefined): number {
  if (header === undefined) return Infinity;
  if (!/^\d{1,9}$/.test(header)) throw new ApiError('invalid_parameter', 'it takes a number of credits', { param: CREDITS_HEADER });
  return Number(header);
}
