/**
 * The statements that move credits. Each is one transaction by itself: one round trip, one commit. All of them lock the
 * accounts first, in id order (the condition on `locked` comes before the rows), so that batches of several gateways neither deadlock nor decide on a stale balance; whatever
 * touches a reservation holds its account's lock.
 */

/** The accounts of a batch, locked, in the period that is current now. `$n` is the parameter with their ids. */
const lockedAccounts = (parameter: string): string => `
  locked AS MATERIALIZED (
    SELECT a.id, a.held, p.monthly_credits,
      p.monthly_credits + CASE WHEN p.overage_allowed AND a.overage_enabled THEN p.overage_limit ELSE 0 END AS ceiling,
      CASE WHEN a.period_ends <= now() THEN 0 ELSE a.spent END AS spent,
      CASE WHEN a.period_ends <= now() THEN next_reset(now(), a.reset_day) ELSE a.period_ends END AS period_ends
    FROM accounts a JOIN plans p ON p.id = a.plan_id
    WHERE a.id = ANY (${parameter}::text[])
    ORDER BY a.id
    FOR NO KEY UPDATE OF a
  )`;

/** One account after a batch. */
export interface AccountRow {
  account_id: string;
  monthly_credits: number;
  spent: number;
  held: number;
  /** Seconds since 1970. */
  resets_at: number;
}

/**
 * $1 reservation ids, $2 their accounts, $3 costs, $4 operations, $5 how long each is held in ms, $6 the distinct accounts, $7 the lease they are held under.
 * The cheapest first: then the running sum grants as many as fit, and refuses none that would have fitted.
 */
export const RESERVE = {
  name: 'reserve',
  text: `
  WITH wanted AS (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::bigint[]) AS w (id, account_id, cost, operation, hold_ms)
  ), ${lockedAccounts('$6')}, decided AS (
    SELECT w.*, l.ceiling - l.spent - l.held >= sum(w.cost) OVER (PARTITION BY w.account_id ORDER BY w.cost ROWS UNBOUNDED PRECEDING) AS granted
    FROM wanted w JOIN locked l ON l.id = w.account_id
  ), held AS (
    INSERT INTO reservations (id, account_id, cost, operation, expires_at, lease)
    SELECT id, account_id, cost, operation, now() + hold_ms * interval '1 millisecond', $7::uuid FROM decided WHERE granted
  ), totals AS (
    SELECT account_id, coalesce(sum(cost) FILTER (WHERE granted), 0)::bigint AS credits, array_agg(id) FILTER (WHERE NOT granted) AS refused
    FROM decided GROUP BY account_id
  ), updated AS (
    UPDATE accounts a SET held = l.held + t.credits, spent = l.spent, period_ends = l.period_ends
    FROM locked l JOIN totals t ON t.account_id = l.id
    WHERE a.id = l.id AND (t.credits > 0 OR a.period_ends <> l.period_ends)
  )
  SELECT l.id AS account_id, l.monthly_credits, l.spent, l.held + t.credits AS held,
    extract(epoch FROM l.period_ends)::bigint AS resets_at, coalesce(t.refused, '{}')::text[] AS refused
  FROM locked l JOIN totals t ON t.account_id = l.id`,
};

/** $1 reservation ids, $2 the distinct accounts, $3 the keys of the reservations. Charges those still held; `charged` counts them. */
export const SETTLE = {
  name: 'settle',
  text: `
  WITH ${lockedAccounts('$2')}, charged AS (
    DELETE FROM reservations WHERE id = ANY ($1::uuid[]) AND expires_at > now() AND (SELECT count(*) FROM locked) > 0
    RETURNING id, account_id, cost, operation
  ), entered AS (
    INSERT INTO entries (reservation_id, account_id, cost, operation, charged_at, period_ends, key_id)
    SELECT c.id, c.account_id, c.cost, c.operation, now(), l.period_ends, k.key_id
    FROM charged c JOIN locked l ON l.id = c.account_id JOIN unnest($1::uuid[], $3::text[]) AS k (id, key_id) ON k.id = c.id
  ), totals AS (
    SELECT account_id, sum(cost)::bigint AS credits, count(*) AS charged FROM charged GROUP BY account_id
  ), daily AS (
    INSERT INTO usage_daily AS u (account_id, day, credits)
    SELECT account_id, (now() AT TIME ZONE 'UTC')::date, credits FROM totals
    ON CONFLICT (account_id, day) DO UPDATE SET credits = u.credits + excluded.credits
  ), updated AS (
    UPDATE accounts a SET held = l.held - t.credits, spent = l.spent + t.credits, period_ends = l.period_ends
    FROM locked l JOIN totals t ON t.account_id = l.id WHERE a.id = l.id
  )
  SELECT l.id AS account_id, l.monthly_credits, l.spent + t.credits AS spent, l.held - t.credits AS held,
    extract(epoch FROM l.period_ends)::bigint AS resets_at, t.charged
  FROM locked l JOIN totals t ON t.account_id = l.id`,
};

