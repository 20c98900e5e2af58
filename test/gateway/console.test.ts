import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildConsole } from '../console/browser.ts';
import { type AppServer, openApp } from './app-server.ts';

let server: AppServer;
let script: string;
beforeAll(async () => {
  buildConsole();
  server = await openApp();
  script = /src="(\/console\/main-[\w-]{8}\.js)"/.exec((await get('/')).body)![1]!;
});
afterAll(() => server[Symbol.asyncDispose]());

const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers });

it('answers its pages with one document, whatever their query', async () => {
  const document = await get('/');
  expect([document.statusCode, document.headers['content-type'], document.headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-cache',
  ]);
  for (const url of ['/ask/ping-test', '/ask/ping-test?host=example.org', '/ask/no-such-operation', '/?x']) {
    const page = await get(url);
    expect([url, page.statusCode, page.body, page.headers.etag]).toEqual([url, 200, document.body, document.headers.etag]);
  }
});

it('lets its pages run our files and nothing else', async () => {
  for (const url of ['/', '/ask/ping-test', script])
    expect((await get(url)).headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; font-src 'self'; frame-src blob:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
});

it('sends files as they were compressed when they were built, for ever under their names', async () => {
  const plain = await get(script, { 'accept-encoding': 'identity' });
  for (const [coding, read] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { headers, rawPayload } = await get(script, { 'accept-encoding': coding });
    expect([headers['content-encoding'], headers['cache-control'], headers['content-type']]).toEqual([
      coding,
      'public, max-age=31536000, immutable',
      'text/javascript; charset=utf-8',
    ]);
    expect(read(rawPayload).equals(plain.rawPayload)).toBe(true);
    expect((await get(script, { 'accept-encoding': coding, 'if-none-match': headers.etag! })).statusCode).toBe(304);
    const head = await server.app.inject({ method: 'HEAD', url: script, headers: { 'accept-encoding': coding } });
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', String(rawPayload.length)]);
  }
});

it.each([
  '/console/main.js',
  '/console/index.html',
  '/console/..%2f..%2fpackage.json',
  '/console/%2e%2e/package.json',
  '/console/main.js.br',
  '/console/',
  '/v2/ask',
  '/askew',
  '/ask',
  '/no/such/page',
])('%s is an answer of the API: 404 in JSON', async (url) => {
  const { statusCode, headers, body } = await get(url);
  expect([statusCode, headers['content-type'], JSON.parse(body)]).toEqual([
    404,
    'application/json; charset=utf-8',
    { error: expect.stringContaining('The operation does not exist'), code: 'unknown_operation' },
  ]);
});

it('the reference page has an origin of its own, and may still read the description', async () => {
  const page = await get('/docs');
  expect(page.headers['content-security-policy']).toMatch(/; sandbox allow-scripts allow-popups allow-downloads$/);
  expect(page.body).toMatch(/"hideTestRequestButton":\s*true/);
  expect((await get('/openapi.json', { origin: 'null' })).headers['access-control-allow-origin']).toBe('*');
  await using closed = await openApp({ docs: false });
  const guarded = await closed.app.inject({ url: '/openapi.json', headers: { 'x-api-key': 'key-of-a', origin: 'null' } });
  expect([guarded.statusCode, guarded.headers['access-control-allow-origin']]).toEqual([200, undefined]);
});
