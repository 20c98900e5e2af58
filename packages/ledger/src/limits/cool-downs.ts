import type { Store } from '../store/store.ts';

/** Work that may be done once in a while, at all gateways together, by the database's clock. All throw `ApiError` ledger_unavailable. */
export interface CoolDowns {
  /** Begins the cool-downs of all keys, or of none while one of them lasts. Resolves to the seconds that it lasts; 0 when they have begun. */
  begin: (keys: readonly string[], seconds: number) => Promise<number>;
  /** Ends them: what they stand for has not been done. */
  end: (keys: readonly string[]) => Promise<void>;
}

// Rows are those of the rate limits, which expire in the same way. Sorted, so that two gateways do not deadlock. If two come at once, the
// second finds the row of the first when it writes.
const BEGIN = {
  name: 'cool-down-begin',
  text: `
  WITH lasting AS (
    SELECT max(arrival) AS until FROM rate_limits WHERE bucket = ANY($1::text[]) AND arrival > clock_timestamp()
  ), begun AS (
    INSERT INTO rate_limits AS r (bucket, arrival)
    SELECT key, clock_timestamp() + $2::float8 * interval '1 second' FROM unnest($1::text[]) AS key
    WHERE (SELECT until FROM lasting) IS NULL ORDER BY key
    ON CONFLICT (bucket) DO UPDATE SET arrival = excluded.arrival WHERE r.arrival <= clock_timestamp()
    RETURNING bucket
  )
  SELECT (SELECT count(*) FROM begun) = cardinality($1::text[]) AS begun,
    extract(epoch FROM (SELECT until FROM lasting) - clock_timestamp())::float8 AS left_s`,
};

export function createCoolDowns({ lookups }: Pick<Store, 'lookups'>): CoolDowns {
  return {
    async begin(keys, seconds) {
      const [row] = await lookups.query<{ begun: boolean; left_s: number | null }>({ ...BEGIN, values: [[...new Set(keys)], seconds] });
      return row!.begun ? 0 : Math.max(1, row!.left_s ?? seconds);
    },
    async end(keys) {
      await lookups.query({ name: 'cool-down-end', text: 'DELETE FROM rate_limits WHERE bucket = ANY($1::text[])', values: [keys] });
    },
  };
}
