import type { Clock } from '@vedette/contract';
import type { PathOutcome, PathTracer } from '../net/icmp/path-types.ts';
import type { Path, TracePacket } from './path.ts';
import type { TraceJob } from './schema.ts';

interface Sending {
  paths: PathTracer;
  clock: Clock;
  signal: AbortSignal;
  /** The end of the budget on the clock: by then all outcomes are known. */
  endsAt: number;
}

/** A round that could wait no longer than that for its answers is not begun. */
const WAIT_FLOOR_MS = 300;

/**
 * Sends the rounds of a trace and waits for their outcomes. The packets of a round leave one behind the other, whatever comes back, until the target
 * has answered; a later round goes no farther than the flow does. Returns whether all rounds were sent. Rejects with the signal's reason.
 */
export async function sendRounds(path: Path, job: TraceJob, { paths, clock, signal, endsAt }: Sending): Promise<boolean> {
  const { protocol, port, rounds, flows, interval_ms, wait_ms } = job;
  const outcomes = new Outcomes(path, signal);
  const start = clock.now();
  const waitMs = () => Math.min(wait_ms, endsAt - clock.now());
  for (let round = 0; round < rounds; round++) {
    if (round > 0) {
      await outcomes.until(() => path.ended);
      const pause_ms = start + round * interval_ms - clock.now();
      if (pause_ms > 0) await clock.sleep(pause_ms, signal);
    }
    if (waitMs() < Math.min(WAIT_FLOOR_MS, wait_ms)) return outcomes.until(() => false).then(() => false);
    for (let flow = 0; flow < flows; flow++) {
      for (let ttl = 1; ttl <= path.lastTtl(flow, round > 0) && waitMs() > 0; ttl++) {
        const { outcome } = await paths.send(path.target, { protocol, port, flow, ttl, wait_ms: waitMs() }, signal);
        outcomes.expect(path.add(ttl, flow), outcome);
      }
    }
  }
  await outcomes.until(() => false);
  return true;
}

/** The outcomes that are still to come. */
class Outcomes {
  readonly #path: Path;
  readonly #signal: AbortSignal;
  readonly #pending = new Set<TracePacket>();
  #failure: { error: unknown } | undefined;
  #wake = () => {};

  constructor(path: Path, signal: AbortSignal) {
    this.#path = path;
    this.#signal = signal;
  }

  expect(packet: TracePacket, outcome: Promise<PathOutcome>): void {
    this.#pending.add(packet);
    outcome
      .then(
        (known) => this.#path.settle(packet, known),
        (error: unknown) => (this.#failure ??= { error }),
      )
      .finally(() => {
        this.#pending.delete(packet);
        this.#wake();
      });
  }

  /** Resolves when it is done, or when no outcome is awaited any more: those behind the end of their flow are not. */
  async until(done: () => boolean): Promise<void> {
    const onAbort = () => this.#wake();
    this.#signal.addEventListener('abort', onAbort);
    try {
      while (!done() && this.#isAwaited()) await new Promise<void>((resolve) => (this.#wake = resolve));
    } finally {
      this.#signal.removeEventListener('abort', onAbort);
    }
  }

  #isAwaited(): boolean {
    this.#signal.throwIfAborted();
    if (this.#failure) throw this.#failure.error;
    return [...this.#pending].some(({ ttl, flow }) => ttl <= (this.#path.end(flow)?.ttl ?? this.#path.maxHops));
  }
}
