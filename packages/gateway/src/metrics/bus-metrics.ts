import { statfsSync } from 'node:fs';
import type { AgentView, Asker, BusEvents, RendererPresence } from '@vedette/bus';
import { PROBE_KINDS } from '@vedette/contract';
import type { Feeds } from '@vedette/intel/feeds';
import type { ParserPool } from '@vedette/message/parser';
import type { ResolverSelfTest } from '@vedette/probes/dns';
import type { Logger } from '@vedette/process/log';
import { type AgentSources, refreshAgents } from './agent-metrics.ts';
import { type LedgerSource, refreshLedger } from './ledger-metrics.ts';
import type { Metrics } from './metrics.ts';
import type { Pools } from '../shares/pools.ts';

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

/** What gauges are read from. */
export interface GaugeSources extends AgentSources {
  /** Whether this gateway has the bus. */
  connected(): boolean;
  asker: Asker;
  renderers: { presence: Pick<RendererPresence, 'renderers'> };
  resolverTest: Pick<ResolverSelfTest, 'state'> | undefined;
  pools: Pools;
  parsers: Pick<ParserPool, 'usage' | 'sandbox'>;
  feeds: Pick<Feeds, 'status' | 'diskBytes'>;
  ledger: LedgerSource;
  dataDir: string;
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

/** Reads the registry of agents, and what accounts share, into gauges. Agents open no port: Prometheus learns of them here. */
export function refreshGauges(
  metrics: Metrics,
  { connected, presence, known, catalogue, asker, renderers, resolverTest, pools, parsers, feeds, ledger, dataDir, today }: GaugeSources,
): void {
  if (resolverTest) metrics.resolversOk.set(resolverTest.state.ok ? 1 : 0);
  else metrics.resolversOk.remove(); // at 0 from the start, and the alert on it with it
  metrics.jobTotals.tell(metrics);
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
  metrics.parserSandbox.reset();
  metrics.parserSandbox.set({ sandbox: parsers.sandbox }, 1);
  metrics.feedDiskBytes.set(feeds.diskBytes());
  for (const { name: feed, enabled, rows, age_seconds, every_hours } of feeds.status()) {
    metrics.feedRows.set({ feed }, rows);
    if (!enabled) continue;
    metrics.feedAge.set({ feed }, age_seconds);
    metrics.feedInterval.set({ feed }, every_hours * 3600);
  }
  refreshRenderers(metrics, renderers);
  refreshAgents(metrics.agents, { presence, known, catalogue, today });
  refreshLedger(metrics.ledger, ledger);
}
