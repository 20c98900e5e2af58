import { ProbeFailure, type ProbePorts, within } from '@vedette/contract';
import { abortFailure } from '../net/dialler.ts';
import { type HttpTrace, startTrace, timeoutOf } from './trace.ts';

/** Ending so much before the budget leaves time to say what was measured. */
const REPORT_MS = 100;

/**
 * Runs a measurement within the job's budget. However it ends, `result` is built from the trace: returned, or handed
 * over as the failure's `partial`. A timeout's reason is the phase that it hit. `next` begins another exchange, which the trace is of from then on.
 */
export function measure<R>(
  ports: Pick<ProbePorts, 'clock' | 'signal' | 'budget_ms'>,
  work: (trace: HttpTrace, signal: AbortSignal, next: () => HttpTrace) => Promise<void>,
  result: (trace: HttpTrace, now: number) => R,
): Promise<R> {
  const { clock } = ports;
  let trace = startTrace(clock.now());
  const next = () => (trace = startTrace(clock.now()));
  const budget = Math.max(0, ports.budget_ms - REPORT_MS);
  const outOfTime = () => timeoutOf(trace, budget);
  return within(clock, budget, ports.signal, outOfTime, async (signal) => {
    try {
      await work(trace, signal, next);
    } catch (error) {
      // Closing the sockets makes whatever was waited for fail in some way; the signal knows why it did.
      const failure = signal.aborted ? abortFailure(signal) : error;
      if (!(failure instanceof ProbeFailure)) throw failure;
      throw new ProbeFailure(failure.code, failure.seen, { cause: failure, partial: result(trace, clock.now()) });
    }
    return result(trace, clock.now());
  });
}
