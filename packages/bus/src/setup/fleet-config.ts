import { limitLines, type NatsServerOptions, token, userLines } from './permissions.ts';
import { subjects } from '../wire/subjects.ts';

/** Where the servers of a fleet listen; a leaf node has the first one only. */
export interface FleetPorts {
  client: number;
  cluster: number;
  leaf: number;
}

type Gateways = NatsServerOptions['gateways'];
type Agents = NatsServerOptions['agents'];

export interface HubOptions {
  /** The index in `hosts`. */
  index: number;
  hosts: readonly string[];
  ports: FleetPorts;
  /** Address of its listener, which is then the only one: no cluster, no leaf nodes. */
  listen?: string | undefined;
  /** SHA-256 of the public keys of all hubs, hexadecimal: who else is let into the cluster has everything. */
  pins: readonly string[];
  gateways: Gateways;
  renderers: Gateways;
  /** The servers that connect to the hubs themselves. */
  agents: Agents;
  regions: readonly { name: string; locations: readonly string[]; identity: string }[];
}

const TLS = 'cert_file: "cert.pem", key_file: "key.pem", ca_file: "ca.pem"';
const CORE = 'CORE';

/** A host as it stands in a URL. */
export const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

const head = `# Written by "vedette fleet", as a whole each time: lines of your own belong into own.conf beside it, where they win. Run it in its folder.
`;

/**
 * The configuration of one hub. Gateways, renderers and agents without a leaf node share an account; each region has one of its own, which takes of
 * it what is for the region's locations, and gives it their beats and replies. The hub therefore limits a leaf node. Permissions of a leaf
 * node's user do not work for that, since a server sends no wider interest over them (`beat.*.*`), and a stolen leaf node need not apply
 * its own denials. A client admitted without one of our names is in the global account, which is empty.
 */
export function hubConfig({ index, hosts, ports, listen, pins, gateways, renderers, agents, regions }: HubOptions): string {
  const users = userLines({ gateways, renderers, agents });
  const host = urlHost(hosts[index]!);
  const routes = hosts.map((other) => `tls://${urlHost(other)}:${ports.cluster}`);
  const given = [subjects.job('*', '*'), subjects.pinnedJob('*', '*', '*'), subjects.cancel('*'), subjects.roll, subjects.denied];
  const taken = regions.flatMap(({ name, locations }) =>
    locations.flatMap((location) => fromRegion(location).map((subject) => `      ${imported(accountOf(name), subject)}`)),
  );
  const otherPorts = () => `cluster: {
  name: vedette
  port: ${ports.cluster}
  cluster_advertise: "${host}:${ports.cluster}"
  tls: { ${TLS}, verify: true, pinned_certs: ${JSON.stringify(pins)} }
  routes: ${JSON.stringify(routes)}
}
leafnodes: {
  port: ${ports.leaf}
  advertise: "${host}:${ports.leaf}"
  tls: { ${TLS}, verify_and_map: true }
}
`;
  return `${head}server_name: hub-${index + 1}
port: ${ports.client}
${listen === undefined ? `client_advertise: "${host}:${ports.client}"` : `host: ${JSON.stringify(listen)}`}
${limitLines(users.length)}
tls: { ${TLS} }
${listen === undefined ? otherPorts() : ''}authorization: { timeout: 5 }
accounts: {
  ${CORE}: {
    users: [
${users.join('\n')}
    ]
    exports: [ ${given.map((subject) => `{ stream: "${subject}" }`).join(', ')} ]
    imports: [
${taken.join('\n')}
    ]
  }
${regions.map(regionAccount).join('\n')}
}
include "own.conf"
`;
}

function regionAccount({ name, locations, identity }: HubOptions['regions'][number]): string {
  const exported = locations.flatMap(fromRegion).map((subject) => `{ stream: "${subject}" }`);
  const taken = [...new Set(locations.flatMap(toRegion))].map((subject) => imported(CORE, subject));
  return `  "${accountOf(name)}": {
    users: [ { user: "${identity}", allowed_connection_types: ["LEAFNODE"] } ]
    exports: [ ${exported.join(', ')} ]
    imports: [ ${taken.join(', ')} ]
  }`;
}

const accountOf = (region: string): string => `REGION_${token(region)}`;
const imported = (account: string, subject: string): string => `{ stream: { account: "${account}", subject: "${subject}" } }`;

/** Subjects that agents of a location publish: beats, and frames back, whose subject names the location. */
const fromRegion = (location: string): string[] => [subjects.beat(token(location), '*'), `${subjects.inbox('*')}.*.${token(location)}.*`];

/** Subjects that agents of a location read. */
const toRegion = (location: string): string[] => [
  subjects.job('*', token(location)),
  subjects.pinnedJob('*', token(location), '*'),
  subjects.cancel(token(location)),
  subjects.roll,
  subjects.denied,
];

export interface LeafOptions {
  region: string;
  host: string;
  hubs: readonly string[];
  ports: FleetPorts;
  agents: Agents;
}

/** The configuration of a region's leaf node: its agents connect to it, and it to any one of the hubs. */
export function leafConfig({ region, host, hubs, ports, agents }: LeafOptions): string {
  const users = userLines({ gateways: [], agents });
  return `${head}server_name: leaf-${token(region)}
port: ${ports.client}
client_advertise: "${urlHost(host)}:${ports.client}"
${limitLines(users.length)}
tls: { ${TLS} }
leafnodes: {
  remotes: [ { urls: ${JSON.stringify(hubs.map((hub) => `tls://${urlHost(hub)}:${ports.leaf}`))}, tls: { ${TLS} } } ]
}
authorization: {
  timeout: 5
  users: [
${users.join('\n')}
  ]
}
include "own.conf"
`;
}
