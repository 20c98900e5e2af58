import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { API_ERRORS } from '@vedette/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_BROWSER, type OneMachine, startOneMachine } from './one-machine.ts';

let vedette: OneMachine;
beforeAll(async () => {
  vedette = await startOneMachine({
    ...NO_BROWSER,
    VEDETTE_BOOTSTRAP_KEY: 'a-key-of-ours',
    VEDETTE_TRUSTED_PROXIES: '127.0.0.1/32',
    VEDETTE_V1: 'on',
  });
});
afterAll(async () => {
  await vedette.stop();
});

const JSON_TYPE = { 'content-type': 'application/json' };
let visitor = 0;
/** Another client address each time, so that one row's bad key does not lock out the next. */
const somebody = () => ({ 'x-forwarded-for': `198.51.100.${++visitor}` });
const send = (path: string, init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {}) =>
  fetch(vedette.url + path, {
    method: 'POST',
    ...init,
    headers: { 'x-api-key': 'a-key-of-ours', ...JSON_TYPE, ...somebody(), ...init.headers },
  });
const expectError = async (response: Response, code: keyof typeof API_ERRORS) => {
  const body = (await response.json()) as { error: string; code: string; param?: string };
  expect(body.code).toBe(code);
  expect(response.status).toBe(API_ERRORS[code].status);
  expect(body.error.startsWith(API_ERRORS[code].sentence)).toBe(true);
  expect(Object.keys(body)).toEqual(body.param === undefined ? ['error', 'code'] : ['error', 'code', 'param']);
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  return response;
};

const HOST = JSON.stringify({ host: '127.0.0.1' });

describe('a request is refused with its code', () => {
  it.each<
    [what: string, code: keyof typeof API_ERRORS, path: string, init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }]
  >([
    ['no key', 'key_missing', '/v2/ping-test', { body: HOST, headers: { 'x-api-key': '' } }],
    ['a key with a typo', 'key_malformed', '/v2/ping-test', { body: HOST, headers: { 'x-api-key': 'vdt_aaaaaaaaaaaaaaaa_aaaa' } }],
    ['a key in the wrong case', 'key_malformed', '/v2/ping-test', { body: HOST, headers: { 'x-api-key': 'A-KEY-OF-OURS' } }],
    ['a key cut short', 'key_malformed', '/v2/ping-test', { body: HOST, headers: { 'x-api-key': 'a-key-of-our' } }],
    ['text/plain', 'unsupported_media_type', '/v2/ping-test', { body: HOST, headers: { 'content-type': 'text/plain' } }],
    [
      'another charset',
      'unsupported_media_type',
      '/v2/ping-test',
      { body: HOST, headers: { 'content-type': 'application/json; charset=utf-16' } },
    ],
    ['a compressed body', 'unsupported_media_type', '/v2/ping-test', { body: HOST, headers: { 'content-encoding': 'gzip' } }],
    ['no body', 'malformed_json', '/v2/ping-test', {}],
    ['half a body', 'malformed_json', '/v2/ping-test', { body: '{"host":' }],
    ['a body of 65 KB', 'body_too_large', '/v2/ping-test', { body: `{"host":"${'a'.repeat(65 * 1024)}"}` }],
    ['a body of 10 MB', 'body_too_large', '/v2/ping-test', { body: `{"host":"${'a'.repeat(10 * 1024 * 1024)}"}` }],
    ['an unknown parameter', 'unknown_parameter', '/v2/ping-test', { body: '{"host":"a.test","count":9}' }],
    ['a missing parameter', 'missing_parameter', '/v2/geo-request', { body: '{"use_ipv6":true}' }],
    ['text for a boolean', 'invalid_parameter', '/v2/geo-request', { body: '{"url":"http://a.test/","use_ipv6":"true"}' }],
    ['a private address', 'private_address', '/v2/ping-test', { body: '{"host":"10.0.0.1"}' }],
    ['a private address in octal', 'private_address', '/v2/geo-request', { body: '{"url":"http://012.0.0.1/"}' }],
    ['cloud metadata as NAT64', 'private_address', '/v2/geo-request', { body: '{"url":"http://[64:ff9b::a9fe:a9fe]/"}' }],
    ['a government host', 'blocked_target', '/v2/ping-test', { body: '{"host":"WWW.Example.GOV."}' }],
    ['an inner name', 'special_use_name', '/v2/ping-test', { body: '{"host":"db.internal"}' }],
    ['a name without a dot', 'special_use_name', '/v2/geo-request', { body: '{"url":"http://metadata/"}' }],
    ['an unknown location', 'unknown_location', '/v2/ping-test', { body: '{"host":"127.0.0.1","locations":["moon"]}' }],
    ['an unknown DNS type', 'invalid_parameter', '/v2/dns-propagation', { body: '{"host":"a.test","dns_types":"A,AXFR"}' }],
    ['an unknown operation', 'unknown_operation', '/v2/nothing', { body: '{}' }],
    ['a path with dots', 'unknown_operation', '/v2/%2e%2e/ping-test', { body: HOST }],
    ['GET where POST is wanted', 'method_not_allowed', '/v2/ping-test', { method: 'GET' }],
    ['an Idempotency-Key that is none', 'invalid_parameter', '/v2/ping-test', { body: HOST, headers: { 'idempotency-key': 'a b' } }],
    ['one that is too long', 'invalid_parameter', '/v2/ping-test', { body: HOST, headers: { 'idempotency-key': 'k'.repeat(129) } }],
  ])('%s: %s', async (_what, code, path, init) => {
    await expectError(await send(path, init), code);
  });

  it('a wrong method says which is right', async () => {
    expect((await send('/v2/ping-test', { method: 'DELETE' })).headers.get('allow')).toBe('POST');
    expect((await send('/v2/locations', { method: 'POST', body: '{}' })).headers.get('allow')).toBe('GET, HEAD');
  });

  it.each([
    ['two keys are none', 'X-API-Key', 'other', 401],
    ['two hosts', 'Host', 'other.test', 400],
    ['two content types', 'Content-Type', 'text/plain', 400],
  ])('%s', async (_what, name, value, status) => {
    const answer = await new Promise<number | undefined>((resolve) => {
      const { hostname, port, host } = new URL(vedette.url);
      const headers = ['Host', host, 'Content-Type', 'application/json', 'X-API-Key', 'a-key-of-ours', name, value];
      httpRequest({ hostname, port, path: '/v2/ping-test', method: 'POST', headers } as object, (response) =>
        resolve(response.statusCode),
      ).end(HOST);
    });
    expect(answer).toBe(status);
  });
});

