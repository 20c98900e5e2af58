import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNatsServer } from '../bus/nats-server.ts';
import { freePort, freePorts } from '../free-ports.ts';
import { createDatabase, startServer, type TestServer } from '../ledger/servers.ts';
import { a, response, type ScriptedServer, startServer as startDns } from '../probes/dns/scripted-server.ts';
import { rawServer } from '../probes/http/raw-server.ts';
import { scratchFolder } from '../scratch.ts';
import { type GatewayProcess, spawnGateway } from './money/gateway-process.ts';
import { withUs } from './one-machine.ts';
import { startOldAgent } from './old-agent.ts';

// Two gateways that scan and one that does not, over one database and one bus, and an agent at each of two places.
const AGENT = fileURLToPath(new URL('../../packages/agent/src/main.ts', import.meta.url));
const KEY = 'a-key-of-ours';
const TOKEN = 'a-token-of-ours';
const folder = scratchFolder('scan');
let database: TestServer;
let nats: Awaited<ReturnType<typeof startNatsServer>>;
let opsPort: number;
let first: GatewayProcess;
let second: GatewayProcess;
let off: GatewayProcess;
let dns: ScriptedServer;
const agents: Record<string, ChildProcess> = {};
/** A host whose owner wants no measurements. */
const QUIET = { name: 'quiet-lab.com', address: '127.0.78.1' };

