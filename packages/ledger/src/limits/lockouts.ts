import type { Clock } from '@vedette/contract';
import { createBatcher } from '../store/batcher.ts';
import { iso, type Queries, type Store } from '../store/store.ts';
import { networkOf } from './client-address.ts';

const MAX_FAILURES = 10;
const WINDOW = '10 minutes';
const BLOCK = '1 hour';
/** The limit of invalid keys, in words. */
export const LOCKOUT_LIMIT = `${MAX_FAILURES} within ${WINDOW}; the block lasts ${BLOCK}`;
const BATCHING = { maxBatch: 1_000, maxQueue: 20_000 };
/** More blocked networks than this are not held in memory: the newest are. */
const MAX_BLOCKED = 200_000;

/**
 * How a key was sent. Any web page can make its visitors' browsers send keys in a URL, but not a header of ours. Bad keys in URLs are
 * therefore counted apart: they lock out no client that sends the header.
 */
export type KeySource = 'header' | 'url';

export interface Lockout {
  /** An IPv4 address or an IPv6 /64; followed by ` url` where keys in URLs are counted. */
  network: string;
  failures: number;
  /** Null while it is only being counted. */
  blocked_until: string | null;
}

/** Ten invalid keys from one address within ten minutes block it for an hour, at all gateways, by the database's clock. */
export interface Lockouts {
  /** Counts an invalid key. Throws `ApiError` ledger_unavailable or overloaded when it could not be counted. */
  recordInvalidKey: (address: string, source: KeySource) => Promise<void>;
  /** Seconds until the address may try again; 0 when it is not blocked. Answers from memory. */
  blockedFor: (address: string, source: KeySource) => number;
  /** Takes over what other gateways have blocked or an operator has cleared. */
  refresh: () => Promise<void>;
  list: () => Promise<Lockout[]>;
  /** True when the address was counted or blocked. It is let in with the next `refresh`. */
  clear: (database: Queries, address: string) => Promise<boolean>;
  /** Forgets counts that are over. */
  expire: () => Promise<void>;
}

// Sorted, so that two gateways that count the same addresses do not deadlock.
const COUNT = {
  name: 'lockout-count',
  text: `
  INSERT INTO lockouts AS l (network, failures, window_started, blocked_until)
  SELECT network, failures, now(), CASE WHEN failures >= ${MAX_FAILURES} THEN now() + interval '${BLOCK}' END
  FROM unnest($1::text[], $2::integer[]) AS counted (network, failures) ORDER BY network
  ON CONFLICT (network) DO UPDATE SET
    failures = CASE WHEN l.window_started > now() - interval '${WINDOW}' THEN l.failures ELSE 0 END + excluded.failures,
    window_started = CASE WHEN l.window_started > now() - interval '${WINDOW}' THEN l.window_started ELSE now() END,
    blocked_until = CASE
      WHEN l.blocked_until > now() THEN l.blocked_until
      WHEN CASE WHEN l.window_started > now() - interval '${WINDOW}' THEN l.failures ELSE 0 END + excluded.failures >= ${MAX_FAILURES}
        THEN now() + interval '${BLOCK}'
    END
  RETURNING network, greatest(0, extract(epoch FROM blocked_until - now()))::float8 AS blocked_s`,
};

const BLOCKED = {
  name: 'lockout-blocked',
  text: `
  SELECT network, extract(epoch FROM blocked_until - now())::float8 AS blocked_s FROM lockouts
  WHERE blocked_until > now() ORDER BY blocked_until DESC LIMIT ${MAX_BLOCKED}`,
};

const SOURCES: readonly KeySource[] = ['header', 'url'];
const countedAs = (network: string, source: KeySource): string => (source === 'header' ? network : `${network} url`);

export function createLockouts({ store, clock }: { store: Store; clock: Clock }): Lockouts {
  /** Network → when its block ends, on our monotonic clock. */
  let blocked = new Map<string, number>();
  /** An answer of the database is dropped when something newer was learnt after the question. */
  let sequence = 0;
  let newest = 0;
  const blockedUntil = (blocked_s: number): number => clock.now() + blocked_s * 1000;

  const count = createBatcher(async (networks: string[]) => {
    const failures = new Map<string, number>();
    for (const network of networks) failures.set(network, (failures.get(network) ?? 0) + 1);
    const rows = await store.lookups.query<{ network: string; blocked_s: number | null }>({
      ...COUNT,
      values: [[...failures.keys()], [...failures.values()]],
    });
    for (const { network, blocked_s } of rows) {
      if (blocked_s === null || blocked_s <= 0) continue;
      newest = ++sequence;
      blocked.set(network, blockedUntil(blocked_s));
    }
    return networks.map(() => undefined);
  }, BATCHING);

  return {
    async recordInvalidKey(address, source) {
      await count(countedAs(networkOf(address), source));
    },
    blockedFor(address, source) {
      if (blocked.size === 0) return 0;
      const until = blocked.get(countedAs(networkOf(address), source));
      return until === undefined ? 0 : Math.max(0, Math.ceil((until - clock.now()) / 1000));
    },
    async refresh() {
      const number = ++sequence;
      const rows = await store.relaxed.query<{ network: string; blocked_s: number }>(BLOCKED);
      if (number < newest) return;
      newest = number;
      blocked = new Map(rows.map(({ network, blocked_s }) => [network, blockedUntil(blocked_s)]));
    },
    async list() {
      return await store.durable.query<Lockout>({
        text: `SELECT network, failures, ${iso('blocked_until')} AS blocked_until FROM lockouts
          WHERE blocked_until > now() OR window_started > now() - interval '${WINDOW}' ORDER BY blocked_until DESC NULLS LAST, network LIMIT 1000`,
      });
    },
    async clear(database, address) {
      const network = networkOf(address.split(/[/ ]/, 1)[0]!); // as `list` shows it, too
      const both = SOURCES.map((source) => countedAs(network, source));
      const rows = await database.query({ text: 'DELETE FROM lockouts WHERE network = ANY($1) RETURNING network', values: [both] });
      return rows.length > 0;
    },
    async expire() {
      await store.relaxed.query({
        text: `DELETE FROM lockouts WHERE window_started < now() - interval '${WINDOW}' AND (blocked_until IS NULL OR blocked_until < now())`,
      });
    },
  };
}
