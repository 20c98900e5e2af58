import { failure, REASONS, type CancelFrame, type Failure, type NackFrame, type ReplyFrame } from '@vedette/contract';
import type { HedgeReason } from './events.ts';
import type { Capability } from './presence.ts';

/** What the run may know of the agents; presence answers. Times are ms on one monotonic clock. */
export interface Fleet {
  /** The other agent to ask, heard most recently and since then: able, and not in `except`. Undefined when there is none. */
  twin(location: string, kind: string, needs: Capability | undefined, except: readonly string[], heardSince: number): string | undefined;
  /** How many agents could have taken a job that names none. */
  takers(location: string, kind: string, needs: Capability | undefined): number;
  /** How long an ack may take: of this agent, or of whichever takes the job. */
  ackLimitMs(location: string, agent: string | undefined): number;
  /** When the agent was last heard; counts as heard while we ourselves were not listening. */
  heardAt(location: string, agent: string): number;
  /** Long silent or gone: this agent, or every agent of the location. */
  isDead(location: string, agent: string | undefined): boolean;
  /** Start of our own listening, moved on when we were stalled: silence before it says nothing. */
  listeningSince(): number;
}

/** Asking twice on silence is limited to a share of all jobs, so a slow fleet is not asked to do double work. */
export interface HedgeBudget {
  take(): boolean;
}

/** What came of one location. `agent` is empty when nobody took the job. */
export interface Outcome {
  agent: string;
  result?: unknown;
  failure?: Failure;
}

export type RunEvent =
  | { type: 'frame'; attempt: number; frame: ReplyFrame }
  | { type: 'no_responders'; attempt: number }
  | { type: 'bus_lost' }
  | { type: 'cancel' }
  | { type: 'tick' };

export type RunAction =
  /** Publish attempt 2 to this agent, with a fresh nonce. */
  | { type: 'dispatch'; agent: string; reason: HedgeReason }
  /** Publish the same attempt again, to the agent that has it where we know: a living one acks again, of a dead one the server says so. */
  | { type: 'resend'; attempt: number; agent: string | undefined }
  /** Ask all agents for a beat. */
  | { type: 'roll' }
  | { type: 'cancel'; attempt: number; reason: CancelFrame['reason'] }
  | { type: 'acked'; agent: string; ms: number }
  | { type: 'refused'; reason: NackFrame['reason'] }
  | { type: 'unreachable' }
  /** A frame that is forged, or out of turn. */
  | { type: 'invalid' }
  | { type: 'done'; outcome: Outcome; hedge: { reason: HedgeReason; won: boolean } | undefined };

interface Attempt {
  nonce: string;
  /** Pinned from the start, or bound by the first frame. */
  agent: string | undefined;
  sentAt: number;
  /** The last frame of it; undefined until the first, which is the ack as a rule. */
  heardAt: number | undefined;
  /** It was sent once more after its ack, to see whether its agent lives. */
  askedAt: number;
  /** Beats were asked for, to see who lives. */
  rolled: boolean;
  /** Its missing ack was dealt with. */
  handled: boolean;
  /** Refused or undeliverable: nothing more comes. */
  over: boolean;
  /** Silent for too long: may still answer, is not waited for. */
  lost: boolean;
}

export interface RunOptions {
  job: string;
  location: string;
  kind: string;
  /** What an agent must announce to take the job. */
  needs: Capability | undefined;
  /** Of attempt 1. */
  nonce: string;
  /** Pins attempt 1; absent when whichever agent of the location takes it. */
  agent: string | undefined;
  deadline: number;
  now: number;
  fleet: Fleet;
  hedges: HedgeBudget;
}

/** Agents beat every 250 ms while jobs run: two missed, and a little for the way. */
const SILENCE_MS = 550;
const NEVER = -Infinity;
const NOTHING: readonly RunAction[] = [];

/**
 * One job at one location: sent → acked → final | nack | no_responders | agent_lost | deadline. Pure: events and time
 * come in, actions go out, and `done` comes out exactly once. The first valid final from the agent bound to its attempt wins.
 * A second attempt follows an agent's silence, never a target's slowness, or a refusal; there are never more than two at work. It
 * costs a hedge only where the first may still be at work.
 */
export class LocationRun {
  readonly location: string;
  /** A tick before this time changes nothing. */
  wakeAt: number;
  #options: RunOptions;
  #attempts: Attempt[];
  #tried: string[] = [];
  #refusal: Failure | undefined;
  #hedge: HedgeReason | undefined;
  #done = false;

  constructor(options: RunOptions) {
    this.location = options.location;
    this.#options = options;
    this.#attempts = [newAttempt(options.nonce, options.agent, options.now)];
    this.wakeAt = this.#nextWake();
  }

