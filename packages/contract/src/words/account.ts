/** The usage and the limits of an account. */
export interface AccountUsage {
  remaining: number;
  /** Start of the next period, UTC. */
  next_reset: Date;
  overage: { allowed: boolean; enabled: boolean; consumed: number; limit: number };
  /** Credits by UTC day (`YYYY-MM-DD`) and month (`YYYY-MM`); days and months without use are absent. */
  daily: ReadonlyMap<string, number>;
  monthly: ReadonlyMap<string, number>;
}
