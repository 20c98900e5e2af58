import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNkey, natsServerConfig } from '@vedette/bus';
import type { Environment, Running } from '@vedette/process/run';
import { StartError } from '@vedette/process/start-error';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { runAgent } from '../../packages/agent/src/agent.ts';
import { runGateway } from '../../packages/gateway/src/gateway.ts';
import { type NatsServer, startNatsServer } from '../bus/nats-server.ts';
import { alertsOf, metricProblems } from '../promtool.ts';
import { scratchFolder } from '../scratch.ts';
import { OWN_ENV } from '../own-env.ts';

const MAIN = join(import.meta.dirname, '../../packages/gateway/src/main.ts');
const NO_FEEDS = join(import.meta.dirname, '../intel/feeds/none.json');
const NO_ENGINES = join(import.meta.dirname, '../intel/engines/none.json');
const API_KEY = 'vedette-test-key';
const keys = { gateway: createNkey(), agent: createNkey(), second: createNkey(), stranger: createNkey() };
let dir: string;
let dataDir: string;
let nats: NatsServer;
let target: Server;
/** What a test that failed did not stop. */
const running = new Set<Running>();

/** The configuration of a server that knows one gateway and one agent. */
const knowing = (gateway: { publicKey: string }, agent: { publicKey: string }) => (port: number) =>
  natsServerConfig({
    host: '127.0.0.1',
    port,
    gateways: [{ publicKey: gateway.publicKey }],
    agents: [
      { publicKey: agent.publicKey, location: 'eu-fra' },
      { publicKey: keys.second.publicKey, location: 'us-ash' },
    ],
  });

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vedette-process-'));
  dataDir = scratchFolder('data');
  for (const [name, { seed }] of Object.entries(keys)) writeFileSync(join(dir, `${name}.nkey`), seed, { mode: 0o600 });
  nats = await startNatsServer(knowing(keys.gateway, keys.agent));
  target = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const each of running) await stop(each);
});
afterAll(async () => {
  target.close();
  await nats.stop();
  for (const path of [dir, dataDir]) rmSync(path, { recursive: true });
});

const start = async (work: Promise<Running>): Promise<Running> => {
  const started = await work;
  running.add(started);
  return started;
};
const stop = async (started: Running): Promise<void> => {
  running.delete(started);
  await started.stop();
};
const envOf = (role: keyof typeof keys, more: Environment = {}): Environment => ({
  VEDETTE_NATS_URL: nats.url,
  VEDETTE_NATS_CREDS: join(dir, `${role}.nkey`),
  VEDETTE_ALLOW_NETS: '127.0.0.0/8',
  VEDETTE_LOG_LEVEL: 'silent',
  VEDETTE_OPS_PORT: '0',
  ...more,
});
const gatewayEnv = (more: Environment = {}): Environment =>
  envOf('gateway', {
    VEDETTE_PORT: '0',
    VEDETTE_DATA_DIR: dataDir,
    VEDETTE_BOOTSTRAP_KEY: API_KEY,
    VEDETTE_READY_AGENTS: '1',
    VEDETTE_FEEDS_FILE: NO_FEEDS,
    VEDETTE_ENGINES_FILE: NO_ENGINES,
    ...more,
  });
const agentEnv = (more: Environment = {}): Environment => envOf('agent', { VEDETTE_LOCATION: 'eu-fra', VEDETTE_WITNESSES: '', ...more });

const ready = async ({ addresses }: Running): Promise<number> =>
  fetch(`http://127.0.0.1:${addresses.ops!.port}/readyz`).then(({ status }) => status);
const isRefused = (address: AddressInfo): Promise<boolean> =>
  fetch(`http://127.0.0.1:${address.port}/`).then(
    () => false,
    () => true,
  );

const metricsOf = async ({ addresses }: Running): Promise<string> =>
  (await fetch(`http://127.0.0.1:${addresses.ops!.port}/metrics`)).text();

