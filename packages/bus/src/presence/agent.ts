import { PROTOCOL, type AgentState, type BeatCounts, type BeatFrame, type BeatProcess } from '../frames/index.ts';
import type { ProbeKind } from '@vedette/contract';
import type { Capability } from './fleet.ts';
import { Standing } from './standing.ts';

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
  /** Kinds of jobs that others get, since it failed too many. */
  ejected: readonly string[];
  beat: BeatFrame;
  /** The last figures of its process, which not every beat carries; undefined for agents too old to send them. */
  process: BeatProcess | undefined;
  counts: BeatCounts | undefined;
}

export const SUSPECT_MS = 5_000;
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
  /** Which of the jobs that were pinned to agents was its last, as a number that counts on. */
  lastPinned = 0;
  #beatAt: number;
  #process: BeatProcess | undefined;
  #counts: BeatCounts | undefined;
  /** How it does, by kind of job; only where it ever failed one. */
  #standings = new Map<string, Standing>();

  constructor(beat: BeatFrame, now: number) {
    this.id = beat.agent;
    this.beat = beat;
    this.heardAt = now;
    this.#beatAt = now;
    this.#process = beat.process;
    this.#counts = beat.counts;
  }

  beats(beat: BeatFrame, now: number): void {
    this.beat = beat;
    this.heardAt = now;
    this.#beatAt = now;
    this.#process = beat.process ?? this.#process;
    this.#counts = beat.counts ?? this.#counts;
  }

  acks(ms: number, now: number): void {
    this.heardAt = now;
    this.ackMs = this.ackMs === 0 ? ms : this.ackMs + (ms - this.ackMs) * ACK_SMOOTHING;
  }

  good(kind: string): void {
    this.#standings.get(kind)?.good();
  }

  /** A job of this kind failed by the agent's own doing. Returns whether it should be left out, if there is another. */
  fault(kind: string, now: number): boolean {
    const standing = this.#standings.get(kind) ?? new Standing();
    this.#standings.set(kind, standing);
    return standing.fault(now);
  }

  /** Leaves it out of one kind of jobs; returns for how many ms. */
  eject(kind: string, now: number): number {
    return this.#standings.get(kind)?.eject(now) ?? 0;
  }

  isOut(kind: string, now: number): boolean {
    return this.#standings.get(kind)?.isOut(now) ?? false;
  }

  isSound(kind: string, now: number): boolean {
    return this.#standings.get(kind)?.isSound(now) ?? true;
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
    return major !== PROTOCOL.major || minor_min > PROTOCOL.minor || minor_max < PROTOCOL.needed;
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
      ejected: [...this.#standings.keys()].filter((kind) => this.isOut(kind, now)),
      beat: this.beat,
      process: this.#process,
      counts: this.#counts,
    };
  }
}
