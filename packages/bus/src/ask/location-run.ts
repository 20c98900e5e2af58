import { failure, REASONS, type Failure, type Reason } from '@vedette/contract';
import type { CancelFrame, FinalFrame, NackFrame, ReplyFrame } from '../frames/index.ts';
import { Attempt } from './attempt.ts';
import { agentBudget } from '../wire/budget.ts';
import type { HedgeReason } from '../wire/events.ts';
import type { Capability, JobFamily, Fleet } from '../presence/fleet.ts';

/** Asking twice on silence is limited to a share of all jobs, so a slow fleet is not asked to do double work. */
export interface HedgeBudget {
  take(): boolean;
}

/** The outcome of one location. `agent` is empty when no agent took the job. */
export interface Outcome {
  agent: string;
  result?: unknown;
  failure?: Failure;
  /** Beside agent_busy: when an agent expects to have a slot again. */
  retryAfterMs?: number;
  /** Beside unsupported: the location's agents lack what the question says. */
  lacks?: boolean;
}

export type RunEvent =
  | { type: 'frame'; attempt: number; frame: ReplyFrame }
  /** An invalid frame came back. */
  | { type: 'broken'; attempt: number }
  | { type: 'no_responders'; attempt: number }
  | { type: 'bus_lost' }
  | { type: 'cancel' }
  | { type: 'tick' };

export type RunAction =
  /** Publish this attempt to this agent; `leftMs` is what is left of the deadline. */
  | { type: 'dispatch'; attempt: number; agent: string; nonce: string; leftMs: number; reason: HedgeReason }
  /** Publish the same attempt again, to the agent that has it where we know: a living one acks again, of a dead one the server says so. */
  | { type: 'resend'; attempt: number; agent: string | undefined }
  /** Ask all agents for a beat. */
  | { type: 'roll' }
  | { type: 'cancel'; attempt: number; reason: CancelFrame['reason'] }
  | { type: 'acked'; attempt: number; agent: string; ms: number }
  | { type: 'refused'; reason: NackFrame['reason'] }
  | { type: 'unreachable' }
  /** A frame that is forged, or out of order. */
  | { type: 'invalid' }
  /** The job failed by this agent's own doing. */
  | { type: 'fault'; agent: string }
  /** An unknown agent made it fail. */
  | { type: 'doubt' }
  /** `good`: the agent did as it should, whatever it measured. */
  | { type: 'done'; outcome: Outcome; good: boolean; hedge: { reason: HedgeReason; won: boolean } | undefined };

export interface RunOptions {
  job: string;
  location: string;
  kind: string;
  /** The capability that an agent must announce to take the job. */
  needs: Capability | undefined;
  family: JobFamily | undefined;
  /** A fresh one for each attempt. */
  createNonce: () => string;
  /** Pins attempt 1; absent when whichever agent of the location takes it. */
  agent: string | undefined;
  deadline: number;
  /** Smallest budget with which the probe is worth starting again. */
  minBudgetMs: number;
  now: number;
  /** The probe's result schema, compiled: an agent may be stolen. */
  check: (result: unknown) => boolean;
  fleet: Fleet;
  hedges: HedgeBudget;
}

const NOTHING: readonly RunAction[] = [];

/**
 * No ack, no answer to a second publish, and no beat although all were asked for one: the location's agents are frozen, or cut off. The longest
 * pause between two beats is 2.2 s; on two busy cores living agents were silent for 2.5 s.
 */
const FROZEN_MS = 2_800;

/** Reasons that no measurement ends with: an agent that sends one is broken, or leaves. */
const BROKEN: ReadonlySet<Reason> = new Set(['internal', 'cancelled', 'agent_busy', 'agent_lost', 'no_agent']);

/**
 * One job at one location. Pure: events and time come in, actions go out, and `done` comes out exactly once. The first valid
 * final from the agent bound to its attempt wins. A second attempt follows an agent's silence, never a target's slowness, or a
 * refusal, or an agent's own failure; there are never more than two at work. It costs a hedge only where the first may still be at
 * work, or has done some.
 */
export class LocationRun {
  readonly location: string;
  /** Attempt 1, which the starter of the run publishes. */
  readonly first: Attempt;
  /** A tick before this time changes nothing. */
  wakeAt: number;
  #options: RunOptions;
  #second: Attempt | undefined;
  #tried: string[] = [];
  #refusal: Failure | undefined;
  #retryAfterMs = Infinity;
  #hedge: HedgeReason | undefined;
  #done = false;

