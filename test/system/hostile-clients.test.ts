import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_ERRORS, type ApiErrorCode } from '@vedette/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY, startWorld, TARGET, type World } from './hostile-world.ts';
import { NO_BROWSER } from './one-machine.ts';

let world: World;
let adminToken: string;
beforeAll(async () => {
  world = await startWorld(NO_BROWSER);
  adminToken = readFileSync(`${world.vedette.dataDir}/admin-token`, 'utf8').trim();
});
afterAll(async () => {
  await world.close();
});

const PING = { host: TARGET, locations: ['eu-fra'] };
const LOOKUP = { host: 'good.hostile-lab.com', dns_types: 'A' };
const costOf = (response: Response) => /cost=(\d+)$/.exec(response.headers.get('x-service-quota') ?? '')?.[1];
const outcome = async (response: Response): Promise<string> =>
  response.ok ? `200 for ${costOf(response)}` : ((await response.json()) as { code: string }).code;

/** Credits left; account-info takes one request a second. */
async function remaining(): Promise<number> {
  for (;;) {
    const response = await world.post('account-info', {});
    const { credits } = (await response.json()) as { credits?: { remained: number } };
    if (credits) return credits.remained;
    await sleep(Number(response.headers.get('retry-after')) * 1000);
  }
}
const until = async (done: () => Promise<boolean> | boolean): Promise<void> => {
  const end = performance.now() + 10_000;
  while (!(await done())) {
    if (performance.now() > end) throw new Error('it did not happen within 10 s');
    await sleep(50);
  }
};

/** Sends a request and leaves without reading, `ms` later. */
const leaveAfter = (ms: number, operation: string, body: object, headers = ''): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(world.vedette.url);
    const text = JSON.stringify(body);
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST /v2/${operation} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${text.length}\r\n\r\n${text}`,
      );
      setTimeout(() => socket.destroy(), ms);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });

describe('clients that leave', () => {
  it.each([
    ['geo-request', () => ({ url: `${world.site.url}/hangs` }), ''],
    ['geo-request', () => ({ url: `${world.site.url}/hangs` }), 'Accept: text/event-stream\r\n'],
    ['dns-lookup', () => ({ host: 'silent.hostile-lab.com', dns_types: 'A' }), ''],
  ])('%s: the work stops, what had left for them is charged, no slot stays taken', async (operation, body, headers) => {
    const before = await remaining();
    // Few at once: what the limits per target refuse does not hang.
    for (const ms of [0, 0, 1, 1, 2, 3, 5, 10, 20, 50, 100, 200])
      await Promise.all(Array.from({ length: 4 }, () => leaveAfter(ms, operation, body(), headers)));
    await until(async () => (await world.metric('vedette_gateway_inflight_jobs')) === 0);
    await until(() => world.site.aborted === world.site.requests);
    expect(await remaining()).toBeLessThan(before);
  });
  it('they do not count as requests under way', async () => {
    await Promise.all(Array.from({ length: 600 }, () => leaveAfter(1, 'dns-lookup', LOOKUP)));
    const outcomes = () => Promise.all(Array.from({ length: 100 }, async () => (await world.post('dns-lookup', LOOKUP)).status));
    // The gateway may still be hearing of the last ones.
    await expect.poll(async () => [...new Set(await outcomes())], { timeout: 10_000 }).toEqual([200]);
  });
});

describe('an Idempotency-Key', () => {
  it('sent eight times at once is charged once', async () => {
    const before = await remaining();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async () => outcome(await world.post('ping-test', PING, { 'idempotency-key': 'at-once' }))),
    );
    expect(outcomes.toSorted()).toEqual(['200 for 5', ...Array<string>(7).fill('idempotency_conflict')]);
    expect(await remaining()).toBe(before - 5);
  });
  it('is good for the answer of the same octets, again and again', async () => {
    const again = async (operation: string, body: unknown) => outcome(await world.post(operation, body, { 'idempotency-key': 'again' }));
    expect([
      await again('dns-lookup', LOOKUP),
      await again('dns-lookup', { dns_types: 'A', host: LOOKUP.host }),
      await again('dnssec-status', LOOKUP.host),
      await again('dnssec-status', { host: LOOKUP.host }),
      await again('dns-lookup', LOOKUP),
      await again('dns-lookup', LOOKUP),
      await again('dns-lookup', LOOKUP),
    ]).toEqual(['200 for 1', 'idempotency_conflict', 'malformed_json', 'idempotency_conflict', '200 for 0', '200 for 0', '200 for 0']);
  });
});

describe('a selection of locations', () => {
  it.each<[selection: unknown, answer: string[] | ApiErrorCode]>([
    [['eu-fra', 'eu-fra'], ['eu-fra']],
    [['!eu-fra'], ['sg-sin', 'us-ash']],
    [['!eu-fra', '!us-ash', '!sg-sin'], 'unknown_location'],
    [['country:de', '!eu-fra'], 'unknown_location'],
    [[], 'invalid_parameter'],
    [['*'], 'unknown_location'],
    [['vedette.v1.job.>'], 'unknown_location'],
    [['__proto__'], 'unknown_location'],
    [['!'], 'unknown_location'],
    [['!!eu-fra'], 'unknown_location'],
    [[1], 'invalid_parameter'],
    ['eu-fra', 'invalid_parameter'],
    [null, 'invalid_parameter'],
  ])('%j', async (locations, answer) => {
    const { code, locations: entries } = (await (await world.post('ping-test', { host: TARGET, locations })).json()) as any;
    expect(code ?? entries.map(({ location }: any) => location).toSorted()).toEqual(answer);
  });
});

const call = (method: string, path: string, body?: object, token = adminToken) =>
  fetch(`http://127.0.0.1:${world.vedette.opsPort}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
  });
