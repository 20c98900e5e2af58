import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vpnExitEntries } from '@vedette/contract';
import type { Capability } from '@vedette/process/capabilities';
import { plainEnvironment } from '@vedette/process/environment';
import type { Environment } from '@vedette/process/run';
import { StartError } from '@vedette/process/start-error';
import { AGENT_SETTINGS, GATEWAY_SETTINGS, RENDERER_SETTINGS, SIMULATED_LOCATIONS } from './config.ts';
import type { OwnFleet } from './own-fleet.ts';
import type { Role } from './supervisor.ts';

// A third less memory for an agent, as `npm run agent` has it (docs/performance.md).
const AGENT_FLAGS = ['--max-semi-space-size=1'];
const AGENT_ENV = { MALLOC_ARENA_MAX: '1' };
/** Further settings of the gateway, beside its own: what PostgreSQL's clients heed where VEDETTE_DATABASE_URL leaves it out. */
const POSTGRESQL = ['PGPASSWORD', 'PGPASSFILE', 'PGSSLMODE'];
const FIRST_UNRESERVED_PORT = 1024;
/**
 * The owner of each of the eight users of a system (`systemUser`); the last is the database's when the gateway is root. A role that needs
 * one more, such as the parsers, takes the users of another name beside the directory's (`PlannedRole.system`). A larger block would leave
 * existing files without an owner. When ids are few, that name's may be these eight again: parsers then have the database's, which is
 * unused meanwhile.
 */
const SEATS = { gateway: 0, bus: 1, agents: 2, renderer: 5, browser: 6, parsers: 7 };
const DRAIN_MS = 35_000; // an agent finishes its jobs for 30 s, and so does a renderer
const BUS_GRACE_MS = 5_000;

/** Name of the nats-server's role. */
export const BUS = 'nats-server';
/** Name of an agent's role. */
export const agentAt = (location: string): string => `agent ${location}`;

/** A role, and what it needs where it gets a user of its own. */
export interface PlannedRole extends Role {
  env: NodeJS.ProcessEnv;
  /** The script that `command` runs, or the file that it reads first. */
  main: string;
  /** The index of the system's user. */
  seat: number;
  /** The name that these users have, where it is not the data directory's. */
  system?: string;
  /** Capabilities that it can use, where we can leave it them. */
  capabilities: readonly Capability[];
  /** Files outside of its folder that it writes. */
  writes: readonly string[];
  /** A folder of its own, with what another of the system's users may reach: sockets, or a program. */
  serves?: { folder: string; to: number };
  /** A folder of root's whose files it may read. */
  reads?: string;
  /** Only where the others have users of their own is it there. */
  apart?: boolean;
  /** Further settings, where they have. */
  apartEnv?: NodeJS.ProcessEnv;
}

export interface Wiring {
  dataDir: string;
  port: number;
  opsPort: number;
  /** Our own bus; undefined where VEDETTE_NATS_URL names another. */
  fleet: OwnFleet | undefined;
  /** The locations of the agents here. */
  locations: readonly string[];
  /** Whether these agents only pretend to be there. */
  simulated: boolean;
  vpnExits: string | undefined;
  /** Whether there is to be a browser. */
  withRenderer: boolean;
}

/** The processes of one machine, the bus first. Each role gets only the variables that it reads, so that a secret has one reader. */
export function rolesOf(
  env: Environment,
  { dataDir, port, opsPort, fleet, locations, simulated, vpnExits, withRenderer }: Wiring,
): PlannedRole[] {
  const common = {
    VEDETTE_OWN_PORTS: [port, opsPort, ...(fleet ? [fleet.port] : [])].join(','),
    ...(fleet && { VEDETTE_NATS_URL: fleet.url, VEDETTE_NATS_CA_FILE: join(fleet.folder, 'ca.pem') }),
  };
  const gateway: PlannedRole = {
    name: 'gateway',
    ...node('gateway'),
    env: {
      ...plainEnvironment(env, [...GATEWAY_SETTINGS, ...POSTGRESQL]),
      ...common,
      VEDETTE_DATA_DIR: dataDir,
      VEDETTE_PORT: String(port),
      VEDETTE_OPS_PORT: String(opsPort),
      // Which one it is may change: those that pretend leave.
      VEDETTE_READY_AGENTS: locations.length === 0 ? '0' : '1',
      ...(fleet && { VEDETTE_NATS_CREDS: fleet.keys.gateways[0] }),
    },
    graceMs: DRAIN_MS,
    seat: SEATS.gateway,
    capabilities: Math.min(port, opsPort) < FIRST_UNRESERVED_PORT ? ['net_bind_service'] : [],
    writes: [],
    apartEnv: { VEDETTE_PARSER_FOLDER: join(dataDir, 'parsers') },
  };
  const exits = exitsByLocation(vpnExits, locations);
  const keys = simulated ? fleet?.keys.pretended : fleet?.keys.agents;
  const agents = locations.map((location, index): PlannedRole => ({
    name: agentAt(location),
    ...node('agent', AGENT_FLAGS, simulated ? ['--simulated'] : []),
    env: {
      ...plainEnvironment(env, AGENT_SETTINGS),
      ...common,
      ...AGENT_ENV,
      VEDETTE_LOCATION: location,
      VEDETTE_VPN_EXITS: exits.get(location)?.join(',') ?? '',
      ...(keys && { VEDETTE_NATS_CREDS: keys.get(location) }),
    },
    graceMs: DRAIN_MS,
    seat: SEATS.agents + index,
    capabilities: ['net_raw'],
    writes: [],
  }));
  const renderer: PlannedRole = {
    name: 'renderer',
    ...node('renderer'),
    env: {
      ...plainEnvironment(env, RENDERER_SETTINGS),
      ...common,
      VEDETTE_DATA_DIR: join(dataDir, 'renderer'),
      ...(fleet && { VEDETTE_NATS_CREDS: fleet.keys.renderers[0] }),
    },
    graceMs: DRAIN_MS,
    seat: SEATS.renderer,
    capabilities: [],
    writes: [],
    // The browser is unpacked there, and runs as another user.
    serves: { folder: join(dataDir, 'renderer'), to: SEATS.browser },
    apartEnv: { VEDETTE_BROWSER_FOLDER: join(dataDir, 'browser') },
  };
  const { parsers, browsers } = hostsOf(env, dataDir);
  return [...(fleet ? [natsServer(fleet.folder, env)] : []), gateway, parsers, ...agents, ...(withRenderer ? [browsers, renderer] : [])];
}

