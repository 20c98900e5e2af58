import { createServer, type IncomingMessage } from 'node:http';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { ProbeFailure, type ProbePorts } from '@vedette/contract';
import { httpProbe } from '@vedette/probes/http';
import { systemClock } from '@vedette/probes/net';
import { PatternMatcher } from '@vedette/probes/patterns';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, expect, it } from 'vitest';
import { startFakeProxy } from '../proxy/fake-proxy.ts';
import { hostsResolver, loopbackPorts } from './loopback-ports.ts';
import { listen } from './raw-server.ts';

type HttpResult = Static<typeof httpProbe.result>;
type Job = Parameters<typeof httpProbe.run>[0];

const patterns = new PatternMatcher(systemClock);
afterAll(() => patterns.close());
const HOSTS = { 'a.test': ['127.0.0.1'], 'b.test': ['127.0.0.1'], 'proxy.test': ['127.0.0.1'], 'inner.test': ['10.0.0.1'] };
const ports = (): ProbePorts => loopbackPorts({ resolver: hostsResolver(HOSTS), patterns, ca: [] });

async function run(job: Partial<Job> & { url: string }): Promise<{ result: HttpResult; code: string; seen: string }> {
  const whole = { family: 4 as const, detail: true, ...job };
  expect(Value.Check(httpProbe.job, whole)).toBe(true);
  const ended = await httpProbe.run(whole, ports()).then(
    (result) => ({ result, code: '', seen: '' }),
    (error: unknown) => {
      if (!(error instanceof ProbeFailure) || error.partial === undefined) throw error;
      return { result: error.partial as HttpResult, code: error.code, seen: error.seen };
    },
  );
  expect(Value.Check(httpProbe.result, ended.result)).toBe(true);
  return ended;
}

const PAGE = 'hello world';

it.each([
  ['gzip', gzipSync(PAGE), '', PAGE.length],
  ['deflate', deflateRawSync(PAGE), '', PAGE.length],
  ['br', brotliCompressSync(PAGE), '', PAGE.length],
  ['gzip', Buffer.from(PAGE), 'http_protocol', 0],
  ['gzip', Buffer.from(''), 'http_protocol', 0],
] as const)('takes a body for %s, whatever its head says: %j', async (compression, body, code, length) => {
  await using server = await listen(createServer((_request, response) => response.end(body)));
  const ended = await run({ url: `http://a.test:${server.port}/`, compression, body_matches: ['world'] });
  expect([ended.code, ended.result.status_code, ended.result.detail!.uncompressed_body_bytes]).toEqual([code, 200, length]);
  expect(ended.result.detail!.body_matches).toEqual([length > 0]);
});

it.each([
  [{ body_max_bytes: 11 }, PAGE, '', 11],
  [{ body_max_bytes: 10 }, PAGE, 'too_large', 10],
  [{ body_max_bytes: 10, compression: 'gzip' as const }, gzipSync(PAGE), 'too_large', 10],
  [{ body_max_bytes: 11, compression: 'gzip' as const }, gzipSync(PAGE), '', 11],
])('%j limits what comes out of a body', async (asked, body, code, length) => {
  await using server = await listen(createServer((_request, response) => response.end(body)));
  const ended = await run({ url: `http://a.test:${server.port}/`, ...asked });
  expect([ended.code, ended.result.status_code, ended.result.detail!.uncompressed_body_bytes]).toEqual([code, 200, length]);
});

it('says which address it tried, also where that refused', async () => {
  await using server = await listen(createServer());
  const { port } = server;
  await server[Symbol.asyncDispose]();
  const { code, result } = await run({ url: `http://a.test:${port}/` });
  expect([code, result.network, result.remote_addr, result.detail!.tried_address]).toEqual([
    'connect_refused',
    '',
    '127.0.0.1',
    '127.0.0.1',
  ]);
});

const proxyAt = (port: number, more: object = {}) => ({ url: `http://u:p@proxy.test:${port}`, headers: {}, except: [], ...more });