const admin = async (method: string, path: string, body?: object): Promise<any> => {
  const response = await call(method, path, body);
  expect(response.status).toBe(200);
  return response.json();
};

it('a selection has 200 terms at most', async () => {
  const asked = async (terms: number) => outcome(await world.post('ping-test', { host: TARGET, locations: Array(terms).fill('eu-fra') }));
  expect([await asked(200), await asked(201)]).toEqual(['200 for 5', 'invalid_parameter']);
});

describe("the operators' listener", () => {
  it.each([
    ['GET', '/admin/keys', '', 401, 'key_unknown'],
    ['GET', '/admin/keys', 'wrong', 401, 'key_unknown'],
    ['GET', '/admin', 'wrong', 401, 'key_unknown'],
    ['POST', '/metrics', '', 405, 'method_not_allowed'],
    ['DELETE', '/healthz', '', 405, 'method_not_allowed'],
    ['GET', '/v2/ping-test', '', 404, 'unknown_operation'],
  ])('%s %s with the token "%s": %d', async (method, path, token, status, code) => {
    const response = await call(method, path, undefined, token);
    expect([response.status, await response.json()]).toMatchObject([status, { code }]);
  });
  it.each([
    ['PUT', '/admin/keys', undefined, 405, 'method_not_allowed'],
    ['GET', '/admin/nothing', undefined, 404, 'unknown_operation'],
    ['DELETE', '/admin/lockouts/%zz', undefined, 400, 'invalid_parameter'],
    ['POST', '/admin/keys', { account: 'bootstrap', name: 'x', admin: true }, 400, 'unknown_parameter'],
    ['POST', '/admin/keys', { account: 'x'.repeat(70_000) }, 413, 'body_too_large'],
  ])('%s %s by the operator: refused in our words', async (method, path, body, status, code) => {
    const response = await call(method, path, body);
    expect([response.status, await response.json()]).toMatchObject([status, { code }]);
  });
});

describe('keys and accounts', () => {
  let made = 0;
  /** A key of a new account with the credits given. */
  const newKey = async (monthly_credits: number, options: object = {}): Promise<{ id: string; key: string }> => {
    const id = `hostile-${++made}`;
    await admin('PUT', `/admin/plans/${id}`, { monthly_credits });
    await admin('POST', '/admin/accounts', { id, name: id, plan: id });
    return admin('POST', '/admin/keys', { account: id, name: id, ...options });
  };
  const lookUp = async (key: string, headers = {}) => outcome(await world.post('dns-lookup', LOOKUP, { 'x-api-key': key, ...headers }));

  it('a hundred requests at once on ten credits: ten are served', async () => {
    const { key } = await newKey(10);
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => lookUp(key)));
    expect(outcomes.toSorted()).toEqual([...Array<string>(10).fill('200 for 1'), ...Array<string>(90).fill('insufficient_credits')]);
  });
  it('a revoked key is dead at once', async () => {
    const { id, key } = await newKey(10);
    expect(await lookUp(key)).toBe('200 for 1');
    await admin('DELETE', `/admin/keys/${id}`);
    expect(await lookUp(key)).toBe('key_revoked');
  });
  it('a key does only what it may, from where it may', async () => {
    const { key } = await newKey(10, { allowed_operations: ['dns-lookup'], allowed_cidrs: ['198.51.100.0/24'] });
    expect(await lookUp(key)).toBe('200 for 1');
    expect(await lookUp(key, { 'x-forwarded-for': '192.0.2.1' })).toBe('source_not_allowed');
    expect(await lookUp(key, { 'x-forwarded-for': '198.51.100.1, 192.0.2.1' })).toBe('source_not_allowed');
    expect(await outcome(await world.post('ping-test', PING, { 'x-api-key': key }))).toBe('operation_not_allowed');
  });
  it('a denied target is refused, with all below it', async () => {
    await admin('POST', '/admin/deny', { target: 'denied.test', reason: 'its owner asks' });
    for (const host of ['denied.test', 'WWW.Denied.test.', 'x.denied.test'])
      expect(await outcome(await world.post('ping-test', { host }))).toBe('denied_target');
    expect(await outcome(await world.post('ping-test', { host: 'notdenied.test' }))).toBe('200 for 5');
  });
});