  constructor(options: RunOptions) {
    this.location = options.location;
    this.#options = options;
    this.first = this.#attempt(1, options.agent, options.now);
    this.wakeAt = this.#nextWake();
  }

  step(event: RunEvent, now: number): readonly RunAction[] {
    if (this.#done) return NOTHING;
    const actions = this.#react(event, now);
    if (!this.#done) this.wakeAt = this.#nextWake();
    return actions;
  }

  #react(event: RunEvent, now: number): readonly RunAction[] {
    switch (event.type) {
      case 'frame':
        return this.#onFrame(event.attempt, event.frame, now);
      case 'broken':
        return this.#onBroken(event.attempt, now);
      case 'no_responders':
        return this.#onNoResponders(event.attempt, now);
      case 'bus_lost':
        return this.#finish({ agent: this.#agent(), failure: failure('agent_lost', 'the connection to the message bus was lost') });
      case 'cancel':
        return this.#finish({ agent: this.#agent(), failure: failure('cancelled') }, 'client_gone');
      case 'tick':
        return now >= this.#options.deadline ? this.#onDeadline() : this.#onSilence(now);
    }
  }

  #onFrame(number: number, frame: ReplyFrame, now: number): readonly RunAction[] {
    const attempt = this.#numbered(number);
    const genuine =
      attempt !== undefined &&
      attempt.state !== 'over' &&
      frame.job === this.#options.job &&
      frame.attempt === number &&
      attempt.isAnsweredBy(frame.nonce, frame.agent);
    if (!genuine) return [{ type: 'invalid' }];
    const { taken } = attempt;
    if (frame.type === 'nack') return taken ? [{ type: 'invalid' }] : this.#onNack(attempt, frame, now);
    attempt.heard(frame.agent, now);
    if (frame.type === 'ack') return taken ? NOTHING : [{ type: 'acked', attempt: number, agent: frame.agent, ms: now - attempt.sentAt }];
    return this.#onFinal(attempt, frame, now);
  }

