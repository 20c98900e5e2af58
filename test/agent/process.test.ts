import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createNkey, natsServerConfig } from '@vedette/bus';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownAgentId } from '../../packages/agent/src/agent-id.ts';
import { startNatsServer, type NatsServer } from '../bus/nats-server.ts';
import { freePort } from '../free-ports.ts';
import { eventually, seesReady, startGateway, type TestGateway } from '../bus/world.ts';
import { OWN_ENV } from '../own-env.ts';

const MAIN = fileURLToPath(new URL('../../packages/agent/src/main.ts', import.meta.url));
const keys = { gateway: createNkey(), agent: createNkey(), stranger: createNkey() };
let dir: string;
let server: NatsServer;
let gw: TestGateway;
let target: Server;
let port: number;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vedette-agent-'));
  writeFileSync(join(dir, 'agent.nkey'), keys.agent.seed, { mode: 0o600 });
  writeFileSync(join(dir, 'stranger.nkey'), keys.stranger.seed, { mode: 0o600 });
  server = await startNatsServer((natsPort) =>
    natsServerConfig({
      host: '127.0.0.1',
      port: natsPort,
      gateways: [{ publicKey: keys.gateway.publicKey }],
      agents: [{ publicKey: keys.agent.publicKey, location: 'eu-fra', agent: 'fra-1' }],
    }),
  );
  gw = await startGateway(server.url, { credentials: keys.gateway.seed });
  target = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  ({ port } = target.address() as AddressInfo);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await gw.close();
  await server.stop();
  target.close();
  rmSync(dir, { recursive: true });
});

const start = (env: Record<string, string>, ...args: string[]) => startBy([], env, args);

