import type { ProbeScope } from '@vedette/bus';
import { type Cidr, createAddressPolicy, type Clock, type Probe, type ProbePorts, type Resolver } from '@vedette/contract';
import { probes } from '@vedette/probes';
import { createResolver, readResolvConf, systemServers } from '@vedette/probes/dns';
import { openIcmpEngine, type OpenedIcmpEngine } from '@vedette/probes/icmp';
import { createDialler, ownAddresses } from '@vedette/probes/net';
import { createTargetLimits } from '@vedette/probes/target-limits';
import { exitEndpoints } from '@vedette/probes/vpn';
import type { AgentConfig } from './config.ts';

/** What the probes of this agent measure with. */
export interface Measuring {
  resolver: Resolver;
  icmp: OpenedIcmpEngine | undefined;
  /** Those that can run here. */
  probes: readonly Probe[];
  portsFor: (scope: ProbeScope) => ProbePorts;
  close(): Promise<void>;
}

/** Opens the engines. `denied` are networks that the operator contacts for nobody; `onNote` hears why an ICMP engine was passed over. */
export async function openMeasuring(
  config: AgentConfig,
  clock: Clock,
  denied: () => readonly Cidr[],
  onNote: (note: string, cause?: unknown) => void,
): Promise<Measuring> {
  const { settings, allowNets, ownPorts, ownTargets, exits, ca } = config;
  const policy = createAddressPolicy({ allowNets, ownAddresses, ownPorts: () => ownPorts, denied });
  const servers = config.resolvers ?? systemServers(await readResolvConf());
  const resolver = createResolver({ servers, policy, clock, cache: settings.VEDETTE_CACHE === 'on' });
  const dialler = createDialler({ policy, operatorEndpoints: exitEndpoints(exits) });
  const limits = createTargetLimits({ clock, enabled: settings.VEDETTE_LIMITS === 'on', spares: ownTargets });
  const icmp = await openIcmpEngine({ clock, onNote });
  const ports = { resolver, dialler, limits, clock, exits, ca };
  return {
    resolver,
    icmp,
    probes: probes.filter(({ needs }) => needs !== 'icmp' || icmp !== undefined),
    portsFor: ({ signal, budget_ms }) => ({ ...ports, icmp: icmp!, signal, budget_ms }),
    async close() {
      resolver.close();
      await icmp?.close();
    },
  };
}
