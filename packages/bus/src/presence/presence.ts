import type { BeatFrame } from '../frames/index.ts';
import type { Clock, ProbeKind } from '@vedette/contract';
import { BeatFeed } from './beat-feed.ts';
import { Agent, type AgentView } from './agent.ts';
import type { Bus } from '../wire/connection.ts';
import { countNothing, type BusEvents } from '../wire/events.ts';
import type { Capability, Fleet, JobFamily } from './fleet.ts';
import { readBeat } from '../wire/frames.ts';
import { type PresenceState, SUSPECT_MS } from './peer.ts';
import { ownSkewMs } from './own-clock.ts';
import { Registry } from './registry.ts';
import { bestOf, routeTo, wellOf, type Route, type Wanted } from './route.ts';
import { subjects } from '../wire/subjects.ts';

/** The registry of agents, in memory, from their beats alone: each gateway has its own. */
export interface Presence extends Fleet {
  /** Agents seen within the last ten minutes, those that are gone included. */
  agents(): AgentView[];
  /** Ids of the locations with an agent that beats, by its beats alone: what we could not hear is not among them. */
  beating(): string[];
  /** Whether an agent of the location says that it only pretends to be there. */
  isSimulated(location: string): boolean;
  /** How to ask a location, for a kind and perhaps a capability that a job needs. It is the same until a job was `pinned`. */
  route(location: string, kind: string, needs?: Capability, family?: JobFamily): Route;
  /** Whether an agent there is ready for jobs of a kind, and has lost nothing that most of them need. */
  isWell(location: string, kind: string, needs?: Capability, family?: JobFamily): boolean;
  /** How many jobs of a kind the location's agents have slots for, those that are well. */
  slots(location: string, kind: ProbeKind, needs?: Capability): number;
  /** Whether the location had an agent within the last ten minutes. */
  knows(location: string): boolean;
  /** Smoothed time from dispatch to ack of the location's slowest agent, ms. */
  ackMs(location: string): number;
  /** How far the wall clock of an agent is ahead of ours, ms, by its last beat; of most locations' where ours is wrong; 0 for one that never beat. */
  clockSkewMs(location: string, agent: string): number;
  /** How far our own wall clock is ahead of most locations', ms: 0 within a minute, undefined where fewer than three agree. */
  ownSkewMs(): number | undefined;
  /** The last beat of an agent, or undefined. */
  beat(location: string, agent: string): BeatFrame | undefined;
  /** Learns that a job goes to this agent by name: the next goes to another. */
  pinned(location: string, agent: string): void;
  /** Learns from an ack that the agent lives, and how quick it is. */
  heard(location: string, agent: string, ackMs: number): void;
  /** Learns from a final that is as it should be. */
  good(location: string, agent: string, kind: string): void;
  /** Learns that a job failed by the agent's own doing. Too many, and it is left out while another does well. */
  fault(location: string, agent: string, kind: string): void;
  /** Learns that no agent acknowledged an open job: for a while jobs name one agent, so that a failing one is found. */
  doubt(location: string): void;
  /** Asks every agent for a beat at once; again after 100 ms at the earliest. */
  roll(): void;
  /** We were stalled for so long: silence until now says nothing. */
  stalled(ms: number): void;
  close(): void;
}

const WELL: ReadonlySet<PresenceState> = new Set(['ready', 'degraded']);
const LIMITS = { groups: 2_000, each: 100, all: Infinity };
const LONG_STALL_MS = 2_000;
const MIN_ROLL_INTERVAL_MS = 100;
/** Subscriptions to beats during a flood. The subscriptions to renderers' beats are 96, on the same connection, which may have 512. */
const MAX_BRANCHES = 384;
/** Clocks are compared again after this. */
const COMPARE_MS = 1_000;
const MIN_ACK_LIMIT_MS = 150;
const ACK_LIMIT_FACTOR = 3;
/** How long one agent is named after an unacknowledged job. */
const DOUBT_MS = 30_000;

