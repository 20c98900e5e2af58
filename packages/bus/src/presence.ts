import { PROTOCOL, type AgentState, type BeatFrame, type Clock } from '@vedette/contract';
import type { Bus, BusSubscription } from './connection.ts';
import { countNothing, type BusEvents } from './events.ts';
import { readBeat } from './frames.ts';
import type { Capability, Fleet } from './fleet.ts';
import { subjects } from './subjects.ts';

export type PresenceState = AgentState | 'suspect' | 'gone';

/** An agent as its beats show it. */
export interface AgentView {
  location: string;
  agent: string;
  state: PresenceState;
  /** Its protocol range does not include ours: it is not asked. */
  outdated: boolean;
  /** Since it was last heard, ms. */
  silent_ms: number;
  /** Since its last beat, ms. */
  beat_age_ms: number;
  /** From dispatch to ack, smoothed, ms; 0 when it never took a job. */
  ack_ms: number;
  beat: BeatFrame;
}

/** The registry of agents, in memory, from their beats alone: each gateway has its own. */
export interface Presence extends Fleet {
  /** Agents seen within the last ten minutes, those that are gone included. */
  agents(): AgentView[];
  /** Ids of the locations with an agent seen within the last ten minutes, sorted. */
  locations(): string[];
  /** How to ask a location, for a kind and perhaps a capability that a job needs. */
  route(location: string, kind: string, needs?: Capability): Route;
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

export type Route =
  /** Any agent may take it. */
  | { how: 'any' }
  /** Only this one should: the agents are not alike, or none is well. */
  | { how: 'pinned'; agent: string }
  /** Nobody is there, or nobody there can do it. */
  | { how: 'none'; why: 'no_agent' | 'unsupported' | 'no_vpn_exit' };

const ANY: Route = { how: 'any' };

const SUSPECT_MS = 5_000;
const DEAD_MS = 10_000;
const FORGET_MS = 10 * 60_000;
/** A beat is due every 2.2 s at the latest: who is later than this is asked only when nobody else is there. */
const OVERDUE_MS = 3_000;
/** Agents of one location, and locations, beyond which new ones are ignored: names are free for whoever may beat. */
const MAX_AGENTS = 100;
const MAX_LOCATIONS = 2_000;
const LONG_STALL_MS = 2_000;
const MIN_ROLL_INTERVAL_MS = 100;
const MIN_ACK_LIMIT_MS = 150;
const ACK_LIMIT_FACTOR = 3;
const ACK_SMOOTHING = 0.125; // as TCP smooths round trips, RFC 6298 §2

interface Agent {
  beat: BeatFrame;
  beatAt: number;
  /** By a beat or an ack. */
  heardAt: number;
  ackMs: number;
}

export interface PresenceOptions {
  bus: Bus;
  clock: Clock;
  events?: BusEvents;
}

/** Subscribes to beats and asks every agent for one at once, now and after each reconnect. */
export function createPresence({ bus, clock, events = countNothing }: PresenceOptions): Presence {
  const places = new Map<string, Map<string, Agent>>();
  let listeningSince = clock.now();
  let linkedSince = listeningSince;
  let turn = 0;

  const onBeat = (subject: string, data: Uint8Array) => {
    const beat = readBeat(data);
    if (beat === undefined || subject !== subjects.beat(beat.location, beat.agent)) {
      // The label comes from the subject only when we know the place: a stranger must not invent labels.
      const location = subject.split('.')[3] ?? '';
      return events.invalidFrame(places.has(location) ? location : '');
    }
    forgetOld();
    const place = places.get(beat.location) ?? new Map<string, Agent>();
    const known = place.get(beat.agent);
    if (known === undefined && (place.size >= MAX_AGENTS || (place.size === 0 && places.size >= MAX_LOCATIONS))) return;
    const now = clock.now();
    place.set(beat.agent, { beat, beatAt: now, heardAt: now, ackMs: known?.ackMs ?? 0 });
    places.set(beat.location, place);
  };

  let forgottenAt = clock.now();
  const forgetOld = () => {
    const now = clock.now();
    if (now - forgottenAt < FORGET_MS / 10) return;
    forgottenAt = now;
    for (const [location, place] of places) {
      for (const [id, agent] of place) if (now - agent.heardAt > FORGET_MS) place.delete(id);
      if (place.size === 0) places.delete(location);
    }
  };

  const subscription: BusSubscription = bus.subscribe(subjects.beat('*', '*'), ({ subject, data }) => onBeat(subject, data));
  let rolledAt = -Infinity;
  const roll = () => {
    if (clock.now() - rolledAt < MIN_ROLL_INTERVAL_MS) return;
    rolledAt = clock.now();
    bus.publish(subjects.roll, '');
  };
  roll();
  const stalled = (ms: number) => {
    listeningSince = clock.now();
    if (ms > LONG_STALL_MS) linkedSince = listeningSince; // short ones, if frequent, must not keep the dead alive
  };
  const endWatch = bus.onChange((connected) => {
    stalled(Infinity);
    rolledAt = -Infinity;
    if (connected) roll();
  });

  const stateOf = ({ beat, heardAt }: Agent, now: number): PresenceState => {
    const silent = now - Math.max(heardAt, linkedSince);
    if (silent > DEAD_MS) return 'gone';
    return silent > SUSPECT_MS && beat.state !== 'draining' ? 'suspect' : beat.state;
  };
  const serves = ({ beat }: Agent, kind: string) => !isOutdated(beat) && beat.capabilities.kinds.includes(kind);
  const agentsAt = (location: string) => [...(places.get(location) ?? [])];
  const slowestAck = (location: string) => {
    let slowest = 0;
    for (const { ackMs } of places.get(location)?.values() ?? []) slowest = Math.max(slowest, ackMs);
    return slowest;
  };
  /** Able, and ready or, where nobody is, degraded; only those heard in time, if any was. */
  const best = (location: string, kind: string, needs?: Capability) => {
    const now = clock.now();
    const able = agentsAt(location).filter(([, a]) => serves(a, kind) && has(a.beat, needs));
    const inState = (state: PresenceState) => able.filter(([, a]) => stateOf(a, now) === state);
    const ready = inState('ready');
    const well = ready.length > 0 ? ready : inState('degraded');
    const timely = well.filter(([, a]) => now - a.heardAt <= OVERDUE_MS);
    return timely.length > 0 ? timely : well;
  };
  /** The agents of a location that are not alike, or not all well. */
  const routeAmong = (location: string, kind: string, needs?: Capability): Route => {
    const now = clock.now();
    const there = agentsAt(location).filter(([, a]) => stateOf(a, now) !== 'gone');
    if (there.length === 0) return { how: 'none', why: 'no_agent' };
    const able = there.filter(([, a]) => serves(a, kind) && has(a.beat, needs));
    if (able.length === 0) return { how: 'none', why: there.some(([, a]) => serves(a, kind)) ? 'no_vpn_exit' : 'unsupported' };
    const staying = there.filter(([, a]) => !['joining', 'draining'].includes(stateOf(a, now)));
    const choices = best(location, kind, needs);
    // Between one that leaves and one that comes, the server knows who is subscribed better than we do.
    if (choices.length === staying.length) return ANY;
    const answering = able.filter(([, a]) => stateOf(a, now) !== 'suspect');
    const choice = [choices, answering, able].find((agents) => agents.length > 0)!;
    const [agent] = choice[turn++ % choice.length]!;
    return { how: 'pinned', agent };
  };

  return {
    agents() {
      const now = clock.now();
      return [...places].flatMap(([location, place]) => [...place].map(([agent, a]) => viewOf(location, agent, a, stateOf(a, now), now)));
    },
    locations: () => {
      const now = clock.now();
      return [...places]
        .filter(([, place]) => [...place.values()].some((a) => now - a.heardAt <= FORGET_MS))
        .map(([id]) => id)
        .toSorted();
    },
    route(location, kind, needs) {
      const now = clock.now();
      for (const agent of places.get(location)?.values() ?? []) {
        const well = stateOf(agent, now) === 'ready' && now - agent.heardAt <= OVERDUE_MS;
        if (!well || !serves(agent, kind) || !has(agent.beat, needs)) return routeAmong(location, kind, needs);
      }
      return places.has(location) ? ANY : { how: 'none', why: 'no_agent' };
    },
    knows: (location) => places.has(location),
    ackMs: slowestAck,
    beat: (location, agent) => places.get(location)?.get(agent)?.beat,
    heard(location, agent, ackMs) {
      const known = places.get(location)?.get(agent);
      if (known === undefined) return;
      known.heardAt = clock.now();
      known.ackMs = known.ackMs === 0 ? ackMs : known.ackMs + (ackMs - known.ackMs) * ACK_SMOOTHING;
    },
    stalled,
    roll,
    close() {
      endWatch();
      subscription.unsubscribe();
    },
    twin: (location, kind, needs, except, heardSince) =>
      best(location, kind, needs)
        .filter(([id, a]) => !except.includes(id) && a.heardAt > heardSince)
        .toSorted(([, a], [, b]) => b.heardAt - a.heardAt)[0]?.[0],
    takers: (location, kind, needs) => best(location, kind, needs).length,
    ackLimitMs(location, agent) {
      const slowest = agent === undefined ? slowestAck(location) : (places.get(location)?.get(agent)?.ackMs ?? 0);
      return Math.max(MIN_ACK_LIMIT_MS, ACK_LIMIT_FACTOR * slowest);
    },
    heardAt: (location, agent) => places.get(location)?.get(agent)?.heardAt ?? -Infinity,
    isDead(location, agent) {
      const suspects = agentsAt(location).filter(([id]) => agent === undefined || id === agent);
      const now = clock.now();
      return suspects.every(([, a]) => stateOf(a, now) === 'gone');
    },
    listeningSince: () => listeningSince,
  };
}

const isOutdated = ({ protocol }: BeatFrame) =>
  protocol.major !== PROTOCOL.major || protocol.minor_min > PROTOCOL.minor || protocol.minor_max < PROTOCOL.minor;

const has = ({ capabilities }: BeatFrame, needs: Capability | undefined) => needs === undefined || capabilities[needs] > 0;

const viewOf = (
  location: string,
  agent: string,
  { beat, beatAt, heardAt, ackMs }: Agent,
  state: PresenceState,
  now: number,
): AgentView => ({
  location,
  agent,
  state,
  outdated: isOutdated(beat),
  silent_ms: now - heardAt,
  beat_age_ms: now - beatAt,
  ack_ms: ackMs,
  beat,
});
