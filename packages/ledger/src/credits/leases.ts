import { randomUUIDv7 } from 'node:crypto';
import type { Clock } from '@vedette/contract';
import type { Store } from '../store/store.ts';

/** A lease that was not renewed for so long is a dead gateway's, if we could have seen it renewed all the while. */
const DEAD_AFTER_MS = 2_000;
/** If our own renewals are further apart, other leases prove nothing: the database may have been away from all gateways. */
const BLIND_AFTER_MS = 1_000;
/** Longer than a statement of a gateway that died may still run: then no hold can come into being under its lease. */
const FORGET_AFTER_MS = 10_000;

/** A gateway's count of its signs of life. */
export interface Lease {
  id: string;
  renewals: number;
}

/**
 * Each gateway holds a lease, and its holds carry it. Clocks of two machines are never compared. A gateway considers another one dead when
 * its count stands still for two seconds in which its own renewals never failed.
 */
export interface Leases {
  /** The id of our own. */
  readonly id: string;
  /** Renews our own and looks at the others'. Throws `ApiError` ledger_unavailable. */
  renew: () => Promise<void>;
  /** Gateways that are alive, as far as the last renewal could tell; at least this one. */
  gateways: () => number;
  /** Leases of dead gateways. */
  dead: () => Lease[];
  /** Removes the leases of gateways that have been dead for so long that nothing can be held under them any more. */
  forget: () => Promise<void>;
  /** Ends our own; nothing may be held under it. */
  end: () => Promise<void>;
}

const RENEW = {
  name: 'lease-renew',
  text: `
  WITH renewed AS (
    INSERT INTO leases AS l (id, renewals) VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET renewals = l.renewals + 1
  )
  SELECT id::text, renewals FROM leases WHERE id <> $1`,
};

const FORGET = {
  name: 'lease-forget',
  text: `DELETE FROM leases l USING unnest($1::uuid[], $2::bigint[]) AS d (id, renewals) WHERE l.id = d.id AND l.renewals = d.renewals`,
};

export function createLeases(store: Store, clock: Clock): Leases {
  const id = randomUUIDv7();
  /** The others' counts, and since when we see them stand still. */
  let others = new Map<string, Lease & { sinceMs: number }>();
  let renewedMs = -Infinity;
  let askedMs = -Infinity;
  const stillFor = (ms: number): Lease[] => [...others.values()].filter(({ sinceMs }) => askedMs - sinceMs >= ms);

  return {
    id,
    async renew() {
      const started = clock.now();
      const rows = await store.pulse<{ id: string; renewals: number }>({ ...RENEW, values: [id] });
      const now = clock.now();
      const known = now - renewedMs <= BLIND_AFTER_MS ? others : new Map<string, never>();
      others = new Map(
        rows.map((lease) => {
          const before = known.get(lease.id);
          return [lease.id, before?.renewals === lease.renewals ? before : { ...lease, sinceMs: now }];
        }),
      );
      askedMs = started;
      renewedMs = now;
    },
    gateways: () => 1 + others.size - stillFor(DEAD_AFTER_MS).length,
    dead: () => (clock.now() - renewedMs <= BLIND_AFTER_MS ? stillFor(DEAD_AFTER_MS) : []),
    async forget() {
      const gone = stillFor(FORGET_AFTER_MS);
      if (gone.length > 0) await store.relaxed.query({ ...FORGET, values: columnsOf(gone) });
    },
    async end() {
      await store.relaxed.query({ text: 'DELETE FROM leases WHERE id = $1', values: [id] });
    },
  };
}

/** Ids and counts of leases, as parameters. */
export const columnsOf = (leases: readonly Lease[]): unknown[] => [leases.map(({ id }) => id), leases.map(({ renewals }) => renewals)];
