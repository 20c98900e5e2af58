import {
  failure,
  PROTOCOL,
  type AgentState,
  type BeatFrame,
  type Clock,
  type JobFrame,
  type NackFrame,
  type Probe,
  type ProbeKind,
  type ProbePorts,
  type Reason,
} from '@vedette/contract';
import { Compile } from 'typebox/schema';
import { createBeater } from './beater.ts';
import type { Bus, BusMessage, BusSubscription } from './connection.ts';
import { FrameError, readCancel, readJob, writeBeat, writeReply } from './frames.ts';
import { JobRunner, type ProbeScope, type RunResult, type Waiter } from './job-runner.ts';
import { RecentJobs } from './recent-jobs.ts';
import { Slots } from './slots.ts';
import { subjects } from './subjects.ts';

export interface ServeOptions {
  bus: Bus;
  clock: Clock;
  location: string;
  agent: string;
  /** Of the software. */
  version: string;
  /** The agent only pretends to be in its place. */
  simulated: boolean;
  probes: readonly Probe[];
  portsFor: (scope: ProbeScope) => ProbePorts;
  capabilities: Omit<BeatFrame['capabilities'], 'kinds'>;
  icmpOverheadMs: number;
  /** The latest self-test; not ok makes the agent degraded. */
  selfTest: () => BeatFrame['selftest'] & { ok: boolean };
  /** p99 of the event loop's delay since the last call, ms. */
  eventLoopDelayMs: () => number;
  /** Wall clock, epoch ms: only for the beat, to show our skew. */
  today: () => number;
  events: ServeEvents;
}

export interface ServeEvents {
  finished(job: string, kind: ProbeKind, reason: Reason | 'ok', ms: number): void;
  /** A run failed for a reason of our own. */
  defect(job: string, kind: ProbeKind, error: unknown): void;
  refused(reason: NackFrame['reason'] | 'invalid_frame'): void;
}

export interface Serving {
  state(): AgentState;
  slots(): BeatFrame['slots'];
  /** Tells the gateways at once that something about us changed. */
  beat(): void;
  /** Takes no more jobs, finishes those at work (30 s at most), and leaves the bus flushed. */
  drain(): Promise<void>;
}

const DRAIN_MS = 30_000;
const DRAIN_POLL_MS = 20;

/** One kind of job that we take. */
interface Desk {
  probe: Probe;
  checkJob(spec: unknown): boolean;
  slots: Slots;
  runner: JobRunner;
  /** Smoothed duration of a run, ms. */
  jobMs: number;
  /** Undefined while we are out of the queue group. */
  queue: BusSubscription | undefined;
}

