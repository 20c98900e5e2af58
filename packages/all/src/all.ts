import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { holdPostgres, lockDirectory } from '@vedette/ledger';
import { freePort } from '@vedette/process/listen';
import { createLog, type Logger } from '@vedette/process/log';
import { adoptOrphans } from '@vedette/process/orphans';
import type { Environment, Running } from '@vedette/process/run';
import { StartError } from '@vedette/process/start-error';
import { unknownSettings } from '@vedette/process/unknown-settings';
import { type AllSettings, readConfig, SIMULATED_LOCATIONS } from './config.ts';
import { confine } from './confine.ts';
import { endDemo } from './demo.ts';
import { createGatewayAdmin, type GatewayAdmin } from './gateway-admin.ts';
import { followFleet, type OwnFleet, prepareFleet } from './own-fleet.ts';
import { BUS, exitsOff, rolesOf } from './roles.ts';
import { createSupervisor, type Role, type Supervisor } from './supervisor.ts';

const READY_WITHIN_MS = 180_000;
/** Time between two looks for a moment without jobs. */
const QUIET_POLL_MS = 40;
/** Time between two questions whether all is ready: each takes our CPU and the gateway's, while they start. */
const READY_POLL_MS = 100;
/** How long a change of keys may wait for a moment without jobs. */
const QUIET_WITHIN_MS = 10_000;
/** A renderer that has ended so often without a word to the gateway will not serve soon. */
const TRIES = 3;
/** The parts of /readyz that are told of beside the ready line, with the consequence. */
const CONSEQUENCES: Record<string, string> = {
  renderers: 'screenshots, PDFs and http-tracker are off',
  icmp: 'ping-test is off',
  parsers: 'the parsers of messages are impaired',
};

/**
 * `npm start`: the first server of a fleet, with nats-server, gateway and renderer on one machine, and the agent of one location, or three that
 * pretend to be in three cities until a real one joins. Says on stdout when all of it is ready, with a line to try it.
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
  const { roles, fleet, locations, simulated } = await prepareRoles(env, settings, { dataDir, port, opsPort, log });
  try {
    started.use(await adoptOrphans());
  } catch (err) {
    log.warn({ err }, 'processes whose parent is killed are left to the first process of this machine or container');
  }
  const supervisor = createSupervisor(log);
  started.defer(() => supervisor.stop());
  for (const role of roles) supervisor.start(role);
  const stopped = new AbortController();
  started.defer(() => stopped.abort());
  const ops = `http://${shownHost(settings.VEDETTE_OPS_HOST)}:${opsPort}`;
  const admin = createGatewayAdmin(ops, dataDir, env['VEDETTE_ADMIN_TOKEN'], stopped.signal);
  const following = { admin, supervisor, log, signal: stopped.signal };
  if (fleet) started.defer(followBus(fleet, following));
  log.info({}, tidings(settings, simulated, fleet));
  for (const line of exitsOff(settings.VEDETTE_VPN_EXITS, locations)) log.warn({}, line);

  const all = started.move();
  const announce = async (): Promise<void> => {
    const rendererFailed = () => supervisor.failures('renderer') >= TRIES;
    const wanted = { agents: locations.length, renderer: settings.VEDETTE_RENDERER === 'on' };
    const off = await untilReady(`${ops}/readyz`, { wanted, rendererFailed, signal: stopped.signal });
    for (const line of off) log.warn({}, line);
    process.stdout.write([...off, readyLines(settings, dataDir, port)].join('\n'));
    if (fleet) void endDemo(fleet.pretends, { folder: fleet.folder, vpnExits: settings.VEDETTE_VPN_EXITS, ...following });
  };
  const lost = new Promise<Error>((tell) => {
    announce().catch((error: Error) => {
      if (!stopped.signal.aborted) tell(error);
    });
  });
  return {
    addresses: {},
    lost,
    stop: () => all.disposeAsync(),
  };
}

interface Following {
  admin: GatewayAdmin;
  supervisor: Supervisor;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Has the bus read each change of its configuration: new keys are let in, and those that are gone shut out, while all others stay connected. A reload takes
 * from agents the right to answer the jobs that they have (`allow_responses`), so it waits for a moment without any.
 */
function followBus({ folder, hasGrown }: OwnFleet, { admin, supervisor, log, signal }: Following): () => void {
  let waiting = false;
  const reload = async (): Promise<void> => {
    if (waiting) return;
    waiting = true;
    const until = performance.now() + QUIET_WITHIN_MS;
    const isBusy = async () => (await admin.agents().catch(() => [])).some(({ jobs }) => jobs > 0);
    while (performance.now() < until && (await isBusy())) await sleep(QUIET_POLL_MS, undefined, { signal });
    waiting = false;
    supervisor.reload(BUS);
  };
  return followFleet(
    folder,
    ({ hubs, listen }) => {
      if ((listen === undefined) === hasGrown) reload().catch(() => {}); // stopped meanwhile
      else log.warn({ hubs }, 'the fleet has more servers now: start again, so that this one joins them');
    },
    (err) => log.error({ err }, 'the plan of the fleet cannot be read'),
  );
}

