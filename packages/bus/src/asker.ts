import { ApiError, failure, type Clock, type Failure } from '@vedette/contract';
import { agentBudget, gatewayBudget } from './budget.ts';
import { isNoResponders, type Bus, type BusMessage } from './connection.ts';
import { countNothing, type BusEvents } from './events.ts';
import { readReply, writeCancel } from './frames.ts';
import type { Capability } from './fleet.ts';
import { createHedgeBudget } from './hedge-budget.ts';
import { jobFrames, type JobFrames } from './job-frame.ts';
import { locationReply, type LocationReply } from './location-reply.ts';
import { LocationRun, type Outcome, type RunAction, type RunEvent } from './location-run.ts';
import type { Presence } from './presence.ts';
import { isSubjectToken, subjects } from './subjects.ts';

export interface AskOptions {
  kind: string;
  /** The probe's job; the agents check it again. */
  spec: Record<string, unknown>;
  /** Ids, each once; the replies come in this order. */
  locations: readonly string[];
  /** What is left of the client's deadline. */
  budgetMs: number;
  /** Below this the probe is not worth starting. */
  minBudgetMs: number;
  /** The probe's result schema, compiled. Anything else that an agent sends is refused. */
  check: (result: unknown) => boolean;
  /** The client has gone: agents stop, and what is missing becomes `cancelled`. */
  signal?: AbortSignal;
  needsCapability?: Capability;
  onReply?: (reply: LocationReply, index: number) => void;
}

export interface Asker {
  /** Asks every location at once; exactly one reply each, whatever happens. Rejects with `ApiError` bus_unavailable at once when not connected. */
  ask(options: AskOptions): Promise<LocationReply[]>;
  /** Age of the oldest job in flight, ms; 0 when there is none. */
  oldestAgeMs(): number;
  close(): void;
}

export interface AskerOptions {
  bus: Bus;
  /** Names the inbox. Where the server knows its clients it must be the public key of our credentials (`publicKeyOf`): no other inbox is ours. */
  gatewayId: string;
  presence: Presence;
  clock: Clock;
  events?: BusEvents;
}

const SWEEP_MS = 20;
/** A sweep this late means that we were stalled, and frames may be waiting unread. */
const STALL_MS = 100;
/** Jobs in flight at one location, beyond which it is busy. */
const MAX_PER_LOCATION = 512;

/** One request, at all its locations. */
interface Request {
  options: AskOptions;
  frames: JobFrames;
  deadline: number;
  /** Those under way, by location. */
  flights: Map<string, Flight>;
  settle(index: number, location: string, outcome: Outcome): void;
}

/** One location of one request. */
interface Flight {
  run: LocationRun;
  request: Request;
  index: number;
  startedAt: number;
  /** The frame of each attempt, so that it can be sent again. */
  sent: string[];
}

