import { BoundedMap } from '@vedette/contract';
import type { AccountRow } from './statements.ts';

/** The values of `X-Service-Quota`: credits of the period, credits left, and when the next period begins (seconds since 1970). */
export interface Quota {
  limit: number;
  remaining: number;
  reset: number;
}

const MAX_ACCOUNTS = 100_000;
const MAX_SHORT = 100;

/** The newest balance that this gateway has seen of each account: every statement about credits brings it along. */
export interface Quotas {
  remember(row: AccountRow): void;
  get(accountId: string): Quota | undefined;
  /** Accounts that have less than a tenth of their credits left: a hundred at most, those seen last. */
  short(): ShortOfCredits[];
}

/** An account whose credits are coming to an end. */
export interface ShortOfCredits {
  account: string;
  remaining: number;
}

export function createQuotas(): Quotas {
  const quotas = new BoundedMap<string, Quota>(MAX_ACCOUNTS);
  return {
    remember(row) {
      quotas.set(row.account_id, { limit: row.monthly_credits, remaining: remainingOf(row), reset: row.resets_at });
    },
    get: (accountId) => quotas.get(accountId),
    short: () =>
      [...quotas]
        .filter(([, { limit, remaining }]) => remaining < limit / 10)
        .slice(-MAX_SHORT)
        .map(([account, { remaining }]) => ({ account, remaining })),
  };
}

/** Credits that a request could still take without overage: what others hold is not free. */
export const remainingOf = ({ monthly_credits, spent, held }: Pick<AccountRow, 'monthly_credits' | 'spent' | 'held'>): number =>
  Math.max(0, monthly_credits - spent - held);
