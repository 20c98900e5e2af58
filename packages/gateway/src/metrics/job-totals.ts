import type { Reason } from '@vedette/contract';
import type { Counter } from 'prom-client';

type Outcome = Reason | 'answered';
type Labels = 'operation' | 'location' | 'outcome';

type Outcomes = Map<Outcome, Total>;

interface Total {
  jobs: number;
  ms: number;
}

/**
 * Replies by operation, location and outcome, with the time that they took: summed here and told at a scrape, since to find a metric by three
 * labels twice for each reply would cost a wide request a tenth of its CPU.
 */
export class JobTotals {
  readonly #totals = new Map<string, Map<string, Outcomes>>();

  /** `ms`: from dispatch to the reply. */
  add(operation: string, location: string, outcome: Outcome, ms: number): void {
    const locations = entryOf(this.#totals, operation, () => new Map<string, Outcomes>());
    const outcomes = entryOf(locations, location, (): Outcomes => new Map());
    const total = entryOf(outcomes, outcome, newTotal);
    total.jobs++;
    total.ms += ms;
  }

  /** Writes all of it. */
  tell({ jobs, jobSeconds }: Record<'jobs' | 'jobSeconds', Counter<Labels>>): void {
    jobs.reset();
    jobSeconds.reset();
    for (const [operation, locations] of this.#totals)
      for (const [location, outcomes] of locations)
        for (const [outcome, total] of outcomes) {
          jobs.inc({ operation, location, outcome }, total.jobs);
          jobSeconds.inc({ operation, location, outcome }, total.ms / 1000);
        }
  }
}

/** The value under a key, made if it is missing. */
function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

const newTotal = (): Total => ({ jobs: 0, ms: 0 });
