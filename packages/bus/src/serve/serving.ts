import type { AgentState, BeatFrame } from '../frames/index.ts';
import type { Clock } from '@vedette/contract';
import { createBeater } from './beater.ts';
import type { Bus, BusSubscription } from '../wire/connection.ts';
import { subjects } from '../wire/subjects.ts';

export interface Serving<S = BeatFrame['slots']> {
  state(): AgentState;
  slots(): S;
  /** Tells the gateways at once that something about us changed. */
  beat(): void;
  /** Takes no more jobs, finishes those at work (30 s at most), and leaves the bus flushed. */
  drain(): Promise<void>;
}

/** The jobs of an agent or of a renderer. */
export interface Jobs<S> {
  /** Jobs at work. */
  readonly size: number;
  slots(): S;
  /** Joins or leaves the queue groups, as there is room. */
  review(): void;
  /** Leaves the queue groups for good. Resolves when the jobs that were on their way were handed over, and never rejects. */
  drain(): Promise<void>;
  /** Ends every job, whose gateways are told `cancelled`. */
  abortAll(): void;
  /** Whether nothing is left to be fetched either. */
  isIdle(): boolean;
}

export interface ServingOptions<S> {
  /** Jobs and beats first. */
  buses: readonly [Bus, ...Bus[]];
  clock: Clock;
  jobs: Jobs<S>;
  isWell: () => boolean;
  publishBeat: (state: AgentState) => void;
  /** Subscribes to jobs that name us. */
  pinned: () => BusSubscription[];
  /** Subscribes to all else. */
  control: () => BusSubscription[];
  /** Time for the last frames of jobs that were aborted. */
  abortedMs: number;
}

const DRAIN_MS = 30_000;
const DRAIN_POLL_MS = 20;

/** Takes jobs and beats, from `start` until it is drained. `beater` is to be told when jobs begin or end. */
export function createServing<S>({ buses, clock, jobs, isWell, publishBeat, pinned, control, abortedMs }: ServingOptions<S>) {
  const [bus] = buses;
  let state: AgentState = 'joining';
  const wellState = () => (isWell() ? 'ready' : 'degraded');
  const beat = () => {
    jobs.review();
    if (state === 'ready' || state === 'degraded') state = wellState();
    publishBeat(state);
  };
  const beater = createBeater(clock, () => jobs.size > 0, beat);
  return { beater, start };

  /** Resolves when the server knows our subscriptions. */
  async function start(): Promise<Serving<S>> {
    const byName = pinned();
    jobs.review();
    const others = [bus.subscribe(subjects.roll, () => beater.now()), ...control()];
    await Promise.all(buses.map((one) => one.flush()));
    state = wellState();
    beater.now();
    const endWatch = bus.onChange((connected) => {
      if (connected) beater.now();
    });
    return {
      state: () => state,
      slots: () => jobs.slots(),
      beat: () => beater.now(),
      async drain() {
        state = 'draining';
        const left = jobs.drain();
        beat();
        // A server that is gone hands over nothing more; what runs is finished all the same.
        await Promise.allSettled([left, ...byName.map((subscription) => subscription.drain())]);
        await until(() => jobs.size === 0, DRAIN_MS);
        jobs.abortAll();
        await until(() => jobs.isIdle(), abortedMs);
        endWatch();
        beater.stop();
        for (const subscription of others) subscription.unsubscribe();
        await Promise.allSettled(buses.map((one) => one.flush())); // as above
      },
    };
  }

  async function until(done: () => boolean, withinMs: number): Promise<void> {
    const end = clock.now() + withinMs;
    while (!done() && clock.now() < end) await clock.sleep(DRAIN_POLL_MS);
  }
}
