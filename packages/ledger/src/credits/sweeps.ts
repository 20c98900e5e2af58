import type { Log } from '@vedette/process/log';
import { columnsOf, type Leases } from './leases.ts';
import type { LedgerEvents } from '../store/events.ts';
import type { Store } from '../store/store.ts';
import type { InDoubt } from './in-doubt.ts';
import { GIVE_BACK_DEAD } from './idempotency.ts';
import { SWEEP_DEAD, SWEEP_LATE, SWEEP_OWN } from './statements.ts';

const BATCH = 1_000;

/** Returns credits that no running request will return. */
export interface Sweeps {
  /** Returns holds of requests that were never ended, and charges of requests that got no answer. */
  late: () => Promise<void>;
  /** Returns the holds of dead gateways, and the free reruns that they made. */
  dead: () => Promise<void>;
  /** Returns all holds of this gateway at its end. */
  own: () => Promise<void>;
}

export interface SweepsDeps {
  store: Store;
  leases: Leases;
  inDoubt: InDoubt;
  log: Log;
  events: LedgerEvents;
}

const TIDINGS = {
  late: 'released holds that their gateway never ended',
  dead: 'released holds of a gateway that died',
} as const;

export function createSweeps({ store, leases, inDoubt, log, events }: SweepsDeps): Sweeps {
  async function sweep(statement: typeof SWEEP_LATE, values: unknown[], reason: keyof typeof TIDINGS): Promise<void> {
    let holds: number;
    do {
      holds = (await store.relaxed.query<{ holds: number }>({ ...statement, values: [BATCH, ...values] }))[0]!.holds;
      if (holds > 0) {
        events.swept(reason, holds);
        log.warn({ holds }, TIDINGS[reason]);
      }
    } while (holds === BATCH);
  }
  return {
    async late() {
      await inDoubt.resolve();
      await sweep(SWEEP_LATE, [], 'late');
    },
    async dead() {
      const dead = leases.dead();
      if (dead.length === 0) return;
      await sweep(SWEEP_DEAD, columnsOf(dead), 'dead');
      await store.relaxed.query({ ...GIVE_BACK_DEAD, values: columnsOf(dead) });
    },
    async own() {
      await inDoubt.resolve();
      await store.relaxed.query({ ...SWEEP_OWN, values: [leases.id] });
    },
  };
}
