import { isId, type Clock } from '@vedette/contract';
import type { Bus, BusMessage, BusSubscription } from '../wire/connection.ts';

/** Beats of one agent or renderer in a second that are read: four while jobs run, one for each roll of each gateway, one for each change. */
const BEATS = 40;
/** Room for new agents, at all locations and at one. */
const NEW_AGENTS = 10;
const NEW_AGENTS_HERE = 2;
/** A beat's length, on average and with room to grow. */
const BEAT_BYTES = 2_048;
const TICK_MS = 1_000;
/** A flood is looked at again after so long, and told again. */
const LOOK_MS = 10_000;

/** The known agents, by location. */
export interface KnownAgents {
  readonly size: number;
  ids(): Iterable<string>;
  knows(location: string): boolean;
  at(location: string): Pick<ReadonlyMap<string, unknown>, 'size' | 'keys'>;
}

/** Options for agents or for renderers, whose key stands where an agent's location does. */
export interface BeatFeedOptions {
  bus: Bus;
  clock: Clock;
  subject: (location: string, agent: string) => string;
  /** Subscriptions in all that it may have; the server's limit for a connection is 512. */
  branches: number;
  registry: KnownAgents;
  /** Locations that may have agents although none was heard. */
  expected: () => Iterable<string>;
  onBeat: (location: string, agent: string, data: Uint8Array) => void;
  /** More beats than agents send; the agent is the busiest one, empty where none stands out. Told every 10 s at most for each location. */
  onFlood: (location: string, agent: string) => void;
}

/** Where beats come from: all agents, those of one location, or one. */
interface Source {
  subject: string;
  /** Agents that may beat there. */
  agents: () => number;
  /** The parts of a subject; empty for a single agent. */
  parts: () => Source[];
}

/**
 * The beats of all agents, or of all renderers. Any holder of such a key may send them as fast as the network carries them. The server
 * delivers a quota and then ends the subscription, so that a flood is dropped before it reaches us: where all beats together exceed theirs
 * we subscribe to each location, where a location does, to each of its agents that we know, and an agent has its quota anew each second.
 * Subjects that still come too often are dropped unread.
 */
export class BeatFeed {
  #options: BeatFeedOptions;
  #root: Branch;
  /** Beats by subject, since the last tick. */
  #heard = new Map<string, number>();
  #toldAt = new Map<string, number>();
  #stopped = new AbortController();

  constructor(options: BeatFeedOptions) {
    const { bus, clock, branches } = options;
    this.#options = options;
    const onMessage = (message: BusMessage) => this.#onMessage(message);
    this.#root = new Branch(this.#everywhere(), {
      bus,
      clock,
      onMessage,
      onFlood: () => this.#onFlood(),
      held: () => this.#root.size,
      branches,
    });
    void this.#tick();
  }

  /** Subscribes anew, after a reconnect, which forgets the quotas. */
  renew(): void {
    this.#root.renew();
  }

  close(): void {
    this.#stopped.abort();
    this.#root.close();
  }

  #onMessage({ subject, data }: BusMessage): void {
    const beats = (this.#heard.get(subject) ?? 0) + 1;
    this.#heard.set(subject, beats);
    const [location, agent] = addressee(subject);
    if (beats > BEATS) return beats === BEATS + 1 ? this.#tell(location, agent) : undefined;
    this.#options.onBeat(location, agent, data);
  }

  /** Names the busiest location and, unless names are made up for each beat, its busiest agent. */
  #onFlood(): void {
    const byLocation = Map.groupBy(this.#heard, ([subject]) => addressee(subject)[0]);
    const sums = Array.from(byLocation, ([location, heard]) => ({
      location,
      heard,
      sum: heard.reduce((sum, [, beats]) => sum + beats, 0),
    }));
    const busiest = sums.toSorted((a, b) => b.sum - a.sum)[0];
    if (busiest === undefined) return;
    const [subject, beats] = busiest.heard.toSorted(([, a], [, b]) => b - a)[0] ?? ['', 0];
    this.#tell(busiest.location, beats > BEATS / 2 ? addressee(subject)[1] : '');
  }

  #tell(location: string, agent: string): void {
    const known = this.#options.registry.knows(location) ? location : ''; // a stranger must not invent names
    const now = this.#options.clock.now();
    if (now - (this.#toldAt.get(known) ?? -Infinity) < LOOK_MS) return;
    this.#toldAt.set(known, now);
    this.#options.onFlood(known, isId(agent) ? agent : '');
  }

  async #tick(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await clock.sleep(TICK_MS, signal).catch(() => {}); // stopped
      if (signal.aborted) return;
      this.#heard.clear();
      this.#root.tick();
    }
  }

  #everywhere(): Source {
    const { registry, expected } = this.#options;
    return {
      subject: this.#options.subject('*', '*'),
      // A gateway that has just started knows no agents, and a fleet's first beats come at once.
      agents: () => registry.size + [...expected()].length + NEW_AGENTS,
      parts: () => [...new Set([...registry.ids(), ...expected()])].map((location) => this.#at(location)),
    };
  }

  #at(location: string): Source {
    const { registry, subject } = this.#options;
    const ofAgent = (agent: string): Source => ({ subject: subject(location, agent), agents: () => 1, parts: () => [] });
    return {
      subject: subject(location, '*'),
      agents: () => registry.at(location).size + NEW_AGENTS_HERE,
      parts: () => Array.from(registry.at(location).keys(), ofAgent),
    };
  }
}

