import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createNkey, encodeJoinToken, natsServerConfig } from '@vedette/bus';
import { RELEASE } from '@vedette/process/release';
import { PROBE_KINDS, type ProbeKind } from '@vedette/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startNatsServer, type NatsServer } from '../bus/nats-server.ts';
import { eventually, startGateway, type TestGateway } from '../bus/world.ts';
import { OWN_ENV } from '../own-env.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMMIT = '0123456789ab';
const keys = { gateway: createNkey(), bundled: createNkey(), unbundled: createNkey() };
const agents = ['bundled', 'unbundled'] as const;
type Which = (typeof agents)[number];
let dir: string;
let server: NatsServer;
let gw: TestGateway;
let target: Server;
let port: number;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vedette-bundle-')); // no node_modules in it or above it
  execFileSync(process.execPath, ['scripts/build-agent.ts', '--commit', COMMIT, '--out', join(dir, 'agent')], { cwd: ROOT });
  for (const which of agents) writeFileSync(join(dir, `${which}.nkey`), keys[which].seed, { mode: 0o600 });
  server = await startNatsServer((natsPort) =>
    natsServerConfig({
      host: '127.0.0.1',
      port: natsPort,
      gateways: [{ publicKey: keys.gateway.publicKey }],
      agents: agents.map((location) => ({ publicKey: keys[location].publicKey, location })),
    }),
  );
  gw = await startGateway(server.url, { credentials: keys.gateway.seed });
  target = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  ({ port } = target.address() as AddressInfo);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await gw?.close();
  await server?.stop();
  target?.close();
  rmSync(dir, { recursive: true });
});

/** An agent joins from a checkout by the command of operators. */
const unbundled = ([first]: string[]): string[] =>
  first === 'join' ? [join(ROOT, 'packages/cli/src/main.ts'), 'agent'] : [join(ROOT, 'packages/agent/src/main.ts')];