/** Takes jobs for this location and answers them: ack at once, one final. Resolves when the server knows our subscriptions. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { bus, clock, location, agent, events } = options;
  const recent = new RecentJobs(clock);
  const waiting = new Map<string, { waiter: Waiter; desk: Desk }>();
  let state: AgentState = 'joining';
  let subscribed = false;

  const reply = (to: Pick<Waiter, 'job' | 'attempt' | 'nonce' | 'reply'>, frame: Frame) => {
    const { job, attempt, nonce } = to;
    bus.publish(to.reply, writeReply({ ...frame, job, attempt, nonce, agent }));
  };
  const sendFinal = (waiter: Waiter, { result, failure: failed }: RunResult) => {
    try {
      reply(waiter, { type: 'final', ...(result !== undefined && { result }), ...(failed && { failure: failed }) });
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      reply(waiter, { type: 'final', failure: failure('too_large') });
    }
  };

  const createDesk = (probe: Probe): Desk => {
    const [checkJob, checkResult] = [Compile(probe.job), Compile(probe.result)];
    const slots = new Slots(probe.slots);
    const runner = new JobRunner({
      probe,
      checkResult: (result) => checkResult.Check(result),
      clock,
      portsFor: options.portsFor,
      onEnd: (waiters, result, ms) => {
        slots.release();
        desk.jobMs += (ms - desk.jobMs) / 8;
        for (const waiter of waiters) {
          forget(waiter);
          sendFinal(waiter, result);
          events.finished(waiter.job, probe.kind, result.failure?.reason ?? 'ok', ms);
          if (result.defect !== undefined) events.defect(waiter.job, probe.kind, result.defect);
        }
        review(desk);
        beater.reconsider();
      },
    });
    const desk: Desk = { probe, checkJob: (spec) => checkJob.Check(spec), slots, runner, jobMs: 1_000, queue: undefined };
    return desk;
  };
  const desks = new Map(options.probes.map((probe) => [probe.kind as string, createDesk(probe)]));

  const forget = ({ job, attempt }: Waiter) => {
    const key = waiterKey(job, attempt);
    waiting.delete(key);
    recent.add(key);
  };

  const onJob = ({ data, reply: to }: BusMessage) => {
    const frame = to ? readJob(data) : undefined;
    if (frame === undefined) return events.refused('invalid_frame');
    const { job, attempt, nonce } = frame;
    const waiter: Waiter = { job, attempt, nonce, reply: to! };
    const key = waiterKey(job, attempt);
    if (waiting.has(key)) return reply(waiter, { type: 'ack' }); // sent twice, since the first ack took long
    if (recent.has(key)) return;
    const refusal = take(frame, waiter);
    if (refusal === undefined) return;
    events.refused(refusal.reason);
    reply(waiter, { type: 'nack', ...refusal });
  };

  const take = (frame: JobFrame, waiter: Waiter): Pick<NackFrame, 'reason' | 'retry_after_ms'> | undefined => {
    const desk = desks.get(frame.kind);
    if (desk === undefined || !frame.v.startsWith(`${PROTOCOL.major}.`)) return { reason: 'unsupported' };
    if (!desk.checkJob(frame.spec)) return { reason: 'invalid' };
    const joined = desk.runner.join(waiter, frame);
    if (!joined && !desk.slots.take()) return { reason: 'busy', retry_after_ms: retryAfterMs(desk.jobMs) };
    waiting.set(waiterKey(frame.job, frame.attempt), { waiter, desk });
    reply(waiter, { type: 'ack' });
    if (!joined) desk.runner.start(waiter, frame);
    review(desk);
    beater.reconsider();
    return undefined;
  };

  const onCancel = ({ data }: BusMessage) => {
    const frame = readCancel(data);
    if (frame === undefined) return events.refused('invalid_frame');
    for (const attempt of frame.attempt === 0 ? [1, 2] : [frame.attempt]) {
      const key = waiterKey(frame.job, attempt);
      const found = waiting.get(key);
      waiting.delete(key);
      recent.add(key); // also when the job has not arrived yet
      found?.desk.runner.leave(found.waiter);
    }
  };

  /** In or out of the queue group, as the slots are. The pinned subject stays. */
  const review = (desk: Desk) => {
    const open = state !== 'draining' && desk.slots.open(clock.now());
    if (open && desk.queue === undefined) desk.queue = bus.subscribe(subjects.job(desk.probe.kind, location), onJob, { queue: location });
    else if (!open && desk.queue !== undefined) {
      desk.queue.drain().catch(() => {}); // the connection was closed, and with it the subscription
      desk.queue = undefined;
    }
  };

  const slots = () => Object.fromEntries([...desks.values()].map(({ probe, slots: { used, max } }) => [probe.kind, { used, max }]));
  const beat = () => {
    for (const desk of desks.values()) review(desk);
    const { ok, failing, witnesses } = options.selfTest();
    if (state !== 'draining' && subscribed) state = ok ? 'ready' : 'degraded';
    const frame: BeatFrame = {
      agent,
      location,
      version: options.version,
      protocol: { major: PROTOCOL.major, minor_min: 0, minor_max: PROTOCOL.minor },
      state,
      capabilities: { kinds: [...desks.keys()], ...options.capabilities },
      slots: slots(),
      jobs: waiting.size,
      simulated: options.simulated,
      event_loop_delay_ms: options.eventLoopDelayMs(),
      icmp_overhead_ms: options.icmpOverheadMs,
      clock_ms: options.today(),
      selftest: { failing, witnesses },
    };
    bus.publish(subjects.beat(location, agent), writeBeat(frame));
  };

  const beater = createBeater(clock, () => waiting.size > 0, beat);
  const pinned = [...desks.keys()].map((kind) => bus.subscribe(subjects.pinnedJob(kind, location, agent), onJob));
  for (const desk of desks.values()) review(desk);
  const control = [bus.subscribe(subjects.cancel(location), onCancel), bus.subscribe(subjects.roll, () => beater.now())];
  await bus.flush();
  subscribed = true;
  beater.now();
  const endWatch = bus.onChange((connected) => {
    if (connected) beater.now();
  });

  return {
    state: () => state,
    slots,
    beat: () => beater.now(),
    async drain() {
      const queues = [...desks.values()].flatMap(({ queue }) => queue ?? []);
      state = 'draining';
      beat();
      // A server that is gone hands over nothing more; what runs is finished all the same.
      await Promise.allSettled([...queues, ...pinned].map((subscription) => subscription.drain()));
      const until = clock.now() + DRAIN_MS;
      while (waiting.size > 0 && clock.now() < until) await clock.sleep(DRAIN_POLL_MS);
      for (const { runner } of desks.values()) runner.abortAll('the agent is shutting down');
      while (waiting.size > 0 && clock.now() < until + DRAIN_POLL_MS * 10) await clock.sleep(DRAIN_POLL_MS);
      endWatch();
      beater.stop();
      for (const subscription of control) subscription.unsubscribe();
      await bus.flush().catch(() => {}); // as above
    },
  };
}

type Frame =
  | { type: 'ack' }
  | ({ type: 'final' } & Pick<RunResult, 'result' | 'failure'>)
  | ({ type: 'nack' } & Pick<NackFrame, 'reason' | 'retry_after_ms'>);

/** About when a place is free again: after the time that one job takes. */
const retryAfterMs = (jobMs: number) => Math.min(60_000, Math.max(100, Math.round(jobMs)));

const waiterKey = (job: string, attempt: number) => `${job}.${attempt}`;
