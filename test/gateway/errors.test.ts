import { ApiError } from '@vedette/contract';
import { central, Host } from '@vedette/operations/kit';
import { operations } from '@vedette/operations';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppServer, openApp, stubLedger } from './app-server.ts';

let server: AppServer;
beforeAll(async () => {
  const ledger = { ...stubLedger(), take: async () => ({ allowed: true, retryAfterS: 0 }) };
  server = await openApp({ operations, ledger, isInnerName: (name) => name.endsWith('.internal') });
});
afterAll(() => server[Symbol.asyncDispose]());

const KEY = { 'x-api-key': 'key-of-a' };
async function ask(url: string, payload?: string | object, headers: Record<string, string> = KEY) {
  const body = typeof payload === 'object' ? JSON.stringify(payload) : payload;
  const typed = { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers };
  const answer = await server.app.inject({ method: 'POST', url, headers: typed, ...(body !== undefined && { payload: body }) });
  return { status: answer.statusCode, headers: answer.headers, ...answer.json<{ error: string; code: string; param?: string }>() };
}

describe('an error names the parameter', () => {
  it.each<[path: string, body: object, param: string, words: string]>([
    ['ping-test', { hosts: 'example.org' }, 'hosts', 'did you mean host?'],
    ['account-info', { host: 'a.test' }, 'host', 'it takes none'],
    ['ping-test', { host: '127.0.0.1' }, 'host', 'The target is not a public address: 127.0.0.1'],
    ['geo-request', { url: 'http://0x7f.1/x' }, 'url', 'The target is not a public address: 127.0.0.1'],
    ['ping-test', { host: 'DB.internal' }, 'host', 'is not resolved: db.internal'],
    ['ping-test', { host: 'www.example.gov' }, 'host', 'are not allowed: www.example.gov'],
    ['ping-test', { host: 'a b' }, 'host', 'host is not a host name or an IP address'],
    ['ping-test', { host: 'example.org', locations: ['eu-fra', 7] }, 'locations[1]', 'locations[1] must be string'],
    ['ping-test', { host: 'example.org', locations: ['moon'] }, 'locations', 'GET /v2/locations lists them'],
    ['dnssec-status', { host: 'example.org', dns_type: 'PTRR' }, 'dns_type', 'must be one of A, AAAA, '],
    [
      'dns-lookup',
      { host: 'example.org', dns_types: 'A, MX' },
      'dns_types',
      'has no type " MX" (write MX, in capitals and without spaces); it takes A, ',
    ],
    ['dns-lookup', { host: 'example.org', dns_types: 'a' }, 'dns_types', 'has no type "a" (write A, in capitals and without spaces)'],
    ['dns-lookup', { host: 'example.org', dns_types: 'AAAB' }, 'dns_types', '(did you mean AAAA?)'],
    ['spf-validator', { host: 'example.org', iptest: 'x' }, 'iptest', 'iptest must be an IPv4 or IPv6 address'],
    ['geo-request', { url: 'http://1.1.1.1/', use_ipv6: true }, 'use_ipv6', 'with an IPv4 address'],
  ])('%s %j: %s', async (path, body, param, words) => {
    const { status, error, param: named } = await ask(`/v2/${path}`, body);
    expect([status, named]).toEqual([400, param]);
    expect(error).toContain(words);
  });

  it('the Idempotency-Key too', async () => {
    const refused = await ask('/v2/spf-validator', { host: 'example.org' }, { ...KEY, 'idempotency-key': 'a b' });
    expect(refused).toMatchObject({ status: 400, param: 'Idempotency-Key' });
  });

  it('in v1 as in v2', async () => {
    const get = async (query: string) => {
      const answer = await server.app.inject({ url: `/v1/ping-test/v1/pay-as-you-go/?${query}` });
      return answer.json<object>();
    };
    expect(await get('key=key-of-a&hosts=example.org')).toEqual({
      error: 'The operation does not have this parameter: hosts; did you mean host?',
      code: 'unknown_parameter',
      param: 'hosts',
    });
    expect(await get('key=key-of-a&host=a.test&host=b.test')).toMatchObject({ param: 'host' });
  });
});

describe('a path without an operation', () => {
  it.each([
    ['/v2/ping-tset', 'The operation does not exist: did you mean /v2/ping-test? GET /openapi.json lists them'],
    ['/ping-test', 'The operation does not exist: did you mean /v2/ping-test? GET /openapi.json lists them'],
    ['/v1/pingtest', 'The operation does not exist: did you mean /v2/ping-test? GET /openapi.json lists them'],
    ['/v2/eml-insight', 'The operation does not exist: did you mean /v2/eml-insights? GET /openapi.json lists them'],
    ['/v2/<script>', 'The operation does not exist: GET /openapi.json lists them'],
    [`/v2/${'ping-test'.repeat(500)}`, 'The operation does not exist: GET /openapi.json lists them'],
  ])('%s', async (path, error) => {
    expect(await ask(path, {})).toMatchObject({ status: 404, code: 'unknown_operation', error });
  });
});