it('answers bytes that are not HTTP with a 400 and closes', async () => {
  const { hostname, port } = new URL(vedette.url);
  const text = await new Promise<string>((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write('BLAH\r\n\r\n'));
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.on('close', () => resolve(received));
  });
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(text).toMatch(/"code":"bad_request"\}$/);
});

it('account-info takes no body, with or without a Content-Type, once a second', async () => {
  const bare = { method: 'POST', headers: { 'x-api-key': 'a-key-of-ours' } };
  const ask = () => fetch(`${vedette.url}/v2/account-info`, bare);
  const answers = await Promise.all([ask(), ask()]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429]);
  const second = await expectError(
    answers.find(({ status }) => status === 429)!,
    'rate_limited',
  );
  expect(second.headers.get('retry-after')).toBe('1');
  expect(second.headers.get('ratelimit')).toMatch(/^"account-info";r=0;t=1$/);
  expect(second.headers.get('x-service-quota')).toMatch(/^limit=1000000, remaining=\d+, reset=\d+, cost=0$/);
});

it('blocks an address for an hour after ten bad keys, a valid key included, and nobody else', async () => {
  const from = (address: string, key: string) =>
    send('/v2/ping-test', { body: HOST, headers: { 'x-api-key': key, 'x-forwarded-for': address } });
  for (let i = 0; i < 10; i++) await expectError(await from('203.0.113.7', `no-such-key-${i}`), 'key_malformed');
  const blocked = await expectError(await from('203.0.113.7', 'a-key-of-ours'), 'address_blocked');
  expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(3590);
  expect((await from('203.0.113.8', 'a-key-of-ours')).status).toBe(200);
});

it('answers the deprecated v1 path, wrapped, with its sunset', async () => {
  const answer = await fetch(`${vedette.url}/v1/ping-test/v1/pay-as-you-go/?key=a-key-of-ours&host=127.0.0.1`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('sunset')).toBe('Sun, 01 Nov 2026 00:00:00 GMT');
  expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/);
  const { data } = (await answer.json()) as any;
  expect(data.report.locations).toHaveLength(3);
  await expectError(await fetch(`${vedette.url}/v1/ping-test/v1/pay-as-you-go/?key=a-key-of-ours&hots=1`), 'unknown_parameter');
  const refused = await expectError(await fetch(`${vedette.url}/v1/ping-test/v1/pay-as-you-go/?host=127.0.0.1`), 'key_missing');
  expect(refused.headers.get('sunset')).toBe('Sun, 01 Nov 2026 00:00:00 GMT');
  const posted = await expectError(await send('/v1/ping-test/v1/pay-as-you-go/', { body: HOST }), 'method_not_allowed');
  expect(posted.headers.get('allow')).toBe('GET');
});

it('shows the reference page from files of its own', async () => {
  const page = await fetch(`${vedette.url}/docs`);
  expect(page.headers.get('content-security-policy')).toMatch("default-src 'self'");
  expect(await page.text()).toMatch('src="/docs/js/scalar.js?v=');
  expect((await fetch(`${vedette.url}/docs/js/scalar.js`)).headers.get('content-type')).toMatch('javascript');
});

it('gives no CORS header unless origins are configured', async () => {
  const answer = await send('/v2/ping-test', { body: HOST, headers: { origin: 'https://app.test' } });
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});
