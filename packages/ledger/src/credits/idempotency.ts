import { ApiError } from '@vedette/contract';
import type { Database, Store } from '../store/store.ts';

/** A request's claim that it is the one its client's key stands for. */
export interface Claim {
  /** Id of the reservation that the request wants to make. */
  id: string;
  accountId: string;
  operation: string;
  key: string;
  bodySha256: Uint8Array;
}

type Transaction = Pick<Database, 'query'>;

/** How often a request that was paid and left no answer runs again. */
const MAX_RERUNS = 1;
/** UTF-16 units of an answer that is kept; the request of a longer one is run again. */
export const MAX_KEPT_ANSWER = 1_048_576;
/** Bytes of answers that are kept at any time: half of them may come at once, the other half over the ten minutes for which they are kept. */
const KEPT_BYTES = { account: 33_554_432, all: 536_870_912 } as const;
const KEPT_S = 600;

/** The place of a kept answer: the client's key, and the reservation that pays for it. */
export interface AnswerClaim {
  key: string;
  paidBy: string;
}

/** How a paid request, or its free rerun, ended, and what its answer is kept under. */
export interface KeptAnswer extends AnswerClaim {
  accountId: string;
  /** Undefined: no answer is kept, and the rerun is used up all the same. */
  answer: string | undefined;
}

/** The kind of a request with an Idempotency-Key: the first one, which pays, or a repetition, whose answer may be known. */
export type Verdict = { first: true } | { first: false; paidBy: string; answer: string | undefined };

const FIRST: Verdict = { first: true };

interface ClaimRow {
  account_id: string;
  key: string;
  inserted: boolean;
  expired: boolean;
  operation: string;
  body_sha256: Buffer;
  reruns: number;
  rerunning: boolean;
  reservation_id: string;
  answer: string | null;
}

const CLAIMS = `unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::uuid[]) AS w (account_id, key, operation, body_sha256, id)`;
const KEYS = 'unnest($1::text[], $2::text[]) AS w (account_id, key)';

const INSERT_OR_LOCK = {
  name: 'idempotency-claim',
  // The update that changes nothing locks the row: requests with one key are judged one after the other. In order: no deadlocks.
  text: `
  INSERT INTO idempotency_keys AS k (account_id, key, operation, body_sha256, reservation_id, expires_at)
  SELECT account_id, key, operation, body_sha256, id, now() + interval '10 minutes' FROM ${CLAIMS} ORDER BY account_id, key
  ON CONFLICT (account_id, key) DO UPDATE SET key = k.key
  RETURNING account_id, key, xmax = 0 AS inserted, expires_at <= now() AS expired, operation, body_sha256, reruns, rerun_id IS NOT NULL AS rerunning, reservation_id::text, answer`,
};

const OUTCOMES = {
  name: 'idempotency-outcomes',
  text: `
  SELECT id::text, EXISTS (SELECT FROM entries WHERE reservation_id = id) AS charged,
    EXISTS (SELECT FROM reservations r WHERE r.id = w.id AND expires_at > now()) AS held
  FROM unnest($1::uuid[]) AS w (id)`,
};

const REPLACE = {
  name: 'idempotency-replace',
  text: `
  UPDATE idempotency_keys k SET operation = w.operation, body_sha256 = w.body_sha256, reservation_id = w.id, reruns = 0, answer = NULL,
    rerun_id = NULL, rerun_lease = NULL, expires_at = now() + interval '10 minutes'
  FROM ${CLAIMS} WHERE k.account_id = w.account_id AND k.key = w.key`,
};

// A charge in doubt stays once a repetition was served: counted also where the answer was known. $6: the lease of this gateway.
const SERVE_AGAIN = {
  name: 'idempotency-serve-again',
  text: `
  UPDATE idempotency_keys k SET reruns = k.reruns + 1,
    rerun_id = CASE WHEN k.answer IS NULL THEN w.id END, rerun_lease = CASE WHEN k.answer IS NULL THEN $6::uuid END
  FROM ${CLAIMS} WHERE k.account_id = w.account_id AND k.key = w.key`,
};

/** Gives back the reruns under way that a condition picks, each once. */
const giveBackOf = (condition: string): string => `
  WITH locked AS MATERIALIZED (
    SELECT account_id, key FROM idempotency_keys WHERE rerun_id IS NOT NULL AND ${condition} ORDER BY account_id, key FOR NO KEY UPDATE
  )
  UPDATE idempotency_keys k SET reruns = k.reruns - 1, rerun_id = NULL, rerun_lease = NULL
  FROM locked l WHERE k.account_id = l.account_id AND k.key = l.key`;

/** $1 the ids of reservations that reruns were claimed with: these ended without an answer. */
export const GIVE_BACK_RERUNS = { name: 'idempotency-give-back', text: giveBackOf('rerun_id = ANY ($1::uuid[])') };

