import type { Failure } from '@vedette/contract';
import type { Outcome } from './location-run.ts';
import { lacksFor } from '../presence/agent.ts';
import type { JobFamily } from '../presence/fleet.ts';
import type { Presence } from '../presence/presence.ts';

/** The answer of one location: a result, a failure, or both (a partial measurement). Never neither. */
export interface LocationReply {
  location: string;
  /** Empty when no agent took the job. */
  agent: string;
  /** degraded: its agent doubts its own network, or has lost what most such jobs need. */
  agent_state: 'ready' | 'degraded';
  simulated: boolean;
  result?: unknown;
  failure?: Failure;
  /** Beside agent_busy, where an agent said when it expects to have a slot again. */
  retry_after_ms?: number;
  /** Beside unsupported: the agents lack what the question says (`lacking`). */
  lacks?: boolean;
  /** How far the agent's wall clock is ahead of ours, where that is more than five seconds. */
  clock_skew_ms?: number;
}

/** A clock that differs by less is as exact as the way of a beat. */
const CLOCK_DOUBT_MS = 5_000;

/** Joins an outcome with what the agent's beats say. */
export function locationReply(
  location: string,
  { kind, family }: { kind: string; family?: JobFamily | undefined },
  outcome: Outcome,
  presence: Presence,
): LocationReply {
  const beat = presence.beat(location, outcome.agent);
  const reply: LocationReply = {
    location,
    agent: outcome.agent,
    agent_state: beat && (beat.state === 'degraded' || lacksFor(beat, kind, family)) ? 'degraded' : 'ready',
    simulated: beat?.simulated ?? false,
  };
  if (outcome.result !== undefined) reply.result = outcome.result;
  if (outcome.failure !== undefined) reply.failure = outcome.failure;
  if (outcome.retryAfterMs !== undefined) reply.retry_after_ms = outcome.retryAfterMs;
  const skewMs = presence.clockSkewMs(location, outcome.agent);
  if (Math.abs(skewMs) > CLOCK_DOUBT_MS) reply.clock_skew_ms = Math.round(skewMs);
  if (outcome.lacks !== undefined) reply.lacks = outcome.lacks;
  return reply;
}
