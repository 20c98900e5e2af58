import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerResponse } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createAddressPolicy } from '@vedette/probes/host';
import { isSpecialUseName } from '@vedette/contract';
import { refusing } from '@vedette/probes/dns';
import { afterAll, describe, expect, it } from 'vitest';
import { createDialler } from '@vedette/probes/net';
import { makePki } from '../http/certificates.ts';
import { hostsResolver } from '../http/loopback-ports.ts';
import { answering, listen, rawServer } from '../http/raw-server.ts';
import { getter, HOSTS } from './getter.ts';

const pki = makePki({ good: { names: 'DNS:a.test,IP:127.0.0.1' }, other: { names: 'DNS:b.test' } });
afterAll(() => pki[Symbol.dispose]());
const credentials = (name: string) => ({
  key: readFileSync(join(pki.folder, `${name}.key`)),
  cert: readFileSync(join(pki.folder, `${name}.pem`)),
});
const get = getter([pki.root]);

describe('fetching a file', () => {
  const BODIES: Record<string, [coding: string, body: Buffer]> = {
    '/plain': ['', Buffer.from('file')],
    '/gzip': ['gzip', gzipSync('file')],
    '/deflate': ['deflate', deflateSync('file')],
    '/br': ['br', brotliCompressSync('file')],
    '/twice': ['gzip, gzip', gzipSync(gzipSync('file'))],
    '/lie': ['gzip', Buffer.from('file')],
    '/bomb': ['br', brotliCompressSync(Buffer.alloc(100_000))],
    '/large': ['', Buffer.alloc(1_001)],
  };
  const server = createHttpsServer(credentials('good'), (request, response) => {
    const [coding, body] = BODIES[request.url ?? ''] ?? ['', Buffer.from('nothing')];
    const hop = /^\/hop(\d)$/.exec(request.url ?? '')?.[1];
    response.statusCode = hop === undefined ? ((request.url ?? '') in BODIES ? 200 : 404) : 302;
    if (hop !== undefined) response.setHeader('location', hop === '0' ? '/plain' : `/hop${Number(hop) - 1}`);
    if (request.url === '/down') response.writeHead(302, { location: `http://a.test:1/` });
    if (request.url === '/inside') response.writeHead(302, { location: 'https://10.0.0.1/' });
    if (coding !== '') response.setHeader('content-encoding', coding);
    response.end(body);
  });

  it('takes any status, every coding we ask for, and three redirects', async () => {
    await using here = await listen(server);
    const base = `https://a.test:${here.port}`;
    const file = { status: 200, body: Buffer.from('file'), remoteAddress: '127.0.0.1', etag: '', lastModified: '', retryAfter: '' };
    for (const path of ['/plain', '/gzip', '/deflate', '/br']) expect(await get(base + path)).toEqual({ ...file, url: base + path });
    expect(await get(`${base}/hop2`)).toEqual({ ...file, url: `${base}/plain` });
    expect(await get(`${base}/absent`)).toEqual({ ...file, status: 404, body: Buffer.from('nothing'), url: `${base}/absent` });
    expect(await get(`https://127.0.0.1:${here.port}/plain`)).toMatchObject({ status: 200 });

    await expect(get(`${base}/hop3`)).rejects.toMatchObject({ code: 'http_protocol', seen: 'more than 3 redirects' });
    await expect(get(`${base}/down`)).rejects.toMatchObject({ code: 'blocked_policy', seen: 'http: is not allowed here' });
    await expect(get(`${base}/inside`)).rejects.toMatchObject({ code: 'blocked_private_address' });
    await expect(get(`${base}/large`)).rejects.toMatchObject({ code: 'too_large' });
    await expect(get(`${base}/bomb`)).rejects.toMatchObject({ code: 'too_large' });
    await expect(get(`${base}/lie`)).rejects.toMatchObject({ code: 'http_protocol' });
    await expect(get(`${base}/twice`)).rejects.toMatchObject({ code: 'http_protocol' });
    await expect(get(base, { ca: [] })).rejects.toMatchObject({ code: 'tls_cert_invalid' });
  });

  it.each(['HTTP/1.1', 'HTTP/2'])(
    'gives up a server that is silent at the beginning or in the middle, and waits for a slow one, over %s',
    async (version) => {
      const answering = (path: string | undefined, response: Writable) => {
        if (path === '/silent') return;
        response.write('a');
        if (path !== '/slow') return;
        let left = 10;
        const more = setInterval(() => {
          if (--left > 0) return void response.write('a');
          clearInterval(more);
          response.end();
        }, 200);
      };
      const server =
        version === 'HTTP/2'
          ? createSecureServer(credentials('good'), (request, response) => answering(request.url, response))
          : createHttpsServer(credentials('good'), (request, response) => answering(request.url, response));
      await using here = await listen(server);
      const at = (path: string) => get(`https://a.test:${here.port}${path}`, { silence_ms: 1_500, timeout_ms: 60_000 });
      const [silent, stopped, slow] = await Promise.allSettled([at('/silent'), at('/stops'), at('/slow')]);
      expect(silent).toMatchObject({ reason: { code: 'http_timeout', seen: 'nothing came for 1.5 s' } });
      expect(stopped).toMatchObject({ reason: { code: 'http_timeout' } });
      expect(slow).toMatchObject({ value: { body: Buffer.from('a'.repeat(10)) } });
    },
  );

  it.each(['HTTP/1.1', 'HTTP/2'])('asks whether its copy is what the server has still, over %s (RFC 9110 §13.1)', async (version) => {
    const validators = { etag: '"one"', 'last-modified': 'Sat, 21 Nov 2026 00:00:00 GMT' };
    const answering = (asked: string | undefined, response: ServerResponse | Http2ServerResponse) => {
      response.statusCode = asked === '"one"' ? 304 : 200;
      for (const [name, value] of Object.entries(validators)) response.setHeader(name, value);
      response.end();
    };
    const server =
      version === 'HTTP/2'
        ? createSecureServer(credentials('good'), ({ headers }, response) => answering(headers['if-none-match'], response))
        : createHttpsServer(credentials('good'), ({ headers }, response) => answering(headers['if-none-match'], response));
    await using here = await listen(server);
    const url = `https://a.test:${here.port}/`;
    expect(await get(url)).toMatchObject({ status: 200, etag: '"one"', lastModified: 'Sat, 21 Nov 2026 00:00:00 GMT' });
    expect(await get(url, { requestFields: { 'if-none-match': '"one"' } })).toMatchObject({ status: 304, body: Buffer.alloc(0) });
  });

  it('uses HTTP/2 where the server does', async () => {
    await using here = await listen(createSecureServer(credentials('good'), (_request, response) => response.end('file')));
    expect(await get(`https://a.test:${here.port}/`)).toMatchObject({ status: 200, body: Buffer.from('file') });
  });

  it('refuses a certificate for another name', async () => {
    await using here = await listen(createHttpsServer(credentials('other'), (_request, response) => response.end('file')));
    await expect(get(`https://a.test:${here.port}/`)).rejects.toMatchObject({ code: 'tls_cert_invalid' });
  });

  it('takes plain http and IPv6 where they are allowed', async () => {
    await using here = await listen(
      createHttpServer((_request, response) => response.end('file')),
      '::1',
    );
    const url = `http://six.test:${here.port}/`;
    expect(await get(url, { schemes: ['http:'] })).toMatchObject({ status: 200, remoteAddress: '::1' });
    await expect(get(url)).rejects.toMatchObject({ code: 'blocked_policy' });
  });

  it.each([
    ['a literal private address', 'https://127.0.0.1/', 'blocked_private_address'],
    ['a name that points inside', 'https://a.test/', 'blocked_private_address'],
    ['an inner name', 'https://printer.local/', 'blocked_policy'],
    ['another scheme', 'file:///etc/passwd', 'blocked_policy'],
    ['userinfo', 'https://u:p@a.test/', 'blocked_policy'],
    ['a name that does not exist', 'https://gone.test/', 'dns_nxdomain'],
  ])('refuses %s', async (_case, url, code) => {
    const dialler = createDialler({ policy: createAddressPolicy() });
    await expect(get(url, { dialler, resolver: refusing(hostsResolver(HOSTS), isSpecialUseName) })).rejects.toMatchObject({ code });
  });

  it('stops at its own time, and when nobody waits any more', async () => {
    await using here = await rawServer(answering('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nslow', false));
    const url = `http://a.test:${here.port}/`;
    await expect(get(url, { schemes: ['http:'], timeout_ms: 200 })).rejects.toMatchObject({ code: 'http_timeout' });
    await expect(get(url, { schemes: ['http:'], signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
  });
});
