import { ApiError, formatCidr, parseCidr, parseHost } from '@vedette/contract';
import type { Store } from '../store/store.ts';

/** One request for which something was sent, and one address of its target that was contacted for it. */
export interface Measurement {
  request_id: string;
  account: string;
  key: string;
  /** The client's address. */
  client: string;
  operation: string;
  /** The host that was asked about; of an e-mail address the domain alone. */
  target: string;
  /** An address of it that was contacted, where we know one. */
  address: string | null;
  locations: readonly string[];
  /** The HTTP status of the answer; 499 where the client left before it. */
  status: number;
}

/** A measurement to be written. */
export interface NewMeasurement extends Measurement {
  /** How long ago its work began, ms: the database tells the time, whatever clock a gateway has. */
  age_ms: number;
}

/** A measurement as it is read. */
export interface LoggedMeasurement extends Measurement {
  started_at: string;
}

/** Selects the measurements to show, newest first. */
export interface MeasurementsFilter {
  /** A host, or a CIDR: what was asked about, or contacted. */
  target?: string;
  /** Whether names below the target count too. */
  subdomains?: boolean;
  account?: string;
  since?: string;
  until?: string;
  limit?: number;
}

/** The measurement log: target, account and time, kept for some days in one partition a day. */
export interface MeasurementStore {
  /** Throws `ApiError` ledger_unavailable. */
  add: (measurements: readonly NewMeasurement[]) => Promise<void>;
  list: (filter: MeasurementsFilter) => Promise<LoggedMeasurement[]>;
  /** Makes the partitions of the days to come, and drops those that are over. */
  keepDays: () => Promise<void>;
}

const DEFAULT_LIMIT = 100;
const LIST_TIMEOUT_MS = 8_000;
/** Names our advisory lock for partitions among others on the same server. */
const LOCK = 0x7665_6175;
/** Held, shared, while a backup reads. A partition that it has read cannot be dropped, and a waiting drop would hold up the writers. */
export const BACKUP_LOCK = 0x7665_6263;

// Rows delayed by more than a day are dated yesterday: older partitions may be dropped already. JSON is what costs a gateway least to
// write.
const ADD = {
  name: 'measurements-add',
  text: `
  INSERT INTO measurements (started_at, request_id, account_id, key_id, client, operation, target, address, locations, status)
  SELECT greatest(now() - age_ms * interval '1 ms', date_trunc('day', now()) - interval '1 day'), request_id, account, key, client,
    operation, target, address, locations, status
  FROM json_to_recordset($1::json) AS added (age_ms float8, request_id uuid, account text, key text, client text, operation text,
    target text, address inet, locations text[], status smallint)`,
};

export function createMeasurementStore(store: Store, { days }: { days: number }): MeasurementStore {
  return {
    async add(measurements) {
      await store.relaxed.query({ ...ADD, values: [JSON.stringify(measurements)] });
    },
    async list(filter) {
      const { text, values } = select(filter);
      try {
        // A question about a month may take longer than a request may wait.
        return await store.withClient(async (client) => {
          await client.query(`SET statement_timeout = ${LIST_TIMEOUT_MS}`);
          return (await client.query<LoggedMeasurement>(text, values)).rows;
        });
      } catch (cause) {
        throw new ApiError('ledger_unavailable', 'the measurement log is unavailable', { retryAfterS: 1, cause });
      }
    },
    keepDays: () =>
      store.withClient(async (client) => {
        await client.query('BEGIN');
        await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
        const { rows } = await client.query<{ statement: string }>(PARTITIONS, [days, BACKUP_LOCK]);
        for (const { statement } of rows) await client.query(statement);
        await client.query('COMMIT');
      }),
  };
}

/** Newest first, by the filter. Throws `ApiError` invalid_parameter for an invalid target. */
function select({ target, subdomains = false, account, since, until, limit = DEFAULT_LIMIT }: MeasurementsFilter): {
  text: string;
  values: unknown[];
} {
  const values: unknown[] = [];
  const $ = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [
    ...(since === undefined ? [] : [`started_at >= ${$(since)}::timestamptz`]),
    ...(until === undefined ? [] : [`started_at < ${$(until)}::timestamptz`]),
    ...(account === undefined ? [] : [`account_id = ${$(account)}`]),
    ...(target === undefined ? [] : [targetCondition(target, subdomains, $)]),
  ];
  const text = `
    SELECT to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS started_at, request_id, account_id AS account, key_id AS key,
      client, operation, target, host(address) AS address, locations, status
    FROM measurements ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
    ORDER BY measurements.started_at DESC LIMIT ${$(limit)}`;
  return { text, values };
}

function targetCondition(target: string, subdomains: boolean, $: (value: unknown) => string): string {
  const cidr = parseCidr(target);
  if (cidr) {
    const network = $(formatCidr(cidr));
    return `address BETWEEN host(network(${network}::inet))::inet AND host(broadcast(${network}::inet))::inet`;
  }
  const host = parseHost(target);
  if (!host) throw new ApiError('invalid_parameter', 'target must be a host or a CIDR');
  const name = $(host.host);
  const below = `(reverse(target) >= reverse(${name}::text) || '.' AND reverse(target) < reverse(${name}::text) || '/')`;
  return subdomains ? `(reverse(target) = reverse(${name}) OR ${below})` : `reverse(target) = reverse(${name})`;
}

/** The statements that bring the partitions to what they should be: yesterday's to that of the day after tomorrow, and none too old. */
const PARTITIONS = `
  WITH today AS (SELECT (now() AT TIME ZONE 'UTC')::date AS day),
  there AS (
    SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'measurements'::regclass
  ),
  wanted AS (
    SELECT day + ahead AS day, 'measurements_' || to_char(day + ahead, 'YYYYMMDD') AS name FROM today, generate_series(-1, 2) AS ahead
    WHERE $1::integer > 0
  )
  SELECT format('CREATE TABLE %I PARTITION OF measurements FOR VALUES FROM (%L) TO (%L)', name, day || ' 00:00:00+00', day + 1 || ' 00:00:00+00')
    AS statement
  FROM wanted WHERE name NOT IN (SELECT name FROM there)
  UNION ALL
  SELECT format('DROP TABLE %I', name) FROM there, today, (SELECT pg_try_advisory_xact_lock($2) AS now) AS may
  WHERE may.now AND (name < 'measurements_' || to_char(day - greatest($1::integer, 1), 'YYYYMMDD') OR $1::integer = 0)`;

/** The statement that makes a partition, by its name. Undefined for names of other tables. */
export function partitionOf(table: string): string | undefined {
  const [, year, month, day] = /^measurements_(\d{4})(\d\d)(\d\d)$/.exec(table) ?? [];
  if (year === undefined) return undefined;
  const start = `${year}-${month}-${day} 00:00:00+00`;
  return `CREATE TABLE ${table} PARTITION OF measurements FOR VALUES FROM ('${start}') TO ('${start}'::timestamptz + interval '1 day')`;
}
