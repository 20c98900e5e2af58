import type { Agent } from './agent.ts';
import type { Capability, JobFamily } from './fleet.ts';
import type { PresenceState } from './peer.ts';

/** Agents of one location, by id. */
type Agents = ReadonlyMap<string, Agent>;

export type Route =
  /** Any agent may take it. */
  | { how: 'any' }
  /** Only this one should: the agents are not alike, or none is well. */
  | { how: 'pinned'; agent: string }
  /** No agent is there, or none there can do the job. */
  | { how: 'none'; why: 'no_agent' | 'unsupported' | 'no_vpn_exit' };

/** The demand of a job on an agent, and its time. */
export interface Wanted {
  kind: string;
  needs: Capability | undefined;
  family: JobFamily | undefined;
  now: number;
  /** Silence before this is ours, not the agents'. */
  linkedSince: number;
  /** One of several should be named, so that we know who failed. */
  named: boolean;
}

const ANY: Route = { how: 'any' };

/** The able agents that are ready, those first whose network does what the kind needs; degraded ones if none is ready; only agents heard in time, if any was. */
export function wellOf(agents: Agents, { kind, needs, family, now, linkedSince }: Wanted): Agent[] {
  const able = [...agents.values()].filter((agent) => agent.can(kind, needs));
  const inState = (state: PresenceState) => able.filter((agent) => agent.state(now, linkedSince) === state);
  const ready = inState('ready');
  const working = ready.filter((agent) => !agent.lacksFor(kind, family));
  const well = [working, ready].find((some) => some.length > 0) ?? inState('degraded');
  const timely = well.filter((agent) => agent.isTimely(now));
  return timely.length > 0 ? timely : well;
}

/** Healthy agents that are not ejected, or all healthy ones. */
export function bestOf(agents: Agents, wanted: Wanted): Agent[] {
  const well = wellOf(agents, wanted);
  const kept = well.filter((agent) => !agent.isOut(wanted.kind, wanted.now));
  return kept.length > 0 ? kept : well;
}

/** How to ask a location. Among several candidates, the one whose last job is longest ago is named, so that they share the jobs. */
export function routeTo(agents: Agents, wanted: Wanted): Route {
  const { kind, needs, family, now, linkedSince } = wanted;
  if (wanted.named && agents.size > 1) return routeAmong(agents, wanted);
  for (const agent of agents.values()) {
    if (
      agent.state(now, linkedSince) !== 'ready' ||
      !agent.isTimely(now) ||
      !agent.can(kind, needs) ||
      agent.lacksFor(kind, family) ||
      !agent.isSound(kind, now)
    )
      return routeAmong(agents, wanted);
  }
  return agents.size === 0 ? { how: 'none', why: 'no_agent' } : ANY;
}

/** How to ask agents that are not alike, or not all well. */
function routeAmong(agents: Agents, wanted: Wanted): Route {
  const { kind, needs, now, linkedSince } = wanted;
  const stateOf = (agent: Agent) => agent.state(now, linkedSince);
  const there = [...agents.values()].filter((agent) => stateOf(agent) !== 'gone');
  if (there.length === 0) return { how: 'none', why: 'no_agent' };
  const able = there.filter((agent) => agent.can(kind, needs));
  if (able.length === 0)
    return { how: 'none', why: needs === 'vpn' && there.some((agent) => agent.serves(kind)) ? 'no_vpn_exit' : 'unsupported' };
  const staying = there.filter((agent) => !['joining', 'draining'].includes(stateOf(agent)));
  const choices = bestOf(agents, wanted);
  // One that failed is named, so that we know whether it fails again.
  const named = choices.length > 1 && (wanted.named || choices.some((agent) => !agent.isSound(kind, now)));
  // Between one that leaves and one that comes, the server knows who is subscribed better than we do.
  if (choices.length === staying.length && !named) return ANY;
  const answering = able.filter((agent) => stateOf(agent) !== 'suspect');
  const choice = [choices, answering, able].find((some) => some.length > 0)!;
  return { how: 'pinned', agent: choice.reduce((next, agent) => (agent.lastPinned < next.lastPinned ? agent : next)).id };
}