/** Which locations this machine has, and how there will be others. */
function tidings({ VEDETTE_LOCATION: location }: AllSettings, simulated: boolean, fleet: OwnFleet | undefined): string {
  const cities = 'Frankfurt, Ashburn and Singapore';
  const here = simulated
    ? `the three agents run on this machine and only pretend to be in ${cities}: their entries carry "simulated": true`
    : location === undefined
      ? 'no agent runs on this machine: VEDETTE_LOCATION makes it a location'
      : `this machine is the location ${location}`;
  const others = fleet?.isOpen
    ? 'vedette fleet add-location makes other machines locations'
    : 'other machines cannot join until VEDETTE_BUS_HOST opens the message bus';
  return fleet === undefined ? here : `${here}; ${others}`;
}

/** Files that root left in the data directory belong to users that only root can become. */
function assertOurs(dataDir: string): void {
  if (process.getuid?.() === 0 || !existsSync(dataDir)) return;
  const own = ['', 'bootstrap-key', 'admin-token', 'fleet', 'pg'].map((name) => join(dataDir, name)).filter((path) => existsSync(path));
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
): Promise<{ roles: Role[]; fleet: OwnFleet | undefined; locations: readonly string[]; simulated: boolean }> {
  await using held = new AsyncDisposableStack();
  // Before anything there is made or given away: a gateway that was started alone may be at work.
  const database = env['VEDETTE_DATABASE_URL'] ? undefined : held.adopt(await holdPostgres(dataDir), ({ release }) => release());
  const { VEDETTE_LOCATION: location, VEDETTE_VPN_EXITS: vpnExits } = settings;
  const fleet = settings.VEDETTE_NATS_URL === undefined ? await prepareFleet(dataDir, settings) : undefined;
  const pretends = fleet?.pretends ?? (location === undefined && settings.VEDETTE_DEMO === 'on' ? SIMULATED_LOCATIONS : []);
  const simulated = pretends.length > 0;
  const locations = location === undefined ? pretends : [location];
  const withRenderer = settings.VEDETTE_RENDERER === 'on';
  const planned = rolesOf(env, { dataDir, port, opsPort, fleet, locations, simulated, vpnExits, withRenderer });
  return { roles: await confine(planned, { dataDir, database, log }), fleet, locations, simulated };
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

interface Wanted {
  /** Agents of this machine, and whether there is to be a browser. */
  wanted: { agents: number; renderer: boolean };
  rendererFailed: () => boolean;
  signal: AbortSignal;
}

/** A part that a gateway serves without, and why. */
interface ImpairedPart {
  part: string;
  reason: string;
}

/** Part of what the gateway's /readyz says. */
interface Readiness {
  impaired: ImpairedPart[];
  serving: { agents: number; renderers: number };
}

/**
 * Resolves once the gateway says that it can serve, all agents of this machine are there, and either a renderer serves too or it is known that none will: with
 * a line for each part that is off. A renderer that is only slow is waited for as long as all the rest is.
 */
async function untilReady(url: string, { wanted, rendererFailed, signal }: Wanted): Promise<string[]> {
  const until = performance.now() + READY_WITHIN_MS;
  let last = 'no answer';
  let off: ImpairedPart[] | undefined;
  let isKnown = false;
  while (performance.now() < until) {
    try {
      const answer = await fetch(url, { signal });
      last = await answer.text();
      const readiness = JSON.parse(last) as Readiness;
      if (answer.ok && readiness.serving.agents >= wanted.agents) {
        off = partsOff(readiness, wanted.renderer && rendererFailed());
        isKnown = readiness.serving.renderers > 0 || off.some(({ part }) => part === 'renderers');
        if (isKnown) break;
      }
    } catch {
      // not listening yet
    }
    await sleep(READY_POLL_MS, undefined, { signal });
  }
  if (off === undefined) throw new StartError(`not ready after ${READY_WITHIN_MS / 1000} s: ${last}`);
  const parts = isKnown ? off : [...off, { part: 'renderers', reason: 'the renderer is still starting' }];
  return parts.flatMap(({ part, reason }) => (part in CONSEQUENCES ? [`${CONSEQUENCES[part]}: ${reason.replaceAll(/\s+/g, ' ')}`] : []));
}

/** The parts that /readyz says are impaired, and a renderer that ends before it can say why. */
function partsOff({ impaired }: Readiness, rendererFailed: boolean): ImpairedPart[] {
  if (!rendererFailed || impaired.some(({ part }) => part === 'renderers')) return impaired;
  return [...impaired, { part: 'renderers', reason: 'the renderer ends as soon as it is started, and the log above says why' }];
}
