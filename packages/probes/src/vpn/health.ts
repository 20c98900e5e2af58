import type { VpnExit } from '@vedette/contract';

const FAILURES_MAX = 2;
const REST_MS = 30_000;

interface Health {
  /** Failures since the last success. */
  failures: number;
  restsUntil: number;
}

// By identity: an exit's object lives as long as the process that was configured with it.
const healths = new WeakMap<VpnExit, Health>();

/** The exits to try, in the order configured; those that rest after failing twice in a row come last. */
export function byHealth(exits: readonly VpnExit[], now: number): VpnExit[] {
  const rests = (exit: VpnExit) => (healths.get(exit)?.restsUntil ?? 0) > now;
  return [...exits.filter((exit) => !rests(exit)), ...exits.filter(rests)];
}

export function exitFailed(exit: VpnExit, now: number): void {
  const failures = (healths.get(exit)?.failures ?? 0) + 1;
  healths.set(exit, { failures, restsUntil: failures >= FAILURES_MAX ? now + REST_MS : 0 });
}

export function exitWorked(exit: VpnExit): void {
  healths.delete(exit);
}
