import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { announceDenied, createAsker, createPresence, openBus, publicKeyOf } from '@vedette/bus';
import { createLedger, generateKey, startEmbeddedPostgres } from '@vedette/ledger';
import { operations } from '@vedette/operations';
import { systemClock } from '@vedette/probes/net';
import { pino } from 'pino';
import { createAdminHandler } from './admin.ts';
import { createApp } from './app.ts';
import { busEvents, refreshGauges } from './bus-metrics.ts';
import { clientAddressReader } from './client-address.ts';
import { type GatewayConfig, readConfig } from './config.ts';
import { shareInvalidations } from './invalidations.ts';
import { LOCATIONS } from './list-locations.ts';
import { createMetrics } from './metrics.ts';
import { createOpsServer } from './ops.ts';
import { openPorts } from './ports.ts';
import { keptSecret } from './secrets.ts';

/** The process behind the API: `npm run gateway`, or one of the children of `npm start`. */

const LAME_DUCK_MS = 500;
const DRAIN_MS = 30_000;

function configOrExit(): GatewayConfig {
  try {
    return readConfig(process.env);
  } catch (error) {
    process.stderr.write(`vedette gateway: ${(error as Error).message}\n`);
    process.exit(1);
  }
}

const config = configOrExit();
const { settings, credentials } = config;
const log = pino({ level: settings.VEDETTE_LOG_LEVEL, name: 'gateway' }, pino.destination({ fd: 2, sync: false }));
const clock = systemClock;
const metrics = createMetrics();

async function start(): Promise<void> {
  if (settings.VEDETTE_TRUSTED_PROXIES === undefined) log.debug('no trusted proxies: X-Forwarded-For does not count');
  const dataDir = settings.VEDETTE_DATA_DIR;
  const embedded = settings.VEDETTE_DATABASE_URL === undefined ? await startEmbeddedPostgres({ dataDir, log }) : undefined;
  const bootstrapKey = settings.VEDETTE_BOOTSTRAP_KEY ?? keptSecret(dataDir, 'bootstrap-key', () => generateKey().text);
  const ledger = await createLedger({
    url: settings.VEDETTE_DATABASE_URL ?? embedded!.url,
    clock,
    log,
    bootstrap: { key: bootstrapKey, monthlyCredits: Number(settings.VEDETTE_BOOTSTRAP_CREDITS) },
  });

  // The public key names the inbox that the server lets us read; without keys any name will do.
  const gatewayId = credentials === undefined ? `gw-${randomBytes(6).toString('hex')}` : publicKeyOf(credentials);
  const bus = await openBus({
    url: settings.VEDETTE_NATS_URL,
    name: gatewayId,
    clock,
    ...(credentials !== undefined && { credentials }),
    waitOnFirstConnect: true,
    onWarning(warning, detail) {
      log.warn({ warning, detail }, 'bus');
      if (warning === 'server_outdated') metrics.busOutdated.set(1);
      else metrics.busErrors.inc();
    },
  });
  const events = busEvents(metrics);
  const presence = createPresence({ bus, clock, events });
  const asker = createAsker({ bus, gatewayId, presence, clock, events });
  shareInvalidations(ledger, bus, log);
  const stopAnnouncing = announceDenied(bus, clock, ledger.deniedNetworks);

  const { ports, policy, isInnerName, close: closePorts } = await openPorts(config, clock, ledger.deniedNetworks);

  /** Told to stop: no longer ready, then no longer open. */
  let stopping = false;
  let draining = false;
  const app = createApp({
    operations,
    ledger,
    asker,
    presence,
    catalogue: config.catalogue,
    ports,
    policy,
    isInnerName,
    clock,
    metrics,
    log,
    addresses: clientAddressReader(config.trustedProxies),
    limits: settings.VEDETTE_LIMITS === 'on',
    draining: () => draining,
    corsOrigins: config.corsOrigins,
    v1: settings.VEDETTE_V1 === 'on',
    tls:
      settings.VEDETTE_TLS_CERT_FILE === undefined
        ? undefined
        : { certFile: settings.VEDETTE_TLS_CERT_FILE, keyFile: settings.VEDETTE_TLS_KEY_FILE! },
  });

  const adminToken = settings.VEDETTE_ADMIN_TOKEN ?? keptSecret(dataDir, 'admin-token', () => randomBytes(32).toString('base64url'));
  const readyAgents = Number(settings.VEDETTE_READY_AGENTS);
  const ops = createOpsServer({
    metrics,
    log,
    async notReady() {
      const missing: string[] = [];
      if (stopping) missing.push('draining');
      if (!bus.connected()) missing.push('bus');
      if (
        !(await ledger.ping().then(
          () => true,
          () => false,
        ))
      )
        missing.push('database');
      // A machine without internet has only degraded agents; they answer all the same.
      const serving = presence.agents().filter(({ state }) => state === 'ready' || state === 'degraded').length;
      if (serving < readyAgents) missing.push(`agents (${serving} of ${readyAgents} serving)`);
      return missing;
    },
    beforeScrape: () => refreshGauges(metrics, { bus, presence, asker, today: Date.now() }),
    admin: createAdminHandler({
      admin: ledger.admin,
      token: adminToken,
      operations: [...operations.map(({ name }) => name), LOCATIONS],
      log,
    }),
  });
  await listen(ops, Number(settings.VEDETTE_OPS_PORT), settings.VEDETTE_OPS_HOST, 'VEDETTE_OPS_PORT');
  await app.listen({ host: settings.VEDETTE_HOST, port: Number(settings.VEDETTE_PORT) }).catch(refuse('VEDETTE_PORT'));
  log.info({ address: app.server.address(), gateway: gatewayId }, 'listening');

  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info('draining');
    // /readyz says no; who has not heard it yet is still served.
    await clock.sleep(LAME_DUCK_MS);
    draining = true;
    const late = setTimeout(() => {
      log.warn('requests still under way after 30 s are cut off');
      app.server.closeAllConnections();
    }, DRAIN_MS);
    await app.close();
    clearTimeout(late);
    stopAnnouncing();
    asker.close();
    presence.close();
    await bus.close();
    closePorts();
    await ledger.close();
    await embedded?.stop();
    ops.close();
    ops.closeAllConnections();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
  void bus.closed.then((error) => {
    if (stopping) return;
    log.error({ err: error }, 'the bus refuses us');
    process.exit(1);
  });
}

const refuse =
  (setting: string) =>
  (cause: NodeJS.ErrnoException): never => {
    throw new Error(cause.code === 'EADDRINUSE' ? `the port is taken; set ${setting} to another one` : `${setting}: ${cause.message}`, {
      cause,
    });
  };

const listen = (server: Server, port: number, host: string, setting: string): Promise<void> =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch(refuse(setting));

await start().catch((error: Error) => {
  log.fatal({ err: error }, error.message);
  process.exit(1);
});