/** Processes that start others as users of their own: what breaks out of a parser or browser has neither the memory nor the secrets of the process that it works for. */
function hostsOf(env: Environment, dataDir: string): Record<'parsers' | 'browsers', PlannedRole> {
  const common = { graceMs: DRAIN_MS, capabilities: [], writes: [], apart: true };
  const environment = { ...plainEnvironment(env), ...AGENT_ENV };
  return {
    parsers: {
      name: 'parsers',
      ...node('message', AGENT_FLAGS, [], 'parser/host-main'),
      ...common,
      env: { ...environment, VEDETTE_PARSER_FOLDER: join(dataDir, 'parsers') },
      seat: SEATS.parsers,
      system: `parsers of ${dataDir}`,
      serves: { folder: join(dataDir, 'parsers'), to: SEATS.gateway },
    },
    browsers: {
      name: 'browsers',
      ...node('renderer', AGENT_FLAGS, [], 'browser/host/host-main'),
      ...common,
      env: { ...environment, VEDETTE_BROWSER_FOLDER: join(dataDir, 'browser') },
      seat: SEATS.browser,
      serves: { folder: join(dataDir, 'browser'), to: SEATS.renderer },
    },
  };
}

function natsServer(folder: string, env: Environment): PlannedRole {
  const log = join(folder, 'nats-server.log');
  const hub = join(folder, 'hub-1');
  return {
    name: BUS,
    command: 'nats-server',
    args: ['-c', 'nats-server.conf', '-l', log],
    main: join(hub, 'nats-server.conf'),
    cwd: hub, // its files are named without a path
    reads: hub,
    // Debian keeps it in /usr/sbin, which not every user's PATH has.
    env: { PATH: `${env['PATH'] ?? ''}:/usr/local/bin:/usr/sbin:/sbin` },
    graceMs: BUS_GRACE_MS,
    seat: SEATS.bus,
    capabilities: [],
    writes: [log],
  };
}

function node(packageName: string, flags: string[] = [], args: string[] = [], script = 'main') {
  const main = fileURLToPath(new URL(`../../${packageName}/src/${script}.ts`, import.meta.url));
  return { command: process.execPath, main, args: [...flags, '--disable-warning=ExperimentalWarning', main, ...args] };
}

/** What to tell an operator whose VPN exits have no agent, as after the pretended cities have left: a line, or none. */
export const exitsOff = (exits: string | undefined, locations: readonly string[]): string[] =>
  locations.length > 0 || vpnExitEntries(exits).length === 0
    ? []
    : ['vpn-test is off: no agent runs on this machine for the exits of VEDETTE_VPN_EXITS; VEDETTE_LOCATION gives it one'];

/** An exit goes to the agent that its `#location` names, else to the first. Without agents here, exits wait for one: their cities may have left. */
function exitsByLocation(exits: string | undefined, locations: readonly string[]): Map<string, string[]> {
  const byLocation = new Map<string, string[]>();
  const known = locations.length > 0 ? locations : SIMULATED_LOCATIONS;
  for (const { exit, location = known[0]! } of vpnExitEntries(exits)) {
    if (!known.includes(location))
      throw new StartError(`VEDETTE_VPN_EXITS: there is no agent at ${location}; there are ${known.join(', ')}`);
    byLocation.set(location, [...(byLocation.get(location) ?? []), exit]);
  }
  return byLocation;
}
