import { failure, type Failure, type Pass } from '@vedette/contract';
import { agentBudget, gatewayBudget } from '../wire/budget.ts';
import type { Capability, JobFamily } from '../presence/fleet.ts';
import { Flight, type FlightContext, type FlightOwner } from './flight.ts';
import { jobFrames, type JobFrames } from '../wire/job-frame.ts';
import { locationReply, type LocationReply } from './location-reply.ts';
import { LocationRun, type HedgeBudget, type Outcome } from './location-run.ts';

export interface AskOptions {
  kind: string;
  /** The probe's job; the agents check it again. */
  spec: Record<string, unknown>;
  /** Ids, each once; the replies come in this order. */
  locations: readonly string[];
  /** The rest of the client's deadline. */
  budgetMs: number;
  /** Smallest budget with which the probe is worth starting. */
  minBudgetMs: number;
  /** The probe's result schema, compiled. Anything else that an agent sends is refused. */
  check: (result: unknown) => boolean;
  /** The client has gone: agents stop, and what is missing becomes `cancelled`. */
  signal?: AbortSignal;
  /** The go: agents contact no target until it resolves, though they look up names. When it rejects, so does the request. */
  go?: Promise<void> | undefined;
  needsCapability?: Capability;
  /** The family in which the job contacts its target, where that is known: agents that have it are asked first. */
  family?: JobFamily;
  /** What agents lack that do not offer this kind of job; the reply of a location without any other says `lacks`. */
  lacking?: string;
  /** Permits the job of a location, at once or when it is its turn; undefined: it is busy. Calls the given function when the job has ended. */
  admit?: (location: string) => Permit | Promise<Permit>;
  onReply?: (reply: LocationReply, index: number) => void;
}

type Permit = Pass | undefined;

/** The parts that all requests of a gateway share. */
export interface RequestContext extends FlightContext {
  hedges: HedgeBudget;
}

interface Plan {
  /** The agent to which the job is pinned, if any. */
  agent: string | undefined;
  budgetMs: number;
  now: number;
}

/** The outcome of a location that was not asked. */
type Unasked = Outcome & { failure: Failure };
const unasked = (why: Failure): Unasked => ({ agent: '', failure: why });

const BUS_LOST = failure('agent_lost', 'the connection to the message bus was lost');
const UNLIMITED: Pass = () => {};
/** Told to clients of a location that had no permit for their job. */
const BUSY_RETRY_MS = 1_000;

/** One request at all its locations, from the first publish to the last reply. Throws `FrameError` when its spec is not a valid job. */
export class Request implements FlightOwner {
  readonly kind: string;
  readonly frames: JobFrames;
  /** The running flights, by location. */
  readonly flights = new Map<string, Flight>();
  parked: boolean;
  #options: AskOptions;
  #context: RequestContext;
  #deadline: number;
  #replies: LocationReply[];
  #missing: number;
  #over = false;
  #settled = Promise.withResolvers<void>();

  constructor(options: AskOptions, context: RequestContext) {
    const { kind, spec, locations, budgetMs } = options;
    this.kind = kind;
    this.parked = options.go !== undefined;
    this.frames = jobFrames(kind, spec, budgetMs, locations.length);
    this.#options = options;
    this.#context = context;
    this.#deadline = context.clock.now() + gatewayBudget(budgetMs);
    this.#replies = Array.from({ length: locations.length });
    this.#missing = locations.length;
  }

  /** Asks every location. Rejects with what `onReply` throws. */
  async run(): Promise<LocationReply[]> {
    const { locations, signal, go } = this.#options;
    const cancel = () => this.cancel();
    signal?.addEventListener('abort', cancel);
    go?.then(
      () => this.#go(),
      (error) => this.#settled.reject(error),
    );
    if (locations.length === 0) this.#settled.resolve();
    try {
      for (const [index, location] of locations.entries()) this.#launch(location, index);
      await this.#settled.promise;
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#over = true;
      cancel(); // what is still under way when a callback threw
    }
    return this.#replies;
  }

  #go(): void {
    this.parked = false;
    for (const flight of this.flights.values()) flight.go();
  }

  cancel(): void {
    for (const flight of this.flights.values()) flight.apply({ type: 'cancel' });
  }

  landed({ run: { location }, index, permit }: Flight, outcome: Outcome): void {
    this.flights.delete(location);
    permit();
    this.#settle(index, location, outcome);
  }

  #launch(location: string, index: number): void {
    const planned = this.#plan(location);
    if ('failure' in planned) return this.#settle(index, location, planned);
    const { admit } = this.#options;
    const permit = admit === undefined ? UNLIMITED : admit(location);
    if (typeof permit !== 'object') return this.#takeOff(location, index, planned, permit);
    permit.then((given) => this.#launchLater(location, index, given)).catch((error) => this.#settled.reject(error));
  }

  /** Launches after a wait: agents, time left and the bus may be others by then. */
  #launchLater(location: string, index: number, permit: Permit): void {
    if (this.#over) return permit?.();
    const planned = this.#context.bus.connected() ? this.#plan(location) : unasked(BUS_LOST);
    if (!('failure' in planned)) return this.#takeOff(location, index, planned, permit);
    permit?.();
    this.#settle(index, location, planned);
  }

  #takeOff(location: string, index: number, { agent, budgetMs, now }: Plan, permit: Permit): void {
    if (permit === undefined)
      return this.#settle(index, location, { agent: '', failure: failure('agent_busy'), retryAfterMs: BUSY_RETRY_MS });
    const { presence, hedges } = this.#context;
    if (agent !== undefined) presence.pinned(location, agent);
    const { kind, frames } = this;
    const run = new LocationRun({
      job: frames.job,
      location,
      kind,
      needs: this.#options.needsCapability,
      family: this.#options.family,
      createNonce: frames.createNonce,
      agent,
      deadline: this.#deadline,
      minBudgetMs: this.#options.minBudgetMs,
      now,
      check: this.#options.check,
      fleet: presence,
      hedges,
    });
    const flight = new Flight(run, { index, permit }, this, this.#context);
    this.flights.set(location, flight);
    flight.launch(budgetMs);
  }

  /** How to ask the location, or why it is not asked at all. */
  #plan(location: string): Unasked | Plan {
    const { minBudgetMs, signal, needsCapability, family, lacking } = this.#options;
    if (signal?.aborted) return unasked(failure('cancelled'));
    const { presence, clock } = this.#context;
    const route = presence.route(location, this.kind, needsCapability, family);
    if (route.how === 'none') {
      const lacks = route.why === 'unsupported' && lacking !== undefined;
      return { ...unasked(failure(route.why, lacks ? lacking : '')), ...(lacks && { lacks }) };
    }
    const now = clock.now();
    const budgetMs = agentBudget(this.#deadline - now, presence.ackMs(location));
    if (budgetMs < minBudgetMs) return unasked(failure('agent_busy', 'too little time is left'));
    return { agent: route.how === 'pinned' ? route.agent : undefined, budgetMs, now };
  }

  #settle(index: number, location: string, outcome: Outcome): void {
    const { onReply } = this.#options;
    this.#missing -= 1;
    try {
      const reply = locationReply(location, this.#options, outcome, this.#context.presence);
      this.#replies[index] = reply;
      onReply?.(reply, index);
    } catch (error) {
      this.#settled.reject(error);
    }
    if (this.#missing === 0) this.#settled.resolve();
  }
}
