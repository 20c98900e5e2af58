import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PreparedBus } from '@vedette/bus';
import { vpnExitEntries } from '@vedette/contract';
import type { Environment } from '@vedette/process/run';
import { StartError } from '@vedette/process/start-error';
import { SIMULATED_LOCATIONS } from './config.ts';
import type { Role } from './supervisor.ts';

// A third less memory for an agent, as `npm run agent` has it (docs/performance.md).
const AGENT_FLAGS = ['--max-semi-space-size=1'];
const AGENT_ENV = { MALLOC_ARENA_MAX: '1' };
const DRAIN_MS = 35_000; // an agent finishes its jobs for 30 s
const BUS_GRACE_MS = 5_000;

export interface Wiring {
  dataDir: string;
  port: number;
  opsPort: number;
  /** Our own nats-server; undefined where VEDETTE_NATS_URL names another. */
  bus: (PreparedBus & { port: number }) | undefined;
  vpnExits: string | undefined;
}

/** The processes of one machine, the bus first. Their environment is ours but for what tells them of each other. */
export function rolesOf(env: Environment, { dataDir, port, opsPort, bus, vpnExits }: Wiring): Role[] {
  const { VEDETTE_PORT: _, VEDETTE_OPS_PORT: __, ...inherited } = env;
  const common = {
    ...inherited,
    VEDETTE_DATA_DIR: dataDir,
    VEDETTE_OWN_PORTS: [port, opsPort, ...(bus ? [bus.port] : [])].join(','),
    ...(bus && { VEDETTE_NATS_URL: `nats://127.0.0.1:${bus.port}` }),
  };
  const gateway = {
    name: 'gateway',
    ...node('gateway'),
    env: {
      ...common,
      VEDETTE_PORT: String(port),
      VEDETTE_OPS_PORT: String(opsPort),
      VEDETTE_READY_AGENTS: String(SIMULATED_LOCATIONS.length),
      ...(bus && { VEDETTE_NATS_CREDS: bus.credentials.gateways[0] }),
    },
    graceMs: DRAIN_MS,
  };
  const exits = exitsByLocation(vpnExits);
  const agents = SIMULATED_LOCATIONS.map((location) => ({
    name: `agent ${location}`,
    ...node('agent', AGENT_FLAGS, ['--simulated']),
    env: {
      ...common,
      ...AGENT_ENV,
      VEDETTE_LOCATION: location,
      VEDETTE_VPN_EXITS: exits.get(location)?.join(',') ?? '',
      ...(bus && { VEDETTE_NATS_CREDS: bus.credentials.agents.get(location) }),
    },
    graceMs: DRAIN_MS,
  }));
  return [...(bus ? [natsServer(bus.config, dataDir, env)] : []), gateway, ...agents];
}

const natsServer = (config: string, dataDir: string, env: Environment): Role => ({
  name: 'nats-server',
  command: 'nats-server',
  args: ['-c', config, '-l', join(dataDir, 'nats', 'nats-server.log')],
  // Debian keeps it in /usr/sbin, which not every user's PATH has.
  env: { PATH: `${env['PATH'] ?? ''}:/usr/local/bin:/usr/sbin:/sbin` },
  graceMs: BUS_GRACE_MS,
});

const node = (packageName: string, flags: string[] = [], args: string[] = []) => ({
  command: process.execPath,
  args: [
    ...flags,
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(new URL(`../../${packageName}/src/main.ts`, import.meta.url)),
    ...args,
  ],
});

/** An exit goes to the agent that its `#location` names, else to the first. */
function exitsByLocation(exits: string | undefined): Map<string, string[]> {
  const byLocation = new Map<string, string[]>();
  for (const { exit, location = SIMULATED_LOCATIONS[0] } of vpnExitEntries(exits)) {
    if (!(SIMULATED_LOCATIONS as readonly string[]).includes(location))
      throw new StartError(`VEDETTE_VPN_EXITS: there is no agent at ${location}; there are ${SIMULATED_LOCATIONS.join(', ')}`);
    byLocation.set(location, [...(byLocation.get(location) ?? []), exit]);
  }
  return byLocation;
}
