import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from './hostile-world.ts';
import { NO_BROWSER, ONE_AGENT } from './one-machine.ts';

const CREDITS = 50;
const PRICE = 5;
/** Requests that are paid for, and thus sent, whatever a client does. */
const PAID = CREDITS / PRICE;
const ATTEMPTS = 100;

let world: World;
let adminToken: string;
beforeAll(async () => {
  // Rates and shares would hold back the most of it: here only the credits do.
  world = await startWorld({ ...NO_BROWSER, ...ONE_AGENT, VEDETTE_LIMITS: 'off' });
  adminToken = readFileSync(`${world.vedette.dataDir}/admin-token`, 'utf8').trim();
});
afterAll(async () => {
  await world.close();
});

async function admin(method: string, path: string, body: object): Promise<{ key: string }> {
  const response = await fetch(`http://127.0.0.1:${world.vedette.opsPort}${path}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}` },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { key: string };
}

let accounts = 0;
/** A key of a new account with fifty credits. */
async function newKey(): Promise<string> {
  const id = `leaver-${++accounts}`;
  await admin('PUT', `/admin/plans/${id}`, { monthly_credits: CREDITS });
  await admin('POST', '/admin/accounts', { id, name: id, plan: id });
  return (await admin('POST', '/admin/keys', { account: id, name: id })).key;
}

/** Sends a request and closes the connection, `ms` later. */
const leaveAfter = (ms: number, operation: string, body: object, headers: Record<string, string>): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(world.vedette.url);
    const text = JSON.stringify(body);
    const lines = Object.entries({ 'content-type': 'application/json', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(Number(port), hostname, () => {
      socket.write(`POST /v2/${operation} HTTP/1.1\r\nHost: x\r\n${lines.join('')}Content-Length: ${text.length}\r\n\r\n${text}`);
      setTimeout(() => socket.destroy(), ms);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });

async function remaining(key: string): Promise<number> {
  for (;;) {
    const response = await world.post('account-info', {}, { 'x-api-key': key });
    const { credits } = (await response.json()) as { credits?: { remained: number } };
    if (credits) return credits.remained;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** Lines of the request log about what was charged to clients that had left. */
const chargedLines = (operation: string): number =>
  world
    .log()
    .split('\n')
    .filter((line) => line.includes(`"operation":"${operation}","status":499`) && line.includes(`"charged":${PRICE}`)).length;

const hanging = () => ({ url: `${world.site.url}/hangs`, locations: ['eu-fra'] });

describe('fifty credits, and a client that hangs up', () => {
  it.each([
    ['at once', {}],
    ['on its event stream', { accept: 'text/event-stream' }],
  ])('%s: ten requests reach the target; they were 636 a second, for nothing', async (_how, headers) => {
    const key = await newKey();
    const [requests, lines] = [world.site.requests, chargedLines('geo-request')];
    // After 15 ms, as it was seen; later too, so that some get so far on a busy machine.
    for (let i = 0; i < ATTEMPTS; i += 5)
      await Promise.all(
        Array.from({ length: 5 }, (_, j) => leaveAfter(15 + 50 * j, 'geo-request', hanging(), { 'x-api-key': key, ...headers })),
      );
    await expect.poll(() => world.metric('vedette_gateway_inflight_jobs'), { timeout: 10_000 }).toBe(0);
    const sent = world.site.requests - requests;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThanOrEqual(PAID);
    const left = await remaining(key);
    expect(left).toBeLessThanOrEqual(CREDITS - sent * PRICE);
    await expect.poll(() => chargedLines('geo-request') - lines, { timeout: 10_000 }).toBe((CREDITS - left) / PRICE);
  });

  it('of dkim-validator after 50 ms: ten requests reach the DNS; they were 3,392 questions a second, for nothing', async () => {
    const key = await newKey();
    for (let i = 0; i < ATTEMPTS; i += 5)
      await Promise.all(
        Array.from({ length: 5 }, (_, j) =>
          leaveAfter(50, 'dkim-validator', { host: `leaver${i + j}.hostile-lab.com` }, { 'x-api-key': key }),
        ),
      );
    const domains = new Set(world.dns.asked.flatMap((name) => /leaver\d+(?=\.hostile-lab\.com$)/.exec(name) ?? []));
    expect(domains.size).toBeGreaterThan(0);
    expect(domains.size).toBeLessThanOrEqual(PAID);
    expect(await remaining(key)).toBeLessThanOrEqual(CREDITS - domains.size * PRICE);
  });
});

describe('a retry with its Idempotency-Key', () => {
  const site = () => ({ url: `${world.site.url}/`, locations: ['eu-fra'] });
  const costOf = (response: Response) => /cost=(\d+)$/.exec(response.headers.get('x-service-quota') ?? '')?.[1];
  const ask = (key: string, headers = {}) => world.post('geo-request', site(), { 'x-api-key': key, 'idempotency-key': 'k', ...headers });

  it('is sent the answer that was paid for, and nothing is measured', async () => {
    const key = await newKey();
    const first = await ask(key);
    const [answer, requests] = [await first.text(), world.site.requests];
    const again = await ask(key);
    expect([again.status, costOf(again), again.headers.get('idempotency-replayed'), await again.text()]).toEqual([
      200,
      '0',
      'true',
      answer,
    ]);
    const stream = await ask(key, { accept: 'text/event-stream' });
    expect(stream.headers.get('idempotency-replayed')).toBe('true');
    const told = await stream.text();
    expect(told.slice(told.indexOf('event:'))).toBe(`event: report\ndata: ${answer}\n\n`);
    expect(world.site.requests).toBe(requests);
    expect(await remaining(key)).toBe(CREDITS - PRICE);
  });

  it('runs again once where the client had left, and then has that answer', async () => {
    const key = await newKey();
    const headers = { 'x-api-key': key, 'idempotency-key': 'left' };
    const lines = chargedLines('geo-request');
    await leaveAfter(500, 'geo-request', hanging(), headers);
    await expect.poll(() => chargedLines('geo-request'), { timeout: 10_000 }).toBe(lines + 1);
    // The target answers now; the body is the same.
    world.site.hangs = false;
    try {
      const retry = await world.post('geo-request', hanging(), headers);
      const answer = await retry.text();
      expect([retry.status, costOf(retry), retry.headers.get('idempotency-replayed')]).toEqual([200, '0', null]);
      const requests = world.site.requests;
      expect(await (await world.post('geo-request', hanging(), headers)).text()).toBe(answer);
      expect(world.site.requests).toBe(requests);
      expect(await remaining(key)).toBe(CREDITS - PRICE);
    } finally {
      world.site.hangs = true;
    }
  });
});
