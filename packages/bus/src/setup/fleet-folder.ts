import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ID_PATTERN, parseIp } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { type Authority, authorityIn, certify, fingerprintOf, leafIdentity } from './certificates.ts';
import { type FleetPorts, hubConfig, leafConfig, urlHost } from './fleet-config.ts';
import { encodeJoinToken } from './join-token.ts';
import { identity, nameLocations, numbers, withKept, writeWhole } from './keys.ts';
import { token } from './permissions.ts';
import { changedLines } from './server-config.ts';

const Id = Type.String({ pattern: ID_PATTERN });
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });
const Plan = Type.Object(
  {
    version: Type.Literal(1),
    gateways: Type.Integer({ minimum: 1, maximum: 1_000 }),
    renderers: Type.Integer({ minimum: 0, maximum: 1_000 }),
    ports: Type.Object({ client: Port, cluster: Port, leaf: Port }, { additionalProperties: false }),
    hubs: Type.Array(Type.String(), { minItems: 1, maxItems: 16 }),
    /** Address of the listener of the one hub that `npm start` runs, which has no other port; absent: hubs as `fleet init` makes them. */
    listen: Type.Optional(Type.String()),
    /** Location of the machine of `npm start`, VEDETTE_LOCATION; absent: it has none. */
    here: Type.Optional(Id),
    /** Locations of the agents of `npm start` that only pretend: they have keys of their own. Empty: these agents have left. */
    pretended: Type.Optional(Type.Array(Id)),
    regions: Type.Record(Id, Type.Object({ host: Type.String() }, { additionalProperties: false }), { additionalProperties: false }),
    locations: Type.Record(Id, Type.Object({ region: Type.Optional(Id) }, { additionalProperties: false }), {
      additionalProperties: false,
    }),
  },
  { additionalProperties: false },
);
const plans = Compile(Plan);

/** The parts of a fleet's bus, as in `fleet.json`. No secret. */
export type FleetPlan = Static<typeof Plan>;

export interface FleetServer {
  /** Name of its folder: `hub-1`, `leaf-eu`. */
  name: string;
  /** Where others reach it. */
  host: string;
  /** The differences from the previous file, line by line; undefined: it is new. */
  changes: string[] | undefined;
}

export interface Fleet {
  plan: FleetPlan;
  servers: FleetServer[];
  /** Paths of files with an nkey seed, for VEDETTE_NATS_CREDS. */
  keys: { gateways: string[]; renderers: string[]; agents: ReadonlyMap<string, string>; pretended: ReadonlyMap<string, string> };
  /** The value of VEDETTE_NATS_URL for gateways and renderers. */
  url: string;
}

/** File of a plan in its folder. It is written last: by then everything else is there. */
export const PLAN = 'fleet.json';
/** How processes of its own machine reach a hub that listens on one port. */
const LOOPBACK = '127.0.0.1';
const LOCAL = ['localhost', LOOPBACK];
/** Where a server listens on all addresses, IPv6 included. */
export const EVERY_ADDRESS = '0.0.0.0';
const PORTS: FleetPorts = { client: 4222, cluster: 6222, leaf: 7422 };
export const NEW_FLEET: FleetPlan = { version: 1, gateways: 1, renderers: 1, ports: PORTS, hubs: [], regions: {}, locations: {} };

/** A plan that cannot be: the message says why. */
export class FleetPlanError extends Error {
  override name = 'FleetPlanError';
}

/** The plan in the folder; undefined without one. Throws a `FleetPlanError` for an invalid plan. */
export function readFleet(folder: string): FleetPlan | undefined {
  const path = join(folder, PLAN);
  if (!existsSync(path)) return undefined;
  const plan: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!plans.Check(plan)) throw new FleetPlanError(`${path} is no plan of a fleet that this Vedette knows`);
  return plan;
}

