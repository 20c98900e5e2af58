import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NEW_FLEET, subjects, writeFleet } from '@vedette/bus';
import { connect, type ConnectionOptions, type NatsConnection, nkeyAuthenticator } from 'nats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePorts } from '../free-ports.ts';
import { eventually } from './world.ts';

// Whoever has taken over the leaf node of region eu runs a nats-server of his own with its certificate, and keeps to nothing that its configuration says.
const HUB = 'localhost';
const LOOPBACK = '127.0.0.1';
const folder = mkdtempSync(join(tmpdir(), 'vedette-stolen-leaf-'));
const children: ChildProcess[] = [];
const connections: NatsConnection[] = [];
let ports: { client: number; cluster: number; leaf: number; http: number; thief: number; thiefs: number };
let thief: NatsConnection;
let gateway: NatsConnection;
let agent: NatsConnection;

const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');
const tls = (server: string) => ({
  caFile: join(folder, 'ca.pem'),
  certFile: join(folder, server, 'cert.pem'),
  keyFile: join(folder, server, 'key.pem'),
});

async function open(options: ConnectionOptions): Promise<NatsConnection> {
  const opened = await connect({ reconnect: false, timeout: 5_000, ...options });
  connections.push(opened);
  return opened;
}
const atHub = (key: string): Promise<NatsConnection> =>
  open({
    servers: `tls://${HUB}:${ports.client}`,
    tls: { caFile: join(folder, 'ca.pem') },
    authenticator: nkeyAuthenticator(new TextEncoder().encode(read('keys', `${key}.nkey`).split('\n')[0])),
  });

