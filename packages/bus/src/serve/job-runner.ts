import { Go } from '../ask/go.ts';
import { ENDED, failure, ProbeFailure, type Clock, type Probe, type ProbePorts } from '@vedette/contract';
import type { FinalFrame, JobFrame } from '../frames/index.ts';

/** A waiter of a run: one attempt of one job. */
export interface Waiter {
  job: string;
  attempt: number;
  nonce: string;
  /** Subject of the frames back. */
  reply: string;
  /** Minor protocol version of the gateway. */
  minor: number;
}

/** How a run ended. `defect` is what must be looked at: not the target's doing, nor a probe's way to say what failed. */
export type RunResult = Pick<FinalFrame, 'result' | 'failure'> & { defect?: unknown };

interface Run {
  key: string;
  startedAt: number;
  deadline: number;
  waiters: Set<Waiter>;
  controller: AbortController;
  /** Undefined for a run that may contact its target. */
  go: Go | undefined;
}

export interface JobRunnerOptions {
  probe: Probe;
  /** The probe's result schema, compiled. */
  checkResult: (result: unknown) => boolean;
  clock: Clock;
  portsFor: (scope: ProbeScope) => ProbePorts;
  /** Called once per run that still has waiters when it ends, and with none when the last one left. */
  onEnd: (waiters: Iterable<Waiter>, result: RunResult, ms: number) => void;
}

/** The ports of a probe that differ from run to run. */
export type ProbeScope = Pick<ProbePorts, 'signal' | 'budget_ms'>;

const SHARE_WITHIN_MS = 1_000;
/** A probe that ignores its signal is not waited for. */
const OVERTIME = new DOMException('the measurement did not end within its budget', 'TimeoutError');
const GRACE_MS = 100;

/** The shared run of identical jobs of a kind. Made once for each: on an agent's hot path. */
export const runKey = ({ spec }: Pick<JobFrame, 'spec'>): string => JSON.stringify(spec);

/** Runs the jobs of one kind. Identical jobs that arrive within a second share one run, which stops when its last waiter leaves. */
export class JobRunner {
  #options: JobRunnerOptions;
  #runs = new Map<string, Run>();
  #runOf = new Map<Waiter, Run>();

  constructor(options: JobRunnerOptions) {
    this.#options = options;
  }

  /** Joins a run that is under way by the same key (`runKey`), began within a second, and ends in time for this job. */
  join(waiter: Waiter, frame: JobFrame, key: string): boolean {
    const { clock } = this.#options;
    const run = this.#runs.get(key);
    const now = clock.now();
    if (run === undefined || now - run.startedAt > SHARE_WITHIN_MS || run.deadline > now + frame.budget_ms) return false;
    run.waiters.add(waiter);
    this.#runOf.set(waiter, run);
    if (frame.parked !== true) run.go?.give();
    return true;
  }

  /** Starts a run of its own; the slot is the caller's business. */
  start(waiter: Waiter, frame: JobFrame, key: string): void {
    const now = this.#options.clock.now();
    const run: Run = {
      key,
      startedAt: now,
      deadline: now + frame.budget_ms,
      waiters: new Set([waiter]),
      controller: new AbortController(),
      go: frame.parked === true ? new Go(this.#options.clock) : undefined,
    };
    this.#runs.set(run.key, run);
    this.#runOf.set(waiter, run);
    void this.#measure(run, frame).then((result) => this.#end(run, result));
  }

  /** A run that was parked for this one may go on. */
  go(waiter: Waiter): void {
    this.#runOf.get(waiter)?.go?.give();
  }

  /** The waiter has left. */
  leave(waiter: Waiter): void {
    const run = this.#runOf.get(waiter);
    if (run === undefined) return;
    this.#runOf.delete(waiter);
    run.waiters.delete(waiter);
    if (run.waiters.size > 0) return;
    this.#forget(run);
    run.controller.abort(new ProbeFailure('cancelled'));
  }

  /** Ends every run; its waiters get `cancelled`. */
  abortAll(why: string): void {
    for (const run of new Set(this.#runOf.values())) run.controller.abort(new ProbeFailure('cancelled', why));
  }

  async #measure(run: Run, frame: JobFrame): Promise<RunResult> {
    const { probe, clock, portsFor, checkResult } = this.#options;
    const { controller } = run;
    const ended = new AbortController();
    const budget = clock.sleep(frame.budget_ms, ended.signal).then(
      // A probe that can say what it has so far ends with that; `internal` is for one that cannot.
      () => controller.abort(OVERTIME),
      () => {}, // the run ended first
    );
    try {
      const ports = portsFor({ signal: controller.signal, budget_ms: frame.budget_ms });
      const measuring = probe.run(frame.spec, run.go?.guard(ports) ?? ports);
      const result: unknown = await Promise.race([measuring, this.#abandon(controller.signal, ended.signal)]);
      return checkResult(result) ? { result } : { failure: failure('internal'), defect: new Error('the result breaks its schema') };
    } catch (error) {
      return this.#failed(error);
    } finally {
      ended.abort(ENDED);
      await budget;
    }
  }

  /** Rejects a little after the signal, for a probe that does not heed it. */
  #abandon(signal: AbortSignal, ended: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      const onAbort = () => {
        this.#options.clock.sleep(GRACE_MS, ended).then(
          () => reject(signal.reason),
          () => {}, // it heeded it
        );
      };
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #failed(error: unknown): RunResult {
    if (error === OVERTIME) return { failure: failure('internal', OVERTIME.message), defect: error };
    if (!(error instanceof ProbeFailure)) return { failure: failure('internal'), defect: error };
    const { partial } = error;
    const usable = partial !== undefined && this.#options.checkResult(partial);
    return { failure: failure(error.code, error.seen), ...(usable && { result: partial }) };
  }

  #end(run: Run, result: RunResult): void {
    this.#forget(run);
    for (const waiter of run.waiters) this.#runOf.delete(waiter);
    this.#options.onEnd(run.waiters, result, this.#options.clock.now() - run.startedAt);
  }

  #forget(run: Run): void {
    if (this.#runs.get(run.key) === run) this.#runs.delete(run.key);
  }
}
