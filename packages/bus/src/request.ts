import { failure, type Failure } from '@vedette/contract';
import { agentBudget, gatewayBudget } from './budget.ts';
import type { Capability } from './fleet.ts';
import { Flight, type FlightContext, type FlightOwner } from './flight.ts';
import { jobFrames, type JobFrames } from './job-frame.ts';
import { locationReply, type LocationReply } from './location-reply.ts';
import { LocationRun, type HedgeBudget, type Outcome } from './location-run.ts';

export interface AskOptions {
  kind: string;
  /** The probe's job; the agents check it again. */
  spec: Record<string, unknown>;
  /** Ids, each once; the replies come in this order. */
  locations: readonly string[];
  /** What is left of the client's deadline. */
  budgetMs: number;
  /** Smallest budget with which the probe is worth starting. */
  minBudgetMs: number;
  /** The probe's result schema, compiled. Anything else that an agent sends is refused. */
  check: (result: unknown) => boolean;
  /** The client has gone: agents stop, and what is missing becomes `cancelled`. */
  signal?: AbortSignal;
  needsCapability?: Capability;
  onReply?: (reply: LocationReply, index: number) => void;
}

/** What all requests of a gateway share. */
export interface RequestContext extends FlightContext {
  hedges: HedgeBudget;
  /** Jobs in flight by location. */
  load: Map<string, number>;
}

/** Jobs in flight at one location, beyond which it is busy. */
const MAX_PER_LOCATION = 512;

/** One request at all its locations, from the first publish to the last reply. Throws `FrameError` when its spec is no job. */
export class Request implements FlightOwner {
  readonly kind: string;
  readonly frames: JobFrames;
  /** Those under way, by location. */
  readonly flights = new Map<string, Flight>();
  #options: AskOptions;
  #context: RequestContext;
  #deadline: number;
  #replies: LocationReply[];
  #missing: number;
  #settled = Promise.withResolvers<void>();

  constructor(options: AskOptions, context: RequestContext) {
    const { kind, spec, locations, budgetMs } = options;
    this.kind = kind;
    this.frames = jobFrames(kind, spec, budgetMs, locations.length);
    this.#options = options;
    this.#context = context;
    this.#deadline = context.clock.now() + gatewayBudget(budgetMs);
    this.#replies = Array.from({ length: locations.length });
    this.#missing = locations.length;
  }

  /** Asks every location. Rejects with what `onReply` throws. */
  async run(): Promise<LocationReply[]> {
    const { locations, signal } = this.#options;
    const cancel = () => this.cancel();
    signal?.addEventListener('abort', cancel);
    if (locations.length === 0) this.#settled.resolve();
    try {
      for (const [index, location] of locations.entries()) this.#launch(location, index);
      await this.#settled.promise;
    } finally {
      signal?.removeEventListener('abort', cancel);
      cancel(); // what is still under way when a callback threw
    }
    return this.#replies;
  }

  cancel(): void {
    for (const flight of this.flights.values()) flight.apply({ type: 'cancel' });
  }

  landed({ run: { location }, index }: Flight, outcome: Outcome): void {
    this.flights.delete(location);
    this.#addLoad(location, -1);
    this.#settle(index, location, outcome);
  }

  #launch(location: string, index: number): void {
    const { presence, clock, hedges } = this.#context;
    const { needsCapability: needs } = this.#options;
    const { kind, frames } = this;
    const now = clock.now();
    const budgetMs = agentBudget(this.#deadline - now, presence.ackMs(location));
    const planned = this.#plan(location, budgetMs);
    if ('reason' in planned) return this.#settle(index, location, { agent: '', failure: planned });
    const run = new LocationRun({
      job: frames.job,
      location,
      kind,
      needs,
      createNonce: frames.createNonce,
      agent: planned.agent,
      deadline: this.#deadline,
      now,
      fleet: presence,
      hedges,
    });
    const flight = new Flight(run, index, this, this.#context);
    this.flights.set(location, flight);
    this.#addLoad(location, 1);
    flight.launch(budgetMs);
  }

  /** The agent to pin the job to, if any, or why the location is not asked at all. */
  #plan(location: string, budgetMs: number): Failure | { agent: string | undefined } {
    const { minBudgetMs, signal, needsCapability } = this.#options;
    if (signal?.aborted) return failure('cancelled');
    const route = this.#context.presence.route(location, this.kind, needsCapability);
    if (route.how === 'none') return failure(route.why);
    if ((this.#context.load.get(location) ?? 0) >= MAX_PER_LOCATION) return failure('agent_busy');
    if (budgetMs < minBudgetMs) return failure('agent_busy', 'too little time is left');
    return { agent: route.how === 'pinned' ? route.agent : undefined };
  }

  #settle(index: number, location: string, outcome: Outcome): void {
    const { check, onReply } = this.#options;
    this.#missing -= 1;
    try {
      const reply = locationReply(location, outcome, check, this.#context.presence);
      this.#replies[index] = reply;
      onReply?.(reply, index);
    } catch (error) {
      this.#settled.reject(error);
    }
    if (this.#missing === 0) this.#settled.resolve();
  }

  #addLoad(location: string, jobs: number): void {
    const { load } = this.#context;
    load.set(location, (load.get(location) ?? 0) + jobs);
  }
}
