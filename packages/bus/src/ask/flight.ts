import type { Clock, Pass } from '@vedette/contract';
import { agentBudget } from '../wire/budget.ts';
import { type Bus, type BusMessage, isNoResponders } from '../wire/connection.ts';
import type { BusEvents } from '../wire/events.ts';
import { readReply, writeCancel } from '../wire/frames.ts';
import type { JobFrames } from '../wire/job-frame.ts';
import type { InFlight } from './inbox.ts';
import type { LocationRun, Outcome, RunAction, RunEvent } from './location-run.ts';
import type { Presence } from '../presence/presence.ts';
import { subjects } from '../wire/subjects.ts';

/** The parts that all flights of a gateway share. */
export interface FlightContext {
  bus: Bus;
  /** Subject under which replies arrive. */
  inbox: string;
  presence: Presence;
  clock: Clock;
  events: BusEvents;
}

/** The request that the flight serves. */
export interface FlightOwner {
  readonly kind: string;
  readonly frames: JobFrames;
  /** Whether jobs are sent parked, as of now. */
  readonly parked: boolean;
  landed(flight: Flight, outcome: Outcome): void;
}

/** One location of one request under way: tells the run what happens, and does what the run says. */
export class Flight implements InFlight {
  readonly run: LocationRun;
  /** Index of the location in its request. */
  readonly index: number;
  /** Given back when it has landed. */
  readonly permit: Pass;
  readonly startedAt: number;
  #owner: FlightOwner;
  #context: FlightContext;
  /** The frame of each attempt, so that it can be sent again. */
  #sent: string[] = [];
  /** The attempts that were sent parked: the go of each, and who has it. Made for the first: few jobs are. */
  #parked: Map<number, { go: string; agent: string | undefined }> | undefined;

  constructor(run: LocationRun, { index, permit }: { index: number; permit: Pass }, owner: FlightOwner, context: FlightContext) {
    this.run = run;
    this.index = index;
    this.permit = permit;
    this.startedAt = run.first.sentAt;
    this.#owner = owner;
    this.#context = context;
  }

  launch(budgetMs: number): void {
    this.#dispatch(this.run.first, budgetMs);
  }

  /** Releases parked jobs. An agent that has not acked is still unknown, and is told when it acks. */
  go(): void {
    for (const [attempt, { go, agent }] of this.#parked ?? []) if (agent !== undefined) this.#release(attempt, agent, go);
  }

  onMessage(message: BusMessage, attempt: number): void {
    if (isNoResponders(message)) return this.apply({ type: 'no_responders', attempt });
    const frame = readReply(message.data);
    this.apply(frame === undefined ? { type: 'broken', attempt } : { type: 'frame', attempt, frame });
  }

  tick(now: number): void {
    if (this.run.wakeAt <= now) this.apply({ type: 'tick' });
  }

  busLost(): void {
    this.apply({ type: 'bus_lost' });
  }

  apply(event: RunEvent): void {
    for (const action of this.run.step(event, this.#context.clock.now())) this.#perform(action);
  }

  #perform(action: RunAction): void {
    const { location } = this.run;
    const { bus, presence, events } = this.#context;
    switch (action.type) {
      case 'dispatch': {
        const { attempt: number, agent, nonce, leftMs } = action;
        return this.#dispatch({ number, agent, nonce }, agentBudget(leftMs, presence.ackMs(location)));
      }
      case 'resend':
        return this.#send(action.attempt, action.agent, this.#sent[action.attempt - 1]!);
      case 'roll':
        return presence.roll();
      case 'cancel': {
        const { job } = this.#owner.frames;
        return void bus.publish(subjects.cancel(location), writeCancel({ job, attempt: action.attempt, reason: action.reason }));
      }
      case 'acked':
        presence.heard(location, action.agent, action.ms);
        this.#onTaken(action.attempt, action.agent);
        return events.ackSeconds(location, action.ms / 1000);
      case 'refused':
        return events.nack(location, action.reason);
      case 'unreachable':
        return events.noResponders(location);
      case 'invalid':
        return events.invalidFrame(location);
      case 'fault':
        return presence.fault(location, action.agent, this.#owner.kind);
      case 'doubt':
        return presence.doubt(location);
      case 'done':
        if (action.good) presence.good(location, action.outcome.agent, this.#owner.kind);
        if (action.hedge !== undefined) events.hedge(action.hedge.reason, action.hedge.won);
        return this.#owner.landed(this, action.outcome);
    }
  }

  #dispatch({ number, agent, nonce }: { number: number; agent: string | undefined; nonce: string }, budgetMs: number): void {
    const { frames, parked } = this.#owner;
    const go = frames.text(number, nonce, budgetMs);
    if (parked) (this.#parked ??= new Map()).set(number, { go, agent: undefined });
    this.#send(number, agent, parked ? frames.text(number, nonce, budgetMs, true) : go);
  }

  #onTaken(attempt: number, agent: string): void {
    const waiting = this.#parked?.get(attempt);
    if (waiting === undefined) return;
    waiting.agent = agent;
    if (!this.#owner.parked) this.#release(attempt, agent, waiting.go);
  }

  #release(attempt: number, agent: string, go: string): void {
    this.#parked?.delete(attempt);
    this.#send(attempt, agent, go);
  }

  #send(attempt: number, agent: string | undefined, frame: string): void {
    const { location } = this.run;
    const { kind, frames } = this.#owner;
    this.#sent[attempt - 1] = frame;
    const subject = agent === undefined ? subjects.job(kind, location) : subjects.pinnedJob(kind, location, agent);
    this.#context.bus.publish(subject, frame, `${this.#context.inbox}.${frames.job}.${location}.${attempt}`);
  }
}