describe('a key that is missing', () => {
  it('belongs in the header, and in v1 in the query', async () => {
    const header = await ask('/v2/ping-test', { host: 'example.org' }, {});
    expect(header).toMatchObject({ status: 401, error: 'No API key was sent: send the key in the X-API-Key header', param: 'X-API-Key' });
    const query = await server.app.inject({ url: '/v1/ping-test/v1/pay-as-you-go/?host=example.org' });
    expect(query.json()).toMatchObject({ error: 'No API key was sent: send the key as the query parameter key', param: 'key' });
    expect([header.headers['www-authenticate'], query.headers['www-authenticate']]).toEqual([
      'ApiKey realm="Vedette", in="header", name="X-API-Key"',
      'ApiKey realm="Vedette", in="query", name="key"',
    ]);
  });

  it('is challenged as a bad one is (RFC 9110 §15.5.2)', async () => {
    const { status, headers } = await ask('/v2/ping-test', { host: 'example.org' }, { 'x-api-key': 'vdt_typo' });
    expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining('X-API-Key')]);
  });
});

it('account-info with a body of another type is 415, without a body not', async () => {
  const text = { ...KEY, 'content-type': 'text/plain' };
  expect(await ask('/v2/account-info', 'hello', text)).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  expect((await server.app.inject({ method: 'POST', url: '/v2/account-info', headers: text })).statusCode).not.toBe(415);
});

it('every refusal of a known key tells its quota', async () => {
  await ask('/v2/ping-test', {});
  const refusals = await Promise.all([
    ask('/v2/nothing', {}),
    ask('/v2/locations', {}),
    ask('/v2/ping-test', 'host', { ...KEY, 'content-type': 'text/plain' }),
    ask('/v2/ping-test', '{'),
  ]);
  expect(refusals.map(({ status, headers }) => [status, headers['x-service-quota']])).toEqual(
    [404, 405, 415, 400].map((status) => [status, 'limit=10, remaining=10, reset=0, cost=0']),
  );
  expect((await ask('/v2/nothing', {}, { 'x-api-key': 'key-of-nobody-yet' })).headers['x-service-quota']).toBeUndefined();
});

describe('the quota of a key that was seen before', () => {
  const quotaOf = async (server: AppServer, key: string, request: object) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const { statusCode, headers: said } = await server.app.inject({ method: 'POST', url: '/v2/echo', headers, payload: '{}', ...request });
    return [statusCode, said['x-service-quota']];
  };

  it('is not told to a blocked address: it would learn which keys are good', async () => {
    await using server = await openApp();
    expect(await quotaOf(server, 'key-of-a', {})).toEqual([400, expect.any(String)]);
    for (let i = 0; i < 10; i++) await quotaOf(server, `guess-${i}`, {});
    expect(await quotaOf(server, 'key-of-a', {})).toEqual([403, undefined]);
    expect(await quotaOf(server, 'key-of-a', { url: '/v2/nothing' })).toEqual([404, undefined]);
    expect(await quotaOf(server, 'key-of-a', { url: '/v2/nothing', remoteAddress: '192.0.2.9' })).toEqual([404, expect.any(String)]);
  });

  it('is not looked up for refusals that must be cheap', async () => {
    const ledger = stubLedger();
    let recalled = 0;
    let draining = false;
    const recall: typeof ledger.recall = (key) => (recalled++, ledger.recall(key));
    await using server = await openApp({ ledger: { ...ledger, recall }, draining: () => draining });
    expect(await quotaOf(server, 'guess-1', {})).toEqual([401, undefined]);
    expect(recalled).toBe(1); // by the front door alone
    draining = true;
    expect(await quotaOf(server, 'key-of-a', {})).toEqual([503, undefined]);
    expect(recalled).toBe(1);
  });
});

it('what the answer depends on may be back soon: Retry-After, whoever throws it', async () => {
  const failing = central({
    name: 'failing',
    subject: 'service',
    summary: '',
    cost: 1,
    deadline_ms: 1_000,
    request: Type.Object({ host: Host() }, { additionalProperties: false }),
    response: Type.Object({}),
    targets: { host: 'name' },
    contactsTarget: false,
    examples: [],
    read: () => ({}),
    run: () => Promise.reject(new ApiError('upstream_failed')),
  });
  await using poor = await openApp({ operations: [failing] });
  const headers = { ...KEY, 'content-type': 'application/json' };
  const answer = await poor.app.inject({ method: 'POST', url: '/v2/failing', headers, payload: '{"host":"a.test"}' });
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([502, '5']);
});
