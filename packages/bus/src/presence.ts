import type { BeatFrame, Clock, ProbeKind } from '@vedette/contract';
import { AgentRegistry } from './agent-registry.ts';
import type { AgentView, PresenceState } from './agent.ts';
import type { Bus } from './connection.ts';
import { countNothing, type BusEvents } from './events.ts';
import type { Capability, Fleet } from './fleet.ts';
import { readBeat } from './frames.ts';
import { bestOf, routeTo, type Route, type Wanted } from './route.ts';
import { subjects } from './subjects.ts';

/** The registry of agents, in memory, from their beats alone: each gateway has its own. */
export interface Presence extends Fleet {
  /** Agents seen within the last ten minutes, those that are gone included. */
  agents(): AgentView[];
  /** Ids of the locations with an agent seen within the last ten minutes, sorted. */
  locations(): string[];
  /** How to ask a location, for a kind and perhaps a capability that a job needs. */
  route(location: string, kind: string, needs?: Capability): Route;
  /** How many jobs of a kind the location's agents have slots for, those that are well. */
  slots(location: string, kind: ProbeKind, needs?: Capability): number;
  /** Whether the location had an agent within the last ten minutes. */
  knows(location: string): boolean;
  /** Smoothed time from dispatch to ack of the location's slowest agent, ms. */
  ackMs(location: string): number;
  /** The last beat of an agent, or undefined. */
  beat(location: string, agent: string): BeatFrame | undefined;
  /** Learns from an ack that the agent lives, and how quick it is. */
  heard(location: string, agent: string, ackMs: number): void;
  /** Asks every agent for a beat at once; again after 100 ms at the earliest. */
  roll(): void;
  /** We were stalled for so long: silence until now says nothing. */
  stalled(ms: number): void;
  close(): void;
}

const WELL: ReadonlySet<PresenceState> = new Set(['ready', 'degraded']);
const LONG_STALL_MS = 2_000;
const MIN_ROLL_INTERVAL_MS = 100;
const MIN_ACK_LIMIT_MS = 150;
const ACK_LIMIT_FACTOR = 3;

export interface PresenceOptions {
  bus: Bus;
  clock: Clock;
  events?: BusEvents;
}

/** Subscribes to beats and asks every agent for one at once, now and after each reconnect. */
export function createPresence(options: PresenceOptions): Presence {
  return new BeatPresence(options);
}

class BeatPresence implements Presence {
  #bus: Bus;
  #clock: Clock;
  #events: BusEvents;
  #registry: AgentRegistry;
  #listeningSince: number;
  #linkedSince: number;
  #rolledAt = -Infinity;
  #rotation = 0;
  #rotate = () => this.#rotation++;
  #endings: (() => void)[];

  constructor({ bus, clock, events = countNothing }: PresenceOptions) {
    this.#bus = bus;
    this.#clock = clock;
    this.#events = events;
    this.#listeningSince = this.#linkedSince = clock.now();
    this.#registry = new AgentRegistry(this.#listeningSince);
    const subscription = bus.subscribe(subjects.beat('*', '*'), ({ subject, data }) => this.#onBeat(subject, data));
    const endWatch = bus.onChange((connected) => this.#onChange(connected));
    this.#endings = [endWatch, () => subscription.unsubscribe()];
    this.roll();
  }

  agents(): AgentView[] {
    const now = this.#clock.now();
    return Array.from(this.#registry.all(), (agent) => agent.view(now, this.#linkedSince));
  }

  locations(): string[] {
    return this.#registry.locations(this.#clock.now());
  }

  route(location: string, kind: string, needs?: Capability): Route {
    return routeTo(this.#registry.at(location), this.#wanted(kind, needs), this.#rotate);
  }

  slots(location: string, kind: ProbeKind, needs?: Capability): number {
    const now = this.#clock.now();
    let slots = 0;
    for (const agent of this.#registry.at(location).values())
      if (agent.can(kind, needs) && WELL.has(agent.state(now, this.#linkedSince))) slots += agent.slots(kind);
    return slots;
  }

  knows(location: string): boolean {
    return this.#registry.knows(location);
  }

  ackMs(location: string): number {
    let slowest = 0;
    for (const { ackMs } of this.#registry.at(location).values()) slowest = Math.max(slowest, ackMs);
    return slowest;
  }

  beat(location: string, agent: string): BeatFrame | undefined {
    return this.#registry.get(location, agent)?.beat;
  }

  heard(location: string, agent: string, ackMs: number): void {
    this.#registry.get(location, agent)?.acks(ackMs, this.#clock.now());
  }

  roll(): void {
    const now = this.#clock.now();
    if (now - this.#rolledAt < MIN_ROLL_INTERVAL_MS) return;
    this.#rolledAt = now;
    this.#bus.publish(subjects.roll, '');
  }

  stalled(ms: number): void {
    this.#listeningSince = this.#clock.now();
    if (ms > LONG_STALL_MS) this.#linkedSince = this.#listeningSince; // short ones, if frequent, must not keep the dead alive
  }

  close(): void {
    for (const end of this.#endings) end();
  }

  twin(location: string, kind: string, needs: Capability | undefined, except: readonly string[], heardSince: number): string | undefined {
    return bestOf(this.#registry.at(location), this.#wanted(kind, needs))
      .filter(({ id, heardAt }) => !except.includes(id) && heardAt > heardSince)
      .toSorted((a, b) => b.heardAt - a.heardAt)[0]?.id;
  }

  takers(location: string, kind: string, needs: Capability | undefined): number {
    return bestOf(this.#registry.at(location), this.#wanted(kind, needs)).length;
  }

  ackLimitMs(location: string, agent: string | undefined): number {
    const ackMs = agent === undefined ? this.ackMs(location) : (this.#registry.get(location, agent)?.ackMs ?? 0);
    return Math.max(MIN_ACK_LIMIT_MS, ACK_LIMIT_FACTOR * ackMs);
  }

  heardAt(location: string, agent: string): number {
    return this.#registry.get(location, agent)?.heardAt ?? -Infinity;
  }

  isDead(location: string, agent: string | undefined): boolean {
    const now = this.#clock.now();
    for (const suspect of this.#registry.at(location).values())
      if ((agent === undefined || suspect.id === agent) && suspect.state(now, this.#linkedSince) !== 'gone') return false;
    return true;
  }

  listeningSince(): number {
    return this.#listeningSince;
  }

  #wanted(kind: string, needs: Capability | undefined): Wanted {
    return { kind, needs, now: this.#clock.now(), linkedSince: this.#linkedSince };
  }

  #onBeat(subject: string, data: Uint8Array): void {
    const beat = readBeat(data);
    if (beat !== undefined && subject === subjects.beat(beat.location, beat.agent)) return this.#registry.beats(beat, this.#clock.now());
    // The label comes from the subject only when we know the location: a stranger must not invent labels.
    const location = subject.split('.')[3] ?? '';
    this.#events.invalidFrame(this.knows(location) ? location : '');
  }

  #onChange(connected: boolean): void {
    this.stalled(Infinity);
    this.#rolledAt = -Infinity;
    if (connected) this.roll();
  }
}