/** A day in which nothing happens, with internet and without, whatever this machine has: only what says so may fire. */
async function alertsOnQuietDays(scrape: string): Promise<void> {
  const withState = (state: string) => new RegExp(`(location="eu-fra",state="${state}"\\}) \\d`);
  const ownDisk = scrape
    .replace(/^(vedette_gateway_data_dir_free_bytes) .*/m, '$1 5e10')
    .replace(/^vedette_gateway_resolvers_ok .*\n/m, '');
  const online = ownDisk
    .replace(withState('ready'), '$1 1')
    .replace(withState('degraded'), '$1 0')
    .concat('vedette_gateway_resolvers_ok 1\n');
  expect(online).toContain('vedette_gateway_location_agents{location="eu-fra",state="ready"} 1\n');
  expect(alertsOf(online)).toEqual([]);
  const offline = ownDisk
    .replace(withState('ready'), '$1 0')
    .replace(withState('degraded'), '$1 1')
    .concat(
      'vedette_gateway_resolvers_ok 0\nvedette_gateway_feed_age_seconds{feed="tor"} 9e6\nvedette_gateway_engine_state{engine="sorbs",state="off"} 1\n',
    );
  expect(alertsOf(offline)).toEqual(['LocationDegraded', 'ResolversFailing']);
}

it('a gateway and an agent give a report inside one process, and leave nothing behind', async () => {
  const gateway = await start(runGateway(gatewayEnv()));
  expect(await ready(gateway)).toBe(503); // no agent yet
  const agent = await start(runAgent(agentEnv(), ['--simulated']));
  await expect.poll(() => Promise.all([ready(gateway), ready(agent)]), { timeout: 10_000 }).toEqual([200, 200]);
  await alertsOnQuietDays(await metricsOf(gateway));

  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  const response = await fetch(`http://127.0.0.1:${gateway.addresses.api!.port}/v2/geo-request`, {
    method: 'POST',
    headers: { 'x-api-key': API_KEY, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ url }),
  });
  expect(await response.json()).toMatchObject({
    locations: [{ location: 'eu-fra', simulated: true, error: '', request_output: { status_code: 200 } }],
  });

  // What the agent's beats tell of it, every two seconds, since it opens no port.
  await expect
    .poll(() => metricsOf(gateway), { timeout: 10_000 })
    .toMatch(/^vedette_gateway_agent_probes_total\{location="eu-fra",agent="[\w-]+",kind="http",reason="ok"\} 1$/m);
  expect(await metricsOf(gateway)).toMatch(
    /^vedette_gateway_agent_resident_memory_bytes\{location="eu-fra",agent="[\w-]+"\} [1-9]\d{6,}$/m,
  );
  for (const scraped of [gateway, agent]) expect(metricProblems(await metricsOf(scraped))).toBe('');
  const { version } = createRequire(import.meta.url)('../../packages/gateway/package.json') as { version: string };
  expect(await (await fetch(`http://127.0.0.1:${gateway.addresses.ops!.port}/metrics`)).text()).toContain(
    `vedette_gateway_build_info{version="${version}",node="${process.version}"} 1\n`,
  );

  await stop(agent);
  await stop(gateway);
  const { api, ops } = gateway.addresses;
  expect(await Promise.all([api!, ops!, agent.addresses.ops!].map(isRefused))).toEqual([true, true, true]);
  expect(existsSync(join(dataDir, 'pg/cluster/PG_VERSION'))).toBe(true);
  expect(existsSync(join(dataDir, 'pg/cluster/postmaster.pid'))).toBe(false);
});

