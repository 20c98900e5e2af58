import { type AgentView, type Presence, PRESENCE_STATES } from '@vedette/bus';
import { AGENT_STATES, CANCEL_REASONS, REFUSAL_REASONS, RUN_ENDS, STRAY_KINDS } from '@vedette/bus/frames';
import { PROBE_KINDS } from '@vedette/contract';
import { CAPABILITIES } from '@vedette/probes/health';
import type { Counter } from 'prom-client';
import { geohash } from '../locations/geohash.ts';
import type { Stray } from '../fleet/name-comparison.ts';
import type { KnownLocations } from '../locations/known-locations.ts';
import type { Catalogue } from '../locations/locations.ts';
import type { MakeCounter, MakeGauge } from './metric-makers.ts';

const WHICH = ['location', 'agent'] as const;
/** States in which an agent is heard. */
const UP: ReadonlySet<string> = new Set(AGENT_STATES);
/** The ICMP engines that agents announce; 'none' when none works. */
const ICMP_ENGINES = ['kernel', 'net-ping', 'none'];

/**
 * Figures that agents report in their beats: they open no port, so each gateway shows the same figures to Prometheus. A sum over gateways
 * needs `max by (location, agent, …)` first.
 */
export const agentMetrics = (gauge: MakeGauge, counter: MakeCounter) => ({
  /** `geohash` is what a map of Grafana takes as it is; latitude and longitude as labels it would have to be told are numbers. */
  locationInfo: gauge('location_info', 'Where a known location is, as far as the catalogue knows; always 1', [
    'location',
    'country',
    'city',
    'latitude',
    'longitude',
    'geohash',
  ]),
  locationAgents: gauge('location_agents', 'Agents by state', ['location', 'state']),
  agentUp: gauge('agent_up', '1 while an agent is heard; 0 for the ten minutes after which it is forgotten', [...WHICH]),
  lastHeartbeat: gauge('agent_last_heartbeat_timestamp_seconds', 'When an agent was last heard', [...WHICH]),
  agentInfo: gauge('agent_info', 'What an agent is, commit only of one that was built; always 1', [
    ...WHICH,
    'version',
    'commit',
    'icmp_engine',
    'node',
    'simulated',
  ]),
  outdated: gauge('agent_outdated', '1 for an agent whose protocol range lacks ours', [...WHICH]),
  agentStarted: gauge('agent_start_timestamp_seconds', 'When the process of an agent began, by its own clock', [...WHICH]),
  agentMemory: gauge('agent_resident_memory_bytes', 'Memory of the process of an agent', [...WHICH]),
  agentCpu: counter('agent_cpu_seconds_total', 'CPU time of the process of an agent', [...WHICH]),
  agentSlots: gauge('agent_slots', 'Slots of an agent by kind of probe', [...WHICH, 'kind', 'state']),
  agentLoopDelay: gauge('agent_event_loop_delay_seconds', 'p99 event loop delay that an agent told last', [...WHICH]),
  agentJobs: gauge('agent_jobs', 'Jobs that an agent has at work; identical ones share a slot', [...WHICH]),
  agentProbes: counter('agent_probes_total', 'Runs of an agent by how they ended: ok, or the reason of the failure', [
    ...WHICH,
    'kind',
    'reason',
  ]),
  agentProbeSeconds: counter('agent_probe_seconds_total', 'Time that those runs took; divided by agent_probes_total it is their mean', [
    ...WHICH,
    'kind',
  ]),
  agentRefused: counter('agent_refused_total', 'Jobs and frames that an agent refused', [...WHICH, 'reason']),
  agentCancelled: counter('agent_cancelled_total', 'Jobs at work at an agent for which nobody waited any more', [...WHICH, 'reason']),
  agentStrays: counter(
    'agent_icmp_strays_total',
    'ICMP messages that looked like replies and were none; foreign ones are forged, damaged, or of an earlier process',
    [...WHICH, 'kind'],
  ),
  agentAck: gauge('agent_ack_seconds', 'From dispatch to the ack of this agent, smoothed; 0 before its first job', [...WHICH]),
  agentClockSkew: gauge('agent_clock_skew_seconds', 'How far the clock of an agent is ahead of ours', [...WHICH]),
  agentIcmpOverhead: gauge('agent_icmp_overhead_seconds', "The ICMP engine's own share of a round trip", [...WHICH]),
  agentWitnesses: gauge('agent_witnesses', "Witnesses of an agent's self-test", [...WHICH, 'state']),
  agentDown: gauge(
    'agent_capability_down',
    'Present while a capability of an agent is down, by its witnesses, or `names` by a comparison of locations; always 1',
    [...WHICH, 'capability'],
  ),
  agentVpnExits: gauge('agent_vpn_exits', 'VPN exits of an agent, by whether they passed their last check', [...WHICH, 'state']),
  agentEjected: gauge('agent_ejected', 'Present while an agent is left out since it failed too often; always 1', [...WHICH, 'kind']),
});
type AgentMetrics = ReturnType<typeof agentMetrics>;

export interface AgentSources {
  presence: Presence;
  known: KnownLocations;
  /** The agents whose resolver disagrees with most. */
  strays: readonly Stray[];
}

