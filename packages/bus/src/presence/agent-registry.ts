import type { BeatFrame } from '../frames/index.ts';
import { Agent, SUSPECT_MS } from './agent.ts';

const FORGET_MS = 10 * 60_000;
const FORGET_INTERVAL_MS = FORGET_MS / 10;
/** The most agents of one location, and the most locations; further ones are ignored, since clients that may beat choose names freely. */
const MAX_AGENTS = 100;
const MAX_LOCATIONS = 2_000;

/** Agents of one location, by id. */
export type Agents = ReadonlyMap<string, Agent>;

const NOBODY: Agents = new Map();

/** The agents heard within the last ten minutes, by location. */
export class AgentRegistry {
  #locations = new Map<string, Map<string, Agent>>();
  #forgottenAt: number;

  constructor(now: number) {
    this.#forgottenAt = now;
  }

  /** Remembers a beat, which `admits` let in. */
  beats(beat: BeatFrame, now: number): void {
    const agents = this.#locations.get(beat.location) ?? new Map<string, Agent>();
    const known = agents.get(beat.agent);
    if (known !== undefined) return known.beats(beat, now);
    agents.set(beat.agent, new Agent(beat, now));
    this.#locations.set(beat.location, agents);
  }

  /** Whether a beat of this agent would be remembered. */
  admits(location: string, agent: string, now: number): boolean {
    this.#forgetOld(now);
    const agents = this.#locations.get(location);
    if (agents === undefined) return this.#locations.size < MAX_LOCATIONS;
    return agents.has(agent) || agents.size < MAX_AGENTS;
  }

  /** How many agents are remembered. */
  get size(): number {
    let size = 0;
    for (const agents of this.#locations.values()) size += agents.size;
    return size;
  }

  /** Locations of all that are remembered. */
  ids(): Iterable<string> {
    return this.#locations.keys();
  }

  knows(location: string): boolean {
    return this.#locations.has(location);
  }

  get(location: string, agent: string): Agent | undefined {
    return this.#locations.get(location)?.get(agent);
  }

  at(location: string): Agents {
    return this.#locations.get(location) ?? NOBODY;
  }

  /** All that are remembered. */
  all(): Iterable<Agent> {
    return this.#locations.values().flatMap((agents) => agents.values());
  }

  /** Ids of the locations with an agent that beats, sorted. */
  beating(now: number): string[] {
    return [...this.#locations]
      .filter(([, agents]) => agents.values().some(({ heardAt }) => now - heardAt <= SUSPECT_MS))
      .map(([id]) => id)
      .toSorted();
  }

  #forgetOld(now: number): void {
    if (now - this.#forgottenAt < FORGET_INTERVAL_MS) return;
    this.#forgottenAt = now;
    for (const [location, agents] of this.#locations) {
      for (const [id, { heardAt }] of agents) if (now - heardAt > FORGET_MS) agents.delete(id);
      if (agents.size === 0) this.#locations.delete(location);
    }
  }
}