export interface PresenceOptions {
  /** Best a connection of its own: clients that may beat may send as much as the server accepts. */
  bus: Bus;
  clock: Clock;
  events?: BusEvents;
  /** Wall clock, epoch ms: only to show the agents' skew. */
  today?: () => number;
  /** Locations that may have agents although none was heard: they are listened to during a flood. */
  expected?: () => Iterable<string>;
  /** An agent is heard at a location where none was known. */
  onLocation?: (location: string) => void;
  /** An agent started, and is about to take jobs. */
  onJoining?: () => void;
}

/** Subscribes to beats and asks every agent for one at once, now and after each reconnect. */
export function createPresence(options: PresenceOptions): Presence {
  return new BeatPresence(options);
}

class BeatPresence implements Presence {
  #bus: Bus;
  #clock: Clock;
  #events: BusEvents;
  #today: () => number;
  #onLocation: (location: string) => void;
  #onJoining: () => void;
  #registry: Registry<Agent>;
  #feed: BeatFeed;
  /** When the naming of one agent ends, by location. */
  #doubts = new Map<string, number>();
  #listeningSince: number;
  #linkedSince: number;
  #rolledAt = -Infinity;
  #pins = 0;
  #compared: { at: number; skewMs: number | undefined } = { at: -Infinity, skewMs: undefined };
  #endings: (() => void)[];

