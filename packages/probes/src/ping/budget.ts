/** How the time for a ping is spent, ms. */
export interface PingPlan {
  /** Time in which the name must have an address. */
  dns_ms: number;
  interval_ms: number;
  wait_ms: number;
  /** Time for the reverse name, once the echoes have ended. */
  hostname_ms: number;
}

/** Ending so much before the budget leaves time to say what was measured. */
const REPORT_MS = 100;
/** One try at a resolver nearby; a reply from most of the planet. The share that a job gets first. */
const DNS_FLOOR_MS = 200;
const WAIT_FLOOR_MS = 300;
const HOSTNAME_MS = 500;

/** Smallest budget with which a ping is worth starting. */
export const PING_MIN_BUDGET_MS = REPORT_MS + DNS_FLOOR_MS + WAIT_FLOOR_MS;

/**
 * Splits a budget. The floors of resolution and response come first, then the pace, the rest of the wait, and the
 * reverse name; resolution may take what is left. The parts, with count − 1 intervals, never exceed the budget, and none
 * shrinks when the budget grows.
 */
export function planPing(job: { count: number; interval_ms: number; wait_ms: number }, budget_ms: number): PingPlan {
  let left = Math.max(0, budget_ms - REPORT_MS);
  const take = (wanted: number) => {
    const taken = Math.min(wanted, left);
    left -= taken;
    return taken;
  };
  const gaps = job.count - 1;
  const dnsFloor = take(DNS_FLOOR_MS);
  const waitFloor = take(Math.min(WAIT_FLOOR_MS, job.wait_ms));
  const pace = take(gaps * job.interval_ms);
  const wait_ms = waitFloor + take(job.wait_ms - waitFloor);
  const hostname_ms = take(HOSTNAME_MS);
  return { dns_ms: dnsFloor + left, interval_ms: gaps === 0 ? job.interval_ms : pace / gaps, wait_ms, hostname_ms };
}