it('goes through a proxy, which is told the judged address and has fields of its own', async () => {
  const seen: IncomingMessage['headers'][] = [];
  await using server = await listen(
    createServer(({ url, headers }, response) => {
      seen.push(headers);
      if (url === '/away') response.writeHead(302, { location: '/' });
      response.end(PAGE);
    }),
  );
  await using proxy = await startFakeProxy();
  const asked = { url: `http://a.test:${server.port}/away`, follow_redirects: true };
  const through = await run({ ...asked, proxy: proxyAt(proxy.port, { headers: { 'x-tenant': 'b' } }) });
  expect([through.code, through.result.status_code, through.result.remote_addr]).toEqual(['', 200, '127.0.0.1']);
  const head = [
    `CONNECT 127.0.0.1:${server.port} HTTP/1.1`,
    `Host: 127.0.0.1:${server.port}`,
    `Proxy-Authorization: Basic ${Buffer.from('u:p').toString('base64')}`,
    'x-tenant: b',
    '',
    '',
  ].join('\r\n');
  expect(proxy.heads).toEqual([head, head]);
  expect(seen.map((headers) => headers.host)).toEqual([`a.test:${server.port}`, `a.test:${server.port}`]);
  expect(seen.some((headers) => 'x-tenant' in headers)).toBe(false);
  const straight = await run({ url: `http://b.test:${server.port}/`, proxy: proxyAt(proxy.port, { except: ['b.test'] }) });
  expect([straight.code, proxy.heads.length]).toEqual(['', 2]);
});

it('fails where the proxy does, and where the proxy leads inwards', async () => {
  await using proxy = await startFakeProxy({ answer: 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n' });
  expect(await run({ url: 'http://a.test:8099/', proxy: proxyAt(proxy.port) })).toMatchObject({
    code: 'connect_unreachable',
    result: { status_code: 0 },
  });
  const inner = { url: 'http://inner.test:3128', headers: {}, except: [] };
  expect((await run({ url: 'http://a.test:8099/', proxy: inner })).code).toBe('blocked_private_address');
  expect((await run({ url: 'http://a.test:8099/', proxy: { ...inner, url: 'ftp://x' } })).code).toBe('unsupported');
});

/** A token server that takes the credentials only as `takes` says, and a page that wants the token. */
async function openSignIn(takes: 'basic' | 'body' | 'neither') {
  const forms: string[] = [];
  const server = await listen(
    createServer((request, response) => {
      if (request.url === '/') return void response.writeHead(request.headers.authorization === 'Bearer tok' ? 200 : 401).end(PAGE);
      if (request.url === '/away') return void response.writeHead(302, { location: `http://127.0.0.1:${server.port}/` }).end();
      let form = '';
      request.on('data', (chunk: Buffer) => (form += chunk.toString()));
      request.on('end', () => {
        forms.push(form);
        const basic = request.headers.authorization === `Basic ${Buffer.from('me:s%3Ax').toString('base64')}`;
        const inBody = new URLSearchParams(form).get('client_secret') === 's:x';
        const taken = (takes === 'basic' && basic) || (takes === 'body' && inBody);
        response
          .writeHead(taken ? 200 : 401)
          .end(JSON.stringify(taken ? { access_token: 'tok', token_type: 'bearer' } : { error: 'invalid_client' }));
      });
    }),
  );
  const oauth2 = {
    token_url: `http://a.test:${server.port}/token`,
    client_id: 'me',
    client_secret: 's:x',
    scopes: ['read', 'write'],
    parameters: { audience: 'it' },
  };
  return { server, forms, oauth2, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

it.each([
  ['basic', '', 200, 1],
  ['body', '', 200, 2],
  ['neither', 'http_protocol', 0, 2],
] as const)('signs in by client credentials at a server that takes them by %s', async (takes, code, status, asked) => {
  await using world = await openSignIn(takes);
  const ended = await run({ url: `http://a.test:${world.server.port}/`, oauth2: world.oauth2 });
  expect([ended.code, ended.result.status_code, world.forms.length]).toEqual([code, status, asked]);
  expect(world.forms[0]).toBe('grant_type=client_credentials&scope=read+write&audience=it');
  expect(ended.seen).not.toContain('s:x');
});

it('hands the token to no other origin, and asks no inner token server', async () => {
  await using world = await openSignIn('basic');
  const { port } = world.server;
  expect((await run({ url: `http://a.test:${port}/away`, follow_redirects: true, oauth2: world.oauth2 })).result.status_code).toBe(401);
  const inner = { ...world.oauth2, token_url: 'http://inner.test/token' };
  expect(await run({ url: `http://a.test:${port}/`, oauth2: inner })).toMatchObject({
    code: 'blocked_private_address',
    result: { status_code: 0, detail: { final_url: `http://a.test:${port}/` } },
  });
});
