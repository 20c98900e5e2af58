import type { BeatCounts, BeatFrame, BeatProcess } from '../frames/index.ts';
import type { ProbeKind } from '@vedette/contract';
import type { Capability, JobFamily } from './fleet.ts';
import { Peer, type PresenceState } from './peer.ts';

/** An agent as its beats show it. */
export interface AgentView {
  location: string;
  agent: string;
  state: PresenceState;
  /** Its protocol range does not include ours: it is not asked. */
  outdated: boolean;
  /** Time since it was last heard, ms. */
  silent_ms: number;
  /** How far its wall clock is ahead of ours, by its last beat; of most locations' where ours is wrong. */
  clock_skew_ms: number;
  /** Time from dispatch to ack, smoothed, ms; 0 when it never took a job. */
  ack_ms: number;
  /** Kinds of jobs that others get, since it failed too many. */
  ejected: readonly string[];
  beat: BeatFrame;
  /** The last figures of its process, which not every beat carries; undefined for agents too old to send them. */
  process: BeatProcess | undefined;
  counts: BeatCounts | undefined;
  names: BeatFrame['names'];
}

/** A beat is due every 2.2 s at the latest: an agent silent for longer than this is asked only when there is no other. */
const OVERDUE_MS = 3_000;
/** More slots than this are not believed: an agent may be stolen, and they say how much we have in flight. */
const MAX_SLOTS = 1_024;
/** What most jobs of a kind send, over either family. */
const SENT: Partial<Record<string, 'icmp' | 'tcp' | 'udp'>> = {
  ping: 'icmp',
  trace: 'icmp',
  mtu: 'icmp',
  http: 'tcp',
  tcp: 'tcp',
  scan: 'tcp',
  vpn: 'tcp',
  dns: 'udp',
};
const ACK_SMOOTHING = 0.125; // as TCP smooths round trips, RFC 6298 §2

/** One agent, in memory. Times are ms on one monotonic clock. */
export class Agent extends Peer<BeatFrame> {
  readonly id: string;
  /** Time from dispatch to ack, smoothed. */
  ackMs = 0;
  /** Which of the jobs that were pinned to agents was its last, as a number that counts on. */
  lastPinned = 0;
  /** How far its wall clock is ahead of ours. */
  clockSkewMs: number;
  #process: BeatProcess | undefined;
  #counts: BeatCounts | undefined;
  #names: BeatFrame['names'];

  constructor(beat: BeatFrame, now: number, today: number) {
    super(beat, now);
    this.id = beat.agent;
    this.clockSkewMs = beat.clock_ms - today;
    this.#process = beat.process;
    this.#counts = beat.counts;
    this.#names = beat.names;
  }

  override beats(beat: BeatFrame, now: number, today = now): void {
    super.beats(beat, now);
    this.clockSkewMs = beat.clock_ms - today;
    this.#process = beat.process ?? this.#process;
    this.#counts = beat.counts ?? this.#counts;
    this.#names = beat.names ?? this.#names;
  }

  acks(ms: number, now: number): void {
    this.heardAt = now;
    this.ackMs = this.ackMs === 0 ? ms : this.ackMs + (ms - this.ackMs) * ACK_SMOOTHING;
  }

  isTimely(now: number): boolean {
    return now - this.heardAt <= OVERDUE_MS;
  }

  serves(kind: string): boolean {
    return !this.isOutdated() && this.beat.capabilities.kinds.includes(kind);
  }

  can(kind: string, needs: Capability | undefined): boolean {
    return this.serves(kind) && (needs === undefined || this.#has(needs));
  }

  #has(needs: Capability): boolean {
    const { capabilities, protocol } = this.beat;
    return needs === 'vpn' ? capabilities.vpn > 0 : protocol.minor_max >= Number(needs.slice(2));
  }

  /** Others are asked first. */
  lacksFor(kind: string, family: JobFamily | undefined): boolean {
    return lacksFor(this.beat, kind, family);
  }

  slots(kind: ProbeKind): number {
    return Math.min(MAX_SLOTS, this.beat.slots[kind]?.max ?? 0);
  }

  /** `ahead`: how far our own wall clock is ahead of most locations', ms. */
  view(now: number, linkedSince: number, ahead: number): AgentView {
    return {
      location: this.beat.location,
      agent: this.id,
      state: this.state(now, linkedSince),
      outdated: this.isOutdated(),
      silent_ms: now - this.heardAt,
      clock_skew_ms: this.clockSkewMs + ahead,
      ack_ms: this.ackMs,
      ejected: this.ejected(now),
      beat: this.beat,
      process: this.#process,
      counts: this.#counts,
      names: this.#names,
    };
  }
}

/** Whether an agent says that it lacks what most jobs of the kind need, over IPv4 where the family is not known. What no witness tells of counts as there. */
export function lacksFor({ capabilities: { down, v6 } }: BeatFrame, kind: string, family: JobFamily = 4): boolean {
  if (family === 6 && !v6) return true;
  const sent = SENT[kind];
  return sent !== undefined && down?.includes(`${sent}${family}`) === true;
}
