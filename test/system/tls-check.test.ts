import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNatsServer } from '../bus/nats-server.ts';
import { freePort } from '../free-ports.ts';
import { createDatabase, startServer, type TestServer } from '../ledger/servers.ts';
import { fakeServer, type Habits, TLS12, TLS13 } from '../probes/tls/fake-server.ts';
import { scratchFolder } from '../scratch.ts';
import { startHostileDns } from './hostile-dns.ts';
import { type GatewayProcess, spawnGateway } from './money/gateway-process.ts';

// Two gateways over one database; no agent is needed.
const KEY = 'a-key-of-ours';
const TOKEN = 'a-token-of-ours';
const OWN = '127.0.0.1';
const folder = scratchFolder('tls');
let database: TestServer;
let nats: Awaited<ReturnType<typeof startNatsServer>>;
let dns: Awaited<ReturnType<typeof startHostileDns>>;
let opsPort: number;
let first: GatewayProcess;
let second: GatewayProcess;

beforeAll(async () => {
  [database, nats, opsPort] = await Promise.all([startServer('embedded'), startNatsServer(), freePort()]);
  // One name for a target of loopback, and another for what may not be contacted.
  dns = await startHostileDns((name, type) => {
    if (name === '.' || name === '') return [{ type: 'NS', name: '.', data: 'a.root-servers.net', ttl: 60 }];
    if (name === 'tls.lab-target.com') return type === 'A' ? [{ type: 'A', name, data: OTHER, ttl: 0 }] : [];
    return 'NXDOMAIN';
  });
  const gateway = {
    VEDETTE_NATS_URL: nats.url,
    VEDETTE_ALLOW_NETS: '127.0.0.0/8',
    VEDETTE_WITNESSES: '',
    VEDETTE_RESOLVERS: `127.0.0.1:${dns.port}`,
    VEDETTE_OWN_TARGETS: `${OWN}/32`,
    VEDETTE_DATA_DIR: folder,
    VEDETTE_DATABASE_URL: await createDatabase(database),
    VEDETTE_BOOTSTRAP_KEY: KEY,
    VEDETTE_ADMIN_TOKEN: TOKEN,
  };
  [first, second] = await Promise.all([spawnGateway({ ...gateway, VEDETTE_OPS_PORT: String(opsPort) }), spawnGateway(gateway)]);
}, 60_000);
afterAll(async () => {
  await Promise.all([first, second].map((one) => one?.stop()));
  await Promise.all([nats?.stop(), database?.stop()]);
  dns?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function check(gateway: GatewayProcess, body: object, key = KEY) {
  const response = await fetch(`${gateway.url}/v2/tls-check`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    cost: /cost=(\d+)/.exec(response.headers.get('x-service-quota') ?? '')?.[1],
    retryAfterS: Number(response.headers.get('retry-after')),
    body: (await response.json()) as Record<string, unknown>,
  };
}

async function poorKey(): Promise<string> {
  const admin = async (method: string, path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${opsPort}/admin/${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, string>;
  };
  await admin('PUT', 'plans/poor', { monthly_credits: 9 });
  const { id: account } = await admin('POST', 'accounts', { name: 'poor', plan: 'poor' });
  return (await admin('POST', 'keys', { account, name: 'a key' }))['key']!;
}

const GOOD: Habits = { versions: [TLS13, TLS12], suites: [0x1301, 0xc02f], groups: [0x11ec, 0x001d], extensions: [0xff01, 22, 23, 35] };
const OTHER = '127.0.66.1';
/** A server at an address of loopback, which is a stranger's. */
const at = (host: string) => fakeServer(GOOD, host);

describe('tls-check', () => {
  it('reports a server by name and by address, for its price', async () => {
    await using server = await at(OTHER);
    const byName = await check(first, { host: 'tls.lab-target.com', port: server.port });
    expect(byName).toMatchObject({
      status: 200,
      cost: '10',
      body: { ip_address: OTHER, tls_found: true, complete: true, protocols: { tls1_3: 'yes', tls1_2: 'yes', tls1_0: 'no' }, ech: 'no' },
    });
    expect(server.received).toHaveLength(Number(byName.body['connections']));
  });

  it('is done once a minute for a port, at all gateways together, by whichever of its names', async () => {
    await using server = await at(OTHER);
    await using other = await at(OTHER);
    const { port } = server;
    const both = await Promise.all([check(first, { host: OTHER, port }), check(second, { host: 'tls.lab-target.com', port })]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429]);
    const heard = server.received.length;
    const refused = await check(second, { host: OTHER, port });
    expect(refused).toMatchObject({ status: 429, cost: '0', body: { code: 'target_limited' } });
    expect(refused.retryAfterS).toSatisfy((seconds: number) => seconds > 0 && seconds <= 60);
    expect(server.received).toHaveLength(heard);
    expect(await check(second, { host: OTHER, port: other.port })).toMatchObject({ status: 200 });
  });

  it('is done as often as one likes with what is the operator’s own', async () => {
    await using server = await at(OWN);
    const statuses = [];
    for (const gateway of [first, second]) statuses.push((await check(gateway, { host: OWN, port: server.port })).status);
    expect(statuses).toEqual([200, 200]);
  });

  it('sends nothing that is not paid for, and that cools nothing down', async () => {
    await using server = await at('127.0.66.2');
    const request = { host: '127.0.66.2', port: server.port };
    expect(await check(first, request, await poorKey())).toMatchObject({ status: 402, body: { code: 'insufficient_credits' } });
    expect(server.received).toEqual([]);
    expect(await check(second, request)).toMatchObject({ status: 200 });
  });

  it.each([
    ['government', { host: 'www.example.gov' }, 'blocked_target'],
    ['education', { host: 'example.edu' }, 'blocked_target'],
    ['an inner address', { host: '10.0.0.1' }, 'private_address'],
    ['a printer', { host: 'tls.lab-target.com', port: 9_100 }, 'invalid_parameter'],
    ['port 0', { host: 'tls.lab-target.com', port: 0 }, 'invalid_parameter'],
  ])('refuses %s', async (_what, request, code) => {
    expect(await check(first, request)).toMatchObject({ status: 400, cost: '0', body: { code } });
  });

  it('refuses ports of ours', async () => {
    expect(await check(first, { host: OWN, port: Number(new URL(first.url).port) })).toMatchObject({
      status: 400,
      body: { code: 'private_address' },
    });
  });
});
