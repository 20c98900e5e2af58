import type { Capability, Presence } from '@vedette/bus';
import type { Clock, ProbeKind } from '@vedette/contract';
import { FairSemaphore } from './fair-semaphore.ts';

/**
 * DNS questions under way. A search for DKIM keys asks 514 at once, so four nearly fit. More would make what times out together, and is
 * asked once more, a stall for everybody.
 */
const QUESTIONS = 2_048;
/** TCP connections open for central operations. */
const CONNECTIONS = 256;
/** Jobs that each gateway may have at a location, whatever the agents say they have slots for. */
const MIN_JOBS = 4;
/** How long the slots of a location are taken to be what they were: adding them up costs more than a permit. */
const RECOUNT_MS = 250;

export interface PoolsOptions {
  clock: Clock;
  presence: Pick<Presence, 'slots'>;
  /** Living gateways, this one included: each uses its part of the agents' slots. */
  gateways(): number;
}

/** What all requests of this gateway draw from, each pool shared by accounts. */
export class Pools {
  readonly questions: FairSemaphore;
  readonly connections: FairSemaphore;
  readonly #options: PoolsOptions;
  /** Made when the first job asks, by kind and location. */
  readonly #jobs = new Map<ProbeKind, Map<string, FairSemaphore>>();

  constructor(options: PoolsOptions) {
    const { clock } = options;
    this.#options = options;
    this.questions = new FairSemaphore({ clock, permits: () => QUESTIONS });
    this.connections = new FairSemaphore({ clock, permits: () => CONNECTIONS });
  }

  /** Jobs of a kind at a location, those that need a capability of the agents' included. */
  jobs(kind: ProbeKind, location: string, needs?: Capability): FairSemaphore {
    let ofKind = this.#jobs.get(kind);
    if (ofKind === undefined) this.#jobs.set(kind, (ofKind = new Map()));
    let pool = ofKind.get(location);
    if (pool === undefined) ofKind.set(location, (pool = this.#atLocation(kind, location, needs)));
    return pool;
  }

  /** Each pool with its name, for metrics; `location` is empty where it is this gateway's own. */
  *all(): Generator<{ pool: string; location: string; semaphore: FairSemaphore }> {
    yield { pool: 'questions', location: '', semaphore: this.questions };
    yield { pool: 'connections', location: '', semaphore: this.connections };
    for (const [pool, ofKind] of this.#jobs) for (const [location, semaphore] of ofKind) yield { pool, location, semaphore };
  }

  #atLocation(kind: ProbeKind, location: string, needs: Capability | undefined): FairSemaphore {
    const { clock, presence, gateways } = this.#options;
    let counted = 0;
    let countedAt = -Infinity;
    const permits = () => {
      const now = clock.now();
      if (now - countedAt < RECOUNT_MS) return counted;
      countedAt = now;
      return (counted = Math.max(MIN_JOBS, Math.floor(presence.slots(location, kind, needs) / gateways())));
    };
    return new FairSemaphore({ clock, permits });
  }
}