/** Asks agents: one inbox subscription and one sweep timer for all requests, one publish per location. */
export function createAsker(options: AskerOptions): Asker {
  const { bus, gatewayId, presence, clock, events = countNothing } = options;
  if (!isSubjectToken(gatewayId)) throw new TypeError('gatewayId must be a subject token');
  const inbox = subjects.inbox(gatewayId);
  const hedges = createHedgeBudget();
  /**
   * By job and location. Whatever a long-lived Map held may outlive it: V8 leaves the tables that it outgrew linked to their
   * successors, and once one is old the rest is copied as if alive. So this one holds maps that are empty when it lets go of
   * them, and the next one keeps its zeros.
   */
  const flights = new Map<string, Map<string, Flight>>();
  const perLocation = new Map<string, number>();
  const closed = new AbortController();

  const allFlights = () => flights.values().flatMap((ofJob) => ofJob.values());

  const onMessage = (message: BusMessage) => {
    const [job = '', location = '', number] = message.subject.slice(inbox.length + 1).split('.');
    const flight = flights.get(job)?.get(location);
    if (flight === undefined) return countLate(location, message);
    const attempt = Number(number);
    if (isNoResponders(message)) return apply(flight, { type: 'no_responders', attempt });
    const frame = readReply(message.data);
    if (frame === undefined) return events.invalidFrame(location);
    apply(flight, { type: 'frame', attempt, frame });
  };

  const countLate = (location: string, { data }: BusMessage) => {
    if (readReply(data)?.type === 'final') events.late(presence.knows(location) ? location : '');
  };

  const apply = (flight: Flight, event: RunEvent) => {
    for (const action of flight.run.step(event, clock.now())) perform(flight, action);
  };

  const perform = (flight: Flight, action: RunAction): void => {
    const { run, request } = flight;
    switch (action.type) {
      case 'dispatch': {
        const budgetMs = agentBudget(action.leftMs, presence.ackMs(run.location));
        return send(flight, action.attempt, action.agent, request.frames.text(action.attempt, action.nonce, budgetMs));
      }
      case 'resend':
        return send(flight, action.attempt, action.agent, flight.sent[action.attempt - 1]!);
      case 'roll':
        return presence.roll();
      case 'cancel': {
        const frame = writeCancel({ job: request.frames.job, attempt: action.attempt, reason: action.reason });
        return void bus.publish(subjects.cancel(run.location), frame);
      }
      case 'acked':
        presence.heard(run.location, action.agent, action.ms);
        return events.ackSeconds(run.location, action.ms / 1000);
      case 'refused':
        return events.nack(run.location, action.reason);
      case 'unreachable':
        return events.noResponders(run.location);
      case 'invalid':
        return events.invalidFrame(run.location);
      case 'done':
        if (action.hedge !== undefined) events.hedge(action.hedge.reason, action.hedge.won);
        return land(flight, action.outcome);
    }
  };

  const send = (flight: Flight, attempt: number, agent: string | undefined, frame: string) => {
    const { request, run, sent } = flight;
    const { kind } = request.options;
    sent[attempt - 1] = frame;
    const subject = agent === undefined ? subjects.job(kind, run.location) : subjects.pinnedJob(kind, run.location, agent);
    bus.publish(subject, frame, `${inbox}.${request.frames.job}.${run.location}.${attempt}`);
  };

  const land = (flight: Flight, outcome: Outcome) => {
    const { run, request, index } = flight;
    request.flights.delete(run.location);
    perLocation.set(run.location, perLocation.get(run.location)! - 1);
    request.settle(index, run.location, outcome);
  };

  /** The agent to pin the job to, if any, or why the location is not asked at all. */
  const plan = (
    location: string,
    { kind, needsCapability, minBudgetMs, signal }: AskOptions,
    budgetMs: number,
  ): Failure | { agent?: string } => {
    if (signal?.aborted) return failure('cancelled');
    if (!isSubjectToken(location)) return failure('no_agent');
    const route = presence.route(location, kind, needsCapability);
    if (route.how === 'none') return failure(route.why);
    if ((perLocation.get(location) ?? 0) >= MAX_PER_LOCATION) return failure('agent_busy');
    if (budgetMs < minBudgetMs) return failure('agent_busy', 'too little time is left');
    return route.how === 'pinned' ? { agent: route.agent } : {};
  };

  const launch = (request: Request, location: string, index: number) => {
    const { options, frames, deadline } = request;
    const now = clock.now();
    const budgetMs = agentBudget(deadline - now, presence.ackMs(location));
    const planned = plan(location, options, budgetMs);
    if ('reason' in planned) return request.settle(index, location, { agent: '', failure: planned });
    const { agent } = planned;
    const { kind, needsCapability: needs } = options;
    const run = new LocationRun({
      job: frames.job,
      location,
      kind,
      needs,
      createNonce: frames.createNonce,
      agent,
      deadline,
      now,
      fleet: presence,
      hedges,
    });
    const flight: Flight = { run, request, index, startedAt: now, sent: [] };
    request.flights.set(location, flight);
    perLocation.set(location, (perLocation.get(location) ?? 0) + 1);
    send(flight, 1, agent, frames.text(1, run.first.nonce, budgetMs));
  };

  const ask = async (options: AskOptions): Promise<LocationReply[]> => {
    if (!bus.connected()) throw new ApiError('bus_unavailable');
    const { locations, budgetMs, signal } = options;
    const frames = jobFrames(options.kind, options.spec, budgetMs, locations.length);
    const deadline = clock.now() + gatewayBudget(budgetMs);
    hedges.add(locations.length);
    const replies = Array.from<LocationReply>({ length: locations.length });
    const settled = Promise.withResolvers<void>();
    let missing = locations.length;
    const request: Request = {
      options,
      frames,
      deadline,
      flights: new Map(),
      settle(index, location, outcome) {
        missing -= 1;
        try {
          const reply = locationReply(location, outcome, options.check, presence);
          replies[index] = reply;
          options.onReply?.(reply, index);
        } catch (error) {
          settled.reject(error);
        }
        if (missing === 0) settled.resolve();
      },
    };
    const cancelAll = () => {
      for (const flight of request.flights.values()) apply(flight, { type: 'cancel' });
    };
    signal?.addEventListener('abort', cancelAll);
    if (locations.length === 0) settled.resolve();
    flights.set(frames.job, request.flights);
    try {
      for (const [index, location] of locations.entries()) launch(request, location, index);
      await settled.promise;
    } finally {
      signal?.removeEventListener('abort', cancelAll);
      cancelAll(); // what is still under way when a callback threw
      flights.delete(frames.job);
    }
    return replies;
  };

  const sweep = async () => {
    let before = clock.now();
    while (!closed.signal.aborted) {
      await clock.sleep(SWEEP_MS, closed.signal).catch(() => {}); // closed
      const now = clock.now();
      if (now - before > STALL_MS) presence.wasDeaf(now - before);
      before = now;
      for (const flight of allFlights()) if (flight.run.wakeAt <= now) apply(flight, { type: 'tick' });
    }
  };

  const subscription = bus.subscribe(`${inbox}.>`, onMessage);
  const endWatch = bus.onChange((connected) => {
    if (!connected) for (const flight of allFlights()) apply(flight, { type: 'bus_lost' });
  });
  void sweep();

  return {
    ask,
    oldestAgeMs: () => {
      const [oldest] = allFlights(); // a Map keeps the order of insertion
      return oldest === undefined ? 0 : clock.now() - oldest.startedAt;
    },
    close() {
      closed.abort();
      endWatch();
      subscription.unsubscribe();
    },
  };
}
