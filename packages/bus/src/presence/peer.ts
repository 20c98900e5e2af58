import { AGENT_STATES, PROTOCOL, type BeatFrame } from '../frames/index.ts';
import { Standing } from './standing.ts';

/** The states of an agent, or a renderer, as a gateway sees it: its own word, or the want of one. */
export const PRESENCE_STATES = [...AGENT_STATES, 'suspect', 'gone'] as const;
export type PresenceState = (typeof PRESENCE_STATES)[number];

export const SUSPECT_MS = 5_000;
const GONE_MS = 10_000;

/** An agent or a renderer, in memory. Times are ms on one monotonic clock. */
export class Peer<B extends Pick<BeatFrame, 'protocol' | 'state'>> {
  beat: B;
  /** The time of its last frame. */
  heardAt: number;
  /** Its standing, by kind of job; only where it ever failed one. */
  #standings = new Map<string, Standing>();

  constructor(beat: B, now: number) {
    this.beat = beat;
    this.heardAt = now;
  }

  beats(beat: B, now: number): void {
    this.beat = beat;
    this.heardAt = now;
  }

  good(kind: string): void {
    this.#standings.get(kind)?.good();
  }

  /** A job of this kind failed by its own doing. Returns whether it should be left out, if there is another. */
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

  /** The kinds of jobs that others get, since it failed too many. */
  ejected(now: number): string[] {
    return [...this.#standings.keys()].filter((kind) => this.isOut(kind, now));
  }

  /** Silence before `linkedSince` is ours, not the peer's. */
  state(now: number, linkedSince: number): PresenceState {
    const silent = now - Math.max(this.heardAt, linkedSince);
    if (silent > GONE_MS) return 'gone';
    return silent > SUSPECT_MS && this.beat.state !== 'draining' ? 'suspect' : this.beat.state;
  }

  isOutdated(): boolean {
    const { major, minor_min, minor_max } = this.beat.protocol;
    return major !== PROTOCOL.major || minor_min > PROTOCOL.minor || minor_max < PROTOCOL.needed;
  }
}
