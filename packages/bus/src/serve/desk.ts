import type { Clock, Probe, ProbePorts } from '@vedette/contract';
import { Compile } from 'typebox/schema';
import type { Bus, BusMessage, BusSubscription } from '../wire/connection.ts';
import { JobRunner, type ProbeScope, type RunResult, type Waiter } from './job-runner.ts';
import { Slots } from './slots.ts';
import { subjects } from '../wire/subjects.ts';

/** Taken for the duration of a job until one has ended. */
const FIRST_JOB_MS = 1_000;
const JOB_SMOOTHING = 0.125; // as TCP smooths round trips, RFC 6298 §2
const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 60_000;

/** How a run ended: what was measured, by which desk, in how many ms. */
export interface RunEnd {
  desk: Desk;
  result: RunResult;
  ms: number;
}

export interface DeskOptions {
  probe: Probe;
  bus: Bus;
  clock: Clock;
  location: string;
  portsFor: (scope: ProbeScope) => ProbePorts;
  /** A job from the queue group. */
  onJob: (message: BusMessage) => void;
  /** Called when a run has ended; its slot is free again. */
  onEnd: (waiters: Iterable<Waiter>, end: RunEnd) => void;
}

/** One kind of job that an agent takes: its slots, its runs, and its membership of the location's queue group. */
export class Desk {
  readonly probe: Probe;
  readonly slots: Slots;
  readonly runner: JobRunner;
  #options: DeskOptions;
  #checkJob: (spec: unknown) => boolean;
  /** Smoothed duration of a run. */
  #jobMs = FIRST_JOB_MS;
  /** Undefined while we are out of the queue group. */
  #queue: BusSubscription | undefined;

  constructor(options: DeskOptions) {
    const { probe, clock, portsFor } = options;
    const [job, result] = [Compile(probe.job), Compile(probe.result)];
    this.#options = options;
    this.probe = probe;
    this.slots = new Slots(probe.slots);
    this.#checkJob = (spec) => job.Check(spec);
    this.runner = new JobRunner({
      probe,
      checkResult: (value) => result.Check(value),
      clock,
      portsFor,
      onEnd: (waiters, ended, ms) => this.#onEnd(waiters, ended, ms),
    });
  }

  accepts(spec: unknown): boolean {
    return this.#checkJob(spec);
  }

  /** About when a slot is free again: after the time that one job takes. */
  retryAfterMs(): number {
    return Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, Math.round(this.#jobMs)));
  }

  /** Joins or leaves the queue group, as the slots are. The pinned subject stays. */
  review(draining: boolean): void {
    const { bus, clock, location, onJob } = this.#options;
    const open = !draining && this.slots.open(clock.now());
    if (open) this.#queue ??= bus.subscribe(subjects.job(this.probe.kind, location), onJob, { queue: location });
    else void this.closeQueue().catch(() => {}); // the connection was closed, and with it the subscription
  }

  /** Takes no more jobs without a named agent; resolves when those on their way were handed over. */
  async closeQueue(): Promise<void> {
    const queue = this.#queue;
    this.#queue = undefined;
    await queue?.drain();
  }

  #onEnd(waiters: Iterable<Waiter>, result: RunResult, ms: number): void {
    this.slots.release();
    this.#jobMs += (ms - this.#jobMs) * JOB_SMOOTHING;
    this.#options.onEnd(waiters, { desk: this, result, ms });
  }
}
