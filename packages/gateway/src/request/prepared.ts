import type { Target } from '../shares/targets.ts';

/** A request that was read: what its operation works with, and what the gateway needs of it. */
export interface Prepared {
  query: unknown;
  targets: readonly Target[];
  /** Hosts that are contacted beside them: see `further` of an operation. */
  further?: readonly Target[];
  /** Where to measure; empty for central operations. */
  locations: readonly string[];
  cost: number;
  /** Less time than the operation has, where its client waits no longer. */
  deadlineMs?: number;
}