/** $1 and $2: leases of dead gateways, and the counts at which these stand still. Gives back the reruns that died with them. */
export const GIVE_BACK_DEAD = {
  name: 'idempotency-give-back-dead',
  text: giveBackOf(`rerun_lease IN (
      SELECT d.id FROM unnest($1::uuid[], $2::bigint[]) AS d (id, renewals) JOIN leases o ON o.id = d.id AND o.renewals = d.renewals)`),
};

/** Takes room for bytes from buckets by the algorithm of `limits/rate.ts`, with bytes as seconds: half of the limit may come at once. */
const takeBytes = (limit: number, query: string): string => `
    INSERT INTO rate_limits AS r (bucket, arrival)
    SELECT bucket, now() + bytes * ${(2 * KEPT_S) / limit}::float8 * interval '1 second' FROM (${query}) AS q (bucket, bytes) WHERE bytes <= ${limit / 2}
    ON CONFLICT (bucket) DO UPDATE SET arrival = greatest(r.arrival, now()) + (excluded.arrival - now())
    WHERE greatest(r.arrival, now()) + (excluded.arrival - now()) <= now() + interval '${KEPT_S} seconds'
    RETURNING bucket`;

// One round trip: an answer is kept where its account has room for all that come together, and there is room in all.
const KEEP = {
  name: 'idempotency-keep',
  text: `
  WITH wanted AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::uuid[], $4::text[]) AS w (account_id, key, paid_by, answer)
  ), of_accounts AS (${takeBytes(
    KEPT_BYTES.account,
    `SELECT 'kept ' || account_id, sum(octet_length(answer)) FROM wanted WHERE answer IS NOT NULL GROUP BY account_id ORDER BY account_id`,
  )}
  ), fitting AS (
    SELECT account_id, octet_length(answer) AS bytes FROM wanted WHERE answer IS NOT NULL AND 'kept ' || account_id IN (SELECT bucket FROM of_accounts)
  ), of_all AS (${takeBytes(KEPT_BYTES.all, `SELECT 'kept', sum(bytes) FROM fitting HAVING count(*) > 0`)}
  ), locked AS MATERIALIZED (
    SELECT k.account_id, k.key, CASE WHEN EXISTS (SELECT FROM of_all) AND w.account_id IN (SELECT account_id FROM fitting) THEN w.answer END AS answer
    FROM idempotency_keys k JOIN wanted w ON w.account_id = k.account_id AND w.key = k.key AND w.paid_by = k.reservation_id
    ORDER BY k.account_id, k.key FOR NO KEY UPDATE OF k
  ), kept AS (
    UPDATE idempotency_keys k SET answer = coalesce(l.answer, k.answer), rerun_id = NULL, rerun_lease = NULL
    FROM locked l WHERE k.account_id = l.account_id AND k.key = l.key
  )
  SELECT (SELECT count(answer) FROM wanted)::int - count(*)::int AS account,
    CASE WHEN EXISTS (SELECT FROM of_all) THEN 0 ELSE count(*)::int END AS all
  FROM fitting`,
};

const FORGET = {
  name: 'idempotency-forget',
  text: `DELETE FROM idempotency_keys k USING ${KEYS} WHERE k.account_id = w.account_id AND k.key = w.key`,
};

/**
 * Decides what requests with an Idempotency-Key are. A repetition is free: it has the answer of the first, or is run again once,
 * within 10 minutes; a rerun that is refused does not count. Runs inside the transaction that makes the holds. `ApiError` idempotency_conflict where the key stands for another
 * request, for one that still runs, or has been used up.
 */
export async function judgeClaims(database: Transaction, claims: readonly Claim[], lease: string): Promise<(Verdict | ApiError)[]> {
  const distinct = [...new Map(claims.toReversed().map((claim) => [nameOf(claim), claim])).values()];
  const rows = await database.query<ClaimRow>({ ...INSERT_OR_LOCK, values: claimValues(distinct) });
  const known = new Map(rows.map((row) => [nameOf({ accountId: row.account_id, key: row.key }), row]));
  const earlier = rows.filter(({ inserted, expired }) => !inserted && !expired).map((row) => row.reservation_id);
  const outcomes = earlier.length === 0 ? [] : await database.query<Outcome & { id: string }>({ ...OUTCOMES, values: [earlier] });
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.id, outcome]));

  const verdicts = new Map(distinct.map((claim) => [claim, judge(claim, known.get(nameOf(claim))!, outcomeOf)]));
  const replacing = distinct.filter((claim) => verdicts.get(claim) === FIRST && !known.get(nameOf(claim))!.inserted);
  const repeating = distinct.filter((claim) => {
    const verdict = verdicts.get(claim)!;
    return !(verdict instanceof ApiError) && !verdict.first;
  });
  if (replacing.length > 0) await database.query({ ...REPLACE, values: claimValues(replacing) });
  if (repeating.length > 0) await database.query({ ...SERVE_AGAIN, values: [...claimValues(repeating), lease] });
  return claims.map((claim) => verdicts.get(claim) ?? stillRunning());
}

