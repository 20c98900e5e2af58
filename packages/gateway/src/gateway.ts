import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { followDenied } from '@vedette/bus';
import type { Clock } from '@vedette/contract';
import { createLedger, type Disk, generateKey, type Ledger, type LedgerEvents, startEmbeddedPostgres } from '@vedette/ledger';
import { operations } from '@vedette/operations';
import { corrected } from '@vedette/probes/health';
import { followServices, ownListener, systemClock } from '@vedette/probes/net';
import { cannotListen } from '@vedette/process/listen';
import { createLog, type Logger } from '@vedette/process/log';
import type { Environment, Running } from '@vedette/process/run';
import { StartError } from '@vedette/process/start-error';
import { unknownSettings } from '@vedette/process/unknown-settings';
import type { FastifyInstance } from 'fastify';
import { createApp } from './http/app.ts';
import { engineRates } from './intel/blacklists.ts';
import { clientAddressReader } from './door/client-address.ts';
import { connectionLimits } from './door/connections.ts';
import { type GatewayConfig, type GatewaySettings, readConfig } from './config/config.ts';
import { exposureWarnings } from './config/exposure.ts';
import { startFeeds } from './intel/feeds.ts';
import { type Fleet, joinFleet } from './fleet/fleet.ts';
import { listenAt } from './http/http-server.ts';
import { ledgerEvents } from './metrics/ledger-metrics.ts';
import { Calls } from './request/calls.ts';
import { createMeasurementLog, type MeasurementLog, type MeasurementLogDeps } from './request/measurement-log.ts';
import { openMailSenders } from './intel/mail-senders.ts';
import { createMetrics } from './metrics/metrics.ts';
import { openGatewayOps } from './ops/ops.ts';
import { openNetworks } from './intel/data.ts';
import { openParsers, parsersFor, thisMachine } from './request/parsers.ts';
import { withoutPassiveDns } from './intel/passive-dns.ts';
import type { Parts } from './request/parts.ts';
import { openPorts } from './intel/ports.ts';
import { unsupportedModules } from './probe-modules/modules.ts';
import { Pools } from './shares/pools.ts';
import { keptSecret } from './config/secrets.ts';
import { openProvider } from './sign-in/provider.ts';
import { TargetRates } from './shares/target-rates.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
const LAME_DUCK_MS = 500;
const DRAIN_MS = 30_000;
const IDLE_SWEEP_MS = 100;

/** The process behind the API: `npm run gateway`, or one of the children of `npm start`. */
export async function runGateway(env: Environment): Promise<Running> {
  const config = readConfig(env);
  const { settings } = config;
  const clock = systemClock;
  const log = openLog(config, env);
  const metrics = createMetrics();
  metrics.buildInfo.set({ version, node: process.version }, 1);
  await using opened = new AsyncDisposableStack();

  const { networks, inUse } = openNetworks(settings.VEDETTE_DATA_DIR, log);
  const ledger = await openLedger(config, ledgerEvents(metrics.ledger), log, opened);
  const measurements = openMeasurementLog(settings, { ledger, clock, metrics, log, opened });
  const services = await followServices({ bus: settings.VEDETTE_NATS_URL, database: config.databaseUrl }, clock);
  opened.defer(() => services.stop());
  const ownPorts = [...config.ownPorts];
  const listeners = () => [ownListener(ownPorts), ...services.listeners()];
  const fleet = await joinFleet(config, { ledger, listeners, metrics, clock, log, opened });
  const peers = followDenied(fleet.bus);
  const forbidden = {
    denied: ledger.denied.networks,
    listeners: () => [...listeners(), ...peers.listeners()],
    seenAs: () => fleet.bus.seenAs(),
  };
  const ownSkewMs = () => fleet.presence.ownSkewMs();
  const dated = corrected(clock, ownSkewMs);
  const intel = await openPorts(config, dated, { ...forbidden, clockSkewMs: ownSkewMs }, { ledger, networks, metrics, log });
  opened.defer(() => intel.close());
  const feeds = startFeeds(config, { intel, installed: inUse, ledger, metrics, clock: dated, log, opened });
  const { overdueDays, firstDay, staleSince, isAwaited } = feeds;
  intel.data.blacklists.ageBy({ overdueDays, firstDay, isAwaited });
  Object.assign(intel.data.lists, { staleSince, isAwaited });
  const parsers = opened.adopt(openParsers(config, { clock, metrics, log }), (pool) => pool.close());
  const state = { listening: false, stopping: false, draining: false };
  const parts: Parts = {
    config,
    clock,
    log,
    metrics,
    ledger,
    fleet,
    intel,
    feeds,
    pools: openPools(fleet, ledger, clock),
    parsers,
    rates: targetRates(config, ledger, clock),
    calls: new Calls(),
    measurements,
    provider: openProvider(config, { ports: intel.ports, ledger, log, opened }),
    addresses: clientAddressReader(config.trustedProxies),
    connectionLimits: connectionLimits(),
    state,
  };
  await Promise.all([inUse, openMailSenders(config, { intel, clock, log, opened })]); // before /readyz can be asked
  const ops = await openGatewayOps(parts);
  opened.defer(() => ops.close());
  const optedIn = { portScan: settings.VEDETTE_PORT_SCAN === 'on' };
  const offered = operations.filter(({ optIn }) => optIn === undefined || optedIn[optIn]);
  const app = createApp(offered, parts);
  opened.defer(() => closeApp(app, log));
  const api = await listenApp(app, config);
  ownPorts.push(api.port, ops.address.port);
  state.listening = true;
  fleet.announcer.now();
  log.info({ address: api, gateway: fleet.id }, 'listening');

  const gateway = opened.move();
  return {
    addresses: { api, ops: ops.address },
    lost: fleet.lost,
    async stop() {
      state.stopping = true;
      log.info('draining');
      // /readyz says no; who has not heard it yet is still served.
      await clock.sleep(LAME_DUCK_MS);
      state.draining = true;
      await gateway.disposeAsync();
    },
  };
}