it('a gateway shows who is short of credits, how its database does, and nobody’s labels but its own', async () => {
  const token = 'a-token-of-this-test';
  const gateway = await start(runGateway(gatewayEnv({ VEDETTE_ADMIN_TOKEN: token })));
  const agent = await start(runAgent(agentEnv(), ['--simulated']));
  await expect.poll(() => ready(gateway), { timeout: 10_000 }).toBe(200);
  const ops = `http://127.0.0.1:${gateway.addresses.ops!.port}`;
  const admin = async (method: string, path: string, body: object) =>
    (
      await fetch(`${ops}/admin/${path}`, { method, headers: { authorization: `Bearer ${token}` }, body: JSON.stringify(body) })
    ).json() as Promise<{ key?: string }>;
  const metrics = async () => (await fetch(`${ops}/metrics`)).text();
  await admin('PUT', 'plans/small', { monthly_credits: 5 });
  await admin('POST', 'accounts', { id: 'poor', name: 'Poor', plan: 'small' });
  const { key = '' } = await admin('POST', 'keys', { account: 'poor', name: 'of this test' });
  expect(await metrics()).not.toContain('account="poor"');
  const response = await fetch(`http://127.0.0.1:${gateway.addresses.api!.port}/v2/geo-request`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ url: `http://127.0.0.1:${(target.address() as AddressInfo).port}/` }),
  });
  expect(response.status).toBe(200);
  await expect.poll(metrics, { timeout: 5_000 }).toContain('vedette_gateway_account_credits_remaining{account="poor"} 0\n');
  await expect.poll(metrics, { timeout: 5_000 }).toMatch(/^vedette_gateway_database_commit_seconds \d/m);
  const text = await metrics();
  expect(text.match(/(?<=^vedette_gateway_database_connections\{)pool="durable",state="\w+"\} \d+$/gm)).toHaveLength(3);
  const ofAgent = await (await fetch(`http://127.0.0.1:${agent.addresses.ops!.port}/metrics`)).text();
  expect(text + ofAgent).not.toMatch(/[{,]op=/);
  await stop(agent);
  await stop(gateway);
});

it('a feed is fetched through the policy of the gateway, told to operators, and judged by at once', async () => {
  const source = createServer((_request, response) => response.end('throw-away.example\n'));
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  const token = 'a-token-of-this-test';
  const file = join(dir, 'feeds.json');
  const url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/list`;
  const ours = { dataset: 'disposable', url, format: 'lines', licence: 'ours', attribution: 'Example Inc.' };
  writeFileSync(file, JSON.stringify({ built_in: false, feeds: { ours, closed: { ...ours, url: 'http://10.0.0.1/' } } }));
  const gateway = await start(runGateway(gatewayEnv({ VEDETTE_FEEDS_FILE: file, VEDETTE_ADMIN_TOKEN: token })));
  const ops = `http://127.0.0.1:${gateway.addresses.ops!.port}`;
  const admin = async (path: string, method = 'GET') =>
    (await fetch(`${ops}/admin/${path}`, { method, headers: { authorization: `Bearer ${token}` } })).json();
  expect(await admin('feeds')).toEqual([expect.objectContaining({ name: 'ours', origin: 'none' }), expect.anything()]);

  const impaired = async () => ((await (await fetch(`${ops}/readyz`)).json()) as { impaired: unknown }).impaired;
  const lacks = (what: string) => ({ part: 'feeds', reason: expect.stringContaining(what) });
  expect(await impaired()).toContainEqual(lacks('2 of 2 feeds are not loaded: ours, closed.'));
  for (const name of ['ours', 'closed']) expect(await admin(`feeds/${name}/refresh`, 'POST')).toEqual({ started: true });
  await expect
    .poll(() => admin('feeds'), { timeout: 10_000 })
    .toEqual([
      expect.objectContaining({ name: 'ours', rows: 1, origin: 'source', licence: 'ours', problem: '' }),
      expect.objectContaining({ name: 'closed', rows: 0, origin: 'none', problem: 'The address is not a public one: 10.0.0.1 port 80' }),
    ]);
  expect(await impaired()).toContainEqual(lacks('1 of 2 feeds are not loaded: closed.'));
  // Both were tried a moment ago.
  expect(await admin('feeds/ours/check', 'POST')).toEqual({ name: 'ours', verdict: 'ok', detail: '1 rows' });
  expect(await admin('feeds/closed/check', 'POST')).toMatchObject({ name: 'closed', verdict: 'unreachable' });
  const metrics = await (await fetch(`${ops}/metrics`)).text();
  expect(metrics).toContain('vedette_gateway_feed_rows{feed="ours"} 1\n');
  expect(metrics).toContain('vedette_gateway_feed_refused_total{feed="closed",why="fetch_failed"} 1\n');

  // An operator's file takes the place of what cannot be fetched.
  const put = async (body: string, name = 'closed') => {
    const answer = await fetch(`${ops}/admin/feeds/${name}`, { method: 'PUT', body, headers: { authorization: `Bearer ${token}` } });
    return (await answer.json()) as { rows?: number; error?: string };
  };
  expect(await put('brought.example\n', 'clsoed')).toMatchObject({ error: expect.stringContaining('the feed clsoed does not exist') });
  expect(await put('<html>')).toMatchObject({ error: expect.stringContaining('the file was rejected (html)') });
  expect(await put('brought.example\nbrought.test\n')).toMatchObject({ rows: 2, origin: 'imported' });
  await stop(gateway);
  expect([existsSync(join(dataDir, 'feeds/ours.json')), existsSync(join(dataDir, 'feeds/closed.json'))]).toEqual([true, true]);
  source.close();
});

