import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePki, type Pki } from '../probes/http/certificates.ts';
import { NO_AGENTS, NO_BROWSER, type OneMachine, startOneMachine } from './one-machine.ts';

const ORIGIN = 'https://app.example.org';
let pki: Pki;
let vedette: OneMachine;
beforeAll(async () => {
  pki = makePki({ api: { names: 'IP:127.0.0.1' } });
  vedette = await startOneMachine({
    ...NO_BROWSER,
    ...NO_AGENTS,
    VEDETTE_TLS_CERT_FILE: join(pki.folder, 'api.pem'),
    VEDETTE_TLS_KEY_FILE: join(pki.folder, 'api.key'),
    VEDETTE_CORS_ORIGINS: ORIGIN,
  });
});
afterAll(async () => {
  await vedette?.stop();
  pki[Symbol.dispose]();
});

/** One request over TLS that trusts our root alone: the status and the headers of CORS. */
const ask = (method: string, origin: string, key = vedette.key) =>
  new Promise<Record<string, unknown>>((resolve, reject) => {
    const headers = { origin, 'x-api-key': key };
    request(`${vedette.url}/v2/account-info`, { method, headers, ca: pki.root, agent: false }, (response) => {
      response.resume();
      const cors = Object.entries(response.headers).filter(([name]) => name.startsWith('access-control-') || name === 'vary');
      resolve({ status: response.statusCode, ...Object.fromEntries(cors) });
    })
      .once('error', reject)
      .end();
  });

it('says https in its ready line where it has a certificate', () => {
  expect(vedette.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
});

it('lets a page of a configured origin ask, and read what it needs', async () => {
  expect(await ask('OPTIONS', ORIGIN)).toEqual({
    status: 204,
    vary: 'Origin',
    'access-control-allow-origin': ORIGIN,
    'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
    'access-control-allow-headers':
      'Content-Type, X-API-Key, Idempotency-Key, Accept, Last-Event-ID, Authorization, MCP-Protocol-Version, MCP-Session-Id, Mcp-Method, Mcp-Name, Vedette-Max-Credits, Vedette-Tools',
    'access-control-max-age': '600',
    'access-control-expose-headers':
      'X-Request-Id, X-Service-Quota, Idempotency-Replayed, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate',
  });
  expect(await ask('POST', ORIGIN)).toEqual({
    status: 200,
    vary: 'Origin',
    'access-control-allow-origin': ORIGIN,
    'access-control-expose-headers':
      'X-Request-Id, X-Service-Quota, Idempotency-Replayed, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate',
  });
});

it('lets it read why it was refused', async () => {
  expect(await ask('POST', ORIGIN, 'not-a-key')).toEqual({
    status: 401,
    vary: 'Origin',
    'access-control-allow-origin': ORIGIN,
    'access-control-expose-headers':
      'X-Request-Id, X-Service-Quota, Idempotency-Replayed, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate',
  });
});

it('does not let a page of another origin read anything', async () => {
  expect(await ask('GET', 'https://evil.example.org')).toEqual({ status: 405, vary: 'Origin' });
});