/** Opens the log, which begins with what is odd about the settings. */
function openLog({ settings, probeModules }: GatewayConfig, env: Environment): Logger {
  const log = createLog(settings.VEDETTE_LOG_LEVEL, { name: 'gateway' }, { sync: false });
  if (settings.VEDETTE_TRUSTED_PROXIES === undefined) log.debug('no trusted proxies: X-Forwarded-For does not count');
  for (const warning of [...unknownSettings(env), ...exposureWarnings(settings), ...unsupportedModules(probeModules)]) log.warn(warning);
  return log;
}

/** Connects to the database that is named, else to one of our own. */
async function openLedger(
  { settings, databaseUrl }: GatewayConfig,
  events: LedgerEvents,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<Ledger> {
  const dataDir = settings.VEDETTE_DATA_DIR;
  let url = databaseUrl;
  let disk: Disk | undefined;
  if (url === undefined) {
    const embedded = await startEmbeddedPostgres({ dataDir, log });
    opened.defer(() => embedded.stop());
    ({ url, disk } = embedded);
  }
  const key = settings.VEDETTE_BOOTSTRAP_KEY ?? keptSecret(dataDir, 'bootstrap-key', () => generateKey().text);
  const bootstrap = { key, monthlyCredits: Number(settings.VEDETTE_BOOTSTRAP_CREDITS) };
  const auditDays = Number(settings.VEDETTE_AUDIT_DAYS);
  const peopleAccount = settings.VEDETTE_OIDC_ACCOUNT;
  const ledger = await createLedger({ url, clock: systemClock, log, bootstrap, auditDays, peopleAccount, events, disk }).catch(
    (cause: NodeJS.ErrnoException) => {
      const isUnreached = cause.syscall !== undefined || cause.message === 'timeout expired'; // pg's words for no answer
      throw isUnreached ? new StartError(`the database cannot be reached (VEDETTE_DATABASE_URL): ${cause.message}`, { cause }) : cause;
    },
  );
  opened.defer(() => ledger.close());
  return settings.VEDETTE_PASSIVE_DNS === 'off' ? { ...ledger, passiveDns: withoutPassiveDns(ledger.passiveDns) } : ledger;
}

/** The measurement log is kept unless the operator switches it off. Closed before the ledger, and after what it tells of is over. */
function openMeasurementLog(
  { VEDETTE_AUDIT_DAYS }: GatewaySettings,
  { opened, ...deps }: MeasurementLogDeps & { opened: AsyncDisposableStack },
): MeasurementLog | undefined {
  if (Number(VEDETTE_AUDIT_DAYS) === 0) return undefined;
  return opened.adopt(createMeasurementLog(deps), (log) => log.close());
}

const openPools = ({ presence, renderers }: Fleet, { gateways }: Ledger, clock: Clock): Pools =>
  new Pools({ clock, presence, renderers: renderers.presence, parsers: parsersFor(thisMachine()), gateways });

/** Undefined where nothing is limited. */
const targetRates = ({ settings, ownTargets, engines }: GatewayConfig, { gateways }: Ledger, clock: Clock): TargetRates | undefined =>
  settings.VEDETTE_LIMITS === 'off' ? undefined : new TargetRates({ clock, spares: ownTargets, gateways, zones: engineRates(engines) });

async function listenApp(app: FastifyInstance, { settings }: GatewayConfig): Promise<AddressInfo> {
  const at = { host: settings.VEDETTE_HOST, port: Number(settings.VEDETTE_PORT), setting: 'VEDETTE_PORT' };
  return listenAt(app, at).catch((cause: NodeJS.ErrnoException) => Promise.reject(cannotListen(at, cause)));
}

/** Takes nothing new, and ends when what is under way has been answered, or takes too long. */
async function closeApp(app: FastifyInstance, log: Logger): Promise<void> {
  const late = setTimeout(() => {
    log.warn('requests still under way after 30 s are cut off');
    app.server.closeAllConnections();
  }, DRAIN_MS);
  // Closing ends what is idle then; a connection whose last answer goes out later would be kept for the next request.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS);
  await app.close();
  clearInterval(idle);
  clearTimeout(late);
}
