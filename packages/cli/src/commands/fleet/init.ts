import { mkdirSync } from 'node:fs';
import { type Fleet, type FleetPlan, NEW_FLEET, readFleet, writeFleet } from '@vedette/bus';
import { isLoopback } from '@vedette/contract';
import { holdingDirectory } from '@vedette/ledger';
import { Command } from 'commander';
import { integer, many, port } from '../../context/arguments.ts';
import type { CliContext } from '../../context/context.ts';
import { changing, shown, tidings } from './folder.ts';

interface InitFlags {
  hub?: string[];
  gateways?: number;
  renderers?: number;
  port?: number;
  clusterPort?: number;
  leafPort?: number;
  caCert?: string;
  caKey?: string;
}

export function initCommand(context: CliContext): Command {
  const { show, today } = context;
  return new Command('init')
    .description(
      'write the configurations, certificates and keys of the hubs; run again to renew certificates or to add hubs, gateways and renderers',
    )
    .argument('<folder>', 'where to write; keep it, and keep it secret, because it has the key of the certificate authority')
    .option('--hub <host>', 'name or address of a hub; repeat it for each hub; a cluster of three survives the loss of one', many)
    .option('--gateways <n>', 'gateway processes', integer)
    .option('--renderers <n>', 'renderer processes, each with its own key', integer)
    .option('--port <port>', 'port for gateways and agents (initially 4222)', port)
    .option('--cluster-port <port>', 'port between hubs (initially 6222)', port)
    .option('--leaf-port <port>', 'port for leaf nodes (initially 7422)', port)
    .option('--ca-cert <file>', 'your own certificate authority, instead of a new one')
    .option('--ca-key <file>', 'its key')
    .action(async (folder: string, { hub = [], caCert, caKey, ...flags }: InitFlags) => {
      if ((caCert === undefined) !== (caKey === undefined)) throw new Error('--ca-cert and --ca-key go together');
      const authority = caCert !== undefined && caKey !== undefined ? { certFile: caCert, keyFile: caKey } : undefined;
      const write = (): Fleet => writeFleet(folder, grown(folder, { hub, ...flags }), { now: today(), ...(authority && { authority }) });
      grown(folder, { hub, ...flags }); // what cannot be done leaves no folder
      const written = await changing(folder, () => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        return holdingDirectory(folder, write);
      });
      show(shown(written), () => tidings(folder, written));
    });
}

/** The plan in a folder, or a new one, with what the flags say. Throws an Error for what they cannot say. */
function grown(folder: string, { hub = [], ...flags }: Omit<InitFlags, 'caCert' | 'caKey'>): FleetPlan {
  const { listen, ...was } = readFleet(folder) ?? NEW_FLEET;
  if (was.hubs.length + hub.length === 0) throw new Error(`there is no fleet in ${folder} yet: name its hubs, --hub nats-1.example.org`);
  if (listen !== undefined && hub.length > 0 && isLoopback(was.hubs[0]!))
    throw new Error(`other machines cannot reach the first hub, ${was.hubs[0]}: start npm start with VEDETTE_BUS_HOST, then add hubs`);
  return {
    ...was,
    // A server with one port has no other beside it.
    ...(listen !== undefined && hub.length === 0 && { listen }),
    gateways: flags.gateways ?? was.gateways,
    renderers: flags.renderers ?? was.renderers,
    hubs: [...new Set([...was.hubs, ...hub])],
    ports: {
      client: flags.port ?? was.ports.client,
      cluster: flags.clusterPort ?? was.ports.cluster,
      leaf: flags.leafPort ?? was.ports.leaf,
    },
  };
}
