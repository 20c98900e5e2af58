import { createAddressPolicy, isSpecialUseName, type AddressPolicy, type CentralPorts, type Cidr, type Clock } from '@vedette/contract';
import { IANA_TRUST_ANCHORS } from '@vedette/intel/dnssec';
import { createResolver, readResolvConf, refusing, searchDomains, systemServers } from '@vedette/probes/dns';
import { createDialler, ownAddresses } from '@vedette/probes/net';
import type { GatewayConfig } from './config.ts';

/** What the operations of this gateway work with, and the rules for what it contacts. */
export interface OpenPorts {
  ports: CentralPorts;
  policy: AddressPolicy;
  /** Whether a name is inner or of special use: no target, and never asked for. */
  isInnerName(name: string): boolean;
  close(): void;
}

/** Opens the ports. `denied` are networks that the operator contacts for nobody. */
export async function openPorts(config: GatewayConfig, clock: Clock, denied: () => readonly Cidr[]): Promise<OpenPorts> {
  const resolvConf = await readResolvConf();
  const policy = createAddressPolicy({ allowNets: config.allowNets, ownAddresses, ownPorts: () => config.ownPorts, denied });
  const innerDomains = searchDomains(resolvConf);
  const isInnerName = (name: string): boolean => isSpecialUseName(name, innerDomains);
  const engine = createResolver({
    servers: config.resolvers ?? systemServers(resolvConf),
    policy,
    clock,
    cache: config.settings.VEDETTE_CACHE === 'on',
  });
  // Strangers' records and addresses name hosts too, and their aliases lead anywhere.
  const resolver = refusing(engine, isInnerName);
  return {
    ports: {
      resolver,
      dialler: createDialler({ policy, operatorEndpoints: [] }),
      clock,
      ca: config.ca,
      trustAnchors: config.trustAnchors ?? IANA_TRUST_ANCHORS,
    },
    policy,
    isInnerName,
    close: () => engine.close(),
  };
}
