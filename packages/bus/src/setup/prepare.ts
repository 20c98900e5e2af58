import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { identity, nameLocations, numbers, withKept, writeWhole } from './keys.ts';
import { natsServerConfig, type TlsFiles, token } from './permissions.ts';
import { changedLines, type Listening, readListening } from './server-config.ts';

export interface PrepareOptions {
  /** Made if it is missing; readable by our user alone. */
  folder: string;
  /** How many gateways at least; each process needs a key of its own, which names its inbox. */
  gateways: number;
  /** How many renderers at least have a key of their own; absent: those that have one. */
  renderers?: number;
  /** Locations that want a key, beside those that have one. */
  locations: readonly string[];
  /** Absent: as it was prepared, else every address. */
  host?: string;
  /** Absent: as it was prepared, else 4222. */
  port?: number;
  /** Absent: as it was prepared, else none. */
  tls?: TlsFiles | 'none';
}

export interface PreparedBus {
  /** Path of the nats-server's configuration. */
  config: string;
  /** Paths of files with an nkey seed, for VEDETTE_NATS_CREDS. */
  credentials: { gateways: string[]; agents: ReadonlyMap<string, string>; renderers: string[] };
  listening: Listening;
  /**
   * The differences from the previous configuration, line by line, as `+ agent-eu-fra` and `- max_connections: 2000`; undefined without a
   * previous one.
   */
  changes: string[] | undefined;
  /** A nats-server that runs takes over all of it but another host or port. */
  wantsRestart: boolean;
}

const DEFAULTS: Listening = { host: '0.0.0.0', port: 4222, tls: undefined };
/** The operator's additions and overrides. */
const OWN_LINES = 'own.conf';

/**
 * Writes what a nats-server with Vedette's permission map needs: one nkey per gateway, per location and per renderer, and
 * the configuration that names them. Keys that are in the folder stay valid, so that gateways, locations and renderers can be added
 * later, and so do host, port and TLS of the configuration that is there; who deletes a key's files and prepares again has revoked it. The
 * configuration is written as a whole: lines of others belong into `own.conf` beside it, which it includes. Throws `TypeError` for a
 * location that is not a subject token, and `Error` if it would have to guess the earlier configuration.
 */
export function prepareBus({ folder, gateways, renderers = 0, locations, host, port, tls }: PrepareOptions): PreparedBus {
  const wanted = locations.map(token);
  const config = join(folder, 'nats-server.conf');
  const before = existsSync(config) ? readFileSync(config, 'utf8') : undefined;
  const requested = { ...(host !== undefined && { host }), ...(port !== undefined && { port }), ...(tls !== undefined && { tls }) };
  if (before === undefined && tls === undefined && hasKeys(folder))
    throw new Error(
      `${folder} has keys but no nats-server.conf, so that it is not known whether the bus had TLS: say --tls-cert and --tls-key, or --no-tls`,
    );
  const was = before === undefined ? DEFAULTS : readListening(before, requested);
  const listening = { host: host ?? was.host, port: port ?? was.port, tls: tls === 'none' ? undefined : (tls ?? was.tls) };

  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const gatewayKeys = withKept(folder, 'gateway', numbers(gateways)).map((name) => identity(folder, `gateway-${name}`));
  const rendererKeys = withKept(folder, 'renderer', numbers(renderers)).map((name) => identity(folder, `renderer-${name}`));
  const agents = withKept(folder, 'agent', wanted).map((location) => ({ location, ...identity(folder, `agent-${location}`) }));
  for (const { path } of gatewayKeys) nameLocations(path, agents);
  const ownConfig = existsSync(join(folder, OWN_LINES)) ? OWN_LINES : undefined;
  const text = natsServerConfig({ ...listening, gateways: gatewayKeys, agents, renderers: rendererKeys, ownConfig });
  writeWhole(config, text);
  const names = new Map([...gatewayKeys, ...agents, ...rendererKeys].map(({ publicKey, name }) => [publicKey, name]));
  return {
    config,
    credentials: {
      gateways: gatewayKeys.map(({ path }) => path),
      agents: new Map(agents.map(({ location, path }) => [location, path])),
      renderers: rendererKeys.map(({ path }) => path),
    },
    listening,
    changes: before === undefined ? undefined : changedLines(before, text, names),
    wantsRestart: before !== undefined && (was.host !== listening.host || was.port !== listening.port),
  };
}

/** Whether a bus was prepared there before. */
const hasKeys = (folder: string): boolean => existsSync(folder) && readdirSync(folder).some((file) => file.endsWith('.nkey'));
