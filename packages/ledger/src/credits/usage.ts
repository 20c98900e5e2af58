import type { AccountUsage } from '@vedette/contract';
import type { Store } from '../store/store.ts';
import { remainingOf } from './quotas.ts';

const BALANCE = {
  name: 'balance',
  text: `
  SELECT p.monthly_credits, a.held, p.overage_allowed, a.overage_enabled, p.overage_limit,
    CASE WHEN a.period_ends <= now() THEN 0 ELSE a.spent END AS spent,
    CASE WHEN a.period_ends <= now() THEN next_reset(now(), a.reset_day) ELSE a.period_ends END AS period_ends
  FROM accounts a JOIN plans p ON p.id = a.plan_id WHERE a.id = $1`,
};

// As far back as account-info shows: 12 months, and 30 days, which are in them.
const DAYS = {
  name: 'usage-days',
  text: `
  SELECT day::text AS day, credits FROM usage_daily
  WHERE account_id = $1 AND credits > 0 AND day >= date_trunc('month', now() AT TIME ZONE 'UTC') - interval '11 months'
  ORDER BY day DESC`,
};

interface BalanceRow {
  monthly_credits: number;
  held: number;
  spent: number;
  period_ends: Date;
  overage_allowed: boolean;
  overage_enabled: boolean;
  overage_limit: number;
}

/** An account's balance and its use by UTC day and month, newest first, 12 months back. Undefined when the account does not exist. */
export async function readUsage({ lookups }: Store, accountId: string): Promise<AccountUsage | undefined> {
  const [[balance], days] = await Promise.all([
    lookups.query<BalanceRow>({ ...BALANCE, values: [accountId] }),
    lookups.query<{ day: string; credits: number }>({ ...DAYS, values: [accountId] }),
  ]);
  if (!balance) return undefined;
  const monthly = new Map<string, number>();
  for (const { day, credits } of days) monthly.set(day.slice(0, 7), (monthly.get(day.slice(0, 7)) ?? 0) + credits);
  return {
    remaining: remainingOf(balance),
    next_reset: balance.period_ends,
    overage: {
      allowed: balance.overage_allowed,
      enabled: balance.overage_enabled,
      consumed: Math.max(0, balance.spent - balance.monthly_credits),
      limit: balance.overage_limit,
    },
    daily: new Map(days.map(({ day, credits }) => [day, credits])),
    monthly,
  };
}
