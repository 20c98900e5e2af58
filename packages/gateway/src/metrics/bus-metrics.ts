import { statfsSync } from 'node:fs';
import { PRESENCE_STATES } from '@vedette/bus';
import type { Feeds } from '@vedette/intel/feeds';
import { ownStraysOf, straysOf } from '../fleet/name-comparison.ts';
import type { JoinedRenderers } from '../fleet/renderers.ts';
import type { Parts } from '../request/parts.ts';
import { refreshAgents } from './agent-metrics.ts';
import { refreshLedger } from './ledger-metrics.ts';
import type { Metrics } from './metrics.ts';

/** The free space below a directory; NaN without a directory, since everything is kept elsewhere. */
function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return Number.NaN;
  }
}

/** Figures that renderers report in their beats: they open no port either. */
function refreshRenderers(metrics: Metrics, { presence }: JoinedRenderers): void {
  const all = presence.renderers();
  const slots = { used: 0, max: 0 };
  let heldBytes = 0;
  metrics.rendererInfo.reset();
  for (const state of PRESENCE_STATES) metrics.renderers.set({ state }, all.filter((one) => one.state === state).length);
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

/** Reads the registry of agents, and what accounts share, into gauges. Agents open no port: Prometheus learns of them here. `today` in epoch ms. */
export function refreshGauges({ config, fleet, intel, pools, parsers, ledger, metrics }: Parts, feeds: Feeds, today: number): void {
  const resolvers = intel.health.verdict('resolver');
  if (resolvers === 'unknown') metrics.resolversOk.remove(); // at 0 from the start, and the alert on it with it
  else metrics.resolversOk.set(resolvers === 'good' && ownStraysOf(intel.health, fleet.presence).length === 0 ? 1 : 0);
  const aheadMs = fleet.presence.ownSkewMs();
  if (aheadMs === undefined) metrics.clockSkew.remove();
  else metrics.clockSkew.set(aheadMs / 1000);
  metrics.jobTotals.tell(metrics);
  metrics.dataDirFree.set(freeBytes(config.settings.VEDETTE_DATA_DIR));
  metrics.busConnected.set(fleet.connected() ? 1 : 0);
  metrics.oldestJob.set(fleet.asker.oldestAgeMs() / 1000);
  metrics.permitsRefused.reset();
  for (const { pool, location, shared } of pools.all()) {
    const { held, waiting, max, refused } = shared.usage;
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
  refreshRenderers(metrics, fleet.renderers);
  const { presence, known } = fleet;
  refreshAgents(metrics.agents, { presence, known, strays: straysOf(intel.health, presence) }, config.catalogue, today);
  refreshLedger(metrics.ledger, ledger);
}
