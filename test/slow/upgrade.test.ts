import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type NatsServer, startNatsServer } from '../bus/nats-server.ts';
import { freePorts } from '../free-ports.ts';
import { createDatabase, openLedger, sql, startServer, type TestServer } from '../ledger/servers.ts';
import { startLoad } from '../system/money/client.ts';
import { type GatewayProcess, spawnGateway } from '../system/money/gateway-process.ts';
import { startWitness, type Witness } from '../system/money/witness.ts';

/**
 * docs/upgrade.md under load: two gateways behind a balancer and two agents, of the version before, become those of this checkout one after the other, on one
 * database. The version before is the parent of the commit that gave package.json its version; VEDETTE_UPGRADE_FROM names another commit.
 */

const HERE = join(import.meta.dirname, '../..');
const API_KEY = 'a-key-of-this-test';
const STEP_MS = 2_000;
const git = (...args: string[]): string => execFileSync('git', args, { cwd: HERE, encoding: 'utf8' }).trim();

const folder = mkdtempSync(join(tmpdir(), 'vedette-upgrade-'));
const before = join(folder, 'before');
const processes = new Set<ChildProcess>();
let database: TestServer;
let databaseUrl: string;
let nats: NatsServer;
let witness: Witness;
let gatewayPorts: number[];
let front: string;
let balancing: NodeJS.Timeout;

