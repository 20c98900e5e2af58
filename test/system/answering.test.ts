import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminAct, KeySummary, LoggedMeasurement } from '@vedette/ledger';
import { NO_BROWSER, type OneMachine, startOneMachine } from './one-machine.ts';

// An abuse complaint names an address and a time, and perhaps our User-Agent. It could not be answered once.
const TOKEN = 'the-admin-token-of-this-test';
const CONTACT = 'https://probes.example.org/abuse';
let vedette: OneMachine;
let target: Server;
let port: number;
const visits: { agent: string; path: string }[] = [];

beforeAll(async () => {
  target = createServer((request, response) => {
    visits.push({ agent: request.headers['user-agent'] ?? '', path: request.url ?? '' });
    if (request.url !== '/hangs') response.end('<title>A site</title>');
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  ({ port } = target.address() as AddressInfo);
  vedette = await startOneMachine({
    ...NO_BROWSER,
    VEDETTE_ADMIN_TOKEN: TOKEN,
    VEDETTE_CONTACT: CONTACT,
    VEDETTE_RESOLVERS: '127.0.0.1:9',
  });
});
afterAll(async () => {
  await vedette.stop();
  target.closeAllConnections();
  target.close();
});

const ask = async (method: string, path: string, body?: object, token = TOKEN): Promise<Response> =>
  await fetch(`http://127.0.0.1:${vedette.opsPort}/admin/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-operator': 'alice' },
    ...(body && { body: JSON.stringify(body) }),
  });
const admin = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const response = await ask(method, path, body);
  expect(response.status).toBe(200);
  return (await response.json()) as T;
};
/** Which measurements are in the log for a query, once there are so many. */
const logged = async (query: string, count: number): Promise<LoggedMeasurement[]> => {
  const read = (): Promise<LoggedMeasurement[]> => admin<LoggedMeasurement[]>('GET', `measurements?${query}`);
  await expect.poll(async () => (await read()).length, { timeout: 10_000 }).toBe(count);
  return await read();
};
async function newKey(account: string, credits: number): Promise<KeySummary & { key: string }> {
  await admin('PUT', `plans/${account}`, { monthly_credits: credits });
  await admin('POST', 'accounts', { id: account, name: account, plan: account });
  return await admin('POST', 'keys', { account, name: 'test' });
}

it('tells whom we measured that they may ask the operator, and tells the operator for whom it was', async () => {
  const { id, key } = await newKey('curious', 100);
  const response = await vedette.post('geo-request', { url: `http://127.0.0.1:${port}/` }, { 'x-api-key': key });
  expect(response.status).toBe(200);
  const [agent, ...others] = new Set(visits.map((visit) => visit.agent));
  expect([agent, others]).toEqual([
    expect.stringMatching(/^Mozilla\/5\.0 \(compatible; Vedette\/\d+\.\d+; \+https:\/\/probes\.example\.org\/abuse\)$/),
    [],
  ]);

  const [measurement] = await logged('target=127.0.0.1&account=curious', 1);
  expect(measurement).toEqual({
    started_at: expect.stringMatching(/Z$/),
    request_id: response.headers.get('x-request-id'),
    account: 'curious',
    key: id,
    client: '127.0.0.1',
    operation: 'geo-request',
    target: '127.0.0.1',
    address: '127.0.0.1',
    locations: ['eu-fra', 'sg-sin', 'us-ash'],
    status: 200,
  });
});

it('keeps the domain of an e-mail address, and not whose it is', async () => {
  const { key } = await newKey('mailer', 100);
  await vedette.post('email-verify', { email: 'somebody@mail.example.org' }, { 'x-api-key': key });
  const rows = await logged('account=mailer', 1);
  expect(rows).toMatchObject([{ operation: 'email-verify', target: 'mail.example.org', address: null, locations: [] }]);
  expect(JSON.stringify(rows)).not.toContain('somebody');
});

it('has those in the log who hung up, and not those for whom nothing was sent', async () => {
  const { key } = await newKey('hasty', 100);
  const { key: poor } = await newKey('poor', 0);
  const body = { url: `http://127.0.0.1:${port}/hangs` };
  expect((await vedette.post('geo-request', body, { 'x-api-key': poor })).status).toBe(402);

  const gone = new AbortController();
  const left = fetch(`${vedette.url}/v2/geo-request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
    signal: gone.signal,
  });
  await expect.poll(() => visits.some(({ path }) => path === '/hangs'), { timeout: 5_000 }).toBe(true);
  gone.abort();
  await expect(left).rejects.toThrow('aborted');
  expect(await logged('account=hasty', 1)).toMatchObject([{ operation: 'geo-request', target: '127.0.0.1', status: 499 }]);
  await logged('account=poor', 0);
});

it('refuses a suspended account at once, and ends what it had under way as ever', async () => {
  const { key } = await newKey('rude', 100);
  // Its stream begins when the credits are held, and an echo takes longer than a suspension.
  const underWay = await vedette.post('ping-test', { host: '127.0.0.1' }, { 'x-api-key': key, accept: 'text/event-stream' });
  await admin('POST', 'accounts/rude/suspend', { reason: 'a complaint' });
  const refused = await vedette.post('ping-test', { host: '127.0.0.1' }, { 'x-api-key': key });
  expect([refused.status, await refused.json()]).toEqual([403, expect.objectContaining({ code: 'account_suspended' })]);
  expect(await underWay.text()).toMatch(/^event: report$/m);
  await admin('POST', 'accounts/rude/resume', {});
  expect((await vedette.post('ping-test', { host: '127.0.0.1' }, { 'x-api-key': key })).status).toBe(200);
  const acts = await admin<AdminAct[]>('GET', 'audit?subject=rude');
  expect(acts.map(({ actor, address, act, detail }) => [actor, address, act, detail])).toEqual([
    ['admin (alice)', '127.0.0.1', 'account.resume', {}],
    ['admin (alice)', '127.0.0.1', 'account.suspend', { reason: 'a complaint' }],
    ['admin (alice)', '127.0.0.1', 'account.create', { id: 'rude', name: 'rude', plan: 'rude' }],
    ['admin (alice)', '127.0.0.1', 'plan.set', { monthly_credits: 100 }],
  ]);
});

/** Each try of the test guesses from an address of its own: those before are blocked for a minute. */
let guesser = 1;

it('listens to ten guesses of the admin token, and counts the rest: a thousand went unseen once', async () => {
  const localAddress = `127.0.0.${++guesser}`;
  const guess = async (_: unknown, i: number): Promise<number | undefined> => {
    const headers = { authorization: `Bearer guess-${i}` };
    const request = get({ host: '127.0.0.1', port: vedette.opsPort, path: '/admin/accounts', localAddress, headers });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  const seen = async (): Promise<string> => await (await fetch(`http://127.0.0.1:${vedette.opsPort}/metrics`)).text();
  const blocked = (metrics: string): number =>
    Number(/^vedette_gateway_admin_refused_total\{reason="blocked"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
  const before = blocked(await seen());
  const guesses = await Promise.all(Array.from({ length: 50 }, guess));
  expect(guesses.filter((status) => status === 401)).toHaveLength(10);
  expect(guesses.filter((status) => status === 429)).toHaveLength(40);
  const metrics = await seen();
  expect(blocked(metrics) - before).toBe(40);
  expect(metrics).toContain('vedette_gateway_measurements_lost_total 0');
  expect(metrics).toContain('vedette_gateway_database_writable 1');
  const told = () =>
    vedette
      .stderr()
      .split('\n')
      .filter((line) => line.includes(localAddress) && line.includes('wrong admin token'));
  await expect.poll(told, { timeout: 30_000 }).toHaveLength(2);
});

it('does not start with an admin token that can be guessed', async () => {
  await expect(startOneMachine({ VEDETTE_ADMIN_TOKEN: 'a' })).rejects.toThrow(/VEDETTE_ADMIN_TOKEN: it can be guessed/);
});
