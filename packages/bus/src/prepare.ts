import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createNkey, withLocations } from './credentials.ts';
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
  /** What is different from the configuration that was there, line by line, as `+ agent-eu-fra` and `- max_connections: 2000`; undefined: there was none. */
  changes: string[] | undefined;
  /** A nats-server that runs takes over all of it but another host or port. */
  wantsRestart: boolean;
}

const DEFAULTS: Listening = { host: '0.0.0.0', port: 4222, tls: undefined };
/** What an operator adds, and where he overrides ours. */
const OWN_LINES = 'own.conf';

/**
 * Writes what a nats-server with Vedette's permission map needs: one nkey per gateway, per location and per renderer, and
 * the configuration that names them. Keys that are in the folder stay valid, so that gateways, locations and renderers can be added
 * later, and so do host, port and TLS of the configuration that is there; who deletes a key's files and prepares again has revoked it. The
 * configuration is written as a whole: lines of others belong into `own.conf` beside it, which it includes. Throws `TypeError` on a
 * location that is no subject token, `Error` where it would have to guess at what was there.
 */
export function prepareBus({ folder, gateways, renderers = 0, locations, host, port, tls }: PrepareOptions): PreparedBus {
  const wanted = locations.map(token);
  const config = join(folder, 'nats-server.conf');
  const before = existsSync(config) ? readFileSync(config, 'utf8') : undefined;
  const asked = { ...(host !== undefined && { host }), ...(port !== undefined && { port }), ...(tls !== undefined && { tls }) };
  if (before === undefined && tls === undefined && hasKeys(folder))
    throw new Error(
      `${folder} has keys but no nats-server.conf, so that it is not known whether the bus had TLS: say --tls-cert and --tls-key, or --no-tls`,
    );
  const was = before === undefined ? DEFAULTS : readListening(before, asked);
  const listening = { host: host ?? was.host, port: port ?? was.port, tls: tls === 'none' ? undefined : (tls ?? was.tls) };

  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const gatewayKeys = withKept(folder, 'gateway', numbers(gateways)).map((name) => identity(folder, `gateway-${name}`));
  const rendererKeys = withKept(folder, 'renderer', numbers(renderers)).map((name) => identity(folder, `renderer-${name}`));
  const agents = withKept(folder, 'agent', wanted).map((location) => ({ location, ...identity(folder, `agent-${location}`) }));
  for (const { path } of gatewayKeys) nameLocations(path, agents);
  const own = existsSync(join(folder, OWN_LINES)) ? OWN_LINES : undefined;
  const text = natsServerConfig({ ...listening, gateways: gatewayKeys, agents, renderers: rendererKeys, own });
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

/** The key of that name in the folder, made where there is none. */
function identity(folder: string, name: string): { name: string; path: string; publicKey: string } {
  const path = join(folder, `${name}.nkey`);
  const publicPath = `${path}.pub`;
  if (!existsSync(path) || !existsSync(publicPath)) {
    const { seed, publicKey } = createNkey();
    writeWhole(path, `${seed}\n`, 0o600);
    writeWhole(publicPath, `${publicKey}\n`);
  }
  return { name, path, publicKey: readFileSync(publicPath, 'utf8').trim() };
}

/** Has a gateway's key file tell which locations have a key, so that it shows those whose agent never came. */
function nameLocations(path: string, agents: readonly { location: string }[]): void {
  const before = readFileSync(path, 'utf8');
  const after = withLocations(
    before,
    agents.map(({ location }) => location),
  );
  if (after !== before) writeWhole(path, after);
}

/**
 * Writes a file whole or not at all: a seed has no other copy, and a full disk or a kill would leave half of it. Who may read a file that is
 * there may read what comes in its place; `mode` is for one that is new.
 */
function writeWhole(path: string, text: string, mode?: number): void {
  const was = statSync(path, { throwIfNoEntry: false });
  const fresh = `${path}.new`;
  rmSync(fresh, { force: true });
  try {
    writeFileSync(fresh, text, { flag: 'wx', mode: was ? 0o600 : mode, flush: true });
    if (was) {
      chownSync(fresh, was.uid, was.gid);
      chmodSync(fresh, was.mode & 0o7777);
    }
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i + 1}`);

/** The names wanted and those that have a key in the folder, each once. */
function withKept(folder: string, role: 'gateway' | 'agent' | 'renderer', wanted: readonly string[]): string[] {
  const kept = readdirSync(folder).flatMap((file) => new RegExp(`^${role}-(.+)\\.nkey$`).exec(file)?.[1] ?? []);
  return [...new Set([...wanted, ...kept.toSorted()])];
}