  #onFinal(attempt: Attempt, { agent, result, failure: failed }: FinalFrame, now: number): readonly RunAction[] {
    if (result !== undefined && !this.#options.check(result)) {
      this.#refusal = failure('internal', 'the agent sent an invalid result');
      return this.#onFault(attempt, agent, now);
    }
    if (result === undefined && failed !== undefined && BROKEN.has(failed.reason)) {
      this.#refusal = ownWords(failed);
      return this.#onFault(attempt, agent, now);
    }
    const outcome: Outcome = { agent };
    if (result !== undefined) outcome.result = result;
    if (failed !== undefined) outcome.failure = ownWords(failed);
    return this.#finish(outcome, 'loser', attempt);
  }

  /** The sender is known only if an agent is bound to the attempt; otherwise the run waits for the agent that has the job. */
  #onBroken(number: number, now: number): readonly RunAction[] {
    const attempt = this.#numbered(number);
    if (attempt?.agent === undefined || attempt.state === 'over') return [{ type: 'invalid' }];
    this.#refusal ??= failure('internal', 'the agent sent an invalid frame');
    return [{ type: 'invalid' }, ...this.#onFault(attempt, attempt.agent, now)];
  }

  /**
   * The agent failed. Another one measures, where time is left for it; that costs a hedge where the first may have contacted the target,
   * and happens again where the second had not even taken it.
   */
  #onFault(attempt: Attempt, agent: string, now: number): readonly RunAction[] {
    const { taken } = attempt;
    attempt.state = 'over';
    const { hedges, deadline, minBudgetMs } = this.#options;
    const inTime = agentBudget(deadline - now, 0) >= minBudgetMs;
    const mayAsk = this.#second === undefined || (attempt === this.#second && !taken);
    const twin = inTime && mayAsk ? this.#twin() : undefined;
    const retry = twin !== undefined && (!taken || hedges.take()) ? [this.#dispatch(twin, 'broken', now)] : this.#finishIfOver();
    return [blame(attempt, agent), ...retry];
  }

  #onNack(attempt: Attempt, frame: NackFrame, now: number): readonly RunAction[] {
    attempt.state = 'over';
    attempt.agent = frame.agent;
    const actions: RunAction[] = [{ type: 'refused', reason: frame.reason }];
    if (frame.reason === 'unsupported') this.#refusal = failure('unsupported', this.#options.kind);
    else if (frame.reason === 'invalid') this.#refusal = failure('internal', 'the agent refused the job');
    else {
      this.#refusal = failure('agent_busy');
      this.#retryAfterMs = Math.min(this.#retryAfterMs, frame.retry_after_ms ?? Infinity);
    }
    if (this.#refusal.reason !== 'agent_busy') actions.push(blame(attempt, frame.agent));
    const dispatch = this.#redispatch(frame.reason, now);
    actions.push(...(dispatch === undefined ? this.#finishIfOver() : [dispatch]));
    return actions;
  }

  #onNoResponders(number: number, now: number): readonly RunAction[] {
    const attempt = this.#numbered(number);
    if (attempt === undefined || attempt.state === 'over') return NOTHING;
    if (!attempt.taken) {
      const unheard = attempt.state === 'sent' || attempt.state === 'rolled';
      this.#refusal ??= failure(unheard ? 'no_agent' : 'agent_lost');
      attempt.state = 'over';
    } else {
      if (attempt.state !== 'asked') return NOTHING;
      attempt.state = 'lost'; // its connection is gone; should it come back with the answer, that counts
    }
    const dispatch = this.#redispatch('no_responders', now);
    return [{ type: 'unreachable' }, ...(dispatch === undefined ? this.#finishIfOver() : [dispatch])];
  }

  /** Another agent after one that did not take the job, or is gone: no work is doubled, so it costs no hedge. */
  #redispatch(reason: HedgeReason, now: number): RunAction | undefined {
    // A second attempt that was undeliverable may be tried again; one refused, or at work, is the last.
    if (this.#second !== undefined && !(this.#second.state === 'over' && reason === 'no_responders')) return undefined;
    const agent = this.#twin();
    return agent === undefined ? undefined : this.#dispatch(agent, reason, now);
  }

  #dispatch(agent: string, reason: HedgeReason, now: number): RunAction {
    this.#second = this.#attempt(2, agent, now);
    this.#hedge ??= reason;
    return { type: 'dispatch', attempt: 2, agent, nonce: this.#second.nonce, leftMs: this.#options.deadline - now, reason };
  }

  #attempt(number: 1 | 2, agent: string | undefined, sentAt: number): Attempt {
    const { createNonce, location, fleet } = this.#options;
    return new Attempt({ number, nonce: createNonce(), agent, sentAt, location, fleet });
  }

  #twin(heardSince = -Infinity): string | undefined {
    for (const { agent } of this.#attempts()) if (agent !== undefined && !this.#tried.includes(agent)) this.#tried.push(agent);
    const { fleet, location, kind, needs, family } = this.#options;
    return fleet.twin(location, kind, needs, this.#tried, heardSince, family);
  }

  #onSilence(now: number): readonly RunAction[] {
    for (const attempt of this.#attempts()) {
      if (now < attempt.silentAt()) continue;
      const actions = attempt.taken ? this.#onSilentAgent(attempt, now) : this.#onMissingAck(attempt, now);
      if (actions.length > 0) return actions;
    }
    return this.#finishIfOver();
  }

  #onSilentAgent(attempt: Attempt, now: number): readonly RunAction[] {
    if (!attempt.isLost(now)) {
      attempt.ask(now);
      return [{ type: 'resend', attempt: attempt.number, agent: attempt.agent }];
    }
    attempt.state = 'lost';
    const agent = this.#second === undefined ? this.#twin() : undefined;
    return agent !== undefined && this.#options.hedges.take() ? [this.#dispatch(agent, 'no_beats', now)] : NOTHING;
  }

  /** If the agent that took the job is unknown, another agent must first show that it lives, by a beat since then, requested if need be. */
  #onMissingAck(attempt: Attempt, now: number): readonly RunAction[] {
    const { fleet, location, kind, needs, family, hedges } = this.#options;
    const isFrozen =
      attempt.state === 'overdue' &&
      now - Math.max(attempt.sentAt, fleet.listeningSince()) >= FROZEN_MS &&
      !fleet.heardSince(location, attempt.agent, attempt.sentAt);
    if (isFrozen || fleet.isDead(location, attempt.agent)) {
      attempt.state = 'lost';
      return NOTHING;
    }
    if (attempt.state === 'overdue') return NOTHING;
    const unknown = attempt.agent === undefined;
    const hasTwin = this.#second === undefined && (!unknown || fleet.takers(location, kind, needs, family) > 1);
    const agent = hasTwin ? this.#twin(unknown ? attempt.sentAt : -Infinity) : undefined;
    if (hasTwin && unknown && agent === undefined && now < attempt.silentAt() + fleet.ackLimitMs(location, undefined)) {
      if (attempt.state === 'rolled') return NOTHING;
      attempt.state = 'rolled';
      return [{ type: 'roll' }];
    }
    attempt.state = 'overdue';
    const actions = this.#blame(attempt, hasTwin);
    if (agent !== undefined && hedges.take()) actions.push(this.#dispatch(agent, 'no_ack', now));
    // With several agents, the one that takes it might run it a second time.
    else if (agent === undefined || !unknown) actions.push({ type: 'resend', attempt: attempt.number, agent: attempt.agent });
    // A living one beats at once.
    if (unknown ? !hasTwin : agent === undefined) actions.push({ type: 'roll' });
    return actions;
  }

  /** Decides who is at fault for a missing ack: the agent, if it goes on beating; a silent one may be frozen or gone, which presence knows. */
  #blame({ agent, sentAt }: Attempt, hasTwin: boolean): RunAction[] {
    const { fleet, location } = this.#options;
    if (agent === undefined) return hasTwin ? [{ type: 'doubt' }] : [];
    return fleet.heardAt(location, agent) > sentAt ? [{ type: 'fault', agent }] : [];
  }

  /** An agent that is at work ends its run before our deadline: one that does not is too slow, unless it was we who did not listen. */
  #onDeadline(): readonly RunAction[] {
    const late = this.#attempts().filter((attempt) => attempt.state === 'acked' && this.#options.fleet.listeningSince() <= attempt.sentAt);
    const faults = late.map((attempt) => blame(attempt, attempt.agent ?? ''));
    const outcome = { agent: this.#agent(), failure: failure('agent_lost', 'no result before the deadline') };
    return [...faults, ...this.#finish(outcome, 'deadline')];
  }

  #finishIfOver(): readonly RunAction[] {
    const attempts = this.#attempts();
    if (attempts.some(({ awaited }) => awaited)) return NOTHING;
    const lost = attempts.some(({ state }) => state === 'lost');
    const outcome: Outcome = { agent: this.#agent(), failure: lost || !this.#refusal ? failure('agent_lost') : this.#refusal };
    if (outcome.failure?.reason === 'agent_busy' && this.#retryAfterMs < Infinity) outcome.retryAfterMs = this.#retryAfterMs;
    return this.#finish(outcome);
  }

  #finish(outcome: Outcome, reason?: CancelFrame['reason'], winner?: Attempt): readonly RunAction[] {
    this.#done = true;
    const actions: RunAction[] = [];
    if (reason !== undefined)
      for (const attempt of this.#attempts())
        if (attempt.state !== 'over' && attempt !== winner) actions.push({ type: 'cancel', attempt: attempt.number, reason });
    const won = winner !== undefined && winner === this.#second;
    actions.push({ type: 'done', outcome, good: winner !== undefined, hedge: this.#hedge && { reason: this.#hedge, won } });
    return actions;
  }

  #agent(): string {
    return this.#attempts().findLast(({ taken }) => taken)?.agent ?? '';
  }

  #attempts(): readonly Attempt[] {
    return this.#second === undefined ? [this.first] : [this.first, this.#second];
  }

  #numbered(number: number): Attempt | undefined {
    return number === 1 ? this.first : number === 2 ? this.#second : undefined;
  }

  #nextWake(): number {
    return Math.min(this.#options.deadline, this.first.silentAt(), this.#second?.silentAt() ?? Infinity);
  }
}

/**
 * The agent at fault. Agents that read the same job may answer it in each other's name, so an attempt that named no agent blames none.
 * Later attempts then name other agents, which shows the one that fails.
 */
const blame = ({ named }: Attempt, agent: string): RunAction => (named ? { type: 'fault', agent } : { type: 'doubt' });

/** The one address or name that an agent means. */
const ONE_WORD = /^[\w.:-]{1,253}$/;

/**
 * The reason's own sentence and, cleaned and capped, what the agent saw at the target or the resolver; of itself it may say one word. An
 * agent may be stolen.
 */
function ownWords({ reason, error }: Failure): Failure {
  const { sentence, source } = REASONS[reason];
  const seen = error.startsWith(`${sentence}: `) ? error.slice(sentence.length + 2) : '';
  return failure(reason, source !== 'vantage' || ONE_WORD.test(seen) ? seen : '');
}
