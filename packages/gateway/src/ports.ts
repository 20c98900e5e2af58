import { isSpecialUseName, type AddressPolicy, type CentralPorts, type Cidr, type Clock } from '@vedette/contract';
import { IANA_TRUST_ANCHORS } from '@vedette/intel/dnssec';
import { refusing } from '@vedette/probes/dns';
import { openEngines } from '@vedette/probes/engines';
import type { GatewayConfig } from './config.ts';

/** What the operations of this gateway work with, and the rules for what it contacts. */
export interface OpenPorts {
  ports: CentralPorts;
  policy: AddressPolicy;
  /** Whether a name is inner or of special use: no target, and never asked for. */
  isInnerName(name: string): boolean;
  close(): Promise<void>;
}

/** Opens the ports. `denied` are networks that the operator contacts for nobody. */
export async function openPorts(config: GatewayConfig, clock: Clock, denied: () => readonly Cidr[]): Promise<OpenPorts> {
  const { policy, resolver, dialler, userAgent, searchDomains, close } = await openEngines({
    ...config,
    clock,
    denied,
    contact: config.settings.VEDETTE_CONTACT,
    cache: config.settings.VEDETTE_CACHE === 'on',
  });
  const isInnerName = (name: string): boolean => isSpecialUseName(name, searchDomains);
  return {
    ports: {
      // Strangers' records and addresses name hosts too, and their aliases lead anywhere.
      resolver: refusing(resolver, isInnerName),
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
