import type { AgentView } from '@vedette/bus';
import { CAPABILITIES } from '@vedette/probes/health';
import { type Stray, straysOf } from '../fleet/name-comparison.ts';
import { CLOCK_BAD_MS, listLocations } from '../locations/list-locations.ts';
import { impairedParts } from '../ops/impaired.ts';
import type { Parts } from '../request/parts.ts';
import type { SelfTest } from './fleet-schema.ts';

/** GET /v2/fleet: locations, agents and renderers as this gateway hears them, and what the service runs without. */
export function fleetView(parts: Parts): object {
  const { fleet, intel, config, feeds } = parts;
  const strays = straysOf(intel.health, fleet.presence);
  const agents = fleet.presence.agents().toSorted((a, b) => compare(a.location, b.location) || compare(a.agent, b.agent));
  return {
    ...listLocations(fleet, config.catalogue, strays),
    agents: agents.map((agent) => agentOf(agent, strays)),
    renderers: fleet.renderers.presence.renderers().map(({ renderer, state, outdated, silent_ms, beat }) => ({
      renderer,
      state,
      outdated,
      version: beat.version,
      silent_ms: Math.round(silent_ms),
      browser: beat.browser,
      slots_used: beat.slots.used,
      slots_max: beat.slots.max,
      problem: beat.problem ?? '',
    })),
    impaired: impairedParts(parts, feeds),
  };
}

function agentOf(view: AgentView, strays: readonly Stray[]): object {
  const { location, agent, beat, process } = view;
  const { capabilities, selftest } = beat;
  return {
    location,
    agent,
    state: view.state,
    outdated: view.outdated,
    version: beat.version,
    silent_ms: Math.round(view.silent_ms),
    node: process?.node ?? '',
    started_at: process === undefined ? '' : isoOf(process.started_ms),
    simulated: beat.simulated,
    jobs: beat.jobs,
    slots: Object.entries(beat.slots).map(([kind, { used, max }]) => ({ kind, used, max, left_out: view.ejected.includes(kind) })),
    self_tests: [...CAPABILITIES.map((name) => ({ name, result: resultOf(view, name) })), { name: 'names', result: namesOf(view, strays) }],
    witnesses: selftest.witnesses,
    witnesses_failing: selftest.failing,
    vpn_exits: capabilities.vpn,
    vpn_exits_working: capabilities.vpn_working ?? capabilities.vpn,
    clock_skew_ms: Math.round(view.clock_skew_ms),
    ack_ms: Math.round(view.ack_ms),
    event_loop_delay_ms: Math.round(beat.event_loop_delay_ms),
  };
}

/** The result by its witnesses; that of its clock by ours. */
function resultOf({ beat: { capabilities: can, selftest }, clock_skew_ms }: AgentView, name: (typeof CAPABILITIES)[number]): SelfTest {
  if (name === 'clock') return Math.abs(clock_skew_ms) > CLOCK_BAD_MS ? 'fails' : 'works';
  if (can.down?.includes(name) === true) return 'fails';
  const isAbsent = (name.endsWith('6') && !can.v6) || (name.startsWith('icmp') && can.icmp === 'none') || (name === 'quic' && !can.h3);
  if (isAbsent) return 'absent';
  return can.down === undefined || selftest.witnesses === 0 ? 'untested' : 'works';
}

/** Whether its resolvers agree with those of most locations. */
function namesOf({ location, agent, names = [] }: AgentView, strays: readonly Stray[]): SelfTest {
  if (strays.some((stray) => stray.location === location && stray.agent === agent)) return 'fails';
  return names.length === 0 ? 'untested' : 'works';
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Empty for a time that no date has: an agent may send any number. */
function isoOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
