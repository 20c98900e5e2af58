import { statfsSync } from 'node:fs';
import type { AgentView, Asker, BusEvents, Presence, RendererPresence } from '@vedette/bus';
import { PROBE_KINDS } from '@vedette/contract';
import type { Feeds } from '@vedette/feeds';
import type { Ledger } from '@vedette/ledger';
import type { ParserPool } from '@vedette/parser';
import type { ResolverSelfTest } from '@vedette/probes/dns';
import type { Logger } from '@vedette/process/log';
import { geohash } from './geohash.ts';
import type { KnownLocations } from './known-locations.ts';
import type { Catalogue } from './locations.ts';
import type { Metrics } from './metrics.ts';
import type { Pools } from './pools.ts';

/** Counts what the bus tells, and says who must be looked after. */
export const busEvents = (metrics: Metrics, log: Pick<Logger, 'warn'>): BusEvents => ({
  late: (location) => metrics.late.inc({ location }),
  nack: (location, reason) => metrics.nacks.inc({ location, reason }),
  noResponders: (location) => metrics.noResponders.inc({ location }),
  invalidFrame: (location) => metrics.invalidFrames.inc({ location }),
  ackSeconds: (location, seconds) => metrics.ack.observe({ location }, seconds),
  hedge: (reason, won) => metrics.hedges.inc({ reason, won: String(won) }),
  beatFlood(location, agent) {
    metrics.beatFloods.inc({ location });
    log.warn({ location, agent }, 'more beats than an agent sends: is its key in other hands?');
  },
  ejected(location, agent, kind, ms) {
    metrics.ejections.inc({ location, kind: PROBE_KINDS.find((name) => name === kind) ?? 'other' });
    log.warn({ location, agent, kind, ejected_ms: ms }, 'an agent fails again and again: others get its jobs');
  },
});

const STATES: AgentView['state'][] = ['joining', 'ready', 'degraded', 'draining', 'suspect', 'gone'];

/** Those that agents announce; 'none' where no engine works. */
const ICMP_ENGINES = ['kernel', 'net-ping', 'none'];

/** What is shown of each agent: those that were forgotten leave it. */
const ofAgents = (metrics: Metrics) => [
  metrics.locationInfo,
  metrics.locationAgents,
  metrics.lastHeartbeat,
  metrics.agentInfo,
  metrics.outdated,
  metrics.agentSlots,
  metrics.agentLoopDelay,
  metrics.agentJobs,
  metrics.agentAck,
  metrics.agentClockSkew,
  metrics.agentIcmpOverhead,
  metrics.agentWitnesses,
  metrics.agentEjected,
  metrics.agentVpnExits,
];

/** What gauges are read from. */
export interface GaugeSources {
  /** Whether this gateway has the bus. */
  connected(): boolean;
  presence: Presence;
  known: Pick<KnownLocations, 'ids'>;
  catalogue: Pick<Catalogue, 'place'>;
  asker: Asker;
  renderers: { presence: Pick<RendererPresence, 'renderers'> };
  resolverTest: Pick<ResolverSelfTest, 'state'> | undefined;
  pools: Pools;
  parsers: Pick<ParserPool, 'usage'>;
  feeds: Pick<Feeds, 'status' | 'diskBytes'>;
  ledger: Pick<Ledger, 'isWritable' | 'commitMs' | 'connections' | 'shortOfCredits'>;
  dataDir: string;
  /** Wall-clock time, epoch ms. */
  today: number;
}

/** What may still be written below a directory; NaN where there is none, since everything is kept elsewhere. */
function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return Number.NaN;
  }
}

/** What renderers tell of themselves: they open no port either. */
function refreshRenderers(metrics: Metrics, { presence }: GaugeSources['renderers']): void {
  const all = presence.renderers();
  const slots = { used: 0, max: 0 };
  let heldBytes = 0;
  metrics.rendererInfo.reset();
  for (const state of STATES) metrics.renderers.set({ state }, all.filter((one) => one.state === state).length);
  for (const { renderer, state, beat } of all) {
    if (state === 'gone') continue;
    metrics.rendererInfo.set({ renderer, version: beat.version, browser: beat.browser }, 1);
    slots.used += beat.slots.used;
    slots.max += beat.slots.max;
    heldBytes += beat.held_bytes;
  }
  metrics.rendererSlots.set({ state: 'used' }, slots.used);
  metrics.rendererSlots.set({ state: 'max' }, slots.max);
  metrics.rendererHeldBytes.set(heldBytes);
}

/** Where a location is; a place without coordinates has 0 for both, which is in the sea. */
function showPlace(metrics: Metrics, location: string, catalogue: GaugeSources['catalogue']): void {
  const { country_code: country, city_name: city, latitude, longitude } = catalogue.place(location);
  const isKnown = latitude !== 0 || longitude !== 0;
  const point = isKnown
    ? { latitude: String(latitude), longitude: String(longitude), geohash: geohash(latitude, longitude) }
    : { latitude: '', longitude: '', geohash: '' };
  metrics.locationInfo.set({ location, country, city, ...point }, 1);
}

