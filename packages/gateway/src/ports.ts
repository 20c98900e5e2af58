import type { CentralPorts, Clock } from '@vedette/contract';
import { IANA_TRUST_ANCHORS } from '@vedette/intel/dnssec';
import { type EngineConfig, type Engines, openEngines } from '@vedette/probes/engines';
import type { GatewayConfig } from './config.ts';

/** What the operations of this gateway work with, and the rules for what it contacts. */
export interface OpenPorts extends Pick<Engines, 'policy' | 'isInnerName' | 'close'> {
  ports: CentralPorts;
}

/** Opens the ports. */
export async function openPorts(
  config: GatewayConfig,
  clock: Clock,
  never: Pick<EngineConfig, 'denied' | 'listeners' | 'seenAs'>,
): Promise<OpenPorts> {
  const { policy, resolver, dialler, userAgent, isInnerName, close } = await openEngines({
    ...config,
    ...never,
    clock,
    contact: config.settings.VEDETTE_CONTACT,
    cache: config.settings.VEDETTE_CACHE === 'on',
  });
  return {
    ports: {
      resolver,
      dialler,
      clock,
      ca: config.ca,
      userAgent,
      trustAnchors: config.trustAnchors ?? IANA_TRUST_ANCHORS,
    },
    policy,
    isInnerName,
    close,
  };
}
