import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type NatsServer, startNatsServer } from '../bus/nats-server.ts';
import { createDatabase, startServer, type TestServer } from '../ledger/servers.ts';
import { type HostileDns, startHostileDns } from './hostile-dns.ts';
import { type GatewayProcess, spawnGateway } from './money/gateway-process.ts';
import { withUs } from './one-machine.ts';
import { freePort } from '../free-ports.ts';

// The roles started one by one, as docs/running.md has it, on a machine whose networks are all allowed: nothing but the processes'
// own knowledge of each other keeps strangers from their listeners. The gateway's operators' port answered 200 to a geo-request.
const AGENT = fileURLToPath(new URL('../../packages/agent/src/main.ts', import.meta.url));
const KEY = 'a-key-of-ours';
const ZONE = 'corp-hosts.com';
const folder = mkdtempSync(join(tmpdir(), 'vedette-own-'));
/** An address of this machine that is not the loopback, where it has one. */
const own =
  Object.values(networkInterfaces())
    .flatMap((infos) => infos ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';

let nats: NatsServer;
let database: TestServer;
let databaseDoor: Server;
let dns: HostileDns;
let site: Server;
let reached = 0;
let gateways: GatewayProcess[];
let agent: ChildProcess;
let ports: Record<string, number>;

const listen = async (server: Server, host: string): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
};

beforeAll(async () => {
  [nats, database] = await Promise.all([startNatsServer(), startServer('embedded')]);
  const url = await createDatabase(database);
  // PostgreSQL of ours opens no port: this one is its door on TCP, and counts who knocks.
  const socket = join(new URL(url).searchParams.get('host')!, '.s.PGSQL.5432');
  databaseDoor = createTcpServer((client) => {
    const server = connect(socket);
    for (const end of [client, server]) end.on('error', () => end.destroy());
    client.pipe(server).pipe(client);
  });
  dns = await startHostileDns((name, type) => {
    const [first = '', ...rest] = name.split('.');
    if (rest.join('.') !== ZONE) return 'NXDOMAIN';
    const data = first === 'own' ? own : '127.0.0.1';
    return type === 'A' ? [{ type: 'A', name, data, ttl: 0 }] : [];
  });
  site = createServer((_request, response) => {
    reached++;
    response.end('a site');
  });
  const [databasePort, sitePort, ...opsPorts] = await Promise.all([
    listen(databaseDoor, '127.0.0.1'),
    listen(site, '0.0.0.0'),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const env = {
    VEDETTE_NATS_URL: nats.url,
    VEDETTE_ALLOW_NETS: `127.0.0.0/8,${own}/32`,
    VEDETTE_RESOLVERS: `127.0.0.1:${dns.port}`,
    VEDETTE_WITNESSES: '',
    VEDETTE_LIMITS: 'off',
  };
  const gatewayEnv = {
    ...env,
    VEDETTE_DATA_DIR: folder,
    VEDETTE_DATABASE_URL: viaTcp(url, databasePort),
    VEDETTE_BOOTSTRAP_KEY: KEY,
    VEDETTE_HOST: '0.0.0.0',
  };
  gateways = await Promise.all(opsPorts.slice(0, 2).map((port) => spawnGateway({ ...gatewayEnv, VEDETTE_OPS_PORT: String(port) })));
  agent = spawn(...withUs(AGENT), {
    env: { ...process.env, ...env, VEDETTE_LOCATION: 'eu-fra', VEDETTE_OPS_PORT: String(opsPorts[2]) },
    stdio: 'ignore',
  });
  ports = {
    'the API': Number(new URL(gateways[0]!.url).port),
    'the API of another gateway': Number(new URL(gateways[1]!.url).port),
    "the gateway's operators' port": opsPorts[0],
    "another gateway's operators' port": opsPorts[1],
    "the agent's operators' port": opsPorts[2],
    'the bus': nats.port,
    'the database': databasePort,
    site: sitePort,
  };
}, 180_000);
afterAll(async () => {
  const gone = once(agent, 'exit');
  agent.kill('SIGTERM');
  await Promise.all([gone, ...gateways.map((gateway) => gateway.stop())]);
  dns.close();
  site.close();
  await Promise.all([nats.stop(), database.stop()]);
  databaseDoor.close();
  rmSync(folder, { recursive: true, force: true });
});

const viaTcp = (url: string, port: number): string => {
  const { pathname, searchParams } = new URL(url);
  return `postgres://${searchParams.get('user')}:${searchParams.get('password')}@127.0.0.1:${port}${pathname}`;
};

/** What one gateway answers, or its agent. */
async function ask(url: string): Promise<{ status: number; reason: string }> {
  const response = await fetch(`${gateways[0]!.url}/v2/geo-request`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  const body = (await response.json()) as { code?: string; locations?: { reason?: string; request_output: { status_code: number } }[] };
  const [entry] = body.locations ?? [];
  return { status: response.status, reason: entry ? (entry.reason ?? '') : (body.code ?? '') };
}

it('what else listens there is open, as the operator says', async () => {
  const url = `http://loopback.${ZONE}:${ports['site']}/`;
  await expect.poll(() => ask(url), { timeout: 20_000 }).toEqual({ status: 200, reason: '' }); // once the agent is there
  const before = reached;
  expect(await ask(`http://127.0.0.1:${ports['site']}/`)).toEqual({ status: 200, reason: '' });
  expect(reached).toBe(before + 1);
});

const REFUSED = { status: 400, reason: 'private_address' };
const REFUSED_THERE = { status: 200, reason: 'blocked_policy' };
it.each([
  ['the API', REFUSED],
  ['the API of another gateway', REFUSED],
  ["the gateway's operators' port", REFUSED],
  ["another gateway's operators' port", REFUSED],
  ['the bus', REFUSED],
  ['the database', REFUSED],
  ["the agent's operators' port", REFUSED_THERE], // which only the agent knows
])('%s is closed, whatever names it', async (name, literally) => {
  const port = ports[name]!;
  await expect.poll(() => ask(`http://127.9.9.9:${port}/`), { timeout: 20_000 }).toEqual(literally);
  // Only the agent resolves these. What it is told it knows a moment after it has started.
  await expect.poll(() => ask(`http://loopback.${ZONE}:${port}/`), { timeout: 20_000 }).toEqual(REFUSED_THERE);
  expect(await ask(`http://own.${ZONE}:${port}/`)).toEqual(REFUSED_THERE);
});
