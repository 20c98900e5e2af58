import type { ProbeScope } from '@vedette/bus';
import type { Clock, Probe, ProbePorts } from '@vedette/contract';
import { probes } from '@vedette/probes';
import { type EngineConfig, type Engines, openEngines } from '@vedette/probes/engines';
import type { AgentConfig } from './config.ts';

/** The parts that the probes of this agent measure with. */
export interface Measuring extends Pick<Engines, 'resolver' | 'health' | 'icmp' | 'exits' | 'close'> {
  /** The probes that can run here. */
  probes: readonly Probe[];
  portsFor: (scope: ProbeScope) => ProbePorts;
}

/** Opens the engines. `onNote` hears why an ICMP engine was passed over. */
export async function openMeasuring(
  config: AgentConfig,
  clock: Clock,
  exclusions: Required<Pick<EngineConfig, 'denied' | 'listeners' | 'seenAs' | 'clockSkewMs'>> & Pick<ProbePorts, 'isDenied'>,
  onNote: (note: string, cause?: unknown) => void,
): Promise<Measuring> {
  const { settings, ca } = config;
  const { resolver, health, dialler, exits, limits, patterns, userAgent, icmp, close } = await openEngines({
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
    health,
    icmp,
    exits,
    probes: probes.filter(({ needs }) => needs === undefined || (needs === 'icmp' ? icmp : icmp?.paths) !== undefined),
    portsFor: ({ signal, budget_ms }) => ({ ...ports, icmp: icmp!, signal, budget_ms }),
    close,
  };
}
