import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { prepareBus, type PreparedBus } from '@vedette/bus';
import { listOf } from '@vedette/contract';
import { lockDirectory } from '@vedette/ledger';
import { type AllSettings, readConfig, SIMULATED_LOCATIONS } from './config.ts';
import { freePort } from './ports.ts';
import { createSupervisor, type Role } from './supervisor.ts';

/** `npm start`: nats-server, three agents that pretend to be in three cities, and the gateway, on one machine. */

const READY_WITHIN_MS = 60_000;
const POLL_MS = 40;
// A third less memory for an agent, as `npm run agent` has it (docs/performance.md).
const AGENT_FLAGS = ['--max-semi-space-size=1'];
const AGENT_ENV = { MALLOC_ARENA_MAX: '1' };
const DRAIN_MS = 35_000; // an agent finishes its jobs for 30 s

const note = (message: string, details: object = {}): void => {
  process.stderr.write(`${JSON.stringify({ level: 30, time: Date.now(), name: 'all', ...details, msg: message })}\n`);
};

const main = async (): Promise<void> => {
  const supervisor = createSupervisor(note);
  let stopping: Promise<never> | undefined;
  const stop = (code: number): Promise<never> => (stopping ??= supervisor.stop().then(() => process.exit(code)));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));

  try {
    const settings = readConfig(process.env);
    const dataDir = resolve(settings.VEDETTE_DATA_DIR);
    await lockDirectory(dataDir); // until we end
    const port = await freePort(settings.VEDETTE_HOST, Number(settings.VEDETTE_PORT), 'VEDETTE_PORT');
    const opsPort = await freePort(settings.VEDETTE_OPS_HOST, Number(settings.VEDETTE_OPS_PORT), 'VEDETTE_OPS_PORT');
    const natsPort = settings.VEDETTE_NATS_URL === undefined ? await freePort('127.0.0.1', 0, 'VEDETTE_NATS_URL') : undefined;
    const bus =
      natsPort === undefined
        ? undefined
        : prepareBus({ folder: join(dataDir, 'nats'), host: '127.0.0.1', port: natsPort, gateways: 1, locations: SIMULATED_LOCATIONS });
    for (const role of roles(settings, { dataDir, port, opsPort, natsPort, bus })) supervisor.start(role);

    const cities = 'Frankfurt, Ashburn and Singapore';
    note(`the three agents run on this machine and only pretend to be in ${cities}: their entries carry "simulated": true`);
    await ready(`http://${shownHost(settings.VEDETTE_OPS_HOST)}:${opsPort}/readyz`);
    const scheme = settings.VEDETTE_TLS_CERT_FILE === undefined ? 'http' : 'https';
    const url = `${scheme}://${shownHost(settings.VEDETTE_HOST)}:${port}`;
    const key = settings.VEDETTE_BOOTSTRAP_KEY ?? readFileSync(join(dataDir, 'bootstrap-key'), 'utf8').trim();
    const curl = `curl -s${scheme === 'https' ? 'k' : ''} -X POST ${url}/v2/account-info -H 'X-API-Key: ${key}'`;
    process.stdout.write(`vedette ready ${url} key=${key}\n${curl}\n`);
  } catch (error) {
    if (stopping) return;
    process.stderr.write(`vedette: ${(error as Error).message}\n`);
    await stop(1);
  }
};

/** 0.0.0.0 and :: cannot be pasted into a client. */
const shownHost = (host: string): string => {
  const shown = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return shown.includes(':') ? `[${shown}]` : shown;
};

interface Wiring {
  dataDir: string;
  port: number;
  opsPort: number;
  natsPort: number | undefined;
  bus: PreparedBus | undefined;
}

function roles(settings: AllSettings, { dataDir, port, opsPort, natsPort, bus }: Wiring): Role[] {
  const { VEDETTE_PORT: _, VEDETTE_OPS_PORT: __, ...inherited } = process.env;
  const ownPorts = [port, opsPort, ...(natsPort === undefined ? [] : [natsPort])].join(',');
  const common = {
    ...inherited,
    VEDETTE_DATA_DIR: dataDir,
    VEDETTE_OWN_PORTS: ownPorts,
    ...(bus && { VEDETTE_NATS_URL: `nats://127.0.0.1:${natsPort}` }),
  };
  const node = (packageName: string, flags: string[] = [], args: string[] = []) => ({
    command: process.execPath,
    args: [
      ...flags,
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(new URL(`../../${packageName}/src/main.ts`, import.meta.url)),
      ...args,
    ],
  });
  const exits = exitsByLocation(listOf(settings.VEDETTE_VPN_EXITS));
  return [
    ...(bus
      ? [
          {
            name: 'nats-server',
            command: 'nats-server',
            args: ['-c', bus.config, '-l', join(dataDir, 'nats', 'nats-server.log')],
            env: { PATH: natsPath() },
            graceMs: 5_000,
          },
        ]
      : []),
    {
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
    },
    ...SIMULATED_LOCATIONS.map((location) => ({
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
    })),
  ];
}

/** Debian keeps nats-server in /usr/sbin, which not every user's PATH has. */
const natsPath = (): string => `${process.env.PATH ?? ''}:/usr/local/bin:/usr/sbin:/sbin`;

/** An exit goes to the agent that its `#location` names, else to the first. */
function exitsByLocation(exits: readonly string[]): Map<string, string[]> {
  const byLocation = new Map<string, string[]>();
  for (const exit of exits) {
    const [, url = '', location = SIMULATED_LOCATIONS[0]] = /^([^#]*)(?:#(.*))?$/.exec(exit) ?? [];
    if (!(SIMULATED_LOCATIONS as readonly string[]).includes(location))
      throw new Error(`VEDETTE_VPN_EXITS: there is no agent at ${location}; there are ${SIMULATED_LOCATIONS.join(', ')}`);
    byLocation.set(location, [...(byLocation.get(location) ?? []), url]);
  }
  return byLocation;
}

/** Resolves once the gateway says that it can serve. */
async function ready(url: string): Promise<void> {
  const until = performance.now() + READY_WITHIN_MS;
  let last = 'no answer';
  while (performance.now() < until) {
    try {
      const answer = await fetch(url);
      if (answer.ok) return;
      last = await answer.text();
    } catch {
      // not listening yet
    }
    await sleep(POLL_MS);
  }
  throw new Error(`not ready after ${READY_WITHIN_MS / 1000} s: ${last}`);
}

await main();