describe('bad keys', () => {
  const knock = async (key: string, forwarded: string) =>
    outcome(await world.post('account-info', {}, { 'x-api-key': key, 'x-forwarded-for': forwarded }));
  it('from one /64 are counted together, whatever the rest of the address is and whatever is claimed before it', async () => {
    const spelt = [
      '2001:db8:1:2::a',
      '2001:DB8:1:2:0:0:0:B',
      '192.0.2.1, 2001:db8:1:2::c',
      '[2001:db8:1:2::d]:443',
      '2001:db8:1:2::e, 127.0.0.1',
    ];
    for (const forwarded of [...spelt, ...spelt]) expect(await knock('no-such-key', forwarded)).toBe('key_malformed');
    expect(await knock(KEY, '2001:db8:1:2:ffff::1')).toBe('address_blocked');
    await sleep(1000); // account-info's own limit
    expect(await knock(KEY, '2001:db8:1:3::1')).toBe('200 for 0');
  });
  it('from 3,000 addresses cost no memory worth speaking of', async () => {
    const rss = () => world.metric('process_resident_memory_bytes');
    const before = await rss();
    for (let round = 0; round < 60; round++)
      await Promise.all(Array.from({ length: 50 }, (_, i) => knock(`bad-key-${round}-${i}`, `198.18.${round}.${i}`)));
    expect((await rss()) - before).toBeLessThan(64 * 1024 * 1024);
  });
});

it('the API description is valid, and the service takes every example in it', async () => {
  const description = (await (await fetch(`${world.vedette.url}/openapi.json`)).json()) as any;
  expect(await new Validator().validate(description)).toEqual({ valid: true });
  const refused: unknown[] = [];
  let taken = 0;
  for (const [path, { post }] of Object.entries<any>(description.paths)) {
    if (!post) continue;
    const { example, examples } = post.requestBody?.content['application/json'] ?? {};
    for (const body of [...Object.values<any>(examples ?? {}).map(({ value }) => value), ...(example ? [example] : [])]) {
      const response = await world.post(path.slice('/v2/'.length), body);
      const answer = (await response.json()) as { code?: string; error?: string };
      taken++;
      // Keys and accounts of the examples are nobody's here.
      const isTaken = post.tags.includes('Operators')
        ? /the (?:account|key|active key) "\w+" does not exist/.test(answer.error!)
        : response.ok;
      if (!isTaken && !(response.status in post.responses && response.status >= 500)) refused.push([path, body, answer.code]);
    }
  }
  expect(refused).toEqual([]);
  expect(taken).toBeGreaterThanOrEqual(10);
});

it('no secret is in the log or in the metrics, and nothing of all this was a defect of ours', async () => {
  await fetch(`${world.vedette.url}/v1/dns-lookup/v1/pay-as-you-go/?key=${KEY}&host=good.hostile-lab.com`);
  await fetch(`${world.vedette.url}/v1/dns-lookup/v1/pay-as-you-go/?key=${KEY}&hots=x`);
  const metrics = await (await fetch(`http://127.0.0.1:${world.vedette.opsPort}/metrics`)).text();
  for (const text of [world.log(), metrics])
    for (const secret of [KEY, adminToken, 'no-such-key', 'bad-key-', '?key=', 'hots=']) expect(text.includes(secret), secret).toBe(false);
  for (const target of ['hostile-lab', TARGET, '198.18.']) expect(metrics.includes(target), target).toBe(false);
  expect(
    world
      .log()
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line)),
  ).toEqual([]);
});

it('while it drains, the gateway says so in its own words', async () => {
  const pid = world.gatewayPid();
  const { hostname, port } = new URL(world.vedette.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  const request = `POST /v2/ping-test HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\nContent-Type: application/json\r\n`;
  const body = JSON.stringify(PING);
  socket.write(`${request}Content-Length: ${body.length}\r\n\r\n${body}`);
  process.kill(pid, 'SIGTERM');
  // One connection that is never idle: the gateway closes those that are.
  await until(async () => {
    socket.write(`${request}Content-Length: ${body.length}\r\n\r\n${body}`);
    await sleep(50);
    return text.includes('503 ') || socket.destroyed;
  });
  socket.destroy();
  expect(text).toMatch(/HTTP\/1\.1 503 [^]*x-request-id: [^]*retry-after: 1\r\n/);
  expect(text).toContain(JSON.stringify({ error: API_ERRORS.draining.sentence, code: 'draining' }));
});
