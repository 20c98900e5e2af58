import { failure, type Clock, type Probe, type ProbeKind, type ProbePorts, type Reason } from '@vedette/contract';
import {
  PROTOCOL,
  REASONS_SINCE_3,
  type AckFrame,
  type BeatFrame,
  type CancelFrame,
  type FinalFrame,
  type JobFrame,
  type NackFrame,
} from '../frames/index.ts';
import type { Bus, BusMessage } from '../wire/connection.ts';
import { Desk, type RunEnd } from './desk.ts';
import { FrameError, readCancel, readJob, writeReply } from '../wire/frames.ts';
import { type ProbeScope, runKey, type RunResult, type Waiter } from './job-runner.ts';
import { RecentJobs } from './recent-jobs.ts';
import type { Jobs } from './serving.ts';

export interface ServeEvents {
  finished(job: string, kind: ProbeKind, reason: Reason | 'ok', ms: number): void;
  /** A run failed for a reason of our own. */
  defect(job: string, kind: ProbeKind, error: unknown): void;
  refused(reason: NackFrame['reason'] | 'invalid_frame'): void;
  /** The gateway no longer waits for a running job. */
  cancelled(reason: CancelFrame['reason']): void;
}

export interface IntakeOptions {
  bus: Bus;
  clock: Clock;
  location: string;
  agent: string;
  probes: readonly Probe[];
  portsFor: (scope: ProbeScope) => ProbePorts;
  events: ServeEvents;
  /** Jobs began or ended. */
  onChange: () => void;
}

/** The fields in which frames back differ. */
type FrameBody =
  | Pick<AckFrame, 'type'>
  | Pick<FinalFrame, 'type' | 'result' | 'failure'>
  | Pick<NackFrame, 'type' | 'reason' | 'retry_after_ms'>;
type Refusal = Pick<NackFrame, 'reason' | 'retry_after_ms'>;

const ALL_ATTEMPTS = [1, 2];

/** The jobs of one agent: read, refused or run, and answered; ack at once, one final. */
export class Intake implements Jobs<BeatFrame['slots']> {
  #options: IntakeOptions;
  #desks: ReadonlyMap<string, Desk>;
  #recent: RecentJobs;
  /** The waiting attempts of a run. */
  #waiting = new Map<string, { waiter: Waiter; desk: Desk }>();
  #draining = false;

  constructor(options: IntakeOptions) {
    const { bus, clock, location, probes, portsFor } = options;
    this.#options = options;
    this.#recent = new RecentJobs(clock);
    const onEnd = (waiters: Iterable<Waiter>, end: RunEnd) => this.#onEnd(waiters, end);
    this.#desks = new Map(
      probes.map((probe) => [probe.kind, new Desk({ probe, bus, clock, location, portsFor, onJob: this.onJob, onEnd })]),
    );
  }

  /** Jobs at work, those that share a run counted each. */
  get size(): number {
    return this.#waiting.size;
  }

  kinds(): string[] {
    return [...this.#desks.keys()];
  }

  slots(): BeatFrame['slots'] {
    return Object.fromEntries([...this.#desks].map(([kind, { slots }]) => [kind, { used: slots.used, max: slots.max }]));
  }

  review(): void {
    for (const desk of this.#desks.values()) desk.review(this.#draining);
  }

  async drain(): Promise<void> {
    this.#draining = true;
    await Promise.allSettled(this.#desks.values().map((desk) => desk.closeQueue()));
  }

  isIdle(): boolean {
    return this.size === 0;
  }

  abortAll(): void {
    for (const { runner } of this.#desks.values()) runner.abortAll('the agent is shutting down');
  }

  readonly onJob = ({ data, reply: to }: BusMessage): void => {
    const { events } = this.#options;
    const frame = to ? readJob(data) : undefined;
    if (frame === undefined) return events.refused('invalid_frame');
    const { job, attempt, nonce } = frame;
    const waiter: Waiter = { job, attempt, nonce, reply: to!, minor: Number(frame.v.split('.')[1]) };
    const key = keyOf(job, attempt);
    const known = this.#waiting.get(key);
    if (known !== undefined) {
      // Sent twice: the go of one that is parked, or the first ack took long.
      if (frame.parked !== true) known.desk.runner.go(known.waiter);
      return this.#reply(waiter, { type: 'ack' });
    }
    if (this.#recent.has(key)) return;
    const refusal = this.#take(frame, waiter);
    if (refusal === undefined) return;
    events.refused(refusal.reason);
    this.#reply(waiter, { type: 'nack', ...refusal });
  };

  readonly onCancel = ({ data }: BusMessage): void => {
    const frame = readCancel(data);
    if (frame === undefined) return this.#options.events.refused('invalid_frame');
    for (const attempt of frame.attempt === 0 ? ALL_ATTEMPTS : [frame.attempt]) {
      const found = this.#waiting.get(keyOf(frame.job, attempt));
      this.#forget(frame.job, attempt); // also when the job has not arrived yet
      if (found === undefined) continue;
      found.desk.runner.leave(found.waiter);
      this.#options.events.cancelled(frame.reason);
    }
  };

  #take(frame: JobFrame, waiter: Waiter): Refusal | undefined {
    const desk = this.#desks.get(frame.kind);
    if (desk === undefined || !frame.v.startsWith(`${PROTOCOL.major}.`)) return { reason: 'unsupported' };
    if (!desk.accepts(frame.spec)) return { reason: 'invalid' };
    const run = runKey(frame);
    const joined = desk.runner.join(waiter, frame, run);
    if (!joined && !desk.slots.take()) return { reason: 'busy', retry_after_ms: desk.retryAfterMs() };
    this.#waiting.set(keyOf(frame.job, frame.attempt), { waiter, desk });
    this.#reply(waiter, { type: 'ack' });
    if (!joined) desk.runner.start(waiter, frame, run);
    this.#onChange(desk);
    return undefined;
  }

  #onEnd(waiters: Iterable<Waiter>, { desk, result, ms }: RunEnd): void {
    const { events } = this.#options;
    const { kind } = desk.probe;
    for (const waiter of waiters) {
      this.#forget(waiter.job, waiter.attempt);
      this.#sendFinal(waiter, result);
      events.finished(waiter.job, kind, result.failure?.reason ?? 'ok', ms);
      if (result.defect !== undefined) events.defect(waiter.job, kind, result.defect);
    }
    this.#onChange(desk);
  }

  #onChange(desk: Desk): void {
    desk.review(this.#draining);
    this.#options.onChange();
  }

  #forget(job: string, attempt: number): void {
    const key = keyOf(job, attempt);
    this.#waiting.delete(key);
    this.#recent.add(key);
  }

  #sendFinal(waiter: Waiter, { result, failure: failed }: RunResult): void {
    try {
      const told = failed && waiter.minor < 3 && REASONS_SINCE_3.has(failed.reason) ? failure('unsupported') : failed;
      this.#reply(waiter, { type: 'final', ...(result !== undefined && { result }), ...(told && { failure: told }) });
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.#reply(waiter, { type: 'final', failure: failure('too_large') });
    }
  }

  #reply({ job, attempt, nonce, reply }: Waiter, body: FrameBody): void {
    const { bus, agent } = this.#options;
    bus.publish(reply, writeReply({ ...body, job, attempt, nonce, agent }));
  }
}

const keyOf = (job: string, attempt: number): string => `${job}.${attempt}`;
