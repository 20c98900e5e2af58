import type { Clock, Reason, RenderJob, RenderKind, RenderOutput } from '@vedette/contract';
import type { RenderCancelFrame, RenderNackFrame } from '../frames/index.ts';
import type { Bus } from '../wire/connection.ts';

/** Tells what was dialled for a job. */
export type DialledTell = () => Iterable<{ host: string; address: string }>;

export interface ServeRendersOptions {
  /** Jobs, replies and beats. */
  bus: Bus;
  /** Inputs and results: a connection of their own, so that nothing waits behind them. */
  chunks: Bus;
  clock: Clock;
  /** The public key of our credentials (`publicKeyOf`), which the server's permissions name; any id where it asks for none. */
  key: string;
  /** This process, and no other before or after it: made at random for each start. */
  renderer: string;
  /** Version of the software. */
  version: string;
  kinds: readonly RenderKind[];
  /** Jobs that run at once. */
  slots: number;
  /**
   * Does a job. Faults of its page are in the result. It rejects when we or our browser failed, with a `ProbeFailure` for a reason that the
   * gateway should know (no_network, target_limited, too_large). It settles soon after the signal aborts or its budget has ended. `dialled`
   * is given what tells whom the job has contacted so far: asked when the job has ended, however it did.
   */
  run<K extends RenderKind>(
    kind: K,
    job: RenderJob<K>,
    options: { input?: Uint8Array; signal: AbortSignal; budget_ms: number; dialled: (tell: DialledTell) => void },
  ): Promise<RenderOutput<K>>;
  /** Whether all is well (a network that works, a browser that starts); else it is asked only where no other can be. */
  isWell: () => boolean;
  /** Version of the browser; empty while none runs. */
  browser: () => string;
  /** p99 of the event loop's delay since the last call, ms. */
  eventLoopDelayMs: () => number;
  events: RenderEvents;
}

export interface RenderEvents {
  finished(job: string, kind: RenderKind, reason: Reason | 'ok', ms: number): void;
  /** A job failed for a reason of our own. */
  defect(job: string, kind: RenderKind, error: unknown): void;
  refused(reason: RenderNackFrame['reason'] | 'invalid_frame'): void;
  /** The gateway no longer waits for a running job. */
  cancelled(reason: RenderCancelFrame['reason']): void;
}
