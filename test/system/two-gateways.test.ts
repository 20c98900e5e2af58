import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startNatsServer } from '../bus/nats-server.ts';
import { createDatabase, startServer, type TestServer } from '../ledger/servers.ts';
import { type GatewayProcess, spawnGateway } from './money/gateway-process.ts';
import { freePort } from '../free-ports.ts';

// Two gateways behind one balancer: one database, one bus, and nothing else between them.
const TOKEN = 'a-token-of-ours';
const folder = mkdtempSync(join(tmpdir(), 'vedette-two-'));
let database: TestServer;
let nats: Awaited<ReturnType<typeof startNatsServer>>;
let opsPort: number;
let first: GatewayProcess;
let second: GatewayProcess;

beforeAll(async () => {
  [database, nats, opsPort] = await Promise.all([startServer('embedded'), startNatsServer(), freePort()]);
  const env = {
    VEDETTE_DATA_DIR: folder,
    VEDETTE_DATABASE_URL: await createDatabase(database),
    VEDETTE_NATS_URL: nats.url,
    VEDETTE_BOOTSTRAP_KEY: 'a-key-of-ours',
    VEDETTE_ADMIN_TOKEN: TOKEN,
    VEDETTE_TRUSTED_PROXIES: '127.0.0.1/32',
  };
  [first, second] = await Promise.all([spawnGateway({ ...env, VEDETTE_OPS_PORT: String(opsPort) }), spawnGateway(env)]);
});
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
  await Promise.all([nats.stop(), database.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const accountInfo = async (gateway: GatewayProcess, key: string, address = '198.51.100.1') => {
  const response = await fetch(`${gateway.url}/v2/account-info`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'x-forwarded-for': address },
  });
  return { status: response.status, code: ((await response.json()) as { code?: string }).code };
};
/** A call of the first gateway's admin API. */
const admin = async (method: string, path: string, body?: object): Promise<any> => {
  const response = await fetch(`http://127.0.0.1:${opsPort}/admin/${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return response.json();
};

it('one request a second of account-info is one over both', async () => {
  const answers = await Promise.all([first, second, first, second].map((gateway) => accountInfo(gateway, 'a-key-of-ours')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
});

it('a key that one revokes is refused by the other, which had just served it', async () => {
  await admin('PUT', 'plans/basic', { monthly_credits: 100 });
  const { id: account } = await admin('POST', 'accounts', { name: 'Example', plan: 'basic' });
  const { id, key } = await admin('POST', 'keys', { account, name: 'website' });
  expect(await accountInfo(second, key)).toEqual({ status: 200, code: undefined });
  await admin('DELETE', `keys/${id}`);
  // Over the bus at once; the cache alone would keep it for half a minute.
  await expect.poll(() => accountInfo(second, key), { timeout: 15_000 }).toEqual({ status: 401, code: 'key_revoked' });
});

it('a key that an operator rotates and revokes by the API of one is refused by the other', async () => {
  await admin('PUT', 'plans/basic', { monthly_credits: 100 });
  const { id: account } = await admin('POST', 'accounts', { name: 'Example', plan: 'basic' });
  const byApi = async (gateway: GatewayProcess, path: string, body?: object): Promise<any> => {
    const response = await fetch(`${gateway.url}/v2/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': 'a-key-of-ours', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
    return response.json();
  };
  const { id, key } = await byApi(first, 'keys', { account, name: 'website' });
  expect(await accountInfo(second, key)).toEqual({ status: 200, code: undefined });
  const { key: successor } = await byApi(first, 'keys/rotate', { id, overlap_hours: 0 });
  await expect.poll(() => accountInfo(second, key), { timeout: 15_000 }).toEqual({ status: 401, code: 'key_expired' });
  await expect.poll(async () => (await accountInfo(second, successor)).status, { timeout: 15_000 }).toBe(200);
  await byApi(first, 'keys/revoke', { id });
  await expect.poll(() => accountInfo(second, key), { timeout: 15_000 }).toEqual({ status: 401, code: 'key_revoked' });
});

it('an account that one suspends is refused by the other, and served again when it is resumed', async () => {
  await admin('PUT', 'plans/basic', { monthly_credits: 100 });
  const { id: account } = await admin('POST', 'accounts', { name: 'Example', plan: 'basic' });
  const { key } = await admin('POST', 'keys', { account, name: 'website' });
  expect(await accountInfo(second, key)).toEqual({ status: 200, code: undefined });
  await admin('POST', `accounts/${account}/suspend`, {});
  await expect.poll(() => accountInfo(second, key), { timeout: 15_000 }).toEqual({ status: 403, code: 'account_suspended' });
  await admin('POST', `accounts/${account}/resume`, {});
  await expect.poll(async () => (await accountInfo(second, key)).status, { timeout: 15_000 }).not.toBe(403);
});

it('an address that one blocks is blocked at the other, and let in again by both', async () => {
  const address = '203.0.113.9';
  for (let i = 0; i < 10; i++) expect((await accountInfo(first, `no-such-key-${i}`, address)).status).toBe(401);
  await expect
    .poll(() => accountInfo(second, 'a-key-of-ours', address), { timeout: 15_000 })
    .toEqual({ status: 403, code: 'address_blocked' });
  await admin('DELETE', `lockouts/${address}`);
  await expect.poll(async () => (await accountInfo(second, 'a-key-of-ours', address)).status, { timeout: 15_000 }).not.toBe(403);
});

/** A tool is called with this Idempotency-Key at a gateway. */
async function callTool(gateway: GatewayProcess, key: string, idempotencyKey: string) {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { 'x-api-key': key, 'idempotency-key': idempotencyKey } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', gateway.url), { requestInit }));
  const { content }: CallToolResult = await client.callTool({ name: 'phone-validator', arguments: { number: '+4930901820' } });
  const told = JSON.parse((content[0] as { text: string }).text) as { credits: number; credits_left: number; report: string };
  return { client, told };
}

it('a tool that is called again at the other gateway, after a break say, is paid once; its report is where it was made', async () => {
  await admin('PUT', 'plans/basic', { monthly_credits: 100 });
  const { id: account } = await admin('POST', 'accounts', { name: 'Example', plan: 'basic' });
  const { key } = await admin('POST', 'keys', { account, name: 'model' });
  const one = await callTool(first, key, 'a-call');
  expect(one.told).toMatchObject({ credits: 1, credits_left: 99 });
  const again = await callTool(second, key, 'a-call');
  expect(again.told).toMatchObject({ credits: 0, credits_left: 99 });
  await expect(again.client.readResource({ uri: one.told.report })).rejects.toThrow('at the gateway that made them');
  expect((await again.client.readResource({ uri: again.told.report })).contents).toHaveLength(1);
  await Promise.all([one.client.close(), again.client.close()]);
});
