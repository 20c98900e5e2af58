import { createAddressPolicy } from './host/address-policy.ts';
import {
  type AddressPolicy,
  type Cidr,
  type Clock,
  type Dialler,
  type Endpoint,
  type ExitEndpoint,
  isSpecialUseName,
  type Listener,
  type Patterns,
  type Resolver,
  type TargetLimits,
} from '@vedette/contract';
import type { Http3Client } from './net/http3/port.ts';
import { followNat64 } from './dns/engine/nat64.ts';
import { refusing } from './dns/engine/refusing.ts';
import { createResolver } from './dns/engine/resolver.ts';
import { readResolvConf, searchDomains, systemServers } from './dns/system-servers.ts';
import { createDialler } from './net/dialler.ts';
import { openHttp3 } from './net/http3/client.ts';
import { echoText, userAgentOf } from './host/identity.ts';
import type { IcmpEngineOptions, OpenedIcmpEngine } from './net/icmp/open.ts';
import { ownAddresses, ownFamilies } from './net/own-addresses.ts';
import { PatternMatcher } from './patterns/matcher.ts';
import { createTargetLimits, type TargetLimitsOptions } from './host/target-limits.ts';
import { type Health, NetworkHealth, type WitnessLists } from './health/index.ts';
import { exitEndpoints, type VpnExit } from './vpn/exits.ts';
import { type Exits, openExits, resolversThroughExits } from './vpn/open-exits.ts';

export interface EngineConfig {
  clock: Clock;
  /** Undefined: the machine's own. */
  resolvers?: readonly Endpoint[] | undefined;
  /** Whether DNS answers are kept as long as their TTLs allow. */
  cache: boolean;
  /** Networks that may be contacted although they are special-purpose. */
  allowNets?: readonly string[];
  /** Where our own processes, the bus and the database listen, as of now: never a target. */
  listeners?: () => readonly Listener[];
  /** Addresses by which others see this machine, beside those that it knows of: no targets either. */
  seenAs?: () => readonly string[];
  /** The current networks that the operator never contacts for any client. */
  denied?: () => readonly Cidr[];
  /** The dialler reaches these wherever they stand. */
  exits?: readonly VpnExit[];
  /** The operator's SOCKS5 port of Tor, likewise. */
  torSocks?: ExitEndpoint | undefined;
  /** Servers of the operator's that only we contact, for ourselves; reached wherever their names lead. */
  servers?: readonly ExitEndpoint[];
  /** Set: a target gets only so much at a time, unless it is one of `spares`. */
  limits?: Pick<TargetLimitsOptions, 'spares' | 'http'> | undefined;
  /** The servers whose answers prove that our own network works; undefined: nothing is tested. */
  witnesses: WitnessLists | undefined;
  /** Roots trusted beside Mozilla's, PEM: of who is asked over HTTP/3. */
  ca?: readonly string[];
  /** The contact for questions about our packets: a URL or an e-mail address. */
  contact?: string | undefined;
  /** How far the wall clock is ahead of the gateways', ms. */
  clockSkewMs?: () => number | undefined;
  /** Set: an ICMP engine is opened, and this hears why one was passed over. */
  icmp?: Required<Pick<IcmpEngineOptions, 'onNote' | 'netPing'>>;
}

/** The operator's cure when no ICMP engine works. */
export const ICMP_REMEDY = 'Allow ICMP sockets: sysctl net.ipv4.ping_group_range="0 2147483647"';

const NO_WITNESSES: WitnessLists = { dns: [], icmp: [], tcp: [], quic: [], names: [] };

/** Everything that sends packets, under one address policy. */
export interface Engines {
  policy: AddressPolicy;
  /** Asks for no inner name. */
  resolver: Resolver;
  /** The health of this machine's own network; not started. */
  health: Health;
  dialler: Dialler;
  http3: Http3Client;
  exits: Exits;
  limits: TargetLimits;
  patterns: Patterns;
  /** Our identity over HTTP. */
  userAgent: string;
  /** Undefined where none was asked for, or none works. */
  icmp: OpenedIcmpEngine | undefined;
  /** Whether a name is inner (docs/glossary.md), or of special use: no target, and never asked for. */
  isInnerName(name: string): boolean;
  close(): Promise<void>;
}

/** Opens the engines of one process. */
export async function openEngines(config: EngineConfig): Promise<Engines> {
  const { clock, cache, exits: configured = [], limits, contact } = config;
  const resolvConf = await readResolvConf();
  const policy = createAddressPolicy({
    allowNets: config.allowNets ?? [],
    ownAddresses: () => [...ownAddresses(), ...(config.seenAs?.() ?? [])],
    listeners: config.listeners ?? (() => []),
    denied: config.denied ?? (() => []),
    nat64: () => nat64.prefixes(),
  });
  await using opened = new AsyncDisposableStack();
  const icmp = config.icmp && (await openIcmp({ clock, text: echoText(contact), ...config.icmp }));
  if (icmp) opened.defer(() => icmp.close());
  const servers = config.resolvers ?? systemServers(resolvConf);
  // Knows inner names too, and is for what the operator configured; what strangers name is asked of the other.
  const resolver = opened.adopt(createResolver({ servers, policy, clock, cache, onUnanswered: () => health.unanswered() }), (engine) =>
    engine.close(),
  );
  const { witnesses = NO_WITNESSES } = config;
  const health = opened.adopt(
    new NetworkHealth({ witnesses, policy, resolver, clock, icmp, families: ownFamilies, clockSkewMs: config.clockSkewMs }),
    (health) => health.stop(),
  );
  const nat64 = opened.adopt(followNat64(resolver, clock), (following) => following.stop());
  const domains = searchDomains(resolvConf);
  const isInnerName = (name: string): boolean => isSpecialUseName(name, domains);
  const farServers = resolversThroughExits(config.resolvers, policy);
  const endpoints = [
    ...exitEndpoints(configured),
    ...farServers.map(({ address: host, port }) => ({ host, port })),
    ...(config.torSocks ? [config.torSocks] : []),
  ];
  const dialler = createDialler({ policy, operator: { endpoints, servers: config.servers ?? [], resolver } });
  const exits = opened.adopt(openExits({ exits: configured, servers: farServers, policy, dialler, clock, isInnerName }), (all) =>
    all.close(),
  );
  const http3 = opened.adopt(openHttp3({ policy, clock, ca: config.ca ?? [], health }), (client) => client.close());
  const patterns = opened.adopt(new PatternMatcher(clock), (matcher) => matcher.close());
  const engines = opened.move();
  return {
    policy,
    resolver: refusing(resolver, isInnerName),
    health,
    dialler,
    http3,
    exits,
    limits: createTargetLimits({ clock, enabled: limits !== undefined, spares: limits?.spares ?? [], http: limits?.http }),
    patterns,
    userAgent: userAgentOf(contact),
    icmp,
    isInnerName,
    close: () => engines.disposeAsync(),
  };
}

/** A process that sends no echoes does not load their code. */
async function openIcmp(options: IcmpEngineOptions): Promise<OpenedIcmpEngine | undefined> {
  const { openIcmpEngine } = await import('./net/icmp/open.ts');
  return await openIcmpEngine(options);
}
