import { type Fleet, type FleetPlan, fleetToken, NEW_FLEET, readFleet, writeFleet } from '@vedette/bus';
import { Command } from 'commander';
import { integer, many, port } from '../../context/arguments.ts';
import type { CliContext } from '../../context/context.ts';
import { table } from '../../context/table.ts';

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

export function fleetCommand({ show, progress, today }: CliContext): Command {
  const fleet = new Command('fleet').description('the message bus of many machines: a cluster of hubs, and leaf nodes for regions');
  fleet
    .command('init')
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
    .action((folder: string, { hub = [], caCert, caKey, ...flags }: InitFlags) => {
      if ((caCert === undefined) !== (caKey === undefined)) throw new Error('--ca-cert and --ca-key go together');
      const was = readFleet(folder) ?? NEW_FLEET;
      if (was.hubs.length + hub.length === 0)
        throw new Error(`there is no fleet in ${folder} yet: name its hubs, --hub nats-1.example.org`);
      const plan: FleetPlan = {
        ...was,
        gateways: flags.gateways ?? was.gateways,
        renderers: flags.renderers ?? was.renderers,
        hubs: [...new Set([...was.hubs, ...hub])],
        ports: {
          client: flags.port ?? was.ports.client,
          cluster: flags.clusterPort ?? was.ports.cluster,
          leaf: flags.leafPort ?? was.ports.leaf,
        },
      };
      const authority = caCert !== undefined && caKey !== undefined ? { certFile: caCert, keyFile: caKey } : undefined;
      const written = writeFleet(folder, plan, { now: today(), ...(authority && { authority }) });
      show(written, () => tidings(folder, written));
    });
  fleet
    .command('add-location')
    .description('add a location, and print its join token as the only line on stdout')
    .argument('<folder>', 'as of fleet init')
    .argument('<id>', 'id of the location')
    .option('--region <name>', 'region of the leaf node for its agents (default for a new location: the hubs)')
    .option('--leaf <host>', "name or address of the region's leaf node, if the region is new")
    .action((folder: string, id: string, { region, leaf }: { region?: string; leaf?: string }) => {
      const was = planIn(folder);
      if (leaf !== undefined && region === undefined) throw new Error('--leaf needs a --region');
      const regions = { ...was.regions, ...(region !== undefined && leaf !== undefined && { [region]: { host: leaf } }) };
      // One that is there stays where it is: its agents have a token for that, and would be shut out of the other.
      const location = region === undefined ? (was.locations[id] ?? {}) : { region };
      const plan = { ...was, regions, locations: { ...was.locations, [id]: location } };
      const written = writeFleet(folder, plan, { now: today() });
      const joining = fleetToken(folder, id);
      progress(`${tidings(folder, written)}\n\n${invitation(folder, id)}`);
      show({ ...written, token: joining }, () => joining);
    });
  fleet
    .command('remove-location')
    .description("delete a location's key, which shuts its agents out; if added again, it gets a new key")
    .argument('<folder>', 'as of fleet init')
    .argument('<id>', 'id of the location')
    .action((folder: string, id: string) => {
      const was = planIn(folder);
      if (!Object.hasOwn(was.locations, id)) throw new Error(`there is no location ${id} in ${folder}`);
      const { [id]: _gone, ...locations } = was.locations;
      const written = writeFleet(folder, { ...was, locations }, { now: today() });
      show(written, () => tidings(folder, written));
    });
  fleet
    .command('token')
    .description('print only the token of a location')
    .argument('<folder>', 'as of fleet init')
    .argument('<id>', 'id of the location')
    .action((folder: string, id: string) => {
      const joining = fleetToken(folder, id);
      show({ token: joining }, () => joining);
    });
  return fleet;
}

function planIn(folder: string): FleetPlan {
  const plan = readFleet(folder);
  if (plan === undefined) throw new Error(`there is no fleet in ${folder}: vedette fleet init`);
  return plan;
}

/** How to use a token, which is a secret: no argument, since every user of a machine sees those of its processes. */
const invitation = (folder: string, id: string): string =>
  `Then run this on each machine at ${id}, and paste the token below (in a clone: npm run -s vedette -- agent join -)

vedette agent join -

or from here: vedette fleet token ${folder} ${id} | ssh <machine> vedette agent join -`;

/** The written files, and the operator's next step. */
function tidings(folder: string, { servers, keys, url }: Fleet): string {
  const rows = servers.map(({ name, host, changes }) => [
    `${folder}/${name}`,
    host,
    changes === undefined ? 'new: copy and start' : changes.length === 0 ? 'as it was' : 'changed: copy and reload',
  ]);
  const files = [...keys.gateways, ...keys.renderers].join(', ');
  return `${table(['folder', 'for', 'is'], rows)}

Gateways and renderers: VEDETTE_NATS_URL=${url}
VEDETTE_NATS_CA_FILE is ${folder}/ca.pem, VEDETTE_NATS_CREDS is one of these for each process: ${files}`;
}
