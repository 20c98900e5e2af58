import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fleetToken, prepareBus, readFleet, writeFleet } from '@vedette/bus';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../free-ports.ts';
import { OWN_ENV } from '../own-env.ts';
import { scratchFolder } from '../scratch.ts';
import { NO_BROWSER, type OneMachine, startOneMachine, withUs } from './one-machine.ts';
import { takeOver } from './prepared.ts';
import { commandOf, descendants, processOf } from './processes.ts';

const AGENT = fileURLToPath(new URL('../../packages/agent/src/main.ts', import.meta.url));
let dataDir: string;
let folder: string;
beforeEach(() => {
  dataDir = scratchFolder('system');
  folder = join(dataDir, 'fleet');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true })); // after the machines in it have ended
});

/** Ends with the test, however that ends. */
async function start(env: Record<string, string> = {}): Promise<OneMachine> {
  const machine = await startOneMachine({ VEDETTE_DATA_DIR: dataDir, ...NO_BROWSER, ...env });
  onTestFinished(async () => void (await machine.stop()));
  return machine;
}
const locationsOf = async ({ url, key }: OneMachine): Promise<{ id: string; state: string; simulated: boolean }[]> =>
  ((await (await fetch(`${url}/v2/locations`, { headers: { 'x-api-key': key } })).json()) as any).locations.map(
    ({ id, state, simulated }: any) => ({ id, state, simulated }),
  );
const eventually = { timeout: 60_000, interval: 50 };

/** An agent of another machine, as far as that matters here: it joins by the location's token. */
function joinAs(location: string): ChildProcess {
  const token = join(dataDir, 'token');
  writeFileSync(token, fleetToken(folder, location), { mode: 0o600 });
  const args = ['join', '--token-file', token, '--folder', join(dataDir, 'joined'), '--foreground'];
  const agent = spawn(...withUs(AGENT, args), {
    env: { ...OWN_ENV, HOME: dataDir, VEDETTE_ALLOW_NETS: '127.0.0.0/8', VEDETTE_WITNESSES: '' },
    stdio: 'ignore',
  });
  onTestFinished(() => void agent.kill('SIGKILL'));
  return agent;
}

/** Asks all locations for a page that takes three seconds; resolves when all of them wait for it. */
async function askSlowly(all: OneMachine): Promise<{ entries(): Promise<[string, string][]> }> {
  const server = createServer((_request, response) => void setTimeout(() => response.end('slow'), 3_000)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const answer = all.post('geo-request', { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
  await expect.poll(() => promisify(server.getConnections.bind(server))(), eventually).toBe(3);
  return {
    entries: async () => ((await (await answer).json()) as any).locations.map(({ location, error }: any) => [location, error]),
  };
}

it('the pretended cities leave when a real agent joins, with every job done and every report whole, and stay away', async () => {
  const port = String(await freePort());
  takeOver(dataDir, ['pg', 'networks']);
  const all = await start({ VEDETTE_BUS_PORT: port, VEDETTE_VPN_EXITS: 'iface:lo' });
  expect(await locationsOf(all)).toEqual(['eu-fra', 'sg-sin', 'us-ash'].map((id) => ({ id, state: 'ready', simulated: true })));

  // A key is taken over by the bus that runs, after the slow jobs: they keep their right to answer.
  const bus = processOf(all.process.pid!, 'nats-server -c');
  const log = () => readFileSync(join(folder, 'nats-server.log'), 'utf8');
  const early = await askSlowly(all);
  writeFleet(folder, { ...readFleet(folder)!, locations: { 'us-ash': {} } }, { now: new Date() });
  await expect.poll(log, eventually).toContain('Reloaded: authorization users');
  const agent = joinAs('us-ash');
  const late = await askSlowly(all);
  const reports: { status: number; ids: string[] }[] = [];
  await expect
    .poll(async () => {
      const report = await all.post('ping-test', { host: '127.0.0.1' });
      reports.push({ status: report.status, ids: ((await report.json()) as any).locations.map(({ location }: any) => location) });
      return await locationsOf(all);
    }, eventually)
    .toEqual([{ id: 'us-ash', state: 'ready', simulated: false }]);
  expect(new Set(reports.map(({ status }) => status))).toEqual(new Set([200]));
  // An entry for each location that is left, and for no other: the cities are forgotten one by one, and none comes back.
  let left = ['eu-fra', 'sg-sin', 'us-ash'];
  for (const { ids } of reports) {
    expect(ids).toContain('us-ash');
    expect(ids.toSorted()).toEqual(left.filter((id) => ids.includes(id)));
    left = ids.toSorted();
  }
  const whole = ['eu-fra', 'sg-sin', 'us-ash'].map((location) => [location, '']);
  expect([await early.entries(), await late.entries()]).toEqual([whole, whole]);
  await expect.poll(() => readFleet(folder)!.pretended, eventually).toEqual([]);
  expect((await fetch(`http://127.0.0.1:${all.opsPort}/readyz`)).status).toBe(200);
  await expect.poll(all.stderr, eventually).toContain('vpn-test is off: no agent runs on this machine');

  process.kill(bus, 'SIGKILL');
  await expect
    .poll(async () => {
      const answer = (await (await all.post('ping-test', { host: '127.0.0.1' })).json()) as any;
      return answer.locations?.map(({ location, error }: any) => [location, error]);
    }, eventually)
    .toEqual([['us-ash', '']]);
  expect(await all.stop()).toBe(0);

  const again = await start({ VEDETTE_BUS_PORT: port, VEDETTE_VPN_EXITS: 'iface:wg0' });
  await expect.poll(() => locationsOf(again), eventually).toEqual([{ id: 'us-ash', state: 'ready', simulated: false }]);
  expect(descendants(again.process.pid!).filter((pid) => commandOf(pid).includes('agent/src/main.ts'))).toEqual([]);
  expect(again.stderr()).toContain('vpn-test is off: no agent runs on this machine');
  agent.kill('SIGKILL');
  await again.stop();
}, 180_000);

it('VEDETTE_DEMO=off is ready without an agent, and says how to have one: VEDETTE_LOCATION is one honest location, in a data directory of the version before as well, which keeps its database and keys', async () => {
  const none = await start({ VEDETTE_DEMO: 'off' });
  expect(await locationsOf(none)).toEqual([]);
  expect(none.stderr()).toContain('no agent runs on this machine: VEDETTE_LOCATION makes it a location');
  expect((await none.post('account-info', {})).status).toBe(200);
  await none.stop();
  // That version had its bus there, and no fleet.
  rmSync(folder, { recursive: true });
  prepareBus({
    folder: join(dataDir, 'nats'),
    host: '127.0.0.1',
    port: 4222,
    tls: 'none',
    gateways: 1,
    locations: ['eu-fra', 'us-ash', 'sg-sin'],
  });
  const honest = await start({ VEDETTE_LOCATION: 'eu-fra' });
  expect(honest.key).toBe(none.key);
  await expect.poll(() => locationsOf(honest), eventually).toEqual([{ id: 'eu-fra', state: 'ready', simulated: false }]);
  expect(existsSync(join(dataDir, 'nats'))).toBe(false);
  const answer = (await (await honest.post('ping-test', { host: '127.0.0.1' })).json()) as any;
  expect(answer).toMatchObject({ locations: [{ location: 'eu-fra', ping_output: { packets_received: 4 } }] });
  expect(answer.locations[0]).not.toHaveProperty('simulated', true);
  expect(honest.stderr()).toContain('this machine is the location eu-fra; other machines cannot join until VEDETTE_BUS_HOST opens');
  await honest.stop();
}, 180_000);
