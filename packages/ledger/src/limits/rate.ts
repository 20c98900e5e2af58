import type { Store } from '../store/store.ts';

export interface Rate {
  /** Requests per second in the long run. */
  rate: number;
  /** Requests that may come at once. */
  burst: number;
}

export interface RateDecision {
  allowed: boolean;
  /** Seconds until a request would be allowed; 0 when this one is. */
  retryAfterS: number;
}

// Generic cell rate algorithm (ITU-T I.371): a request conforms when it does not come more than the tolerance before its
// theoretical arrival time. The row decides for all gateways, by the database's clock.
const TAKE = {
  name: 'rate-take',
  text: `
  WITH taken AS (
    INSERT INTO rate_limits AS r (bucket, arrival) VALUES ($1, now() + $2::float8 * interval '1 second')
    ON CONFLICT (bucket) DO UPDATE SET arrival = greatest(r.arrival, clock_timestamp()) + $2::float8 * interval '1 second'
    WHERE r.arrival <= clock_timestamp() + $3::float8 * interval '1 second'
    RETURNING arrival
  )
  SELECT EXISTS (SELECT FROM taken) AS allowed,
    extract(epoch FROM (SELECT arrival FROM rate_limits WHERE bucket = $1) - clock_timestamp())::float8 - $3::float8 AS wait_s`,
};

/** Takes one request from a bucket that all gateways share. Throws `ApiError` ledger_unavailable. */
export async function take({ lookups }: Store, bucket: string, { rate, burst }: Rate): Promise<RateDecision> {
  const interval = 1 / rate;
  const [row] = await lookups.query<{ allowed: boolean; wait_s: number | null }>({
    ...TAKE,
    values: [bucket, interval, interval * (burst - 1)],
  });
  return row!.allowed ? { allowed: true, retryAfterS: 0 } : { allowed: false, retryAfterS: Math.max(0, row!.wait_s ?? interval) };
}

/** Forgets buckets that are full again. */
export async function expireBuckets({ relaxed }: Store): Promise<void> {
  await relaxed.query({ text: 'DELETE FROM rate_limits WHERE arrival < now()' });
}
