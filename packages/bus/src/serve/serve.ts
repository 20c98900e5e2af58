import { PROTOCOL, type AgentState, type BeatFrame, type Clock, type Probe, type ProbePorts } from '@vedette/contract';
import { createBeater } from './beater.ts';
import type { Bus } from '../wire/connection.ts';
import { writeBeat } from '../wire/frames.ts';
import { Intake, type ServeEvents } from './intake.ts';
import type { ProbeScope } from './job-runner.ts';
import { subjects } from '../wire/subjects.ts';

export interface ServeOptions {
  bus: Bus;
  clock: Clock;
  location: string;
  agent: string;
  /** Version of the software. */
  version: string;
  /** The agent only pretends to be at its location. */
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
  /** What beats tell of the process; nothing where this is absent. */
  told?: () => Pick<BeatFrame, 'process' | 'counts'>;
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
/** Beats in between leave out what is long and changes slowly. */
const TELL_MS = 1_700;
/** Time for the last frames of runs that were aborted. */
const ABORTED_MS = 200;

/** Takes jobs for this location and answers them: ack at once, one final. Resolves when the server knows our subscriptions. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { bus, clock, location, agent, probes, portsFor, events } = options;
  const intake = new Intake({ bus, clock, location, agent, probes, portsFor, events, onChange: () => beater.reconsider() });
  let state: AgentState = 'joining';
  let toldAt = -Infinity;
  const told = () => {
    if (clock.now() - toldAt < TELL_MS) return {};
    toldAt = clock.now();
    return options.told?.() ?? {};
  };
  const wellState = () => (options.selfTest().ok ? 'ready' : 'degraded');
  const beat = () => {
    intake.review();
    if (state === 'ready' || state === 'degraded') state = wellState();
    bus.publish(subjects.beat(location, agent), writeBeat({ ...beatFrame(options, state, intake), ...told() }));
  };
  const beater = createBeater(clock, () => intake.size > 0, beat);
  const pinned = intake.kinds().map((kind) => bus.subscribe(subjects.pinnedJob(kind, location, agent), intake.onJob));
  intake.review();
  const control = [bus.subscribe(subjects.cancel(location), intake.onCancel), bus.subscribe(subjects.roll, () => beater.now())];
  await bus.flush();
  state = wellState();
  beater.now();
  const endWatch = bus.onChange((connected) => {
    if (connected) beater.now();
  });
  const idle = async (withinMs: number) => {
    const until = clock.now() + withinMs;
    while (intake.size > 0 && clock.now() < until) await clock.sleep(DRAIN_POLL_MS);
  };

  return {
    state: () => state,
    slots: () => intake.slots(),
    beat: () => beater.now(),
    async drain() {
      state = 'draining';
      const left = intake.drain();
      beat();
      // A server that is gone hands over nothing more; what runs is finished all the same.
      await Promise.allSettled([left, ...pinned.map((subscription) => subscription.drain())]);
      await idle(DRAIN_MS);
      intake.abortAll('the agent is shutting down');
      await idle(ABORTED_MS);
      endWatch();
      beater.stop();
      for (const subscription of control) subscription.unsubscribe();
      await bus.flush().catch(() => {}); // as above
    },
  };
}

function beatFrame(options: ServeOptions, state: AgentState, intake: Intake): BeatFrame {
  const { agent, location, version, capabilities, simulated } = options;
  const { failing, witnesses } = options.selfTest();
  return {
    agent,
    location,
    version,
    protocol: { major: PROTOCOL.major, minor_min: 0, minor_max: PROTOCOL.minor },
    state,
    capabilities: { kinds: intake.kinds(), ...capabilities },
    slots: intake.slots(),
    jobs: intake.size,
    simulated,
    event_loop_delay_ms: options.eventLoopDelayMs(),
    icmp_overhead_ms: options.icmpOverheadMs,
    clock_ms: options.today(),
    selftest: { failing, witnesses },
  };
}