/** The locations for which LocationDown of deploy/prometheus/rules fires in the end, as the gateway's series are. */
async function firing(gateway: Running): Promise<string[]> {
  const serving = new Map<string, number>();
  for (const [, location = '', agents] of (await metricsOf(gateway)).matchAll(
    /^vedette_gateway_location_agents\{location="(.*)",state="(?:ready|degraded)"\} (\d+)$/gm,
  ))
    serving.set(location, (serving.get(location) ?? 0) + Number(agents));
  return [...serving].filter(([, agents]) => agents === 0).map(([location]) => location);
}

it('a dead region keeps its series at 0, its entry and its name, over a restart of the gateway, until an operator removes it', async () => {
  const token = 'a-token-of-this-test';
  const file = join(dir, 'prepared.nkey');
  writeFileSync(file, `${keys.gateway.seed}\n# locations: eu-fra sg-sin us-ash\n`);
  const env = gatewayEnv({ VEDETTE_NATS_CREDS: file, VEDETTE_READY_AGENTS: '2', VEDETTE_ADMIN_TOKEN: token });
  const first = await start(runGateway(env));
  expect(await firing(first)).toEqual(['eu-fra', 'sg-sin', 'us-ash']);
  await start(runAgent(agentEnv(), ['--simulated']));
  const second = await start(runAgent({ ...agentEnv({ VEDETTE_LOCATION: 'us-ash' }), VEDETTE_NATS_CREDS: join(dir, 'second.nkey') }));
  await expect.poll(() => ready(first), { timeout: 10_000 }).toBe(200);
  expect(await firing(first)).toEqual(['sg-sin']);
  await stop(second);
  expect(await firing(first)).toEqual(['sg-sin', 'us-ash']);
  await stop(first);

  // Prepared with another key now, which names none: the database knows.
  const gateway = await start(runGateway({ ...env, VEDETTE_NATS_CREDS: join(dir, 'gateway.nkey'), VEDETTE_READY_AGENTS: '1' }));
  await expect.poll(() => ready(gateway), { timeout: 10_000 }).toBe(200);
  expect(await firing(gateway)).toEqual(['sg-sin', 'us-ash']);
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${gateway.addresses.api!.port}/v2/${path}`, {
      ...init,
      headers: { 'x-api-key': API_KEY, 'content-type': 'application/json', connection: 'close' },
    });
  const measure = async (...locations: string[]) => {
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    const response = await call('geo-request', {
      method: 'POST',
      body: JSON.stringify({ url, ...(locations.length > 0 && { locations }) }),
    });
    const body = (await response.json()) as { code?: string; locations?: { location: string; reason?: string }[] };
    return [response.status, body.code ?? body.locations!.map(({ location, reason = '' }) => `${location} ${reason}`.trim())];
  };
  expect(await measure()).toEqual([200, ['eu-fra', 'sg-sin no_agent', 'us-ash no_agent']]);
  expect(await measure('eu-fra', 'us-ash')).toEqual([200, ['eu-fra', 'us-ash no_agent']]);
  expect(await measure('us-ash')).toEqual([503, 'no_agent']); // nobody measured anything: free
  const states = async () =>
    ((await (await call('locations')).json()) as { locations: { id: string; state: string }[] }).locations.map(
      ({ id, state }) => `${id} ${state}`,
    );
  expect(await states()).toEqual(['eu-fra ready', 'sg-sin down', 'us-ash down']);
  for (const id of ['sg-sin', 'us-ash'])
    await fetch(`http://127.0.0.1:${gateway.addresses.ops!.port}/admin/locations/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}`, connection: 'close' },
    });
  expect(await states()).toEqual(['eu-fra ready']);
  expect(await firing(gateway)).toEqual([]);
  expect(await measure('us-ash')).toEqual([400, 'unknown_location']);
});

