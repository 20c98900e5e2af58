import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { CHECKS, runChecks } from '../../packages/cli/src/doctor/checks.ts';
import type { DoctorPorts, Finding } from '../../packages/cli/src/doctor/ports.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** A gateway's operators' listener that misses these. */
async function listener(missing: string[], impaired: { part: string; reason: string }[] = []): Promise<string> {
  server = createServer((_, response) => response.end(JSON.stringify({ missing, impaired })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ports = (url: string, more: Partial<DoctorPorts> = {}): DoctorPorts => ({
  url,
  env: {},
  hasGatewayData: () => true,
  fetch,
  now: () => new Date(),
  ...more,
});

async function finding(name: string, options: DoctorPorts): Promise<Omit<Finding, 'name'>> {
  return await CHECKS.find((check) => check.name === name)!.run(options);
}

it('finds a gateway that is ready, and names what one misses', async () => {
  const url = await listener([]);
  expect(await finding('gateway', ports(url))).toEqual({ state: 'ok', detail: `${url} is ready: bus, database and agents` });
  server!.close();
  const poor = await listener(['bus', 'agents (0 of 3 ready)']);
  expect(await finding('gateway', ports(poor))).toEqual({
    state: 'failed',
    detail: `${poor} is not ready; missing: bus, agents (0 of 3 ready)`,
  });
});

it('warns of what a gateway is ready without', async () => {
  const url = await listener(
    [],
    [
      { part: 'renderers', reason: 'VEDETTE_RENDERER is off' },
      { part: 'icmp', reason: 'no right: none' },
    ],
  );
  expect(await finding('gateway', ports(url))).toEqual({
    state: 'warning',
    detail: `${url} is ready without renderers: VEDETTE_RENDERER is off; icmp: no right: none`,
  });
});

it('knows another service from a gateway', async () => {
  server = createServer((_, response) => response.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await finding('gateway', ports(url))).toEqual({
    state: 'failed',
    detail: `${url} is not the operators' listener of a gateway: see VEDETTE_OPS_HOST and VEDETTE_OPS_PORT`,
  });
});

it.each([
  ['gateway', {}, 'failed', /^no gateway answers at http:\/\/127\.0\.0\.1:9: is it running/],
  ['clock', {}, 'failed', /^no gateway answers at/],
  ['gateway', { VEDETTE_LOCATION: 'eu-fra' }, 'warning', /^no gateway at http:\/\/127\.0\.0\.1:9, as on an agent's machine/],
  ['clock', { VEDETTE_LOCATION: 'eu-fra' }, 'warning', /^no gateway at/],
  ['bus', { VEDETTE_NATS_URL: 'nats://127.0.0.1:9' }, 'failed', /^nats:\/\/127\.0\.0\.1:9: CONNECTION_REFUSED\. Does the nats-server run/],
  ['bus', { VEDETTE_NATS_CREDS: '/nowhere' }, 'failed', /^VEDETTE_NATS_CREDS: ENOENT/],
  ['bus', { VEDETTE_NATS_CREDS: '/dev/null' }, 'failed', /^VEDETTE_NATS_CREDS: \/dev\/null holds no key for the message bus/],
])('says of the %s what to do where nobody answers, with %j', async (name, env, state, detail) => {
  const findings = await runChecks(ports('http://127.0.0.1:9', { env: { VEDETTE_RESOLVERS: '127.0.0.1:9', ...env } }));
  expect(findings.find((one) => one.name === name)).toEqual({ name, state, detail: expect.stringMatching(detail) });
});

it("says on an agent's machine, without any environment, what is missing there, and fails nothing for it", async () => {
  const findings = await runChecks(ports('http://127.0.0.1:9', { hasGatewayData: () => false }));
  const found = Object.fromEntries(findings.map(({ name, ...rest }) => [name, rest]));
  expect(found['gateway']).toEqual({
    state: 'warning',
    detail: expect.stringMatching(/^no gateway at http:\/\/127\.0\.0\.1:9, as on an agent's machine/),
  });
  expect(found['clock']).toMatchObject({ state: 'warning' });
  // Somebody may run a bus here: then the default is a good one.
  expect(found['bus']).toEqual({
    state: expect.stringMatching(/^(warning|ok)$/),
    detail: expect.stringMatching(
      /^VEDETTE_NATS_URL is not set, and gateways and agents would get .* at nats:\/\/127\.0\.0\.1:4222|^nats:\/\/127\.0\.0\.1:4222 answered/,
    ),
  });
});

it('names settings that are none', async () => {
  expect(await finding('settings', ports('', { env: { VEDETTE_PRT: '1', VEDETTE_PORT: '8080' } }))).toEqual({
    state: 'warning',
    detail: 'VEDETTE_PRT is no setting: VEDETTE_PORT was probably meant',
  });
  expect(await finding('settings', ports(''))).toMatchObject({ state: 'ok' });
});

it('compares the clock with the gateway’s', async () => {
  const url = await listener([]);
  expect(await finding('clock', ports(url))).toEqual({ state: 'ok', detail: "within 2 s of the gateway's" });
  const late = await finding('clock', ports(url, { now: () => new Date(Date.now() - 3_600_000) }));
  expect(late.state).toBe('failed');
  expect(late.detail).toMatch(/^(3599|3600)\.\d s behind the gateway's: synchronise it \(NTP\)$/);
});

it('asks the bus for an answer', async () => {
  const nats = spawn('nats-server', ['-a', '127.0.0.1', '-p', '-1'], { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const port = await new Promise<string>((resolve) => {
      createInterface({ input: nats.stderr }).on('line', (line) => {
        const listening = /Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(line);
        if (listening) resolve(listening[1]!);
      });
    });
    const { state, detail } = await finding('bus', ports('', { env: { VEDETTE_NATS_URL: `nats://127.0.0.1:${port}` } }));
    expect(state).toMatch(/^(ok|warning)$/); // Debian's server is old enough to be warned of
    expect(detail).toMatch(new RegExp(`^nats://127\\.0\\.0\\.1:${port} answered in \\d+\\.\\d ms`));
  } finally {
    nats.kill('SIGKILL');
  }
});

it('opens an ICMP engine and tries it on the loopback', async () => {
  expect(await finding('icmp', ports(''))).toEqual({
    state: expect.stringMatching(/^(ok|warning)$/),
    detail: expect.stringMatching(/^engine (kernel|net-ping), \d+\.\d{3} ms on the loopback, IPv4 yes, IPv6 (yes|no)/),
  });
});

it.each([
  ['kernel', 'no engine works: ICMP engine kernel does not work here. Allow ICMP sockets'],
  ['net-ping', 'no engine works: ICMP engine kernel does not work here; ICMP engine net-ping does not work here. Allow ICMP sockets'],
])('tries the ICMP engines that an agent with VEDETTE_ICMP_ENGINE=%s would', (engine, detail) => {
  // A new network, in which a user without rights has no ICMP sockets.
  const plain = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all', '--bounding-set=-all'];
  const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
  const env = { ...process.env, VEDETTE_ICMP_ENGINE: engine };
  const { stdout } = spawnSync('unshare', ['--net', ...plain, process.execPath, main, 'doctor'], { env, encoding: 'utf8' });
  expect(stdout).toContain(`FAIL  icmp      ${detail}`);
});

it('reports every check, failed where nobody answers', async () => {
  const findings = await runChecks(
    ports('http://127.0.0.1:9', { env: { VEDETTE_RESOLVERS: '127.0.0.1:9', VEDETTE_NATS_URL: 'nats://127.0.0.1:9' } }),
  );
  expect(findings.map(({ name }) => name)).toEqual(['icmp', 'resolver', 'ipv6', 'bus', 'gateway', 'clock', 'settings']);
  const states = Object.fromEntries(findings.map(({ name, state }) => [name, state]));
  expect(states).toMatchObject({ resolver: 'failed', bus: 'failed', gateway: 'failed', clock: 'failed' });
});