/** $1 reservation ids: which of them were charged. */
export const CHARGED = {
  name: 'charged',
  text: 'SELECT reservation_id::text AS id FROM entries WHERE reservation_id = ANY ($1::uuid[])',
};

/** $1 reservation ids, $2 the distinct accounts. Gives back what is still held of them. */
export const RELEASE = {
  name: 'release',
  text: `
  WITH ${lockedAccounts('$2')}, dropped AS (
    DELETE FROM reservations WHERE id = ANY ($1::uuid[]) AND (SELECT count(*) FROM locked) > 0 RETURNING account_id, cost
  ), totals AS (
    SELECT account_id, sum(cost)::bigint AS credits FROM dropped GROUP BY account_id
  ), updated AS (
    UPDATE accounts a SET held = l.held - t.credits
    FROM locked l JOIN totals t ON t.account_id = l.id WHERE a.id = l.id
  )
  SELECT l.id AS account_id, l.monthly_credits, l.spent, l.held - coalesce(t.credits, 0) AS held,
    extract(epoch FROM l.period_ends)::bigint AS resets_at
  FROM locked l LEFT JOIN totals t ON t.account_id = l.id`,
};

/** $1 accounts: locks them for the rest of a transaction, whose next statement then sees what the previous holder did. */
export const LOCK = {
  name: 'lock',
  text: 'SELECT id FROM accounts WHERE id = ANY ($1::text[]) ORDER BY id FOR NO KEY UPDATE',
};

/** $1 reservation ids, $2 the distinct accounts. Keeps repetitions of these requests waiting; before the accounts, as they do it. */
export const LOCK_CLAIMS = {
  name: 'lock-claims',
  text: `
  SELECT FROM idempotency_keys WHERE account_id = ANY ($2::text[]) AND reservation_id = ANY ($1::uuid[])
  ORDER BY account_id, key FOR NO KEY UPDATE`,
};

/**
 * $1 reservation ids. Takes back charges of requests that got no answer, unless a repetition has had one for it by now; their
 * claims and accounts are locked before.
 */
export const REVERSE = {
  name: 'reverse',
  text: `
  WITH reversed AS (
    DELETE FROM entries e WHERE reservation_id = ANY ($1::uuid[]) AND NOT EXISTS (
      SELECT FROM idempotency_keys k WHERE k.account_id = e.account_id AND k.reservation_id = e.reservation_id AND k.reruns > 0
    ) RETURNING account_id, cost, charged_at, period_ends
  ), days AS (
    SELECT account_id, (charged_at AT TIME ZONE 'UTC')::date AS day, sum(cost)::bigint AS credits FROM reversed GROUP BY 1, 2
  ), daily AS (
    UPDATE usage_daily u SET credits = u.credits - d.credits FROM days d WHERE u.account_id = d.account_id AND u.day = d.day
  ), periods AS (
    SELECT account_id, period_ends, sum(cost)::bigint AS credits FROM reversed GROUP BY 1, 2
  )
  UPDATE accounts a SET spent = a.spent - p.credits FROM periods p WHERE a.id = p.account_id AND a.period_ends = p.period_ends`,
};

/** Gives back, of the holds that a query names (their ids and accounts), what still is one when their accounts are locked. */
const sweepOf = (query: string): string => `
  WITH late AS (${query}), locked AS MATERIALIZED (
    SELECT id FROM accounts WHERE id IN (SELECT account_id FROM late) ORDER BY id FOR NO KEY UPDATE
  ), dropped AS (
    DELETE FROM reservations r USING late, locked WHERE r.id = late.id AND locked.id = r.account_id
    RETURNING r.account_id, r.cost
  ), totals AS (
    SELECT account_id, sum(cost)::bigint AS credits, count(*) AS holds FROM dropped GROUP BY account_id
  ), updated AS (
    UPDATE accounts a SET held = a.held - t.credits FROM totals t WHERE a.id = t.account_id
  )
  SELECT coalesce(sum(holds), 0)::bigint AS holds FROM totals`;

/** Returns late holds of requests that were never ended. $1: at most so many. */
export const SWEEP_LATE = {
  name: 'sweep-late',
  text: sweepOf('SELECT id, account_id FROM reservations WHERE expires_at <= now() ORDER BY expires_at LIMIT $1::integer'),
};

/** Gives back what dead gateways held. $1: at most so many, $2 and $3: their leases and the counts at which these stand still. */
export const SWEEP_DEAD = {
  name: 'sweep-dead',
  text: sweepOf(`
    SELECT r.id, r.account_id FROM reservations r JOIN leases l ON l.id = r.lease
      JOIN unnest($2::uuid[], $3::bigint[]) AS d (id, renewals) ON d.id = l.id AND d.renewals = l.renewals
    LIMIT $1::integer`),
};

/** $1 a lease: gives back all that is held under it. */
export const SWEEP_OWN = {
  name: 'sweep-own',
  text: sweepOf('SELECT id, account_id FROM reservations WHERE lease = $1::uuid'),
};