interface Outcome {
  charged: boolean;
  held: boolean;
}

function judge(claim: Claim, row: ClaimRow, outcomeOf: ReadonlyMap<string, Outcome>): Verdict | ApiError {
  if (row.inserted || row.expired) return FIRST;
  if (row.operation !== claim.operation || !row.body_sha256.equals(claim.bodySha256))
    return new ApiError('idempotency_conflict', 'the key was used with another operation or body');
  const { charged, held } = outcomeOf.get(row.reservation_id)!;
  if (held) return stillRunning();
  // An unpaid answer belongs to no account.
  if (!charged) return FIRST;
  const { answer, reservation_id: paidBy } = row;
  if (answer === null && row.reruns >= MAX_RERUNS)
    return row.rerunning
      ? new ApiError('idempotency_conflict', 'the free rerun of the request is still running', { retryAfterS: 1 })
      : new ApiError('idempotency_conflict', 'its free rerun is used up and left no answer; use another key');
  return { first: false, paidBy, answer: answer ?? undefined };
}

const stillRunning = (): ApiError =>
  new ApiError('idempotency_conflict', 'the first request with this key is still running', { retryAfterS: 1 });

/** Forgets the claims of requests that were refused. */
export async function forgetClaims(database: Transaction, claims: readonly Claim[]): Promise<void> {
  if (claims.length > 0) await database.query({ ...FORGET, values: keyValues(claims) });
}

const nameOf = ({ accountId, key }: Pick<Claim, 'accountId' | 'key'>): string => JSON.stringify([accountId, key]);

const keyValues = (claims: readonly Pick<Claim, 'accountId' | 'key'>[]): unknown[] => [
  claims.map(({ accountId }) => accountId),
  claims.map(({ key }) => key),
];

const claimValues = (claims: readonly Claim[]): unknown[] => [
  ...keyValues(claims),
  claims.map(({ operation }) => operation),
  claims.map(({ bodySha256 }) => Buffer.from(bodySha256)),
  claims.map(({ id }) => id),
];

/** Why an answer is not kept. */
export type NotKept = 'account' | 'all' | 'disk';

/**
 * Keeps answers for repetitions of their requests, unless they are too long, or beyond what is kept for their account or in all; reruns that
 * had one, or need none any more, are over. `short`: the disk is, and nothing is kept. Tells how many answers with room for each were not kept.
 */
export async function keepAnswers({ relaxed }: Store, answers: readonly KeptAnswer[], short: boolean): Promise<Record<NotKept, number>> {
  const fitting = answers.map(({ answer }) => (answer === undefined || answer.length > MAX_KEPT_ANSWER ? null : answer));
  const texts = short ? fitting.map(() => null) : fitting;
  const values = [...keyValues(answers), answers.map(({ paidBy }) => paidBy), texts];
  const [notKept] = await relaxed.query<{ account: number; all: number }>({ ...KEEP, values });
  return { ...notKept!, disk: short ? fitting.filter((answer) => answer !== null).length : 0 };
}

/** An answer that is kept. */
export interface ReadAnswer {
  operation: string;
  /** The report as it was sent: JSON. */
  answer: string;
  askedAt: Date;
  keptUntil: Date;
}

// Counted as a repetition: a charge in doubt stays, since its answer is read. A reader takes the claim's lock before it looks whether it was paid.
const READ = {
  name: 'idempotency-read',
  text: `
  UPDATE idempotency_keys SET reruns = reruns + 1 WHERE account_id = $1 AND key = $2 AND answer IS NOT NULL AND expires_at > now()
  RETURNING operation, answer, reservation_id::text AS id, expires_at - interval '${KEPT_S} seconds' AS asked_at, expires_at`,
};

interface ReadRow {
  id: string;
  operation: string;
  answer: string;
  asked_at: Date;
  expires_at: Date;
}

/** The answer that an account has paid for under a key; undefined where none is kept. Starts nothing, and costs nothing. */
export async function readAnswer({ durable }: Store, account: { id: string }, key: string): Promise<ReadAnswer | undefined> {
  const [row] = await durable.query<ReadRow>({ ...READ, values: [account.id, key] });
  if (row === undefined) return undefined;
  const [outcome] = await durable.query<Outcome>({ ...OUTCOMES, values: [[row.id]] });
  if (outcome?.charged !== true) return undefined;
  return { operation: row.operation, answer: row.answer, askedAt: row.asked_at, keptUntil: row.expires_at };
}

/** Forgets keys whose time is over. */
export async function expireIdempotencyKeys({ relaxed }: Store): Promise<void> {
  await relaxed.query({ text: 'DELETE FROM idempotency_keys WHERE expires_at <= now()' });
}