beforeAll(async () => {
  dns = await startDns(({ query, question: { name, type }, reply }) => {
    const isConsent = name.toLowerCase() === `_probe-optout.${QUIET.name}` && type === 'TXT';
    const isHost = name.toLowerCase() === QUIET.name && type === 'A';
    const answers = isConsent ? [{ type: 'TXT' as const, name, ttl: 60, data: 'v=optout1' }] : isHost ? [a(name, QUIET.address)] : [];
    reply(response(query, { answers }));
  });
  [database, nats, opsPort] = await Promise.all([startServer('embedded'), startNatsServer(), freePort()]);
  const common = {
    VEDETTE_NATS_URL: nats.url,
    VEDETTE_ALLOW_NETS: '127.0.0.0/8',
    VEDETTE_WITNESSES: '',
    VEDETTE_RESOLVERS: `${dns.endpoint.address}:${dns.endpoint.port}`,
  };
  const gateway = {
    ...common,
    VEDETTE_DATA_DIR: folder,
    VEDETTE_DATABASE_URL: await createDatabase(database),
    VEDETTE_BOOTSTRAP_KEY: KEY,
    VEDETTE_ADMIN_TOKEN: TOKEN,
  };
  for (const place of ['eu-fra', 'us-ash'])
    agents[place] = spawn(...withUs(AGENT), {
      env: { ...process.env, ...common, VEDETTE_LOCATION: place },
      stdio: 'ignore',
    });
  const on = { ...gateway, VEDETTE_PORT_SCAN: 'on' };
  [first, second, off] = await Promise.all([
    spawnGateway({ ...on, VEDETTE_OPS_PORT: String(opsPort) }),
    spawnGateway(on),
    spawnGateway(gateway),
  ]);
  const ready = async (one: GatewayProcess) =>
    (await get(one, '/v2/locations')).locations.filter(({ state }: any) => state === 'ready').length;
  for (const one of [first, second]) while ((await ready(one)) < 2) await sleep(100);
}, 60_000);
afterAll(async () => {
  await Promise.all([first, second, off].map((one) => one?.stop()));
  await Promise.all(
    Object.values(agents).map(async (child) => {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }),
  );
  await Promise.all([nats?.stop(), database?.stop(), dns?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const get = async (gateway: GatewayProcess, path: string): Promise<any> =>
  (await fetch(gateway.url + path, { headers: { 'x-api-key': KEY } })).json();

interface Scanned {
  status: number;
  cost: string | undefined;
  retryAfterS: number;
  body: any;
}

async function scan(gateway: GatewayProcess, body: object, key = KEY): Promise<Scanned> {
  const response = await fetch(`${gateway.url}/v2/port-scan`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    cost: /cost=(\d+)/.exec(response.headers.get('x-service-quota') ?? '')?.[1],
    retryAfterS: Number(response.headers.get('retry-after')),
    body: await response.json(),
  };
}

const admin = async (method: string, path: string, body: object): Promise<any> => {
  const response = await fetch(`http://127.0.0.1:${opsPort}/admin/${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.json();
};
const keyOf = async (plan: string, terms: object): Promise<string> => {
  await admin('PUT', `plans/${plan}`, terms);
  const { id: account } = await admin('POST', 'accounts', { name: plan, plan });
  return (await admin('POST', 'keys', { account, name: 'a key' })).key;
};

let hosts = 0;
/** A target that was never scanned: loopback has enough of them. */
const newHost = (): string => `127.0.77.${++hosts}`;

describe('port-scan', () => {
  it('does not exist where it is not switched on', async () => {
    expect(await scan(off, { host: newHost() })).toMatchObject({ status: 404, body: { code: 'unknown_operation' } });
    const paths = async (gateway: GatewayProcess) => Object.keys((await get(gateway, '/openapi.json')).paths);
    expect(await paths(off)).not.toContain('/v2/port-scan');
    expect(await paths(first)).toContain('/v2/port-scan');
  });

  it('is for accounts whose plan includes it', async () => {
    const host = newHost();
    expect(await scan(first, { host }, await keyOf('basic', { monthly_credits: 100 }))).toMatchObject({
      status: 403,
      body: { code: 'operation_not_allowed', error: expect.stringContaining('the plan of the account does not include it') },
    });
    const key = await keyOf('scanning', { monthly_credits: 100, port_scan: true });
    expect(await scan(first, { host, ports: '1' }, key)).toMatchObject({ status: 200, cost: '6' });
  });

  it('scans no host whose owner has opted out, for free', async () => {
    let contacts = 0;
    await using server = await rawServer(() => (contacts += 1), QUIET.address);
    const refused = await scan(first, { host: QUIET.name, ports: String(server.port) });
    expect(refused).toMatchObject({
      status: 400,
      cost: '0',
      body: { code: 'denied_target', error: expect.stringContaining('has opted out') },
    });
    expect(contacts).toBe(0);
  });

  it('asks no agent that is too old to scan', async () => {
    const place = 'old-lab';
    await using old = await startOldAgent(nats.url, { location: place, minor: 2, kinds: ['ping', 'http', 'dns'] });
    const seen = async () => (await get(first, '/v2/locations')).locations.some(({ id, state }: any) => id === place && state === 'ready');
    while (!(await seen())) await sleep(100);
    const [port] = await freePorts(1);
    const alone = await scan(first, { host: newHost(), ports: String(port), locations: [place] });
    expect(alone).toMatchObject({
      status: 503,
      cost: '0',
      body: { code: 'no_agent', error: expect.stringContaining('cannot do this measurement') },
    });
    const { status, body } = await scan(first, { host: newHost(), ports: String(port), locations: [place, 'eu-fra'] });
    expect({ status, reasons: body.locations.map(({ location, reason }: any) => [location, reason ?? '']) }).toEqual({
      status: 200,
      reasons: [
        [place, 'unsupported'],
        ['eu-fra', ''],
      ],
    });
    expect(old.jobs).toEqual([]);
  });

  it('tells open ports from closed ones, from one place, for a price by their number', async () => {
    const host = newHost();
    await using server = await rawServer((socket) => socket.write('SSH-2.0-here\r\n'), host);
    const closed = await freePorts(2);
    const { status, cost, body } = await scan(first, { host, ports: [server.port, ...closed].join() });
    expect({ status, cost }).toEqual({ status: 200, cost: '6' });
    expect(body).toMatchObject({
      host,
      locations: [
        {
          location: 'eu-fra',
          error: '',
          scan_output: { host, ip_address: host, open_ports: [server.port], stats: { scanned: 3, open: 1, closed: 2, filtered: 0 } },
        },
      ],
    });
    const ports = body.locations[0].scan_output.ports as { port: number; state: string }[];
    expect(ports.find(({ port }) => port === server.port)).toMatchObject({
      state: 'open',
      service: 'ssh',
      service_from: 'banner',
      banner: 'SSH-2.0-here\\r\\n',
    });
    expect(server.received).toEqual(['']);
  });

  it('compares places, which share the pace', async () => {
    const host = newHost();
    const { body } = await scan(first, { host, ports: '1-3', locations: ['eu-fra', 'us-ash'] });
    expect(body.locations.map(({ location, scan_output }: any) => [location, scan_output.stats.closed])).toEqual([
      ['eu-fra', 3],
      ['us-ash', 3],
    ]);
  });

  it('is done once in ten minutes, at all gateways and for all accounts together', async () => {
    const host = newHost();
    const key = await keyOf('scanning', { monthly_credits: 100, port_scan: true });
    const both = await Promise.all([scan(first, { host, ports: '1' }), scan(second, { host, ports: '1' }, key)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429]);
    const refused = await scan(second, { host, ports: '2' }, key);
    expect(refused).toMatchObject({ status: 429, cost: '0', body: { code: 'target_limited', error: expect.stringContaining(host) } });
    expect(refused.retryAfterS > 500 && refused.retryAfterS <= 600).toBe(true);
  });

  it('sends nothing that is not paid for, and that cools nothing down', async () => {
    const host = newHost();
    await using server = await rawServer(() => {}, host);
    const ports = String(server.port);
    const poor = await keyOf('poor', { monthly_credits: 5, port_scan: true });
    expect(await scan(first, { host, ports }, poor)).toMatchObject({ status: 402, body: { code: 'insufficient_credits' } });
    expect(server.received).toEqual([]);
    expect(await scan(second, { host, ports })).toMatchObject({ status: 200 });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['government', { host: 'www.example.gov' }, 'blocked_target'],
    ['education', { host: 'example.edu' }, 'blocked_target'],
    ['an inner address', { host: '10.0.0.1' }, 'private_address'],
    ['101 ports', { host: 'example.org', ports: '1-101' }, 'invalid_parameter'],
    ['port 0', { host: 'example.org', ports: '0' }, 'invalid_parameter'],
  ])('refuses %s', async (_what, request, code) => {
    expect(await scan(first, request)).toMatchObject({ status: 400, cost: '0', body: { code } });
  });

  it('refuses ports of ours, on any address', async () => {
    const ports = `1,${new URL(first.url).port}`;
    expect(await scan(first, { host: '127.0.0.1', ports })).toMatchObject({ status: 400, body: { code: 'private_address' } });
  });

  it('is free where no agent measured, and may be asked for again', async () => {
    const host = newHost();
    agents['us-ash']!.kill('SIGTERM');
    await once(agents['us-ash']!, 'exit');
    const from = (place: string) => scan(first, { host, ports: '1', locations: [place] });
    expect(await from('us-ash')).toMatchObject({ status: 503, cost: '0', body: { code: 'no_agent' } });
    expect(await from('eu-fra')).toMatchObject({ status: 200 });
    expect(await from('eu-fra')).toMatchObject({ status: 429 });
  });
});