/** Starts an agent, through a command that runs another. */
function startBy(through: readonly string[], env: Record<string, string>, args: readonly string[] = []) {
  const [command, ...rest] = [...through, process.execPath, '--disable-warning=ExperimentalWarning', MAIN, ...args];
  const child = spawn(command!, rest, {
    env: { ...OWN_ENV, VEDETTE_NATS_URL: server.url, VEDETTE_WITNESSES: '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.add(child);
  const lines: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => lines.push(...chunk.toString().trimEnd().split('\n')));
  const ended = once(child, 'exit').then(([code]) => {
    children.delete(child);
    return code as number | null;
  });
  return { child, lines, ended };
}

it('joins with its key, measures, shows itself to the operator, and leaves when asked', async () => {
  const opsPort = String(await freePort());
  const { child, lines, ended } = start(
    {
      VEDETTE_LOCATION: 'eu-fra',
      VEDETTE_AGENT_ID: 'fra-1',
      VEDETTE_NATS_CREDS: join(dir, 'agent.nkey'),
      VEDETTE_ALLOW_NETS: '127.0.0.0/8',
      VEDETTE_OWN_PORTS: String(server.port),
      VEDETTE_OPS_PORT: opsPort,
    },
    '--simulated',
  );
  await seesReady(gw.presence, 1);
  const check = (result: unknown) => typeof (result as { status_code?: unknown }).status_code === 'number';
  const ask = (url: string) => gw.ask(['eu-fra'], { kind: 'http', spec: { url, family: 4 }, check });

  const [reply] = await ask(`http://127.0.0.1:${port}/`);
  expect(reply).toMatchObject({ location: 'eu-fra', agent: 'fra-1', agent_state: 'ready', simulated: true, result: { status_code: 200 } });
  expect(reply!.failure).toBeUndefined();
  const [refused] = await ask(`http://127.0.0.1:${server.port}/`);
  expect(refused!.failure?.reason).toBe('blocked_policy');

  const ops = (path: string) => fetch(`http://127.0.0.1:${opsPort}${path}`);
  await eventually(() => lines.some((line) => line.includes('"msg":"ready"')), 'the agent says that it is ready');
  expect(await (await ops('/readyz')).json()).toEqual({ status: 'ready' });
  expect(await (await ops('/metrics')).text()).toContain('vedette_agent_probes_total{kind="http",reason="ok"} 1');
  expect((await ops('/nothing')).status).toBe(404);

  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  const [after] = await ask(`http://127.0.0.1:${port}/`);
  expect(after!.failure?.reason).toBe('no_agent');
});

it('ends with 1 and says why when the server does not know its key', async () => {
  const { lines, ended } = start({ VEDETTE_LOCATION: 'eu-fra', VEDETTE_NATS_CREDS: join(dir, 'stranger.nkey') });
  expect(await ended).toBe(1);
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([
    expect.stringContaining(
      `vedette agent: the message bus does not know the key in ${join(dir, 'stranger.nkey')}: VEDETTE_NATS_CREDS must name`,
    ),
  ]);
});

it('ends with 1 and names the setting when the server wants a key and it has none', async () => {
  const { lines, ended } = start({ VEDETTE_LOCATION: 'eu-fra' });
  expect(await ended).toBe(1);
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([
    'vedette agent: the message bus wants a key: set VEDETTE_NATS_CREDS to the file that `vedette bus prepare` wrote for this process',
  ]);
});

it('ends with 1 and a sentence when its key is for another location', async () => {
  const { lines, ended } = start({ VEDETTE_LOCATION: 'us-ash', VEDETTE_NATS_CREDS: join(dir, 'agent.nkey') });
  expect(await ended).toBe(1);
  expect(lines.find((line) => !line.startsWith('{'))).toBe(
    `vedette agent: the key in ${join(dir, 'agent.nkey')} is not for us-ash: give VEDETTE_NATS_CREDS the key of that location's agents, or VEDETTE_LOCATION the location of the key`,
  );
  // It said "ready" first, and then ten times what was forbidden.
  expect(lines.filter((line) => /forbidden_|"msg":"ready"/.test(line))).toEqual([]);
});

it('ends with 1 and a sentence when its key is for another agent', async () => {
  const { lines, ended } = start({ VEDETTE_LOCATION: 'eu-fra', VEDETTE_AGENT_ID: 'fra-2', VEDETTE_NATS_CREDS: join(dir, 'agent.nkey') });
  expect(await ended).toBe(1);
  expect(lines.find((line) => !line.startsWith('{'))).toBe(
    `vedette agent: the key in ${join(dir, 'agent.nkey')} is not for the agent fra-2 at eu-fra: set VEDETTE_AGENT_ID to the agent that it is for`,
  );
  // It said "ready" first, and then ten times what was forbidden.
  expect(lines.filter((line) => /forbidden_|"msg":"ready"/.test(line))).toEqual([]);
});

it('ends with 1 and names file and setting when the file holds no key', async () => {
  const file = join(dir, 'empty.creds');
  writeFileSync(file, '-----BEGIN NATS USER JWT-----\n');
  const { lines, ended } = start({ VEDETTE_LOCATION: 'eu-fra', VEDETTE_NATS_CREDS: file });
  expect(await ended).toBe(1);
  expect(lines).toEqual([
    `vedette agent: VEDETTE_NATS_CREDS: ${file} holds no key for the message bus: neither an nkey seed of a user nor a .creds file`,
  ]);
});

it("ends with 1 and a sentence when its operators' port is taken", async () => {
  const { lines, ended } = start({
    VEDETTE_LOCATION: 'eu-fra',
    VEDETTE_AGENT_ID: 'fra-1',
    VEDETTE_NATS_CREDS: join(dir, 'agent.nkey'),
    VEDETTE_OPS_PORT: String(port),
  });
  expect(await ended).toBe(1);
  expect(lines.at(-1)).toBe(`vedette agent: port ${port} on 127.0.0.1 is taken; set VEDETTE_OPS_PORT to another one`);
  expect(lines.filter((line) => /^ +at |"stack"/.test(line))).toEqual([]);
});

it('names a setting that is none, once, with the one that was probably meant', async () => {
  const { child, lines, ended } = start({
    VEDETTE_LOCATION: 'eu-fra',
    VEDETTE_AGENT_ID: 'fra-1',
    VEDETTE_NATS_CREDS: join(dir, 'agent.nkey'),
    VEDETTE_WITNESES: '192.0.2.1',
    VEDETTE_PORT: '8080', // another process's
  });
  await eventually(() => lines.some((line) => line.includes('"msg":"ready"')), 'the agent says that it is ready');
  child.kill('SIGTERM');
  await ended;
  expect(lines.filter((line) => line.includes('is no setting'))).toEqual([
    expect.stringContaining('"msg":"VEDETTE_WITNESES is no setting: VEDETTE_WITNESSES was probably meant"'),
  ]);
});

it('says in one line that it cannot ping, why, and what to do', async () => {
  // No capability, and a group that is beyond any net.ipv4.ping_group_range.
  const plain = ['setpriv', '--regid=4294967290', '--clear-groups', '--inh-caps=-all', '--bounding-set=-all'];
  const { child, lines, ended } = startBy(plain, {
    VEDETTE_LOCATION: 'eu-fra',
    VEDETTE_AGENT_ID: 'fra-1',
    VEDETTE_NATS_CREDS: join(dir, 'agent.nkey'),
  });
  await eventually(() => lines.some((line) => line.includes('"msg":"ready"')), 'the agent says that it is ready');
  child.kill('SIGTERM');
  await ended;
  expect(lines.filter((line) => line.includes('ICMP')).map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      level: 50,
      msg: expect.stringMatching(
        /^this agent cannot ping: ICMP engine kernel does not work here \(no ICMP socket: .*EPERM[^;]*\)\. Allow .*ping_group_range/,
      ),
    }),
  ]);
});

it('has the same name after a restart, where it was given none', async () => {
  const location = `named-${process.pid}`; // nobody else's: its first name is free
  const { child, lines, ended } = start({ VEDETTE_LOCATION: location, VEDETTE_NATS_URL: 'nats://127.0.0.1:1' });
  await eventually(() => lines.length > 0, 'the agent starts');
  child.kill('SIGTERM');
  await ended;
  const own = await ownAgentId(location);
  expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'starting', location, agent: own.id });
  own.giveUp();
});

it('ends with 1 and says all that is wrong with its settings', async () => {
  const { lines, ended } = start({ VEDETTE_LOG_LEVEL: 'loud' });
  expect(await ended).toBe(1);
  expect(lines).toEqual([
    'vedette agent: VEDETTE_LOCATION must be set',
    'VEDETTE_LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent',
  ]);
});

it('leaves at once while it has not joined yet, and says why it waits', async () => {
  const { child, ended, lines } = start({ VEDETTE_LOCATION: 'eu-fra', VEDETTE_NATS_URL: 'nats://127.0.0.1:1' });
  const why = '"code":"unreachable","detail":"CONNECTION_REFUSED"';
  await eventually(() => lines.some((line) => line.includes(why)), 'the agent says what it waits for');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});