/** Reads the registry of agents, and what accounts share, into gauges. Agents open no port: Prometheus learns of them here. */
export function refreshGauges(
  metrics: Metrics,
  { connected, presence, known, catalogue, asker, renderers, resolverTest, pools, parsers, feeds, ledger, dataDir, today }: GaugeSources,
): void {
  if (resolverTest) metrics.resolversOk.set(resolverTest.state.ok ? 1 : 0);
  else metrics.resolversOk.remove(); // at 0 from the start, and the alert on it with it
  metrics.jobTotals.tell(metrics);
  metrics.databaseWritable.set(ledger.isWritable() ? 1 : 0);
  metrics.databaseCommit.set(ledger.commitMs() / 1000);
  for (const { pool, state, count } of ledger.connections()) metrics.databaseConnections.set({ pool, state }, count);
  metrics.creditsShort.reset();
  for (const { account, remaining } of ledger.shortOfCredits()) metrics.creditsShort.set({ account }, remaining);
  metrics.dataDirFree.set(freeBytes(dataDir));
  metrics.busConnected.set(connected() ? 1 : 0);
  metrics.oldestJob.set(asker.oldestAgeMs() / 1000);
  metrics.permitsRefused.reset();
  for (const { pool, location, semaphore } of pools.all()) {
    const { held, waiting, max, refused } = semaphore.usage;
    metrics.permits.set({ pool, location, state: 'held' }, held);
    metrics.permits.set({ pool, location, state: 'waiting' }, waiting);
    metrics.permits.set({ pool, location, state: 'max' }, max);
    metrics.permitsRefused.inc({ pool, location }, refused);
  }
  const { running, idle } = parsers.usage;
  metrics.parsers.set({ state: 'busy' }, running - idle);
  metrics.parsers.set({ state: 'idle' }, idle);
  metrics.feedDiskBytes.set(feeds.diskBytes());
  for (const { name: feed, enabled, rows, age_seconds } of feeds.status()) {
    metrics.feedRows.set({ feed }, rows);
    if (enabled) metrics.feedAge.set({ feed }, age_seconds);
  }
  refreshRenderers(metrics, renderers);
  for (const gauge of ofAgents(metrics)) gauge.reset();
  const byLocation = Map.groupBy(presence.agents(), (agent) => agent.location);
  // A location without agents stays, at 0: what an alert is made of must not go with what it watches.
  for (const location of known.ids) {
    const agents = byLocation.get(location) ?? [];
    showPlace(metrics, location, catalogue);
    for (const state of STATES) metrics.locationAgents.set({ location, state }, agents.filter((agent) => agent.state === state).length);
    for (const { agent, silent_ms, beat_age_ms, ack_ms, outdated, ejected, beat } of agents) {
      metrics.lastHeartbeat.set({ location, agent }, Math.round(today - silent_ms) / 1000);
      const icmp_engine = ICMP_ENGINES.find((name) => name === beat.capabilities.icmp) ?? 'other';
      metrics.agentInfo.set({ location, agent, version: beat.version, icmp_engine }, 1);
      metrics.outdated.set({ location, agent }, outdated ? 1 : 0);
      metrics.agentLoopDelay.set({ location, agent }, beat.event_loop_delay_ms / 1000);
      metrics.agentJobs.set({ location, agent }, beat.jobs);
      metrics.agentAck.set({ location, agent }, ack_ms / 1000);
      metrics.agentClockSkew.set({ location, agent }, (beat.clock_ms - (today - beat_age_ms)) / 1000);
      metrics.agentIcmpOverhead.set({ location, agent }, beat.icmp_overhead_ms / 1000);
      const { failing, witnesses } = beat.selftest;
      metrics.agentWitnesses.set({ location, agent, state: 'failing' }, failing);
      metrics.agentWitnesses.set({ location, agent, state: 'answering' }, witnesses - failing);
      const { vpn, vpn_working } = beat.capabilities;
      if (vpn > 0 && vpn_working !== undefined) {
        metrics.agentVpnExits.set({ location, agent, state: 'working' }, vpn_working);
        metrics.agentVpnExits.set({ location, agent, state: 'failing' }, Math.max(0, vpn - vpn_working));
      }
      // By the names that we know: an agent may be stolen, and must not invent labels.
      for (const kind of PROBE_KINDS) {
        if (ejected.includes(kind)) metrics.agentEjected.set({ location, agent, kind }, 1);
        for (const state of ['used', 'max'] as const) {
          const value = beat.slots[kind]?.[state];
          if (value !== undefined) metrics.agentSlots.set({ location, agent, kind, state }, value);
        }
      }
    }
  }
}
