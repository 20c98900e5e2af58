import { accessSync, chmodSync, constants, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareBus } from '@vedette/bus';
import { holdPostgres, lockDirectory } from '@vedette/ledger';
import { freePort } from '@vedette/process/listen';
import { createLog, type Logger } from '@vedette/process/log';
import { adoptOrphans } from '@vedette/process/orphans';
import type { Environment, Running } from '@vedette/process/run';
import { StartError } from '@vedette/process/start-error';
import { unknownSettings } from '@vedette/process/unknown-settings';
import { type AllSettings, readConfig, SIMULATED_LOCATIONS } from './config.ts';
import { confine } from './confine.ts';
import { rolesOf } from './roles.ts';
import { createSupervisor, type Role } from './supervisor.ts';

const READY_WITHIN_MS = 180_000;
const POLL_MS = 40;
/** A renderer that has ended so often without a word to the gateway will not serve soon. */
const TRIES = 3;
const NO_BROWSER = 'screenshots, PDFs and http-tracker are off';

/**
 * `npm start`: nats-server, three agents that pretend to be in three cities, the renderer and the gateway, on one machine. Says on stdout
 * when all of it is ready, with a line to try it.
 */
export async function runAll(env: Environment): Promise<Running> {
  const settings = readConfig(env);
  const log = createLog(settings.VEDETTE_LOG_LEVEL, { name: 'all' }, { sync: true });
  for (const warning of unknownSettings(env)) log.warn(warning);
  const dataDir = resolve(settings.VEDETTE_DATA_DIR);
  await using started = new AsyncDisposableStack();
  assertOurs(dataDir);
  started.adopt(await lockDirectory(dataDir), (lock) => lock.release());
  const port = await freePort({ host: settings.VEDETTE_HOST, port: Number(settings.VEDETTE_PORT), setting: 'VEDETTE_PORT' });
  const opsPort = await freePort({ host: settings.VEDETTE_OPS_HOST, port: Number(settings.VEDETTE_OPS_PORT), setting: 'VEDETTE_OPS_PORT' });
  const roles = await prepareRoles(env, settings, { dataDir, port, opsPort, log });
  try {
    started.use(await adoptOrphans());
  } catch (err) {
    log.warn({ err }, 'processes whose parent is killed are left to the first process of this machine or container');
  }
  const supervisor = createSupervisor(log);
  started.defer(() => supervisor.stop());
  for (const role of roles) supervisor.start(role);
  const cities = 'Frankfurt, Ashburn and Singapore';
  log.info({}, `the three agents run on this machine and only pretend to be in ${cities}: their entries carry "simulated": true`);

  const all = started.move();
  const stopped = new AbortController();
  const announce = async (): Promise<void> => {
    const page = `http://${shownHost(settings.VEDETTE_OPS_HOST)}:${opsPort}/readyz`;
    const rendererFailed = () => supervisor.failures('renderer') >= TRIES;
    const off = await untilReady(page, { wanted: settings.VEDETTE_RENDERER === 'on', rendererFailed, signal: stopped.signal });
    if (off !== '') log.warn({ reason: off }, NO_BROWSER);
    process.stdout.write(`${off === '' ? '' : `${NO_BROWSER}: ${off}\n`}${readyLines(settings, dataDir, port)}`);
  };
  const lost = new Promise<Error>((tell) => {
    announce().catch((error: Error) => {
      if (!stopped.signal.aborted) tell(error);
    });
  });
  return {
    addresses: {},
    lost,
    async stop() {
      stopped.abort();
      await all.disposeAsync();
    },
  };
}

/** Files that root left in the data directory belong to users that only root can become. */
function assertOurs(dataDir: string): void {
  if (process.getuid?.() === 0 || !existsSync(dataDir)) return;
  const own = ['', 'bootstrap-key', 'admin-token', 'nats', 'pg'].map((name) => join(dataDir, name)).filter((path) => existsSync(path));
  try {
    for (const path of own) accessSync(path, path === dataDir ? constants.W_OK : constants.R_OK);
  } catch (cause) {
    const remedy = `start as root again, or give it to this user: chown -R ${process.getuid?.()} ${dataDir}`;
    throw new StartError(`${dataDir} belongs to other users, as after a start by root; ${remedy}`, { cause });
  }
}

