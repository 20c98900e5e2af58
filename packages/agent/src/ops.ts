import type { Bus, Serving } from '@vedette/bus';
import type { Log } from '@vedette/process/log';
import { openOps, type OpsListener, servingReadiness } from '@vedette/process/ops';
import { RELEASE } from '@vedette/process/release';
import type { AgentConfig } from './config.ts';
import type { Measuring } from './measuring.ts';
import type { AgentMetrics } from './metrics.ts';

export interface OpsParts {
  version: string;
  agent: string;
  bus: Bus;
  serving: Serving;
  capabilities: { icmp: string };
  icmp: Measuring['icmp'];
  exits: { all: readonly unknown[]; working(): number };
  metrics: AgentMetrics;
  log: Log;
}

/** The operators' listener of an agent, ready while it takes jobs. Loaded only where a port is set for it. */
export async function openAgentOps({ settings }: AgentConfig, parts: OpsParts): Promise<OpsListener> {
  const { version, agent, bus, serving, capabilities, icmp, metrics, log } = parts;
  const { VEDETTE_LOCATION: location, VEDETTE_OPS_HOST: host, VEDETTE_OPS_PORT: port } = settings;
  metrics.icmpOverhead.set((icmp?.overhead_ms ?? 0) / 1000);
  const pages = {
    registry: metrics.registry,
    beforeScrape() {
      metrics.info.reset();
      metrics.info.set(
        { location, agent, version, commit: RELEASE.commit ?? '', icmp_engine: capabilities.icmp, node: process.version },
        1,
      );
      refresh(parts);
    },
    readiness: () => servingReadiness(bus, serving),
  };
  const listener = await openOps({ host, port: Number(port), setting: 'VEDETTE_OPS_PORT' }, pages, log);
  log.info({ address: listener.address }, 'ops listener');
  return listener;
}

function refresh({ metrics, bus, serving, icmp, exits }: OpsParts): void {
  metrics.natsConnected.set(bus.connected() ? 1 : 0);
  metrics.selfTestSuccess.set(serving.state() === 'degraded' ? 0 : 1);
  for (const [kind, slots] of Object.entries(serving.slots()))
    for (const [state, value] of Object.entries(slots)) metrics.slots.set({ kind, state }, value);
  metrics.vpnExits.set({ state: 'working' }, exits.working());
  metrics.vpnExits.set({ state: 'failing' }, exits.all.length - exits.working());
  metrics.icmpStrays.reset();
  for (const [family, strays] of icmp?.counters ?? [])
    for (const [kind, count] of Object.entries(strays)) metrics.icmpStrays.inc({ family, kind }, count);
}
