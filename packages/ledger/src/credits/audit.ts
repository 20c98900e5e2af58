import type { Store } from '../store/store.ts';

/** Two figures that must be equal and are not. */
export interface Discrepancy {
  accountId: string;
  what: 'held' | 'spent' | 'daily' | 'by_key';
  /** The sum that the account, the day or the day's keys record. */
  recorded: number;
  /** The sum of the reservations or of the ledger's entries. */
  counted: number;
}

// One snapshot for all. Entries older than two periods are not read again: 62 days cover any current period and the days in it;
// what an account spent in one that has ended is no longer asked.
const AUDIT = {
  name: 'audit',
  text: `
  WITH recent AS MATERIALIZED (
    SELECT account_id, cost, charged_at, period_ends FROM entries WHERE charged_at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '62 days'
  ), holds AS (
    SELECT account_id, sum(cost)::bigint AS credits FROM reservations GROUP BY account_id
  ), charges AS (
    SELECT account_id, period_ends, sum(cost)::bigint AS credits FROM recent GROUP BY account_id, period_ends
  ), days AS (
    SELECT account_id, (charged_at AT TIME ZONE 'UTC')::date AS day, sum(cost)::bigint AS credits FROM recent GROUP BY 1, 2
  ), recorded_days AS (
    SELECT account_id, day, credits FROM usage_daily WHERE credits > 0 AND day >= (now() AT TIME ZONE 'UTC')::date - 62
  ), recorded_keys AS (
    SELECT account_id, day, sum(credits)::bigint AS credits FROM usage_by_key WHERE day >= (now() AT TIME ZONE 'UTC')::date - 62
    GROUP BY account_id, day HAVING sum(credits) > 0
  )
  SELECT a.id AS account_id, 'held' AS what, a.held AS recorded, coalesce(h.credits, 0) AS counted
    FROM accounts a LEFT JOIN holds h ON h.account_id = a.id WHERE a.held <> coalesce(h.credits, 0)
  UNION ALL
  SELECT a.id, 'spent', a.spent, coalesce(c.credits, 0)
    FROM accounts a LEFT JOIN charges c ON c.account_id = a.id AND c.period_ends = a.period_ends
    WHERE a.period_ends > now() AND a.spent <> coalesce(c.credits, 0)
  UNION ALL
  SELECT coalesce(r.account_id, d.account_id), 'daily', coalesce(r.credits, 0), coalesce(d.credits, 0)
    FROM recorded_days r FULL JOIN days d ON d.account_id = r.account_id AND d.day = r.day
    WHERE coalesce(r.credits, 0) <> coalesce(d.credits, 0)
  UNION ALL
  SELECT coalesce(r.account_id, d.account_id), 'by_key', coalesce(r.credits, 0), coalesce(d.credits, 0)
    FROM recorded_keys r FULL JOIN days d ON d.account_id = r.account_id AND d.day = r.day
    WHERE coalesce(r.credits, 0) <> coalesce(d.credits, 0)`,
};

/** Compares what the accounts and the days say with the rows they come from. Empty when all is well. */
export async function audit(store: Store): Promise<Discrepancy[]> {
  return await store.withClient(async (client) => {
    const { rows } = await client.query<{ account_id: string; what: Discrepancy['what']; recorded: number; counted: number }>(AUDIT);
    return rows.map(({ account_id, ...figures }) => ({ accountId: account_id, ...figures }));
  });
}