/** Location and agent of a beat's subject. */
function addressee(subject: string): [location: string, agent: string] {
  const end = subject.lastIndexOf('.');
  return [subject.slice(subject.lastIndexOf('.', end - 1) + 1, end), subject.slice(end + 1)];
}

interface BranchContext {
  bus: Bus;
  clock: Clock;
  onMessage: (message: BusMessage) => void;
  onFlood: () => void;
  /** Branches of the whole tree. */
  held: () => number;
  /** Limit of `held`. */
  branches: number;
}

/** The subscription to one source, or, after a flood, to each of its parts. */
class Branch {
  #source: Source;
  #context: BranchContext;
  /** Undefined while it is cut. */
  #subscription: BusSubscription | undefined;
  #quota = 0;
  #received = 0;
  #bytes = 0;
  #openedAt = 0;
  #reopenAt = 0;
  /**
   * The subscriptions that replaced it while it is cut, by subject. Kept while a look shows whether the flood is over, so that nothing is
   * missed meanwhile.
   */
  #parts = new Map<string, Branch>();

  constructor(source: Source, context: BranchContext) {
    this.#source = source;
    this.#context = context;
    this.#open();
  }

  /** How many branches it is, with those that replaced it. */
  get size(): number {
    let size = 1;
    for (const part of this.#parts.values()) size += part.size;
    return size;
  }

  /** Called every second. */
  tick(): void {
    const now = this.#context.clock.now();
    if (this.#subscription === undefined) {
      if (now >= this.#reopenAt) this.#open();
    } else if (this.#received * 2 > this.#quota) this.#open();
    else if (now - this.#openedAt >= TICK_MS) this.#closeParts(); // the flood is over
    for (const part of this.#parts.values()) part.tick();
  }

  renew(): void {
    if (this.#subscription !== undefined) this.#open();
    for (const part of this.#parts.values()) part.renew();
  }

  close(): void {
    this.#subscription?.unsubscribe();
    this.#subscription = undefined;
    this.#closeParts();
  }

  #open(): void {
    const { bus, clock } = this.#context;
    const before = this.#subscription;
    this.#quota = this.#limit();
    this.#received = this.#bytes = 0;
    this.#openedAt = clock.now();
    this.#subscription = bus.subscribe(this.#source.subject, (message) => this.#onMessage(message), { max: this.#quota });
    before?.drain().catch(() => {}); // it hands over what is on its way; where it was closed, nothing is
  }

  #limit(): number {
    return BEATS * this.#source.agents();
  }

  #onMessage(message: BusMessage): void {
    if (this.#subscription === undefined) return; // on its way when it was cut
    this.#received += 1;
    this.#bytes += message.data.length;
    this.#context.onMessage(message);
    const full = this.#bytes >= this.#quota * BEAT_BYTES;
    if (!full && this.#received < this.#quota) return;
    // Agents that were unknown when the quota was set may be known by now.
    if (!full && this.#received < this.#limit()) this.#open();
    else this.#cut();
  }

  #cut(): void {
    this.#subscription?.unsubscribe();
    this.#subscription = undefined;
    const wanted = new Map(this.#source.parts().map((part) => [part.subject, part]));
    for (const [subject, part] of this.#parts) {
      if (wanted.delete(subject)) continue;
      part.close();
      this.#parts.delete(subject);
    }
    const room = Math.max(0, this.#context.branches - this.#context.held());
    for (const [subject, part] of [...wanted].slice(0, room)) this.#parts.set(subject, new Branch(part, this.#context));
    this.#reopenAt = this.#parts.size === 0 ? 0 : this.#context.clock.now() + LOOK_MS;
    this.#context.onFlood();
  }

  #closeParts(): void {
    for (const part of this.#parts.values()) part.close();
    this.#parts.clear();
  }
}
