import { chmodSync, existsSync, rmSync, unwatchFile, watchFile } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { EVERY_ADDRESS, type Fleet, type FleetPlan, FleetPlanError, localUrl, NEW_FLEET, PLAN, readFleet, writeFleet } from '@vedette/bus';
import { isLoopback, parseIp } from '@vedette/contract';
import { holdingDirectory } from '@vedette/ledger';
import { freePort } from '@vedette/process/listen';
import { StartError } from '@vedette/process/start-error';
import { type AllSettings, SIMULATED_LOCATIONS } from './config.ts';

/** The fleet whose first server this machine is, with a message bus of its own. */
export interface OwnFleet {
  /** Its folder, in the data directory: as `vedette fleet init` makes them. */
  folder: string;
  port: number;
  /** Where processes of this machine reach the bus. */
  url: string;
  keys: Fleet['keys'];
  /** Whether other machines reach it, too. */
  isOpen: boolean;
  /** Whether `fleet init` has made it grow: it is one server of several then. */
  hasGrown: boolean;
  /** The locations where agents of this machine are to pretend to be. */
  pretends: readonly string[];
}

const PORT = 4222;
const LOOPBACK = '127.0.0.1';
const LOOK_MS = 500;
/** The bus that versions without a fleet folder had in the data directory; no other machine has its keys. */
const FORMER_BUS = 'nats';

/** Makes the fleet's folder, or brings it to what the settings say. Keys that are there stay. Throws a `StartError` for a plan that cannot be. */
export async function prepareFleet(dataDir: string, settings: AllSettings): Promise<OwnFleet> {
  const folder = join(dataDir, 'fleet');
  try {
    return await holdingDirectory(folder, () => prepare(folder, dataDir, settings));
  } catch (cause) {
    if (cause instanceof FleetPlanError) throw new StartError(cause.message, { cause });
    throw cause;
  }
}

async function prepare(folder: string, dataDir: string, settings: AllSettings): Promise<OwnFleet> {
  const was = readFleet(folder);
  const { VEDETTE_BUS_HOST: host, VEDETTE_LOCATION: location } = settings;
  const first = was?.hubs[0];
  if (was !== undefined && was.listen === undefined) {
    if (host !== first)
      throw new StartError(`the fleet in ${folder} has several servers, and this is the first: set VEDETTE_BUS_HOST=${first}`);
    const { keys, url } = writeFleet(folder, withLocation(was, location), { now: new Date() });
    return { folder, port: was.ports.client, url, keys, isOpen: true, hasGrown: true, pretends: [] };
  }
  const listen = listenerOf(host);
  const isOpen = host !== undefined && !isLoopback(host);
  const wanted = Number(settings.VEDETTE_BUS_PORT ?? (host === undefined ? 0 : PORT));
  const port = await freePort({ host: listen, port: wanted, setting: 'VEDETTE_BUS_PORT' });
  const pretends = isDemo(settings, was) ? SIMULATED_LOCATIONS : [];
  const formerly = was?.pretended ?? (existsSync(join(dataDir, FORMER_BUS)) ? SIMULATED_LOCATIONS : []);
  const plan: FleetPlan = {
    ...NEW_FLEET,
    ...withLocation(was ?? NEW_FLEET, location),
    hubs: [host ?? first ?? 'localhost'],
    ports: { ...NEW_FLEET.ports, client: port },
    listen,
    // The pretended locations of an earlier start stay in the plan until the gateway has forgotten them.
    pretended: [...(pretends.length > 0 ? pretends : formerly)],
  };
  const { keys } = writeFleet(folder, plan, { now: new Date() });
  // The server enters it, and file modes protect the keys.
  chmodSync(folder, 0o711);
  rmSync(join(dataDir, FORMER_BUS), { recursive: true, force: true });
  return { folder, port, url: localUrl(plan)!, keys, isOpen, hasGrown: false, pretends };
}

/** Whether agents are to pretend: until a real location has its agents. */
const isDemo = ({ VEDETTE_DEMO, VEDETTE_LOCATION }: AllSettings, was: FleetPlan | undefined): boolean =>
  VEDETTE_DEMO === 'on' &&
  VEDETTE_LOCATION === undefined &&
  (was === undefined || was.pretended?.length !== 0 || Object.keys(was.locations).length === 0);

/** A plan that has the location of this machine. */
const withLocation = ({ here: _before, ...plan }: FleetPlan, location: string | undefined): FleetPlan =>
  location === undefined ? plan : { ...plan, here: location, locations: { ...plan.locations, [location]: plan.locations[location] ?? {} } };

/** An address of this machine alone where the host is one, else all: a name may lead here by way of others. */
function listenerOf(host: string | undefined): string {
  if (host === undefined || host === 'localhost') return LOOPBACK;
  if (isLoopback(host)) return host;
  const wanted = parseIp(host);
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const listed = own.find(({ address }) => {
    const ip = parseIp(address);
    return ip !== undefined && ip.version === wanted?.version && ip.value === wanted.value;
  });
  return listed?.address ?? EVERY_ADDRESS;
}

/** Calls back whenever the fleet was written anew, by a command or by us; returns a function that ends it. */
export function followFleet(folder: string, onChange: (plan: FleetPlan) => void, onProblem: (error: unknown) => void): () => void {
  const path = join(folder, PLAN);
  watchFile(path, { interval: LOOK_MS, persistent: false }, () => {
    try {
      const plan = readFleet(folder);
      if (plan) onChange(plan);
    } catch (error) {
      onProblem(error);
    }
  });
  return () => unwatchFile(path);
}
