import type { Log } from '@vedette/process/log';
import type { Store } from '../store/store.ts';
import { GIVE_BACK_RERUNS } from './idempotency.ts';
import { LOCK, LOCK_CLAIMS, RELEASE, REVERSE } from './statements.ts';

const MAX_IN_DOUBT = 100_000;
const BATCH = 1_000;

interface Doubtful {
  id: string;
  accountId: string;
}

/** Reservations whose request was refused while the database may have held or charged them, or counted a free rerun, all the same. */
export interface InDoubt {
  add(reservations: readonly Doubtful[]): void;
  /** Gives back whatever became of them. Throws `ApiError` ledger_unavailable while the database is away. */
  resolve(): Promise<void>;
  /** How many there are. */
  count: () => number;
}

export function createInDoubt(store: Store, log: Log): InDoubt {
  const doubtful = new Map<string, Doubtful>();
  return {
    count: () => doubtful.size,
    add(reservations) {
      for (const { id, accountId } of reservations) {
        if (doubtful.size >= MAX_IN_DOUBT) {
          log.error({ dropped: reservations.length }, 'too many reservations in doubt: holds expire by themselves, charges may stay');
          return;
        }
        doubtful.set(id, { id, accountId });
      }
    },
    async resolve() {
      while (doubtful.size > 0) {
        const batch = [...doubtful.values()].slice(0, BATCH);
        const ids = batch.map(({ id }) => id);
        const accounts = [...new Set(batch.map(({ accountId }) => accountId))];
        await store.durable.query({ ...GIVE_BACK_RERUNS, values: [ids] });
        await store.durable.transaction(async (database) => {
          await database.query({ ...LOCK_CLAIMS, values: [ids, accounts] });
          // A statement still under way has these locks: waiting for them is what makes the next ones see its outcome.
          await database.query({ ...LOCK, values: [accounts] });
          await database.query({ ...RELEASE, values: [ids, accounts] });
          await database.query({ ...REVERSE, values: [ids] });
        });
        for (const id of ids) doubtful.delete(id);
        log.warn({ reservations: ids.length }, 'gave back reservations whose outcome was in doubt');
      }
    },
  };
}
