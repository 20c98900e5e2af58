import type { HedgeBudget } from '../ask/location-run.ts';

const SHARE = 0.05;
const START = 10;
const MAX = 100;

/** A token bucket: every job adds a twentieth of a hedge. */
export function createHedgeBudget(): HedgeBudget & { add(jobs: number): void } {
  let tokens = START;
  return {
    add(jobs) {
      tokens = Math.min(MAX, tokens + jobs * SHARE);
    },
    take() {
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
