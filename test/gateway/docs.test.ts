import { hash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { madeOnce } from '../../packages/gateway/src/pages/static-file.ts';
import { buildConsole } from '../console/browser.ts';
import { type AppServer, openApp } from './app-server.ts';

let server: AppServer;
let script: string;
beforeAll(async () => {
  buildConsole();
  server = await openApp();
  const page = await get('/docs', { 'accept-encoding': 'identity' });
  script = /src="(\/docs\/js\/scalar\.js\?v=[\w-]{16})"/.exec(page.body)![1]!;
});
afterAll(() => server[Symbol.asyncDispose]());

const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers });

describe('a static file', () => {
  it.each<[accepted: string | undefined, coding: string | undefined, read: (body: Buffer) => Buffer]>([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['GZIP', 'gzip', gunzipSync],
    ['br;q=0', undefined, (body) => body],
    [undefined, undefined, (body) => body],
  ])('for a client that takes %s is %s', async (accepted, coding, read) => {
    const { headers, rawPayload } = await get('/openapi.json', accepted === undefined ? {} : { 'accept-encoding': accepted });
    expect([headers['content-encoding'], headers['content-length'], headers.vary]).toEqual([
      coding,
      String(rawPayload.length),
      'Accept-Encoding',
    ]);
    expect(JSON.parse(read(rawPayload).toString())).toMatchObject({ openapi: '3.1.0' });
  });

  it('has an ETag for each coding, and is not sent to whoever has it', async () => {
    const { headers } = await get('/openapi.json', { 'accept-encoding': 'br' });
    expect(headers.etag).not.toBe((await get('/openapi.json')).headers.etag);
    for (const known of [headers.etag!, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
      const again = await get('/openapi.json', { 'accept-encoding': 'br', 'if-none-match': known });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', headers.etag]);
    }
    expect((await get('/openapi.json', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('of some megabytes is sent compressed alone: twenty readers of its text took the time of everybody', async () => {
    const none = await get('/docs/js/scalar.js');
    expect([none.headers['content-encoding'], gunzipSync(none.rawPayload).length > 2_000_000]).toEqual(['gzip', true]);
    const plain = await get('/docs/js/scalar.js', { 'accept-encoding': 'identity' });
    expect([plain.statusCode, plain.json().code]).toEqual([406, 'not_acceptable']);
  });

  it('is for ever under the URL that names its version, and under no other', async () => {
    const br = { 'accept-encoding': 'br' };
    const found = await get(script, br);
    expect(found.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    // It was 4.4 MB, made anew for every request.
    expect(found.rawPayload.length).toBeLessThan(1_300_000);
    for (const url of ['/docs/js/scalar.js', '/docs/js/scalar.js?v=older', `${script}&${script.split('?')[1]}`])
      expect((await get(url, br)).headers['cache-control']).toBe('no-cache');
  });
});

it('lets browsers run the scripts of the page and no others: keys are typed where any script in the page could run', async () => {
  const { body, headers } = await get('/docs', { 'accept-encoding': 'identity' });
  const [, allowed] = /script-src ([^;]+);/.exec(String(headers['content-security-policy']))!;
  const inline = [...body.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(([, code]) => `'sha256-${hash('sha256', code!, 'base64')}'`);
  expect(inline).toHaveLength(1);
  expect(allowed!.split(' ')).toEqual(["'self'", ...inline]);
});

it('answers HEAD where it answers GET, with the same headers and no body (RFC 9110 §9.3.2)', async () => {
  const headers = { 'x-api-key': 'key-of-a' };
  for (const url of ['/', '/docs', script, '/openapi.json', '/favicon.ico', '/healthz', '/v2/locations']) {
    const [got, head] = await Promise.all([get(url, headers), server.app.inject({ method: 'HEAD', url, headers })]);
    expect([url, head.statusCode, head.body]).toEqual([url, got.statusCode, '']);
    expect(['content-type', 'etag', 'cache-control', 'content-length'].map((name) => head.headers[name])).toEqual(
      ['content-type', 'etag', 'cache-control', 'content-length'].map((name) => got.headers[name]),
    );
  }
  // It would be measured and paid for.
  const paid = await server.app.inject({ method: 'HEAD', url: '/v1/echo/v1/pay-as-you-go/?key=key-of-a&host=x' });
  expect(paid.statusCode).toBe(405);
});

it('shows operations by their names, and a key that nobody takes for a leaked one', async () => {
  const page = await get('/docs', { 'accept-encoding': 'identity' });
  expect(page.body).toMatch(/"operationTitleSource":\s*"path"/);
  const body = gunzipSync((await get(script)).rawPayload).toString();
  expect(body).not.toContain('QUxMIFlPVVIg');
  expect(body).toContain('placeholder:`vdt_…`');
});

it('has an icon of its own', async () => {
  const { statusCode, headers } = await get('/favicon.ico');
  expect([statusCode, headers['content-type'], headers.etag]).toEqual([200, 'image/svg+xml', expect.stringMatching(/^"/)]);
});

it('tells load balancers on its own port that it is alive, without a key, and that it stops before it does', async () => {
  let stopping = false;
  await using stopped = await openApp({ stopping: () => stopping });
  const ask = async () => {
    const { statusCode, headers, body } = await stopped.app.inject({ url: '/healthz' });
    return [statusCode, headers['cache-control'], headers['retry-after'], JSON.parse(body)];
  };
  expect(await ask()).toEqual([200, 'no-store', undefined, { status: 'ok' }]);
  stopping = true;
  expect(await ask()).toEqual([503, 'no-store', '1', { error: 'This gateway is shutting down', code: 'draining' }]);
});

it('takes GET and HEAD alone, and says so', async () => {
  for (const url of ['/', '/docs', script, '/favicon.ico', '/openapi.json', '/healthz']) {
    const { statusCode, headers } = await server.app.inject({ method: 'POST', url });
    expect([url, statusCode, headers.allow]).toEqual([url, 405, 'GET, HEAD']);
  }
});

it('VEDETTE_DOCS=off: no page, and no description without a key', async () => {
  await using closed = await openApp({ docs: false });
  const codes = async (headers = {}) =>
    Promise.all(
      ['/', '/docs', script, '/favicon.ico', '/openapi.json'].map(async (url) => (await closed.app.inject({ url, headers })).statusCode),
    );
  expect(await codes()).toEqual([404, 404, 404, 404, 401]);
  expect(await codes({ 'x-api-key': 'key-of-a' })).toEqual([404, 404, 404, 404, 200]);
});

it('what is made once is made again only where it failed', async () => {
  let made = 0;
  const once = madeOnce(async () => {
    if (++made === 1) throw new Error('no memory');
    return made;
  });
  await expect(once()).rejects.toThrow('no memory');
  expect(await Promise.all([once(), once()])).toEqual([2, 2]);
  expect(await once()).toBe(2);
});
