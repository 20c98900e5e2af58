import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNkey } from './credentials.ts';
import { natsServerConfig, type NatsServerOptions, token } from './permissions.ts';

export interface PrepareOptions extends Pick<NatsServerOptions, 'host' | 'port' | 'tls'> {
  /** Made if it is missing; readable by our user alone. */
  folder: string;
  /** How many gateways at least; each process needs a key of its own, which names its inbox. */
  gateways: number;
  /** Locations that want a key, beside those that have one. */
  locations: readonly string[];
}

export interface PreparedBus {
  /** Path of the nats-server's configuration. */
  config: string;
  /** Paths of files with an nkey seed, for VEDETTE_NATS_CREDS. */
  credentials: { gateways: string[]; agents: ReadonlyMap<string, string> };
}

/**
 * Writes what a nats-server with Vedette's permission map needs: one nkey per gateway and per location, and
 * the configuration that names them. Keys that are in the folder stay valid, so that gateways and locations can be added
 * later; who deletes a key's files and prepares again has revoked it. Throws `TypeError` on a location that is no subject token.
 */
export function prepareBus({ folder, host, port, tls, gateways, locations }: PrepareOptions): PreparedBus {
  const wanted = locations.map(token);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const identity = (name: string) => {
    const path = join(folder, `${name}.nkey`);
    const publicPath = `${path}.pub`;
    if (!existsSync(path) || !existsSync(publicPath)) {
      const { seed, publicKey } = createNkey();
      writeFileSync(path, `${seed}\n`, { mode: 0o600 });
      writeFileSync(publicPath, `${publicKey}\n`);
    }
    return { path, publicKey: readFileSync(publicPath, 'utf8').trim() };
  };
  const gatewayNames = Array.from({ length: gateways }, (_, i) => `${i + 1}`);
  const gatewayKeys = withKept(folder, 'gateway', gatewayNames).map((name) => identity(`gateway-${name}`));
  const agents = withKept(folder, 'agent', wanted).map((location) => ({ location, ...identity(`agent-${location}`) }));
  const config = join(folder, 'nats-server.conf');
  const text = natsServerConfig({ host, port, ...(tls && { tls }), gateways: gatewayKeys, agents });
  writeFileSync(config, text);
  return {
    config,
    credentials: {
      gateways: gatewayKeys.map(({ path }) => path),
      agents: new Map(agents.map(({ location, path }) => [location, path])),
    },
  };
}

/** The names wanted and those that have a key in the folder, each once. */
function withKept(folder: string, role: 'gateway' | 'agent', wanted: readonly string[]): string[] {
  const kept = readdirSync(folder).flatMap((file) => new RegExp(`^${role}-(.+)\\.nkey$`).exec(file)?.[1] ?? []);
  return [...new Set([...wanted, ...kept.toSorted()])];
}