it('a gateway that ends waits for no connection whose last answer is out', async () => {
  const gateway = await start(runGateway(gatewayEnv()));
  const socket = connect(gateway.addresses.api!.port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `POST /v2/account-info HTTP/1.1\r\nHost: x\r\nX-API-Key: ${API_KEY}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`,
  );
  await sleep(200);
  const stopped = stop(gateway);
  await sleep(1_500); // by then it closes what is idle
  socket.write('{}');
  await closed;
  expect(heard).toMatch(/^HTTP\/1\.1 \d{3} /);
  expect(await Promise.race([stopped, sleep(10_000, 'still there')])).not.toBe('still there');
});

it('a gateway that cannot start lets go of its data directory', async () => {
  const { port } = target.address() as AddressInfo;
  for (const setting of ['VEDETTE_PORT', 'VEDETTE_OPS_PORT']) {
    await expect(runGateway(gatewayEnv({ [setting]: String(port) }))).rejects.toThrow(
      new StartError(`port ${port} on 127.0.0.1 is taken; set ${setting} to another one`),
    );
    expect(existsSync(join(dataDir, 'pg/cluster/postmaster.pid'))).toBe(false);
  }
  const gateway = await start(runGateway(gatewayEnv()));
  await stop(gateway);
});

it('an agent that cannot listen, or that the bus does not know, says so', async () => {
  const { port } = target.address() as AddressInfo;
  await expect(runAgent(agentEnv({ VEDETTE_OPS_PORT: String(port) }))).rejects.toThrow(
    `port ${port} on 127.0.0.1 is taken; set VEDETTE_OPS_PORT to another one`,
  );
  await expect(runAgent(envOf('stranger', { VEDETTE_LOCATION: 'eu-fra' }))).rejects.toThrow('the message bus does not know the key in');
});

it('a gateway names a setting that is none, with the one that was probably meant, and a database that is not there', async () => {
  const gateway = spawn(process.execPath, [MAIN], {
    env: { ...OWN_ENV, VEDETTE_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', VEDETTE_WITNESES: '192.0.2.1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const told = await text(gateway.stderr);
  expect(told.split('\n').filter((line) => line.includes('is no setting'))).toEqual([
    expect.stringContaining('"msg":"VEDETTE_WITNESES is no setting: VEDETTE_WITNESSES was probably meant"'),
  ]);
  expect(told).toContain('vedette gateway: the database cannot be reached (VEDETTE_DATABASE_URL): connect ECONNREFUSED 127.0.0.1:1\n');
});

it('a gateway without a key names the setting', async () => {
  await expect(runGateway(gatewayEnv({ VEDETTE_NATS_CREDS: undefined }))).rejects.toThrow(
    'the message bus wants a key: set VEDETTE_NATS_CREDS to the file that `vedette bus prepare` wrote for this process',
  );
});

it('a gateway and an agent whose keys are taken away tell that they are lost, and still stop', async () => {
  const processes = await Promise.all([start(runGateway(gatewayEnv())), start(runAgent(agentEnv()))]);
  await nats.kill();
  await nats.start(knowing(createNkey(), createNkey()));
  const reasons = await Promise.all(processes.map(({ lost }) => lost));
  expect(reasons.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^the message bus does not know the key in .*gateway\.nkey: VEDETTE_NATS_CREDS must name/),
    expect.stringMatching(/^the message bus does not know the key in .*agent\.nkey: VEDETTE_NATS_CREDS must name/),
  ]);
  expect(reasons.map(({ cause }) => cause)).toEqual([expect.any(Error), expect.any(Error)]);
  for (const each of processes) await stop(each);
});