/** The roles, and all that they will find in the data directory. */
async function prepareRoles(
  env: Environment,
  settings: AllSettings,
  { dataDir, port, opsPort, log }: { dataDir: string; port: number; opsPort: number; log: Logger },
): Promise<Role[]> {
  await using held = new AsyncDisposableStack();
  // Before anything there is made or given away: a gateway that was started alone may be at work.
  const database = env['VEDETTE_DATABASE_URL'] ? undefined : held.adopt(await holdPostgres(dataDir), ({ release }) => release());
  const bus = settings.VEDETTE_NATS_URL === undefined ? await ownBus(dataDir) : undefined;
  const withRenderer = settings.VEDETTE_RENDERER === 'on';
  const planned = rolesOf(env, { dataDir, port, opsPort, bus, vpnExits: settings.VEDETTE_VPN_EXITS, withRenderer });
  return await confine(planned, { dataDir, database, log });
}

/** The configuration and keys of a nats-server of our own, on a port that is free. */
async function ownBus(dataDir: string) {
  const port = await freePort({ host: '127.0.0.1', port: 0, setting: 'VEDETTE_NATS_URL' });
  const folder = join(dataDir, 'nats');
  const prepared = prepareBus({ folder, host: '127.0.0.1', port, tls: 'none', gateways: 1, renderers: 1, locations: SIMULATED_LOCATIONS });
  // The server reads its configuration there, which is not secret; file modes protect the keys.
  chmodSync(folder, 0o711);
  return { port, ...prepared };
}

/** The address with its key, and a command to paste. */
function readyLines(settings: AllSettings, dataDir: string, port: number): string {
  const scheme = settings.VEDETTE_TLS_CERT_FILE === undefined ? 'http' : 'https';
  const url = `${scheme}://${shownHost(settings.VEDETTE_HOST)}:${port}`;
  const key = settings.VEDETTE_BOOTSTRAP_KEY ?? readFileSync(join(dataDir, 'bootstrap-key'), 'utf8').trim();
  const curl = `curl -s${scheme === 'https' ? 'k' : ''} -X POST ${url}/v2/account-info -H 'X-API-Key: ${key}'`;
  return `vedette ready ${url} key=${key}\n${curl}\n`;
}

/** 0.0.0.0 and :: cannot be pasted into a client. */
const shownHost = (host: string): string => {
  const shown = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return shown.includes(':') ? `[${shown}]` : shown;
};

interface Browser {
  /** Whether there is to be one. */
  wanted: boolean;
  rendererFailed: () => boolean;
  signal: AbortSignal;
}

/** Part of what the gateway's /readyz says. */
interface Readiness {
  impaired: string[];
  serving: { renderers: number };
}

/**
 * Resolves once the gateway says that it can serve, and either a renderer serves too or it is known that none will: then with why in a line, else with ''. One
 * that is only slow is waited for as long as all the rest is.
 */
async function untilReady(url: string, { wanted, rendererFailed, signal }: Browser): Promise<string> {
  const until = performance.now() + READY_WITHIN_MS;
  let last = 'no answer';
  let off: string | undefined;
  while (performance.now() < until) {
    try {
      const answer = await fetch(url, { signal });
      last = await answer.text();
      off = answer.ok ? missingBrowser(JSON.parse(last) as Readiness) : undefined;
      if (off === '' || (off !== undefined && (off !== STARTING || !wanted || rendererFailed()))) break;
    } catch {
      // not listening yet
    }
    await sleep(POLL_MS, undefined, { signal });
  }
  if (off === undefined) throw new StartError(`not ready after ${READY_WITHIN_MS / 1000} s: ${last}`);
  return off === STARTING && rendererFailed() ? 'the renderer ends as soon as it is started, and the log above says why' : off;
}

const STARTING = 'the renderer is still starting';

/** Why the browser is missing; '' when it is there. */
function missingBrowser({ impaired, serving }: Readiness): string {
  if (serving.renderers > 0) return '';
  const reason = impaired.find((line) => line.startsWith('renderers: '));
  return reason?.slice('renderers: '.length).replaceAll(/\s+/g, ' ') ?? STARTING;
}
