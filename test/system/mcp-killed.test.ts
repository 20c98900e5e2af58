import { connect as connectTo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../free-ports.ts';
import { createDatabase, startServer, type TestServer } from '../ledger/servers.ts';
import { ROOT } from '../repo/pages.ts';
import type { GatewayProcess } from './money/gateway-process.ts';
import { type Balance, type MoneyWorld, type Payer, startMoneyWorld } from './money/world.ts';

// Processes start, die and recover here: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

let database: TestServer;
let world: MoneyWorld;
/** A gateway that lives on. */
let second: GatewayProcess;
beforeAll(async () => {
  database = await startServer('embedded');
  world = await startMoneyWorld(await createDatabase(database));
  second = await world.startGateway();
});
afterEach(() => {
  world.witness.isSilent = false;
});
afterAll(async () => {
  await world?.stop();
  await database?.stop();
});

async function connect(url: string, headers: Record<string, string>, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  return client;
}

/** What a call of a tool that costs one credit was answered with. */
async function lookUp(
  client: Client,
  host: string,
  options?: { onprogress: () => void; timeout: number },
): Promise<Record<string, unknown>> {
  const result: CallToolResult = await client.callTool({ name: 'dns-lookup', arguments: { host, dns_types: 'A' } }, options);
  return JSON.parse((result.content[0] as { text: string }).text) as Record<string, unknown>;
}

/** A call that has begun its work: its question to the DNS was sent, and stays without an answer. Its end is a result or an error. */
async function underWay(host: string, call: () => Promise<unknown>): Promise<{ ended: Promise<unknown> }> {
  world.witness.isSilent = true;
  const ended = call().catch((error: unknown) => error);
  await vi.waitFor(() => expect([...world.witness.asked]).toContain(host), { timeout: 30_000 });
  return { ended };
}

const settled = ({ accountId }: Payer) => world.settledBalance(accountId, ({ held }) => held === 0);

describe('a call whose gateway is killed ends by an error, free, and its client goes on at the next gateway', () => {
  const CALLERS = [
    ['auto', 'without'],
    ['auto', 'with'],
    ['legacy', 'without'],
    ['legacy', 'with'],
  ] as const;
  /** What each caller saw, by its versions and its progress: the answer before, the error, and its balances while the call runs and once it was settled. */
  interface Caller {
    client: Client;
    payer: Payer;
    host: string;
    before: Record<string, unknown>;
    error: unknown;
    balances: Balance[];
  }
  const callers = new Map<string, Caller>();

  // One kill for all of them: each has an account and a name of its own.
  beforeAll(async () => {
    const port = await freePort();
    const gateway = await world.startGateway(port);
    const underWays = await Promise.all(
      CALLERS.map(async ([mode, progress]) => {
        const payer = await world.payer(100);
        const client = await connect(gateway.url, { 'x-api-key': payer.apiKey, 'vedette-max-credits': '2' }, mode);
        const before = await lookUp(client, 'a.example.org');
        return { mode, progress, payer, client, before, host: `killed-${mode}-${progress}.example.org` };
      }),
    );
    const calls = await Promise.all(
      underWays.map(async ({ client, host, progress }) => {
        const options = progress === 'with' ? { onprogress: () => undefined, timeout: 10_000 } : undefined;
        return await underWay(host, () => lookUp(client, host, options));
      }),
    );
    const during = await Promise.all(underWays.map(({ payer }) => world.balanceOf(payer.accountId)));
    await gateway.kill();
    const errors = await Promise.all(calls.map(({ ended }) => ended));
    for (const [i, { mode, progress, ...caller }] of underWays.entries())
      callers.set(`${mode} ${progress}`, { ...caller, error: errors[i], balances: [during[i]!, await settled(caller.payer)] });
    world.witness.isSilent = false;
    await world.startGateway(port);
  }, 180_000);
  afterAll(() => Promise.all([...callers.values()].map(({ client }) => client.close())));

  it.each(CALLERS)('versions %s, %s progress', async (mode, progress) => {
    const { client, payer, host, before, error, balances } = callers.get(`${mode} ${progress}`)!;
    expect(before).toMatchObject({ credits: 1, credits_left: 99 });
    expect(balances).toEqual([
      { held: 1, spent: 1, entries: 1 },
      { held: 0, spent: 1, entries: 1 },
    ]);
    // The official client looks at a broken stream no sooner than at its timeout.
    expect(String(error)).toContain(progress === 'with' ? 'Request timed out' : 'fetch failed');
    // There is no session that could be lost. The limit of an hour is the gateway's own, and begins anew.
    expect(await lookUp(client, host)).toMatchObject({ credits: 1, credits_left: 98 });
    expect(await lookUp(client, 'b.example.org')).toMatchObject({ credits: 1, credits_left: 97 });
    expect(await lookUp(client, 'c.example.org')).toMatchObject({
      code: 'insufficient_credits',
      error: expect.stringContaining('2 of 2 credits'),
    });
    expect(await settled(payer)).toEqual({ held: 0, spent: 3, entries: 3 });
    expect(await world.ledger.audit()).toEqual([]);
  });
});

it('a call with an Idempotency-Key whose gateway is killed is asked again at the other one, and paid once', async () => {
  const first = await world.startGateway();
  const payer = await world.payer(100);
  const headers = { 'x-api-key': payer.apiKey, 'idempotency-key': 'mine' };
  const [one, other] = await Promise.all([connect(first.url, headers), connect(second.url, headers)]);
  const { ended } = await underWay('twice.example.org', () => lookUp(one, 'twice.example.org'));
  // While the first one runs, the same call is refused and free.
  expect(await lookUp(other, 'twice.example.org')).toMatchObject({ code: 'idempotency_conflict' });
  await first.kill();
  expect(await ended).toBeInstanceOf(Error);
  world.witness.isSilent = false;
  await vi.waitFor(async () => expect(await lookUp(other, 'twice.example.org')).toMatchObject({ credits: 1 }), {
    timeout: 30_000,
    interval: 250,
  });
  expect(await lookUp(other, 'twice.example.org')).toMatchObject({ credits: 0, credits_left: 99 });
  expect(await settled(payer)).toEqual({ held: 0, spent: 1, entries: 1 });
  expect(await world.ledger.audit()).toEqual([]);
  await Promise.all([one.close(), other.close()]);
});

it('the command sends a call again whose gateway is killed, and its client has one answer, paid once', async () => {
  const first = await world.startGateway();
  const payer = await world.payer(100);
  await using balancer = await startBalancer(first.url);
  const client = new Client({ name: 'test', version: '1' });
  const env = { PATH: process.env['PATH']!, VEDETTE_URL: balancer.url, VEDETTE_API_KEY: payer.apiKey };
  await client.connect(new StdioClientTransport({ command: join(ROOT, 'vedette'), args: ['mcp'], env }));
  const { ended } = await underWay('again.example.org', () => lookUp(client, 'again.example.org'));
  await first.kill();
  world.witness.isSilent = false;
  balancer.leadTo(second.url);
  expect(await ended).toMatchObject({ credits: 1, credits_left: 99 });
  expect(await settled(payer)).toEqual({ held: 0, spent: 1, entries: 1 });
  await client.close();
});

/** A balancer that leads to one gateway, and later to another. */
async function startBalancer(first: string): Promise<AsyncDisposable & { url: string; leadTo(gateway: string): void }> {
  let port = Number(new URL(first).port);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const gateway = connectTo(port, '127.0.0.1');
    for (const [socket, other] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${address.port}`,
    leadTo(gateway) {
      port = Number(new URL(gateway).port);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