function start(which: Which, env: Record<string, string>, ...args: string[]) {
  const [command, before] =
    which === 'bundled'
      ? [join(dir, 'agent/vedette'), ['agent']]
      : [process.execPath, ['--disable-warning=ExperimentalWarning', ...unbundled(args)]];
  const child = spawn(command, [...before, ...args], {
    cwd: dir,
    env: {
      ...(which === 'unbundled' && OWN_ENV),
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      VEDETTE_NATS_URL: server.url,
      VEDETTE_WITNESSES: '',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  children.add(child);
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => {
    children.delete(child);
    return code as number | null;
  });
  return { child, said, ended };
}

it('is five files, with the licences of all that is in it', () => {
  expect(readdirSync(join(dir, 'agent')).toSorted()).toEqual([
    'LICENSES.txt',
    'agent.mjs',
    'koffi.node',
    'vedette',
    'vedette-agent.service',
  ]);
  const licences = readFileSync(join(dir, 'agent/LICENSES.txt'), 'utf8');
  for (const name of ['nats', 'nkeys.js', 'typebox', 'pino', 'prom-client', 'koffi', 'rolldown'])
    expect(licences).toMatch(new RegExp(`^${name.replace('.', '\\.')} [\\d.]+, (MIT|Apache-2\\.0)$`, 'm'));
  expect(licences).not.toMatch(/^undici /m); // agents measure, and fetch nothing
  expect(licences).toContain('Copyright The Vedette maintainers');
});

it('takes the place of an earlier build alone', () => {
  const mine = mkdtempSync(join(dir, 'mine-'));
  writeFileSync(join(mine, 'thesis.txt'), 'ours');
  const build = () =>
    execFileSync(process.execPath, ['scripts/build-agent.ts', '--commit', COMMIT, '--out', mine], { cwd: ROOT, stdio: 'pipe' });
  expect(build).toThrow('holds no earlier build');
  expect(readdirSync(mine)).toEqual(['thesis.txt']);
});

it('says its version, and the commit that it was built of', async () => {
  const { said, ended } = start('bundled', {}, '--version');
  expect(await ended).toBe(0);
  expect(said).toEqual({ out: `vedette agent ${RELEASE.version} (${COMMIT})\n`, err: '' });
});

it('tells what is wrong with settings in the words of the unbundled one', async () => {
  const wrong = {
    VEDETTE_LOCATION: 'a b',
    VEDETTE_LOG_LEVEL: 'loud',
    VEDETTE_CACHE: 'perhaps',
    VEDETTE_WITNESSES: 'x',
    VEDETTE_OPS_PORT: '70000',
  };
  const told = await Promise.all(
    agents.map(async (which) => {
      const { said, ended } = start(which, wrong);
      return { status: await ended, ...said };
    }),
  );
  expect(told[0]).toMatchObject({ status: 1, out: '', err: expect.stringContaining('VEDETTE_OPS_PORT must be a port, 0 to 65535') });
  expect(told[0]).toEqual(told[1]);
});

/** What an agent answers to each kind of job, without what differs from run to run. */
async function answers(which: Which): Promise<unknown[]> {
  const { child, said, ended } = start(which, {
    VEDETTE_LOCATION: which,
    VEDETTE_NATS_CREDS: join(dir, `${which}.nkey`),
    VEDETTE_ALLOW_NETS: '127.0.0.0/8',
    VEDETTE_RESOLVERS: `127.0.0.1:${port}`, // nobody there
  });
  await eventually(() => gw.presence.beating().includes(which), `${which} beats: ${said.err}`);
  const commits = gw.presence
    .agents()
    .filter(({ location }) => location === which)
    .map(({ process: told }) => told?.commit);
  expect(commits).toEqual([which === 'bundled' ? COMMIT : undefined]);
  const specs: Record<ProbeKind, Record<string, unknown>> = {
    ping: { host: '127.0.0.1', count: 2, interval_ms: 200, wait_ms: 1000, family: 4 },
    http: { url: `http://127.0.0.1:${port}/`, family: 4 },
    dns: { host: 'a.example', types: ['A'] },
    vpn: { url: `http://127.0.0.1:${port}/` },
    trace: { host: '127.0.0.1', family: 4, protocol: 'icmp', port: 0, rounds: 1, max_hops: 2, flows: 1, interval_ms: 200, wait_ms: 1000 },
    tcp: { host: '127.0.0.1', port, family: 4, attempts: 1 },
    mtu: { host: '127.0.0.1' },
    scan: { host: '127.0.0.1', family: 0, ports: [port], interval_ms: 50 },
  };
  const replies = [];
  for (const kind of PROBE_KINDS) {
    const [reply] = await gw.ask([which], { kind, spec: specs[kind], check: () => true });
    const { failure } = reply!;
    const result = reply!.result as { status_code?: number } | undefined;
    replies.push({ kind, failure, fields: Object.keys(result ?? {}), status: result?.status_code });
  }
  child.kill('SIGTERM');
  expect(await ended, said.err).toBe(0);
  expect(said.err).toContain('"msg":"draining"');
  return replies;
}

it('joins a bus, answers all kinds of jobs as the unbundled one does, and leaves when asked', async () => {
  const bundled = await answers('bundled');
  expect(bundled).toMatchObject([
    { kind: 'ping', fields: expect.arrayContaining(['packets_received']) },
    { kind: 'http', status: 200 },
    { kind: 'dns' },
    { kind: 'vpn' },
    { kind: 'trace', fields: expect.arrayContaining(['hops']) },
    { kind: 'tcp', fields: expect.arrayContaining(['state', 'attempts']) },
    { kind: 'mtu', fields: expect.arrayContaining(['ipv4']) },
    { kind: 'scan', fields: expect.arrayContaining(['ports']) },
  ]);
  expect(bundled).toEqual(await answers('unbundled'));
});

it('joins by a token in one command, and so does a checkout', async () => {
  for (const which of agents) {
    const token = encodeJoinToken({ urls: [server.url], location: which, seed: keys[which].seed });
    const folder = join(dir, `joined-${which}`);
    const joined = start(which, {}, 'join', token, '--folder', folder);
    expect(await joined.ended, joined.said.err).toBe(0);
    expect(joined.said.out).toContain(`the bus lets an agent of ${which} in\n`);
    expect(readdirSync(folder).toSorted()).toEqual(['agent.env', 'agent.nkey']);
    const { child, said, ended } = start(which, {}, 'join', token, '--folder', folder, '--foreground');
    await eventually(() => said.err.includes('"msg":"ready"'), `${which} runs`);
    // It is the location's key, and everybody may read what stands there.
    expect(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).not.toContain('vdtj_');
    child.kill('SIGTERM');
    expect(await ended, said.err).toBe(0);
    // The token on the standard input, as told to.
    const piped = start(which, {}, 'join', '-', '--folder', folder);
    piped.child.stdin.end(`${token}\n`);
    expect(await piped.ended, piped.said.err).toBe(0);
    expect(piped.said.err).toBe('');
  }
});