  step(event: RunEvent, now: number): readonly RunAction[] {
    if (this.#done) return NOTHING;
    const actions = this.#react(event, now);
    if (!this.#done) this.wakeAt = this.#nextWake();
    return actions;
  }

  /** Records that the attempt which `dispatch` asked for was published. */
  dispatched(agent: string, nonce: string, now: number, reason: HedgeReason): void {
    this.#attempts[1] = newAttempt(nonce, agent, now);
    this.#hedge ??= reason;
    this.wakeAt = this.#nextWake();
  }

  #react(event: RunEvent, now: number): readonly RunAction[] {
    switch (event.type) {
      case 'frame':
        return this.#onFrame(event.attempt, event.frame, now);
      case 'no_responders':
        return this.#onNoResponders(event.attempt);
      case 'bus_lost':
        return this.#finish({ agent: this.#agent(), failure: failure('agent_lost', 'the connection to the message bus was lost') });
      case 'cancel':
        return this.#finish({ agent: this.#agent(), failure: failure('cancelled') }, 'client_gone');
      default: // a tick
        return now >= this.#options.deadline ? this.#onDeadline() : this.#onSilence(now);
    }
  }

  #onFrame(number: number, frame: ReplyFrame, now: number): readonly RunAction[] {
    const attempt = this.#attempts[number - 1];
    const genuine =
      attempt !== undefined &&
      !attempt.over &&
      frame.job === this.#options.job &&
      frame.attempt === number &&
      frame.nonce === attempt.nonce &&
      (attempt.agent === undefined || attempt.agent === frame.agent);
    if (!genuine) return [{ type: 'invalid' }];
    const first = attempt.heardAt === undefined;
    if (frame.type === 'nack') return first ? this.#onNack(attempt, frame) : [{ type: 'invalid' }];
    attempt.agent = frame.agent;
    attempt.heardAt = now;
    attempt.lost = false;
    if (frame.type === 'ack') return first ? [{ type: 'acked', agent: frame.agent, ms: now - attempt.sentAt }] : NOTHING;
    const outcome: Outcome = { agent: frame.agent };
    if (frame.result !== undefined) outcome.result = frame.result;
    if (frame.failure !== undefined) outcome.failure = ownWords(frame.failure);
    return this.#finish(outcome, 'loser', attempt);
  }

  #onNack(attempt: Attempt, frame: NackFrame): readonly RunAction[] {
    attempt.over = true;
    attempt.agent = frame.agent;
    const refused: RunAction = { type: 'refused', reason: frame.reason };
    if (frame.reason === 'unsupported') this.#refusal = failure('unsupported', this.#options.kind);
    else if (frame.reason === 'invalid') this.#refusal = failure('internal', 'the agent refused the job');
    else {
      this.#refusal = failure('agent_busy');
      const dispatch = this.#redispatch(frame.reason);
      if (dispatch !== undefined) return [refused, dispatch];
    }
    return [refused, ...this.#finishIfOver()];
  }

  #onNoResponders(number: number): readonly RunAction[] {
    const attempt = this.#attempts[number - 1];
    if (attempt === undefined || attempt.over) return NOTHING;
    if (attempt.heardAt === undefined) {
      attempt.over = true;
      this.#refusal ??= attempt.handled ? failure('agent_lost') : failure('no_agent');
    } else {
      if (attempt.askedAt === NEVER || attempt.lost) return NOTHING;
      attempt.lost = true; // its connection is gone; should it come back with the answer, that counts
    }
    const dispatch = this.#redispatch('no_responders');
    return [{ type: 'unreachable' }, ...(dispatch === undefined ? this.#finishIfOver() : [dispatch])];
  }

  /** Another agent after one that did not take the job, or is gone: no work is doubled, so it costs no hedge. */
  #redispatch(reason: HedgeReason): RunAction | undefined {
    // A second attempt that was undeliverable may be tried again; one refused, or at work, is the last.
    const second = this.#attempts[1];
    if (second !== undefined && !(second.over && reason === 'no_responders')) return undefined;
    const agent = this.#twin();
    return agent === undefined ? undefined : { type: 'dispatch', agent, reason };
  }

