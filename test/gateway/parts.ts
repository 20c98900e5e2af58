import type { Asker, Presence } from '@vedette/bus';
import type { Clock } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import type { Ledger } from '@vedette/ledger';
import type { ParserPool } from '@vedette/message/parser';
import { systemClock } from '@vedette/probes/net';
import { type Logger, pino } from 'pino';
import type { GatewayConfig, GatewaySettings } from '../../packages/gateway/src/config/config.ts';
import { clientAddressReader } from '../../packages/gateway/src/door/client-address.ts';
import type { Fleet } from '../../packages/gateway/src/fleet/fleet.ts';
import type { JoinedRenderers } from '../../packages/gateway/src/fleet/renderers.ts';
import { OptOuts } from '@vedette/probes/host';
import { registrableDomain } from '../../packages/gateway/src/shares/registrable-domain.ts';
import { brandRoutes, namesOfAccounts } from '../../packages/gateway/src/intel/account-brands.ts';
import type { OpenPorts, SharedPorts } from '../../packages/gateway/src/intel/ports.ts';
import type { KnownLocations } from '../../packages/gateway/src/locations/known-locations.ts';
import { readCatalogue } from '../../packages/gateway/src/locations/locations.ts';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { withBuiltIn } from '../../packages/gateway/src/probe-modules/modules.ts';
import { Calls } from '../../packages/gateway/src/request/calls.ts';
import type { Parts } from '../../packages/gateway/src/request/parts.ts';
import { Pools } from '../../packages/gateway/src/shares/pools.ts';
import { SHUT } from '../operations/shut.ts';
import { fakeHealth } from '../probes/health/fake-health.ts';
import { NO_PARSERS } from './no-parsers.ts';
import { NO_RENDERERS } from './no-renderers.ts';

export { brandRoutes, namesOfAccounts };

/** What a test says of a gateway's parts: members of them, which may be less than whole. */
export interface Given {
  clock: Clock;
  log: Logger;
  metrics: Parts['metrics'];
  ledger: Partial<Ledger>;
  limits: boolean;
  v1: boolean;
  docs: boolean;
  tls: { certFile: string; keyFile: string };
  dataDir: string;
  corsOrigins: string[];
  signIn: GatewayConfig['signIn'];
  probeModules: GatewayConfig['probeModules'];
  catalogue: GatewayConfig['catalogue'];
  draining(): boolean;
  stopping(): boolean;
  ports: SharedPorts;
  policy: OpenPorts['policy'];
  isInnerName(name: string): boolean;
  health: OpenPorts['health'];
  optOuts: OptOuts;
  feeds: Partial<Parts['feeds']>;
  blacklists: Partial<OpenPorts['blacklists']>;
  engines: GatewayConfig['engines'];
  sightings: OpenPorts['sightings'];
  connected(): boolean;
  asker: Partial<Asker>;
  presence: Partial<Presence>;
  known: Partial<KnownLocations>;
  renderers: { asker: Partial<JoinedRenderers['asker']>; presence: Partial<JoinedRenderers['presence']> };
  parsers: Partial<ParserPool>;
  pools: Pools;
  rates: Parts['rates'];
  calls: Calls;
  measurements: Parts['measurements'];
  addresses: Parts['addresses'];
  connectionLimits: Parts['connectionLimits'];
}

/** The parts of a gateway to which nothing happens, but for what a test gives of them. */
export function partsOf(given: Partial<Given> = {}): Parts {
  const { clock = systemClock, ports = { ...SHUT, clock }, limits = true, v1 = false, docs = true, dataDir = '/nonexistent' } = given;
  const onOff = (on: boolean) => (on ? 'on' : 'off');
  const settings: Partial<GatewaySettings> = {
    VEDETTE_LIMITS: onOff(limits),
    VEDETTE_V1: onOff(v1),
    VEDETTE_DOCS: onOff(docs),
    VEDETTE_DATA_DIR: dataDir,
    VEDETTE_OIDC_ACCOUNT: 'bootstrap',
    ...(given.tls && { VEDETTE_TLS_CERT_FILE: given.tls.certFile, VEDETTE_TLS_KEY_FILE: given.tls.keyFile }),
  };
  const config: Partial<GatewayConfig> = {
    settings: settings as GatewaySettings,
    catalogue: given.catalogue ?? readCatalogue(undefined),
    probeModules: given.probeModules ?? withBuiltIn([], []),
    corsOrigins: given.corsOrigins ?? [],
    signIn: given.signIn,
    ownTargets: [],
    engines: given.engines ?? [],
  };
  const fleet = {
    connected: given.connected ?? (() => true),
    asker: given.asker ?? { ask: () => Promise.reject(new Error('not asked for')) },
    presence: withClock(given.presence ?? { agents: () => [], isSimulated: () => false, route: () => ({ how: 'none', why: 'no_agent' }) }),
    known: given.known ?? { ids: [] },
    renderers: given.renderers ?? NO_RENDERERS,
  };
  const intel = {
    ports,
    namesOf: namesOfAccounts(ports.names),
    policy: given.policy ?? createAddressPolicy(),
    isInnerName: given.isInnerName ?? (() => false),
    health: given.health ?? fakeHealth(),
    optOuts: given.optOuts ?? new OptOuts({ ...SHUT, siteOf: registrableDomain }),
    sightings: given.sightings,
    blacklists: given.blacklists,
  };
  return {
    config: config as GatewayConfig,
    clock,
    log: given.log ?? pino({ level: 'silent' }),
    metrics: given.metrics ?? createMetrics(),
    ledger: (given.ledger ?? {}) as Ledger,
    fleet: fleet as unknown as Fleet,
    intel: intel as unknown as OpenPorts,
    feeds: (given.feeds ?? {}) as Parts['feeds'],
    pools:
      given.pools ?? new Pools({ clock, parsers: 2, presence: { slots: () => 0 }, renderers: NO_RENDERERS.presence, gateways: () => 1 }),
    parsers: (given.parsers ?? NO_PARSERS) as unknown as ParserPool,
    rates: given.rates,
    calls: given.calls ?? new Calls(),
    measurements: given.measurements,
    provider: undefined,
    addresses: given.addresses ?? clientAddressReader([]),
    connectionLimits: given.connectionLimits ?? { total: 100, perAddress: 100 },
    state: {
      listening: true,
      get stopping() {
        return given.stopping?.() ?? false;
      },
      get draining() {
        return given.draining?.() ?? false;
      },
    },
  };
}

/** Presence without agents enough to compare clocks, where a test says nothing of them. */
const withClock = (presence: Partial<Presence>): Partial<Presence> =>
  presence.ownSkewMs ? presence : Object.assign(Object.create(presence) as Partial<Presence>, { ownSkewMs: () => undefined });
