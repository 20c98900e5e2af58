import {
  createAddressPolicy,
  type AddressPolicy,
  type Cidr,
  type Clock,
  type Dialler,
  type Endpoint,
  type Resolver,
  type TargetLimits,
  type VpnExit,
} from '@vedette/contract';
import { createResolver } from './dns/resolver.ts';
import { readResolvConf, searchDomains, systemServers } from './dns/system-servers.ts';
import { createDialler } from './net/dialler.ts';
import { echoText, userAgentOf } from './identity.ts';
import type { IcmpEngineOptions, OpenedIcmpEngine } from './net/icmp/open.ts';
import { ownAddresses } from './net/own-addresses.ts';
import { createTargetLimits } from './target-limits.ts';
import { exitEndpoints } from './vpn/exits.ts';

export interface EngineConfig {
  clock: Clock;
  /** Undefined: the machine's own. */
  resolvers?: readonly Endpoint[] | undefined;
  /** Whether DNS answers are kept as long as their TTLs allow. */
  cache: boolean;
  /** Networks that may be contacted although they are special-purpose. */
  allowNets?: readonly string[];
  /** Ports of our own processes on this machine: never a target. */
  ownPorts?: readonly number[];
  /** Networks that the operator contacts for nobody, as of now. */
  denied?: () => readonly Cidr[];
  /** The dialler reaches these wherever they stand. */
  exits?: readonly VpnExit[];
  /** Set: a target gets only so much at a time, unless it is one of `spares`. */
  limits?: { spares: readonly string[] } | undefined;
  /** Whom to ask about what we send: a URL or an e-mail address. */
  contact?: string | undefined;
  /** Set: an ICMP engine is opened, and this hears why one was passed over. */
  icmp?: { onNote: (note: string, cause?: unknown) => void };
}

/** Everything that sends packets, under one address policy. */
export interface Engines {
  policy: AddressPolicy;
  resolver: Resolver;
  dialler: Dialler;
  limits: TargetLimits;
  /** Who we say we are over HTTP. */
  userAgent: string;
  /** Undefined where none was asked for, or none works. */
  icmp: OpenedIcmpEngine | undefined;
  /** Domains that the machine's own resolver would append to a name. */
  searchDomains: readonly string[];
  close(): Promise<void>;
}

/** Opens the engines of one process. */
export async function openEngines(config: EngineConfig): Promise<Engines> {
  const { clock, cache, exits = [], limits, contact } = config;
  const resolvConf = await readResolvConf();
  const policy = createAddressPolicy({
    allowNets: config.allowNets ?? [],
    ownAddresses,
    ownPorts: () => config.ownPorts ?? [],
    denied: config.denied ?? (() => []),
  });
  await using opened = new AsyncDisposableStack();
  const servers = config.resolvers ?? systemServers(resolvConf);
  const resolver = opened.adopt(createResolver({ servers, policy, clock, cache }), (engine) => engine.close());
  const icmp = config.icmp && (await openIcmp({ clock, text: echoText(contact), ...config.icmp }));
  if (icmp) opened.defer(() => icmp.close());
  const dialler = createDialler({ policy, operatorEndpoints: exitEndpoints(exits) });
  const engines = opened.move();
  return {
    policy,
    resolver,
    dialler,
    limits: createTargetLimits({ clock, enabled: limits !== undefined, spares: limits?.spares ?? [] }),
    userAgent: userAgentOf(contact),
    icmp,
    searchDomains: searchDomains(resolvConf),
    close: () => engines.disposeAsync(),
  };
}

/** Who sends no echoes does not load what would. */
async function openIcmp(options: IcmpEngineOptions): Promise<OpenedIcmpEngine | undefined> {
  const { openIcmpEngine } = await import('./net/icmp/open.ts');
  return await openIcmpEngine(options);
}