const isHost = (text: string): boolean => parseIp(text) !== undefined || /^(?=.{1,253}$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(text);

/** Throws a `FleetPlanError` for a text that is not the host of a server. */
export function assertHost(text: string): void {
  if (!isHost(text)) throw new FleetPlanError(`not a host name in lower case, nor an address: ${text}`);
}

function assertPlan(plan: FleetPlan): void {
  if (!plans.Check(plan))
    throw new FleetPlanError('a fleet has 1 to 16 hubs, 1,000 gateways and renderers at most, and ids of letters, digits, - and _');
  const { client, cluster, leaf } = plan.ports;
  if (plan.listen === undefined && new Set([client, cluster, leaf]).size < 3)
    throw new FleetPlanError('a hub listens on three ports: clients, cluster and leaf nodes each want one of their own');
  if (plan.listen !== undefined && (plan.hubs.length > 1 || Object.keys(plan.regions).length > 0))
    throw new FleetPlanError('a hub that listens on one port has neither other hubs nor leaf nodes');
  const hosts = [...plan.hubs, ...Object.values(plan.regions).map(({ host }) => host)];
  for (const host of hosts) assertHost(host);
  if (new Set(hosts).size < hosts.length) throw new FleetPlanError('two servers of a fleet cannot have one host');
  for (const [id, { region }] of Object.entries(plan.locations))
    if (region !== undefined && plan.regions[region] === undefined)
      throw new FleetPlanError(`nothing is known of region ${region} of ${id}: say --leaf <host>, where its agents reach its leaf node`);
}

/**
 * Writes all that the servers of a plan need, each a folder of its own to be copied to its machine: configuration, certificate, key; and
 * the keys of gateways, renderers and locations. Keys that are there stay; those of locations that are no more go. Throws a `FleetPlanError`
 * for an invalid plan.
 */
export function writeFleet(folder: string, plan: FleetPlan, { authority: given, now }: { authority?: Authority; now: Date }): Fleet {
  assertPlan(plan);
  mkdirSync(join(folder, 'keys'), { recursive: true, mode: 0o700 });
  const keys = join(folder, 'keys');
  const authority = authorityIn(folder, given, now);
  const gateways = withKept(keys, 'gateway', numbers(plan.gateways)).map((name) => identity(keys, `gateway-${name}`));
  const renderers = withKept(keys, 'renderer', numbers(plan.renderers)).map((name) => identity(keys, `renderer-${name}`));
  const pretended = plan.pretended ?? [];
  for (const gone of withKept(keys, 'agent', []).filter((id) => plan.locations[id] === undefined)) forget(keys, `agent-${gone}`);
  for (const gone of withKept(keys, 'pretended', []).filter((id) => !pretended.includes(id))) forget(keys, `pretended-${gone}`);
  const agents = Object.entries(plan.locations).map(([location, { region }]) => ({
    location,
    region,
    ...identity(keys, `agent-${location}`),
  }));
  for (const { path } of gateways) nameLocations(path, agents);
  const pretending = pretended.map((location) => ({ location, ...identity(keys, `pretended-${location}`) }));

  const certified = (name: string, host: string, names: (keyFile: string) => string[]): string => {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    certify(join(folder, name), authority, host, names, now);
    return join(folder, name, 'key.pem');
  };
  const { hubs, ports, listen } = plan;
  const pins = hubs.map((host, index) =>
    fingerprintOf(certified(`hub-${index + 1}`, host, () => (listen === undefined ? [] : LOCAL.filter((name) => name !== host)))),
  );
  const regions = Object.entries(plan.regions).map(([name, { host }]) => {
    const keyFile = certified(`leaf-${name}`, host, (file) => [leafIdentity(file)]);
    const behind = agents.filter(({ region }) => region === name);
    return { name, host, agents: behind, locations: behind.map(({ location }) => location), identity: leafIdentity(keyFile) };
  });
  const direct = [...agents.filter(({ region }) => region === undefined), ...pretending];
  const hub = { hosts: hubs, ports, listen, pins, gateways, renderers, agents: direct, regions };
  const names = new Map([...gateways, ...renderers, ...agents, ...pretending].map(({ publicKey, name }) => [publicKey, name]));
  const written = (name: string, host: string, text: string): FleetServer => ({
    name,
    host,
    changes: writeConfig(join(folder, name), text, names),
  });
  const servers = [
    ...hubs.map((host, index) => written(`hub-${index + 1}`, host, hubConfig({ ...hub, index }))),
    ...regions.map(({ name, host, agents: behind }) =>
      written(`leaf-${name}`, host, leafConfig({ region: name, host, hubs, ports, agents: behind })),
    ),
  ];
  writeWhole(join(folder, PLAN), `${JSON.stringify(plan, null, 2)}\n`);
  const paths = (all: readonly { path: string }[]) => all.map(({ path }) => path);
  const byLocation = (all: readonly { location: string; path: string }[]) => new Map(all.map(({ location, path }) => [location, path]));
  return {
    plan,
    servers,
    keys: { gateways: paths(gateways), renderers: paths(renderers), agents: byLocation(agents), pretended: byLocation(pretending) },
    url: urlsOf(hubs, ports).join(','),
  };
}

function writeConfig(folder: string, text: string, names: ReadonlyMap<string, string>): string[] | undefined {
  const path = join(folder, 'nats-server.conf');
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const ownConfig = join(folder, 'own.conf');
  if (!existsSync(ownConfig)) writeWhole(ownConfig, '# Lines of your own.\n');
  if (before !== text) writeWhole(path, text);
  return before === undefined ? undefined : changedLines(before, text, names);
}

function forget(keys: string, name: string): void {
  for (const suffix of ['nkey', 'nkey.pub']) rmSync(join(keys, `${name}.${suffix}`), { force: true });
}

/** The URL of a server of the bus. */
const hubUrl = (host: string, port: number): string => `tls://${urlHost(host)}:${port}`;

/** Where processes of its own machine reach a server that listens on one port; undefined for other fleets. */
export const localUrl = ({ listen, ports }: FleetPlan): string | undefined =>
  listen === undefined ? undefined : hubUrl(listen === EVERY_ADDRESS ? LOOPBACK : listen, ports.client);

const urlsOf = (hosts: readonly string[], { client }: FleetPorts): string[] => hosts.map((host) => hubUrl(host, client));

/** The token with which agents join at a location. It holds the location's key. Throws an Error on a location that the fleet does not have. */
export function fleetToken(folder: string, location: string): string {
  const plan = readFleet(folder);
  const known = plan !== undefined && Object.hasOwn(plan.locations, token(location)) ? plan.locations[location] : undefined;
  if (plan === undefined || known === undefined)
    throw new Error(`there is no location ${location} in ${folder}: vedette fleet add-location`);
  const leaf = known.region === undefined ? undefined : plan.regions[known.region];
  const seed = readFileSync(join(folder, 'keys', `agent-${location}.nkey`), 'utf8').trim();
  return encodeJoinToken({
    urls: urlsOf(leaf ? [leaf.host] : plan.hubs, plan.ports),
    location,
    seed,
    ca: [readFileSync(join(folder, 'ca.pem'), 'utf8')],
  });
}