  constructor({
    bus,
    clock,
    events = countNothing,
    expected = () => [],
    onLocation = () => {},
    onJoining = () => {},
    today = Date.now,
  }: PresenceOptions) {
    this.#bus = bus;
    this.#clock = clock;
    this.#events = events;
    this.#today = today;
    this.#onLocation = onLocation;
    this.#onJoining = onJoining;
    this.#listeningSince = this.#linkedSince = clock.now();
    this.#registry = new Registry(LIMITS, this.#listeningSince);
    this.#feed = new BeatFeed({
      bus,
      clock,
      subject: subjects.beat,
      branches: MAX_BRANCHES,
      registry: this.#registry,
      expected,
      onBeat: (location, agent, data) => this.#onBeat(location, agent, data),
      onFlood: (location, agent) => events.beatFlood(location, agent),
    });
    const endWatch = bus.onChange((connected) => this.#onChange(connected));
    this.#endings = [endWatch, () => this.#feed.close()];
    this.roll();
  }

  agents(): AgentView[] {
    const now = this.#clock.now();
    const ahead = this.ownSkewMs() ?? 0;
    return Array.from(this.#registry.all(), (agent) => agent.view(now, this.#linkedSince, ahead));
  }

  beating(): string[] {
    const now = this.#clock.now();
    const isBeating = (location: string) =>
      this.#registry
        .at(location)
        .values()
        .some(({ heardAt, beat }) => now - heardAt <= SUSPECT_MS && beat.state !== 'draining');
    return Array.from(this.#registry.ids()).filter(isBeating).toSorted();
  }

  isSimulated(location: string): boolean {
    for (const { beat } of this.#registry.at(location).values()) if (beat.simulated) return true;
    return false;
  }

  route(location: string, kind: string, needs?: Capability, family?: JobFamily): Route {
    return routeTo(this.#registry.at(location), { ...this.#wanted(kind, needs, family), named: this.#isDoubted(location) });
  }

  isWell(location: string, kind: string, needs?: Capability, family?: JobFamily): boolean {
    const now = this.#clock.now();
    return wellOf(this.#registry.at(location), this.#wanted(kind, needs, family)).some(
      (agent) => agent.state(now, this.#linkedSince) === 'ready' && !agent.lacksFor(kind, family),
    );
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

  clockSkewMs(location: string, agent: string): number {
    const skewMs = this.#registry.get(location, agent)?.clockSkewMs;
    return skewMs === undefined ? 0 : skewMs + (this.ownSkewMs() ?? 0);
  }

  ownSkewMs(): number | undefined {
    const now = this.#clock.now();
    if (now - this.#compared.at >= COMPARE_MS) this.#compared = { at: now, skewMs: ownSkewMs(this.#skews(now)) };
    return this.#compared.skewMs;
  }

  beat(location: string, agent: string): BeatFrame | undefined {
    return this.#registry.get(location, agent)?.beat;
  }

  pinned(location: string, id: string): void {
    const agent = this.#registry.get(location, id);
    if (agent) agent.lastPinned = ++this.#pins;
  }

  heard(location: string, agent: string, ackMs: number): void {
    this.#registry.get(location, agent)?.acks(ackMs, this.#clock.now());
  }

  good(location: string, agent: string, kind: string): void {
    this.#registry.get(location, agent)?.good(kind);
  }

  fault(location: string, id: string, kind: string): void {
    const agent = this.#registry.get(location, id);
    const wanted = this.#wanted(kind, undefined);
    const { now } = wanted;
    if (agent === undefined || !agent.fault(kind, now)) return;
    const others = wellOf(this.#registry.at(location), wanted).filter((other) => other !== agent);
    if (others.some((other) => other.isSound(kind, now))) this.#events.ejected(location, id, kind, agent.eject(kind, now));
  }

  doubt(location: string): void {
    this.#doubts.set(location, this.#clock.now() + DOUBT_MS);
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

  twin(
    location: string,
    kind: string,
    needs: Capability | undefined,
    except: readonly string[],
    heardSince: number,
    family?: JobFamily,
  ): string | undefined {
    const wanted = this.#wanted(kind, needs, family);
    const isOut = (agent: Agent) => Number(agent.isOut(kind, wanted.now));
    return wellOf(this.#registry.at(location), wanted)
      .filter(({ id, heardAt }) => !except.includes(id) && heardAt > heardSince)
      .toSorted((a, b) => isOut(a) - isOut(b) || b.heardAt - a.heardAt)[0]?.id;
  }

  takers(location: string, kind: string, needs: Capability | undefined, family?: JobFamily): number {
    return bestOf(this.#registry.at(location), this.#wanted(kind, needs, family)).length;
  }

  ackLimitMs(location: string, agent: string | undefined): number {
    const ackMs = agent === undefined ? this.ackMs(location) : (this.#registry.get(location, agent)?.ackMs ?? 0);
    return Math.max(MIN_ACK_LIMIT_MS, ACK_LIMIT_FACTOR * ackMs);
  }

  heardAt(location: string, agent: string): number {
    return this.#registry.get(location, agent)?.heardAt ?? -Infinity;
  }

  heardSince(location: string, agent: string | undefined, since: number): boolean {
    if (agent !== undefined) return this.heardAt(location, agent) > since;
    return this.#registry
      .at(location)
      .values()
      .some(({ heardAt }) => heardAt > since);
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

  /** The skew of one agent of each location that is heard. */
  #skews(now: number): number[] {
    return Array.from(this.#registry.ids()).flatMap((location) => {
      const heard = this.#registry
        .at(location)
        .values()
        .find((agent) => WELL.has(agent.state(now, this.#linkedSince)));
      return heard === undefined ? [] : [heard.clockSkewMs];
    });
  }

  #wanted(kind: string, needs: Capability | undefined, family?: JobFamily): Wanted {
    return { kind, needs, family, now: this.#clock.now(), linkedSince: this.#linkedSince, named: false };
  }

  #isDoubted(location: string): boolean {
    const until = this.#doubts.get(location);
    if (until === undefined) return false;
    if (this.#clock.now() < until) return true;
    this.#doubts.delete(location);
    return false;
  }

  #onBeat(location: string, agent: string, data: Uint8Array): void {
    const now = this.#clock.now();
    if (!this.#registry.admits(location, agent, now)) return;
    const beat = readBeat(data);
    if (beat?.location === location && beat.agent === agent) {
      if (beat.state === 'joining') this.#onJoining();
      const isNew = !this.#registry.knows(location);
      const known = this.#registry.get(location, agent);
      if (known === undefined) this.#registry.add(location, agent, new Agent(beat, now, this.#today()));
      else known.beats(beat, now, this.#today());
      if (isNew) this.#onLocation(location);
      return;
    }
    // The label comes from the subject only when we know the location: a stranger must not invent labels.
    this.#events.invalidFrame(this.knows(location) ? location : '');
  }

  #onChange(connected: boolean): void {
    this.stalled(Infinity);
    this.#rolledAt = -Infinity;
    if (!connected) return;
    this.#feed.renew();
    this.roll();
  }
}