  #twin(heardSince = -Infinity): string | undefined {
    for (const { agent } of this.#attempts) if (agent !== undefined && !this.#tried.includes(agent)) this.#tried.push(agent);
    const { fleet, location, kind, needs } = this.#options;
    return fleet.twin(location, kind, needs, this.#tried, heardSince);
  }

  #onSilence(now: number): readonly RunAction[] {
    const { fleet, location } = this.#options;
    for (const [index, attempt] of this.#attempts.entries()) {
      if (attempt.over || attempt.lost || now < this.#silentAt(attempt)) continue;
      if (attempt.heardAt !== undefined) {
        if (attempt.askedAt < this.#lastHeard(attempt)) {
          attempt.askedAt = now;
          return [{ type: 'resend', attempt: index + 1, agent: attempt.agent }];
        }
        attempt.lost = true;
        const agent = this.#attempts.length > 1 ? undefined : this.#twin();
        if (agent !== undefined && this.#options.hedges.take()) return [{ type: 'dispatch', agent, reason: 'no_beats' }];
      } else if (fleet.isDead(location, attempt.agent)) {
        attempt.lost = true;
      } else if (!attempt.handled) {
        return this.#onMissingAck(attempt, index + 1, now);
      }
    }
    return this.#finishIfOver();
  }

  /** Where nobody knows who took the job, another agent must first show that it lives: by a beat since then, asked for if need be. */
  #onMissingAck(attempt: Attempt, number: number, now: number): readonly RunAction[] {
    const { fleet, location, kind, needs, hedges } = this.#options;
    const unknown = attempt.agent === undefined;
    const hasTwin = this.#attempts.length === 1 && (!unknown || fleet.takers(location, kind, needs) > 1);
    const agent = hasTwin ? this.#twin(unknown ? attempt.sentAt : -Infinity) : undefined;
    if (hasTwin && unknown && agent === undefined && now < this.#silentAt(attempt) + fleet.ackLimitMs(location, undefined)) {
      if (attempt.rolled) return NOTHING;
      attempt.rolled = true;
      return [{ type: 'roll' }];
    }
    attempt.handled = true;
    if (agent !== undefined && hedges.take()) return [{ type: 'dispatch', agent, reason: 'no_ack' }];
    // To whoever of several takes it, it would be a second run.
    return agent !== undefined && unknown ? NOTHING : [{ type: 'resend', attempt: number, agent: attempt.agent }];
  }

  #onDeadline(): readonly RunAction[] {
    return this.#finish({ agent: this.#agent(), failure: failure('agent_lost', 'no result before the deadline') }, 'deadline');
  }

  #finishIfOver(): readonly RunAction[] {
    if (this.#attempts.some((attempt) => !attempt.over && !attempt.lost)) return NOTHING;
    const lost = this.#attempts.some((attempt) => attempt.lost);
    return this.#finish({ agent: this.#agent(), failure: lost || !this.#refusal ? failure('agent_lost') : this.#refusal });
  }

  #finish(outcome: Outcome, reason?: CancelFrame['reason'], winner?: Attempt): readonly RunAction[] {
    this.#done = true;
    const actions: RunAction[] = [];
    if (reason !== undefined)
      for (const [index, attempt] of this.#attempts.entries())
        if (!attempt.over && attempt !== winner) actions.push({ type: 'cancel', attempt: index + 1, reason });
    const won = winner !== undefined && winner === this.#attempts[1];
    actions.push({ type: 'done', outcome, hedge: this.#hedge && { reason: this.#hedge, won } });
    return actions;
  }

  #agent(): string {
    return this.#attempts.findLast((attempt) => attempt.heardAt !== undefined)?.agent ?? '';
  }

  /** When silence of this attempt begins to mean something. */
  #silentAt(attempt: Attempt): number {
    const { fleet, location } = this.#options;
    const { agent, sentAt, askedAt, handled } = attempt;
    if (attempt.heardAt === undefined)
      return Math.max(sentAt, fleet.listeningSince()) + (handled ? SILENCE_MS : fleet.ackLimitMs(location, agent));
    const heardAt = this.#lastHeard(attempt);
    return askedAt < heardAt ? heardAt + SILENCE_MS : askedAt + fleet.ackLimitMs(location, agent);
  }

  /** When an agent that has the job was last heard, by a frame or a beat; while we ourselves were not listening it counts as heard. */
  #lastHeard({ agent, heardAt }: Attempt): number {
    const { fleet, location } = this.#options;
    return Math.max(heardAt!, fleet.listeningSince(), fleet.heardAt(location, agent!));
  }

  #nextWake(): number {
    let wakeAt = this.#options.deadline;
    for (const attempt of this.#attempts) if (!attempt.over && !attempt.lost) wakeAt = Math.min(wakeAt, this.#silentAt(attempt));
    return wakeAt;
  }
}

const newAttempt = (nonce: string, agent: string | undefined, sentAt: number): Attempt => ({
  nonce,
  agent,
  sentAt,
  heardAt: undefined,
  askedAt: NEVER,
  rolled: false,
  handled: false,
  over: false,
  lost: false,
});

/** The reason's own sentence and what the agent saw, cleaned and capped here: an agent may be stolen. */
function ownWords({ reason, error }: Failure): Failure {
  const { sentence } = REASONS[reason];
  return failure(reason, error.startsWith(sentence) ? error.slice(sentence.length).replace(/^: /, '') : error);
}