beforeAll(async () => {
  const commit =
    process.env['VEDETTE_UPGRADE_FROM'] ?? git('rev-parse', `${git('log', '-1', '--format=%H', '-G"version":', '--', 'package.json')}^`);
  execFileSync('git', ['clone', '-q', HERE, before]);
  execFileSync('git', ['checkout', '-q', commit], { cwd: before });
  // The same lock file wants the same packages; their links to our own lead into the folder that they are in.
  if (git('diff', '--name-only', commit, '--', 'package-lock.json') === '') execFileSync('cp', ['-a', join(HERE, 'node_modules'), before]);
  else execFileSync('sh', ['scripts/setup.sh', 'run'], { cwd: before, stdio: 'inherit', env: { ...process.env, VEDETTE_INSTALL: 'no' } });
  [database, nats, witness] = await Promise.all([startServer('embedded'), startNatsServer(), startWitness()]);
  databaseUrl = await createDatabase(database);
  gatewayPorts = await freePorts(2);
  front = await startBalancer(gatewayPorts);
}, 20 * 60_000);
afterAll(async () => {
  clearInterval(balancing);
  for (const child of processes) child.kill('SIGKILL');
  await Promise.all([nats?.stop(), witness?.stop(), database?.stop()]);
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

const CHECK_MS = 200;

/** The balancer that docs/running.md asks for: it sends requests to gateways whose /healthz is 200. */
async function startBalancer(gateways: readonly number[]): Promise<string> {
  let healthy: number[] = [];
  let turn = 0;
  const check = async (): Promise<void> => {
    const checks = gateways.map((port) =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    const ok = await Promise.all(checks);
    healthy = gateways.filter((_, index) => ok[index]);
  };
  balancing = setInterval(() => void check(), CHECK_MS);
  const balancer = createServer((incoming, outgoing) => {
    const port = healthy[turn++ % healthy.length];
    const forward = request(
      { host: '127.0.0.1', port, path: incoming.url, method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forward.on('error', () => outgoing.destroy());
    incoming.pipe(forward);
  }).listen(0, '127.0.0.1');
  await once(balancer, 'listening');
  balancer.unref();
  return `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
}

async function gateway(checkout: string, port: number): Promise<GatewayProcess> {
  const started = await spawnGateway(
    {
      VEDETTE_DATA_DIR: join(folder, `data-${port}`),
      VEDETTE_PORT: String(port),
      VEDETTE_DATABASE_URL: databaseUrl,
      VEDETTE_NATS_URL: nats.url,
      VEDETTE_BOOTSTRAP_KEY: API_KEY,
      VEDETTE_ADMIN_TOKEN: 'an-admin-token-of-ours',
      VEDETTE_ALLOW_NETS: '127.0.0.0/8',
      VEDETTE_RESOLVERS: `${witness.endpoint.address}:${witness.endpoint.port}`,
      VEDETTE_LIMITS: 'off',
    },
    join(checkout, 'packages/gateway/src/main.ts'),
  );
  while ((await fetch(`${started.opsUrl}/readyz`)).status !== 200) await sleep(100);
  return started;
}

/** An agent of the one location; resolves once it takes jobs. */
async function agent(checkout: string, name: string): Promise<{ stop(): Promise<number> }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(checkout, 'packages/agent/src/main.ts')], {
    env: {
      ...process.env,
      VEDETTE_LOCATION: 'eu-fra',
      VEDETTE_AGENT_ID: name,
      VEDETTE_NATS_URL: nats.url,
      VEDETTE_WITNESSES: '',
      VEDETTE_ALLOW_NETS: '127.0.0.0/8',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  processes.add(child);
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stderr });
  await new Promise<void>((resolve) => lines.on('line', (line) => line.includes('"msg":"ready"') && resolve()));
  return {
    async stop() {
      child.kill('SIGTERM');
      return (await ended)[0] as number;
    },
  };
}

/** Clients that ping one after the other; what went wrong. */
function startPings(clients: number) {
  const wrong: unknown[] = [];
  const end = new AbortController();
  let good = 0;
  const client = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const response = await fetch(`${front}/v2/ping-test`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
        body: JSON.stringify({ host: '127.0.0.1' }),
      }).catch((error: Error) => error);
      const body =
        response instanceof Error ? response : ((await response.json()) as { locations?: { ping_output: { packets_received: number } }[] });
      if (!(body instanceof Error) && body.locations?.length === 1 && body.locations[0]!.ping_output.packets_received === 4) good += 1;
      else wrong.push(body instanceof Error ? String(body) : body);
    }
  };
  const done = Promise.all(Array.from({ length: clients }, client));
  return {
    wrong,
    good: () => good,
    async stop() {
      end.abort();
      await done;
    },
  };
}

it('loses no answer and no credit', { timeout: 10 * 60_000 }, async () => {
  const gateways = [await gateway(before, gatewayPorts[0]!), await gateway(before, gatewayPorts[1]!)];
  const agents = [await agent(before, 'old-1'), await agent(before, 'old-2')];
  await sleep(2 * CHECK_MS);
  const load = startLoad({ url: front, apiKey: API_KEY }, 6);
  const pings = startPings(4);
  /** Requests of both kinds that were answered in each phase: nothing would be lost where nothing is asked. */
  const answered: number[][] = [];
  const phase = async (): Promise<void> => {
    const [lookups, echoes] = [load.sent.length, pings.good()];
    await sleep(STEP_MS);
    answered.push([load.sent.length - lookups, pings.good() - echoes]);
  };
  await phase();
  for (const [index, port] of gatewayPorts.entries()) {
    await gateways[index]!.stop();
    gateways[index] = await gateway(HERE, port);
    await sleep(2 * CHECK_MS);
    await phase();
  }
  for (const [index, old] of agents.entries()) {
    agents[index] = await agent(HERE, `new-${index + 1}`);
    expect(await old.stop()).toBe(0);
    await phase();
  }
  await Promise.all([load.stop(), pings.stop()]);
  for (const each of [...gateways, ...agents]) await each.stop();

  process.stdout.write(`lookups and pings in each phase: ${JSON.stringify(answered)}\n`);
  expect(answered.flat().filter((count) => count === 0)).toEqual([]);
  expect(pings.wrong).toEqual([]);
  expect(load.sent.filter(({ outcome }) => outcome.how !== 'delivered')).toEqual([]);
  const rows = await sql<{ key: string; entries: number }>(
    databaseUrl,
    'SELECT k.key, count(*)::integer AS entries FROM idempotency_keys k JOIN entries e USING (account_id, reservation_id) GROUP BY k.key',
  );
  expect(rows.filter(({ entries }) => entries !== 1)).toEqual([]);
  expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(load.sent.map(({ key }) => key)));
  const [{ spent, held } = { spent: 0, held: 0 }] = await sql<{ spent: number; held: number }>(
    databaseUrl,
    'SELECT sum(spent)::float8 AS spent, sum(held)::float8 AS held FROM accounts',
  );
  expect({ spent, held }).toEqual({ spent: load.sent.length + 5 * pings.good(), held: 0 });
  const ledger = await openLedger(databaseUrl);
  expect(await ledger.audit()).toEqual([]);
  await ledger.close();
});
