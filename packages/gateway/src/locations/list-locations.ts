import type { AgentView } from '@vedette/bus';
import { PROBE_KINDS } from '@vedette/contract';
import { CAPABILITIES, type NetworkCapability } from '@vedette/probes/health';
import type { Fleet } from '../fleet/fleet.ts';
import type { Stray } from '../fleet/name-comparison.ts';
import type { Catalogue } from './locations.ts';

/** The permission that a key needs, named like an operation. */
export const LOCATIONS = 'locations';

type State = 'ready' | 'degraded' | 'draining' | 'down';

/** GET /v2/locations: every location that is known, with its best agent's state; an agent that is not asked does not count. */
export function listLocations({ presence, known }: Fleet, catalogue: Catalogue, strays: readonly Stray[]): object {
  const isStray = ({ location, agent }: AgentView) => strays.some((stray) => stray.location === location && stray.agent === agent);
  const agents = Map.groupBy(presence.agents(), ({ location }) => location);
  const defaults = new Set(catalogue.defaults.length > 0 ? catalogue.defaults : known.ids);
  return {
    locations: known.ids.map((id) => {
      const here = (agents.get(id) ?? []).filter(({ state, outdated }) => state !== 'gone' && !outdated);
      return {
        id,
        ...catalogue.place(id),
        state: stateOf(here),
        asked_by_default: defaults.has(id),
        simulated: here.some(({ beat }) => beat.simulated),
        agents: here.length,
        capabilities: [...new Set(here.flatMap(capabilities))].toSorted(),
        down: [
          ...CAPABILITIES.filter((name) => here.length > 0 && here.every((agent) => isDown(agent, name))),
          ...(here.length > 0 && here.every(isStray) ? ['names'] : []),
        ],
      };
    }),
  };
}

function stateOf(agents: readonly AgentView[]): State {
  for (const state of ['ready', 'degraded', 'draining'] as const) if (agents.some((agent) => agent.state === state)) return state;
  return agents.some(({ state }) => state === 'joining' || state === 'suspect') ? 'degraded' : 'down';
}

/** What does not work by the agent's witnesses; the agent's clock by ours. */
const isDown = ({ beat, clock_skew_ms }: AgentView, name: NetworkCapability): boolean =>
  name === 'clock' ? Math.abs(clock_skew_ms) > CLOCK_BAD_MS : beat.capabilities.down?.includes(name) === true;
export const CLOCK_BAD_MS = 60_000;

const capabilities = ({ beat: { capabilities: can } }: AgentView): string[] => [
  // Nothing that an agent made up, and no ping where no echo comes back.
  ...PROBE_KINDS.filter((kind) => can.kinds.includes(kind) && (kind !== 'ping' || can.icmp !== 'none')),
  ...(['v4', 'v6', 'h2', 'h3'] as const).filter((name) => can[name]),
  ...((can.vpn_working ?? can.vpn) > 0 ? ['vpn_exit'] : []),
];
