import { ApiError } from '@vedette/contract';
import { Client, Pool, type PoolClient, type QueryConfig, type QueryResultRow, types } from 'pg';
import type { Log } from '@vedette/process/log';
import { Availability } from './availability.ts';

const CONNECT_TIMEOUT_MS = 1_000;
/** The limit of a connection of its own, such as the one of migrations: at a start a busy machine may take seconds, and no request waits. */
const OWN_CONNECT_TIMEOUT_MS = 15_000;
/** Commits of several gateways for one account wait for each other's disk: on a slow one, some times 300 ms. */
const STATEMENT_TIMEOUT_MS = 2_500;
/** Ends the wait on a connection that broke without a word, while the database answers on others. */
const QUERY_TIMEOUT_MS = 3_000;
/** How long the database may take for a statement that needs no disk, before it counts as away. */
const PULSE_TIMEOUT_MS = 500;
const POOL_SIZES = { durable: 4, relaxed: 4, lookups: 8, archive: 3, pulse: 1 };

// Batches are looked up by key, whatever the statistics of a table that is empty most of the time say.
const SESSION = `
  SET TIME ZONE 'UTC';
  SET jit = off;
  SET plan_cache_mode = force_generic_plan;
  SET enable_seqscan = off`;

/** SQL that prints a timestamptz as ISO 8601 in UTC, the zone of our sessions. */
export const iso = (expression: string): string => `to_char(${expression}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

type Query = Pick<QueryConfig<unknown[]>, 'name' | 'text' | 'values'>;

/** A place to send SQL, a transaction perhaps. */
export interface Queries {
  query<R extends QueryResultRow>(query: Query): Promise<R[]>;
}

/** A place to send SQL. Every failure of the server or of the way to it is an `ApiError` ledger_unavailable; a defect of ours is not. */
export interface Database extends Queries {
  /** Rolled back when `work` throws. */
  transaction<T>(work: (database: Queries) => Promise<T>): Promise<T>;
}

export interface Store {
  /** Commits are on disk before they are acknowledged. */
  durable: Database;
  /** Commits may be lost in a crash of the server (not of ours), the last fraction of a second of them: for what expires by itself. */
  relaxed: Database;
  /** The same, for what strangers may ask for in any number: a flood of keys must not keep a charge waiting. */
  lookups: Database;
  /** The same, for large statements that move no credits: payments never wait behind them. */
  archive: Database;
  /**
   * A statement that needs no disk, on a connection that is used for nothing else: tells whether the database answers. As soon as it does
   * not, waiting and new statements are refused until it answers again.
   */
  pulse<R extends QueryResultRow>(query: Query): Promise<R[]>;
  /** Connections by pool, and how many wait for one. */
  connections(): ConnectionCount[];
  /** A connection of its own without time limits, for migrations and audits. Errors are those of pg. */
  withClient<T>(work: (client: Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** How many connections of a pool are in use or idle, or how many statements wait for one. */
export interface ConnectionCount {
  pool: string;
  state: 'used' | 'idle' | 'waiting';
  count: number;
}

export function openStore(url: string, log: Log): Store {
  const availability = new Availability(log);
  const open = (max: number, synchronousCommit: 'on' | 'off'): Pool => {
    const session = `${SESSION}; SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET synchronous_commit = ${synchronousCommit}`;
    const pool = new Pool({
      connectionString: url,
      max,
      min: 1,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      application_name: 'vedette',
      keepAlive: true,
      types: { getTypeParser },
      // pg waits for what the hook returns; its types do not say so.
      onConnect: (client) => client.query(session) as unknown as undefined,
    });
    // A connection may break while it is in use, with several errors: its query tells the caller. Its message only: pg hangs
    // the whole connection on such an error. Connections that we close may report an error too.
    pool.on('connect', (client) => {
      if (client instanceof Client) availability.track(client);
      client.on('error', ({ message }) => {
        if (!pool.ending && !availability.away) log.warn({ reason: message }, 'a database connection was lost');
      });
    });
    pool.on('error', () => undefined);
    return pool;
  };
  const durable = open(POOL_SIZES.durable, 'on');
  const relaxed = open(POOL_SIZES.relaxed, 'off');
  const lookups = open(POOL_SIZES.lookups, 'off');
  const archive = open(POOL_SIZES.archive, 'off');
  const pulse = open(POOL_SIZES.pulse, 'off');
  return {
    durable: databaseOf(durable, availability),
    relaxed: databaseOf(relaxed, availability),
    lookups: databaseOf(lookups, availability),
    archive: databaseOf(archive, availability),
    async pulse<R extends QueryResultRow>(query: Query) {
      try {
        // A connection may break by itself: only a second one tells of the server.
        const result = pulse.query<R>(query).catch((cause: unknown) => {
          if (sqlstateOf(cause) !== '') throw cause;
          return pulse.query<R>(query);
        });
        const { rows } = await answered(result, PULSE_TIMEOUT_MS);
        availability.found();
        return rows;
      } catch (cause) {
        // A server that refuses a statement is there.
        if (sqlstateOf(cause) === '') availability.lost(cause);
        throw asUnavailable(cause);
      }
    },
    connections: () => Object.entries({ durable, relaxed, lookups, archive, pulse }).flatMap(countsOf),
    async withClient(work) {
      const client = new Client({
        connectionString: url,
        connectionTimeoutMillis: OWN_CONNECT_TIMEOUT_MS,
        application_name: 'vedette',
        types: { getTypeParser },
      });
      // The query that it breaks rejects.
      client.on('error', () => undefined);
      try {
        await client.connect();
        return await work(client);
      } finally {
        await client.end();
      }
    },
    async close() {
      await Promise.all([durable.end(), relaxed.end(), lookups.end(), archive.end(), pulse.end()]);
    },
  };
}

const countsOf = ([pool, { totalCount, idleCount, waitingCount }]: [string, Pool]): ConnectionCount[] => [
  { pool, state: 'used', count: totalCount - idleCount },
  { pool, state: 'idle', count: idleCount },
  { pool, state: 'waiting', count: waitingCount },
];

/**
 * Returns the promise's value, or an error when it takes longer. An answer that had arrived by then counts, even if a busy event loop has
 * not read it yet.
 */
function answered<T>(promise: Promise<T>, withinMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => setImmediate(() => reject(new Error(`no answer within ${withinMs} ms`))), withinMs);
    promise.then(resolve, reject).finally(() => clearTimeout(late));
  });
}

function databaseOf(pool: Pool, availability: Availability): Database {
  return {
    async query<R extends QueryResultRow>(query: Query): Promise<R[]> {
      try {
        return (await availability.guard(() => pool.query<R>(query))).rows;
      } catch (cause) {
        throw asUnavailable(cause);
      }
    },
    transaction: (work) => availability.guard(() => inTransaction(pool, work)),
  };
}

async function inTransaction<T>(pool: Pool, work: (database: Pick<Database, 'query'>) => Promise<T>): Promise<T> {
  let client: PoolClient | undefined;
  try {
    client = await pool.connect();
    const connected = client;
    await client.query('BEGIN');
    const result = await work({ query: async <R extends QueryResultRow>(query: Query) => (await connected.query<R>(query)).rows });
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (cause) {
    // Closing the connection rolls back, and a connection in an unknown state is of no further use.
    client?.release(true);
    throw asUnavailable(cause);
  }
}

// SQLSTATE classes that tell of a wrong statement or value, thus of a defect of ours (PostgreSQL docs, appendix A).
const DEFECT_CLASSES = new Set(['0A', '21', '22', '23', '42']);

/** The server's error message; empty when it sent none. */
function sqlstateOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return /^[0-9A-Z]{5}$/.test(code) ? code : '';
}

function asUnavailable(cause: unknown): unknown {
  if (cause instanceof ApiError) return cause;
  return DEFECT_CLASSES.has(sqlstateOf(cause).slice(0, 2)) ? cause : new ApiError('ledger_unavailable', '', { retryAfterS: 1, cause });
}

// Amounts are far below 2^53 (a CHECK says so), so that bigint columns may be numbers.
const BIGINT_OID: number = types.builtins.INT8;
const getTypeParser = ((oid: Parameters<typeof types.getTypeParser>[0], format: 'text') =>
  (oid as number) === BIGINT_OID ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser;
