import type { Store } from '../store/store.ts';

/** Selects charges: of an account, of one of its keys. Undefined: of all. */
export interface UsageFilter {
  account?: string | undefined;
  key?: string | undefined;
  /** How many UTC days, today included. */
  days: number;
}

interface Charged {
  credits: number;
  requests: number;
}

/** Sums of charges: by UTC day, each of them, oldest first; by operation and by key, the dearest first. */
export interface UsageByKey extends Charged {
  since: string;
  until: string;
  days: (Charged & { day: string })[];
  operations: (Charged & { operation: string })[];
  /** The dearest ones. `id` and `name` are empty for charges from before keys were noted; a key of the settings has no name. */
  keys: (Charged & { id: string; name: string; account: string })[];
}

const MAX_KEYS = 200;
const DAY_MS = 86_400_000;

const USAGE = {
  name: 'usage-by-key',
  text: `
  WITH today AS (SELECT (now() AT TIME ZONE 'UTC')::date AS today), sums AS (
    SELECT day, operation, account_id, key_id, grouping(day, operation, key_id) AS left_out, sum(u.credits)::bigint AS credits,
      sum(u.requests)::bigint AS requests
    FROM usage_by_key u, today
    WHERE day > today - $3::integer AND ($1::text IS NULL OR account_id = $1) AND ($2::text IS NULL OR key_id = $2)
    GROUP BY GROUPING SETS ((day), (operation), (account_id, key_id), ())
  )
  SELECT s.day::text AS day, s.operation, s.account_id, s.key_id, coalesce(k.name, '') AS name, s.left_out, coalesce(s.credits, 0) AS credits,
    coalesce(s.requests, 0) AS requests, today::text AS today
  FROM today, sums s LEFT JOIN api_keys k ON k.id = s.key_id
  ORDER BY s.credits DESC, s.operation, s.key_id`,
};
/** Which of the three columns a sum does not tell apart, as PostgreSQL writes it. */
const LEFT_OUT = { days: 0b011, operations: 0b101, keys: 0b110, all: 0b111 } as const;

interface SumRow extends Charged {
  day: string;
  operation: string;
  account_id: string;
  key_id: string;
  name: string;
  left_out: number;
  today: string;
}

/** Sums of charges. One pass over the rows of the days, accounts and keys that count. */
export async function readUsageByKey({ lookups }: Store, { account, key, days }: UsageFilter): Promise<UsageByKey> {
  const rows = await lookups.query<SumRow>({ ...USAGE, values: [account, key, days] });
  const of = (leftOut: number): SumRow[] => rows.filter((row) => row.left_out === leftOut && row.credits > 0);
  const [{ today, credits, requests }] = rows.filter((row) => row.left_out === LEFT_OUT.all) as [SumRow];
  const charged = new Map(of(LEFT_OUT.days).map((row) => [row.day, { credits: row.credits, requests: row.requests }]));
  const until = Date.parse(today);
  const every = Array.from({ length: days }, (_, i) => new Date(until - (days - 1 - i) * DAY_MS).toISOString().slice(0, 10));
  return {
    since: every[0] ?? today,
    until: today,
    credits,
    requests,
    days: every.map((day) => ({ day, ...(charged.get(day) ?? { credits: 0, requests: 0 }) })),
    operations: of(LEFT_OUT.operations).map((row) => ({ operation: row.operation, credits: row.credits, requests: row.requests })),
    keys: of(LEFT_OUT.keys)
      .slice(0, MAX_KEYS)
      .map((row) => ({ id: row.key_id, name: row.name, account: row.account_id, credits: row.credits, requests: row.requests })),
  };
}

/** UTC days of which sums are kept, today included: more than a page asks about, or the audit compares. */
const KEPT_DAYS = 92;
const BATCH = 5_000;

// Rows that another gateway removes are left to it.
const EXPIRE = {
  name: 'usage-expire',
  text: `
  WITH old AS MATERIALIZED (
    SELECT ctid FROM usage_by_key WHERE day <= (now() AT TIME ZONE 'UTC')::date - ${KEPT_DAYS} ORDER BY day LIMIT $1 FOR UPDATE SKIP LOCKED
  ), removed AS (DELETE FROM usage_by_key u USING old WHERE u.ctid = old.ctid RETURNING 1)
  SELECT count(*)::integer AS removed FROM removed`,
};

/** Removes old sums, in statements of at most `batch` rows. The entries that they were made of stay. */
export async function expireUsage({ relaxed }: Pick<Store, 'relaxed'>, batch = BATCH): Promise<void> {
  for (;;) {
    const [{ removed }] = (await relaxed.query<{ removed: number }>({ ...EXPIRE, values: [batch] })) as [{ removed: number }];
    if (removed < batch) return;
  }
}
