import { PROTOCOL, type AgentState, type BeatFrame } from '../frames/index.ts';
import type { Clock, Probe, ProbePorts } from '@vedette/contract';
import type { Bus } from '../wire/connection.ts';
import { writeBeat } from '../wire/frames.ts';
import { Intake, type ServeEvents } from './intake.ts';
import type { ProbeScope } from './job-runner.ts';
import { createServing, type Serving } from './serving.ts';
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
  /** The process figures in beats; without it, beats have none. */
  processFigures?: () => Pick<BeatFrame, 'process' | 'counts' | 'names'>;
}

/** Beats in between leave out what is long and changes slowly. */
const TELL_MS = 1_700;
/** Time for the last frames of runs that were aborted. */
const ABORTED_MS = 200;

/** Takes jobs for this location and answers them: ack at once, one final. Resolves when the server knows our subscriptions. */
export function serve(options: ServeOptions): Promise<Serving> {
  const { bus, clock, location, agent, probes, portsFor, events } = options;
  const intake = new Intake({ bus, clock, location, agent, probes, portsFor, events, onChange: () => beater.reconsider() });
  let reportedAt = -Infinity;
  const dueFigures = () => {
    if (clock.now() - reportedAt < TELL_MS) return {};
    reportedAt = clock.now();
    return options.processFigures?.() ?? {};
  };
  const { beater, start } = createServing({
    buses: [bus],
    clock,
    jobs: intake,
    isWell: () => options.selfTest().ok,
    publishBeat: (state) =>
      bus.publish(subjects.beat(location, agent), writeBeat({ ...beatFrame(options, state, intake), ...dueFigures() })),
    pinned: () => intake.kinds().map((kind) => bus.subscribe(subjects.pinnedJob(kind, location, agent), intake.onJob)),
    control: () => [bus.subscribe(subjects.cancel(location), intake.onCancel)],
    abortedMs: ABORTED_MS,
  });
  return start();
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
