import { type Clock, ENDED, type Exit, within } from '@vedette/contract';
import type { HttpTrace } from '../http/trace.ts';
import { ExitFailure } from './exits.ts';

/** An exchange from which nothing came for so long may have lost its exit. */
const STALL_MS = 3_000;
/** The last check begins so long before the job's end, and must be over when it ends. */
const LAST_CHECK_MS = 2_500;
const REPORT_MS = 200;

/** An exchange through an exit, under way. */
export interface Exchange {
  exit: Exit;
  trace: HttpTrace;
  clock: Clock;
  /** When the job ends, on the clock. */
  until: number;
}

/**
 * Runs an exchange under a signal that aborts when its exit is found dead while nothing comes, and rejects with `ExitFailure` then: an exit that dies
 * midway looks like a target that is slow.
 */
export async function unlessExitDies<T>(exchange: Exchange, parent: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const dead = new AbortController();
  const over = new AbortController();
  watch(exchange, AbortSignal.any([parent, over.signal])).catch((error: unknown) => error instanceof ExitFailure && dead.abort(error));
  try {
    return await work(AbortSignal.any([parent, dead.signal]));
  } catch (error) {
    throw dead.signal.aborted ? dead.signal.reason : error;
  } finally {
    over.abort(ENDED);
  }
}

/** Rejects with `ExitFailure` as soon as the exit is known to be dead, with the signal's reason, and ends when it is too late for a check. */
async function watch({ exit, trace, clock, until }: Exchange, signal: AbortSignal): Promise<void> {
  const late = () => new ExitFailure(exit.label, 'it did not show in time that it still works');
  const progress = () => `${trace.phase} ${trace.connected} ${trace.firstByte} ${trace.bodyBytes}`;
  for (let seen = progress(), ms; (ms = Math.min(STALL_MS, until - LAST_CHECK_MS - clock.now())) > 0; seen = progress()) {
    await clock.sleep(ms, signal);
    // The code that connects limits the target's time to accept a connection.
    if (trace.connected === undefined || progress() !== seen) continue;
    await within(clock, until - REPORT_MS - clock.now(), signal, late, (limited) => exit.check(limited));
  }
}