/** Shows all known locations and their agents anew: those that were forgotten leave it. `today` in epoch ms. */
export function refreshAgents(metrics: AgentMetrics, { presence, known, strays }: AgentSources, catalogue: Catalogue, today: number): void {
  for (const metric of Object.values(metrics)) metric.reset();
  const byLocation = Map.groupBy(presence.agents(), (agent) => agent.location);
  // A location without agents stays, at 0: what an alert is made of must not go with what it watches.
  for (const location of known.ids) {
    showLocation(metrics, location, catalogue);
    const agents = byLocation.get(location) ?? [];
    for (const state of PRESENCE_STATES)
      metrics.locationAgents.set({ location, state }, agents.filter((agent) => agent.state === state).length);
    for (const agent of agents) {
      showAgent(metrics, agent, today);
      showSlots(metrics, agent);
      showCounts(metrics, agent);
    }
  }
  for (const { location, agent } of strays)
    if (known.ids.includes(location)) metrics.agentDown.set({ location, agent, capability: 'names' }, 1);
}

/** Where a location is; without coordinates it has 0 for both, which is in the sea. */
function showLocation(metrics: AgentMetrics, location: string, catalogue: Catalogue): void {
  const { country_code: country, city_name: city, latitude, longitude } = catalogue.place(location);
  const isKnown = latitude !== 0 || longitude !== 0;
  const point = isKnown
    ? { latitude: String(latitude), longitude: String(longitude), geohash: geohash(latitude, longitude) }
    : { latitude: '', longitude: '', geohash: '' };
  metrics.locationInfo.set({ location, country, city, ...point }, 1);
}

function showAgent(metrics: AgentMetrics, view: AgentView, today: number): void {
  const { location, agent, beat, process } = view;
  const which = { location, agent };
  const icmp_engine = ICMP_ENGINES.find((name) => name === beat.capabilities.icmp) ?? 'other';
  const { node = '', commit = '' } = process ?? {};
  metrics.agentUp.set(which, UP.has(view.state) ? 1 : 0);
  metrics.lastHeartbeat.set(which, Math.round(today - view.silent_ms) / 1000);
  metrics.agentInfo.set({ ...which, version: beat.version, commit, icmp_engine, node, simulated: String(beat.simulated) }, 1);
  metrics.outdated.set(which, view.outdated ? 1 : 0);
  metrics.agentLoopDelay.set(which, beat.event_loop_delay_ms / 1000);
  metrics.agentJobs.set(which, beat.jobs);
  metrics.agentAck.set(which, view.ack_ms / 1000);
  metrics.agentClockSkew.set(which, view.clock_skew_ms / 1000);
  for (const capability of CAPABILITIES)
    if (beat.capabilities.down?.includes(capability) === true) metrics.agentDown.set({ ...which, capability }, 1);
  metrics.agentIcmpOverhead.set(which, beat.icmp_overhead_ms / 1000);
  const { failing, witnesses } = beat.selftest;
  metrics.agentWitnesses.set({ ...which, state: 'failing' }, failing);
  metrics.agentWitnesses.set({ ...which, state: 'answering' }, witnesses - failing);
  const { vpn, vpn_working } = beat.capabilities;
  if (vpn > 0 && vpn_working !== undefined) {
    metrics.agentVpnExits.set({ ...which, state: 'working' }, vpn_working);
    metrics.agentVpnExits.set({ ...which, state: 'failing' }, Math.max(0, vpn - vpn_working));
  }
  if (process === undefined) return;
  metrics.agentStarted.set(which, process.started_ms / 1000);
  metrics.agentMemory.set(which, process.resident_bytes);
  metrics.agentCpu.inc(which, process.cpu_ms / 1000);
}

/** Shows slots by the names that we know: an agent may be stolen, and must not invent labels. */
function showSlots(metrics: AgentMetrics, { location, agent, ejected, beat }: AgentView): void {
  for (const kind of PROBE_KINDS) {
    if (ejected.includes(kind)) metrics.agentEjected.set({ location, agent, kind }, 1);
    for (const state of ['used', 'max'] as const) {
      const value = beat.slots[kind]?.[state];
      if (value !== undefined) metrics.agentSlots.set({ location, agent, kind, state }, value);
    }
  }
}

/** Shows counts by the names that we know, as above. */
function showCounts(metrics: AgentMetrics, { location, agent, counts }: AgentView): void {
  if (counts === undefined) return;
  const which = { location, agent };
  for (const kind of PROBE_KINDS) {
    const runs = counts.runs[kind];
    if (runs === undefined) continue;
    metrics.agentProbeSeconds.inc({ ...which, kind }, runs.ms / 1000);
    for (const reason of RUN_ENDS) tell(metrics.agentProbes, { ...which, kind, reason }, runs.ends[reason]);
  }
  for (const reason of REFUSAL_REASONS) tell(metrics.agentRefused, { ...which, reason }, counts.refused[reason]);
  for (const reason of CANCEL_REASONS) tell(metrics.agentCancelled, { ...which, reason }, counts.cancelled[reason]);
  for (const kind of STRAY_KINDS) tell(metrics.agentStrays, { ...which, kind }, counts.icmp_strays[kind]);
}

/** Counts what was told, if it was. */
function tell<L extends string>(counter: Counter<L>, labels: Record<L, string>, value: number | undefined): void {
  if (value !== undefined) counter.inc(labels, value);
}
