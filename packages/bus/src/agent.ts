import { PROTOCOL, type AgentState, type BeatFrame, type ProbeKind } from '@vedette/contract';
import type { Capability } from './fleet.ts';

export type PresenceState = AgentState | 'suspect' | 'gone';

/** An agent as its beats show it. */
export interface AgentView {
  location: string;
  agent: string;
  state: PresenceState;
  /** Its protocol range does not include ours: it is not asked. */
  outdated: boolean;
  /** Time since it was last heard, ms. */
  silent_ms: number;
  /** Time since its last beat, ms. */
  beat_age_ms: number;
  /** Time from dispatch to ack, smoothed, ms; 0 when it never took a job. */
  ack_ms: number;
  beat: BeatFrame;
}

const SUSPECT_MS = 5_000;
const DEAD_MS = 10_000;
/** A beat is due every 2.2 s at the latest: an agent silent for longer than this is asked only when there is no other. */
const OVERDUE_MS = 3_000;
/** More slots than this are not believed: an agent may be stolen, and they say how much we have in flight. */
const MAX_SLOTS = 1_024;
const ACK_SMOOTHING = 0.125; // as TCP smooths round trips, RFC 6298 §2

/** One agent, in memory. Times are ms on one monotonic clock. */
export class Agent {
  readonly id: string;
  beat: BeatFrame;
  /** When it was last heard, by a beat or an ack. */
  heardAt: number;
  /** Time from dispatch to ack, smoothed. */
  ackMs = 0;
  #beatAt: number;

  constructor(beat: BeatFrame, now: number) {
    this.id = beat.agent;
    this.beat = beat;
    this.heardAt = now;
    this.#beatAt = now;
  }

  beats(beat: BeatFrame, now: number): void {
    this.beat = beat;
    this.heardAt = now;
    this.#beatAt = now;
  }

  acks(ms: number, now: number): void {
    this.heardAt = now;
    this.ackMs = this.ackMs === 0 ? ms : this.ackMs + (ms - this.ackMs) * ACK_SMOOTHING;
  }

  /** Silence before `linkedSince` is ours, not the agent's. */
  state(now: number, linkedSince: number): PresenceState {
    const silent = now - Math.max(this.heardAt, linkedSince);
    if (silent > DEAD_MS) return 'gone';
    return silent > SUSPECT_MS && this.beat.state !== 'draining' ? 'suspect' : this.beat.state;
  }

  isTimely(now: number): boolean {
    return now - this.heardAt <= OVERDUE_MS;
  }

  isOutdated(): boolean {
    const { major, minor_min, minor_max } = this.beat.protocol;
    return major !== PROTOCOL.major || minor_min > PROTOCOL.minor || minor_max < PROTOCOL.minor;
  }

  serves(kind: string): boolean {
    return !this.isOutdated() && this.beat.capabilities.kinds.includes(kind);
  }

  can(kind: string, needs: Capability | undefined): boolean {
    return this.serves(kind) && (needs === undefined || this.beat.capabilities[needs] > 0);
  }

  slots(kind: ProbeKind): number {
    return Math.min(MAX_SLOTS, this.beat.slots[kind]?.max ?? 0);
  }

  view(now: number, linkedSince: number): AgentView {
    return {
      location: this.beat.location,
      agent: this.id,
      state: this.state(now, linkedSince),
      outdated: this.isOutdated(),
      silent_ms: now - this.heardAt,
      beat_age_ms: now - this.#beatAt,
      ack_ms: this.ackMs,
      beat: this.beat,
    };
  }
}
