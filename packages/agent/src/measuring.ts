import type { ProbeScope } from '@vedette/bus';
import type { Clock, Probe, ProbePorts } from '@vedette/contract';
import { probes } from '@vedette/probes';
import type { ResolverSelfTest } from '@vedette/probes/dns';
import { type EngineConfig, type Engines, openEngines } from '@vedette/probes/engines';
import type { AgentConfig } from './config.ts';

/** The parts that the probes of this agent measure with. */
export interface Measuring extends Pick<Engines, 'resolver' | 'icmp' | 'exits' | 'close'> {
  /** Undefined: the resolvers are not tested. */
  resolverTest: ResolverSelfTest | undefined;
  /** The probes that can run here. */
  probes: readonly Probe[];
  portsFor: (scope: ProbeScope) => ProbePorts;
}

/** Opens the engines. `onNote` hears why an ICMP engine was passed over. */
export async function openMeasuring(
  config: AgentConfig,
  clock: Clock,
  exclusions: Pick<EngineConfig, 'denied' | 'listeners' | 'seenAs'> & Pick<ProbePorts, 'isDenied'>,
  onNote: (note: string, cause?: unknown) => void,
): Promise<Measuring> {
  const { settings, ca } = config;
  const { resolver, resolverTest, dialler, exits, limits, patterns, userAgent, icmp, close } = await openEngines({
    ...config,
    ...exclusions,
    clock,
    contact: settings.VEDETTE_CONTACT,
    cache: settings.VEDETTE_CACHE === 'on',
    limits: settings.VEDETTE_LIMITS === 'on' ? { spares: config.ownTargets } : undefined,
    icmp: { onNote, netPing: settings.VEDETTE_ICMP_ENGINE === 'net-ping' },
  });
  const ports = { resolver, dialler, limits, patterns, isDenied: exclusions.isDenied, clock, exits: exits.all, ca, userAgent };
  return {
    resolver,
    resolverTest: config.witnesses.length > 0 ? resolverTest : undefined,
    icmp,
    exits,
    probes: probes.filter(({ needs }) => needs === undefined || (needs === 'icmp' ? icmp : icmp?.paths) !== undefined),
    portsFor: ({ signal, budget_ms }) => ({ ...ports, icmp: icmp!, signal, budget_ms }),
    close,
  };
}