/** Starts a nats-server in a folder of the fleet's. */
async function start(name: string): Promise<ChildProcess> {
  const child = spawn('nats-server', ['-c', 'nats-server.conf'], { cwd: join(folder, name), stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await eventually(() => said.includes('Server is ready') || child.exitCode !== null, `${name} is ready`);
  if (child.exitCode !== null) throw new Error(said);
  return child;
}
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** A server of the thief's, with the certificate and key of one of the fleet's. */
async function startThief(name: string, as: string, lines: string): Promise<ChildProcess> {
  cpSync(join(folder, as), join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'nats-server.conf'), `server_name: ${name}\nhost: ${LOOPBACK}\n${lines}`);
  return start(name);
}
const FILES = 'cert_file: "cert.pem", key_file: "key.pem", ca_file: "ca.pem"';
const leafLines = (port: number, user = ''): string =>
  `port: ${port}\nleafnodes: { remotes: [ { urls: ["tls://${user}${HUB}:${ports.leaf}"], tls: { ${FILES} } } ] }\n`;
const monitor = async (page: string): Promise<any> => (await fetch(`http://127.0.0.1:${ports.http}/${page}`)).json();
const leaves = async (): Promise<string[]> => ((await monitor('leafz')).leafs ?? []).map(({ account }: { account: string }) => account);

/** What somebody hears from now on, by subject. */
function ear(connection: NatsConnection, ...wanted: string[]): string[] {
  const heard: string[] = [];
  for (const subject of wanted)
    connection.subscribe(subject, { callback: (error, message) => void (error ?? heard.push(message.subject)) });
  return heard;
}

beforeAll(async () => {
  const [client = 0, cluster = 0, leaf = 0, http = 0, thiefPort = 0, thiefs = 0] = await freePorts(6);
  ports = { client, cluster, leaf, http, thief: thiefPort, thiefs };
  const plan = {
    ...NEW_FLEET,
    ports: { client, cluster, leaf },
    hubs: [HUB],
    regions: { eu: { host: '127.0.0.2' }, us: { host: '127.0.0.3' } },
    locations: { 'eu-fra': { region: 'eu' }, 'us-ash': { region: 'us' }, 'sg-sin': {} },
  };
  writeFleet(folder, plan, { now: new Date() });
  writeFileSync(join(folder, 'hub-1', 'own.conf'), `host: ${LOOPBACK}\nhttp: "127.0.0.1:${http}"\n`);
  await start('hub-1');
  await startThief('thief', 'leaf-eu', leafLines(ports.thief));
  while ((await leaves()).length === 0) await sleep(50);
  thief = await open({ servers: `nats://${HUB}:${ports.thief}` });
  gateway = await atHub('gateway-1');
  agent = await atHub('agent-sg-sin');
});
afterAll(async () => {
  for (const connection of connections) await connection.close();
  for (const child of children) await end(child);
  rmSync(folder, { recursive: true, force: true });
});

const inboxOf = (): string => subjects.inbox(read('keys', 'gateway-1.nkey.pub').trim());

it('hears the jobs of its own region, and nothing of another', async () => {
  expect(await leaves()).toEqual(['REGION_eu']);
  const heard = ear(thief, '>');
  await thief.flush();
  const own = [
    subjects.job('ping', 'eu-fra'),
    subjects.pinnedJob('ping', 'eu-fra', 'a'),
    subjects.cancel('eu-fra'),
    subjects.roll,
    subjects.denied,
  ];
  const others = ['us-ash', 'sg-sin'].flatMap((location) => [
    subjects.job('ping', location),
    subjects.pinnedJob('ping', location, 'a'),
    subjects.cancel(location),
  ]);
  const never = [...others, subjects.render('png'), subjects.keys('deny'), subjects.renderCancel];
  const all = () => own.every((subject) => heard.includes(subject));
  // Interest travels from leaf node to hub in a moment of its own.
  await eventually(() => {
    for (const subject of [...never, ...own]) gateway.publish(subject, '{}');
    return all();
  }, 'its own jobs');
  await gateway.flush();
  await thief.flush();
  expect(new Set(heard.filter((subject) => subject.startsWith('vedette.')))).toEqual(new Set(own));
});

it('speaks for its own locations, to gateways, and for nobody else', async () => {
  const told = ear(
    gateway,
    subjects.beat('*', '*'),
    `${inboxOf()}.>`,
    subjects.denied,
    subjects.keys('>'),
    subjects.rendererBeat('*', '*'),
  );
  const asked = ear(agent, subjects.pinnedJob('*', 'sg-sin', 'a'), subjects.cancel('sg-sin'), subjects.denied, subjects.roll);
  await Promise.all([gateway.flush(), agent.flush()]);
  const own = [subjects.beat('eu-fra', 'evil'), `${inboxOf()}.job.eu-fra.1`];
  const never = [
    subjects.beat('us-ash', 'evil'),
    subjects.beat('sg-sin', 'evil'),
    `${inboxOf()}.job.us-ash.1`,
    `${inboxOf()}.job.sg-sin.1`,
    `${inboxOf()}.job.1`,
    subjects.rendererBeat('key', 'evil'),
    subjects.denied,
    subjects.keys('deny'),
    subjects.roll,
    subjects.cancel('sg-sin'),
    subjects.pinnedJob('ping', 'sg-sin', 'a'),
  ];
  await eventually(() => {
    for (const subject of [...never, ...own]) thief.publish(subject, '{}');
    return own.every((subject) => told.includes(subject));
  }, 'its own beats');
  await thief.flush();
  await Promise.all([gateway.flush(), agent.flush()]);
  expect([new Set(told), asked]).toEqual([new Set(own), []]);
});

it('is no other region, whatever name it gives', async () => {
  const identity = /"REGION_us": \{\s+users: \[ \{ user: "([^"]+)"/.exec(read('hub-1', 'nats-server.conf'))![1]!;
  const other = await startThief('another', 'leaf-eu', leafLines(ports.thiefs, `${identity}:@`));
  try {
    await sleep(1_500);
    expect((await leaves()).filter((account) => account !== 'REGION_eu')).toEqual([]);
  } finally {
    await end(other);
  }
  const asClient = open({ servers: `tls://${HUB}:${ports.client}`, tls: tls('leaf-eu'), user: identity, pass: '' });
  await expect(asClient).rejects.toThrow(/authorization/i);
  await expect(open({ servers: `tls://${HUB}:${ports.client}`, tls: tls('leaf-eu') })).rejects.toThrow(/authorization/i);
});

it('is no member of the cluster, which its certificate of the same authority does not open', async () => {
  const [port = 0, cluster = 0] = await freePorts(2);
  const lines = `port: ${port}\ncluster: { name: vedette, port: ${cluster}, host: ${LOOPBACK}, tls: { ${FILES} }, routes: ["tls://${HUB}:${ports.cluster}"] }\n`;
  const routes = async (): Promise<number> => (await monitor('routez')).num_routes;
  const member = await startThief('member', 'leaf-eu', lines);
  await sleep(1_500);
  expect(await routes()).toBe(0);
  await end(member);
  // A hub's would open it.
  await startThief('hub', 'hub-1', lines);
  await expect.poll(routes, { timeout: 10_000 }).toBeGreaterThan(0);
});
