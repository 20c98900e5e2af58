import {
  createAddressPolicy,
  isSpecialUseName,
  ProbeFailure,
  type AddressPolicy,
  type Cidr,
  type Clock,
  type Dialler,
  type Resolver,
  type TrustAnchor,
} from '@vedette/contract';
import { createResolver, readResolvConf, refusing, searchDomains, systemServers } from '@vedette/probes/dns';
import { createDialler, ownAddresses } from '@vedette/probes/net';
import type { GatewayConfig } from './config.ts';

/** What the operations of this gateway work with. */
export interface GatewayPorts {
  resolver: Resolver;
  dialler: Dialler;
  policy: AddressPolicy;
  clock: Clock;
  ca: readonly string[];
  /** Undefined: IANA's. */
  trustAnchors: readonly TrustAnchor[] | undefined;
  /** Names under these are of the inside, and no target. */
  searchDomains: readonly string[];
}

/** Opens the ports. `denied` are networks that the operator contacts for nobody. */
export async function openPorts(
  config: GatewayConfig,
  clock: Clock,
  denied: () => readonly Cidr[],
): Promise<{ ports: GatewayPorts; close(): void }> {
  const resolvConf = await readResolvConf();
  const policy = createAddressPolicy({ allowNets: config.allowNets, ownAddresses, ownPorts: () => config.ownPorts, denied });
  const innerDomains = searchDomains(resolvConf);
  const engine = createResolver({
    servers: config.resolvers ?? systemServers(resolvConf),
    policy,
    clock,
    cache: config.settings.VEDETTE_CACHE === 'on',
  });
  // Strangers' records and addresses name hosts too, and their aliases lead anywhere.
  const resolver = refusing(engine, (name) => {
    if (isSpecialUseName(name, innerDomains)) throw new ProbeFailure('blocked_policy', name);
  });
  return {
    ports: {
      resolver,
      dialler: createDialler({ policy, operatorEndpoints: [] }),
      policy,
      clock,
      ca: config.ca,
      trustAnchors: config.trustAnchors,
      searchDomains: innerDomains,
    },
    close: () => engine.close(),
  };
}
