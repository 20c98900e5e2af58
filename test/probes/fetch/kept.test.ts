import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import type { Resolver } from '@vedette/contract';
import { afterAll, expect, it, vi } from 'vitest';
import { makePki } from '../http/certificates.ts';
import { hostsResolver } from '../http/loopback-ports.ts';
import { listen, rawServer } from '../http/raw-server.ts';
import { getter, HOSTS, recordingDialler } from './getter.ts';

const pki = makePki({ both: { names: 'DNS:a.test,DNS:b.test' } });
afterAll(() => pki[Symbol.dispose]());
const credentials = { key: readFileSync(join(pki.folder, 'both.key')), cert: readFileSync(join(pki.folder, 'both.pem')) };
const get = getter([pki.root]);

/** `/1` to `/2` to `/3` of the same origin; `/other` to `/3` of another one; `/loop` to itself. */
const redirecting = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => {
  const url = new URL(`https://${request.headers.host ?? String(request.headers[':authority'])}${request.url}`);
  const next: Record<string, string> = { '/1': '/2', '/2': '/3', '/other': `//b.test:${url.port}/3`, '/loop': '/loop' };
  const location = next[url.pathname];
  response.statusCode = location === undefined ? 200 : 302;
  if (location !== undefined) response.setHeader('location', location);
  response.end(url.pathname);
};

it.each([
  ['HTTP/1.1', 'http', 1, () => createServer(redirecting)],
  ['HTTP/1.1 over TLS', 'https', 1, () => createHttpsServer(credentials, redirecting)],
  ['HTTP/2, which is ours', 'https', 3, () => createSecureServer(credentials, redirecting)],
])('connections for redirects within a host are kept until the fetch ends, over %s', async (_kind, scheme, connections, server) => {
  await using here = await listen(server());
  const base = `${scheme}://a.test:${here.port}`;
  const fetched = async (path: string) => {
    const { dialler, sockets } = recordingDialler();
    const { body } = await get(base + path, { dialler, schemes: ['http:', 'https:'] }).catch(() => ({ body: Buffer.from('refused') }));
    await vi.waitFor(() => expect(sockets.every(({ destroyed }) => destroyed)).toBe(true));
    return [String(body), sockets.length];
  };
  expect(await fetched('/1')).toEqual(['/3', connections]);
  expect(await fetched('/1')).toEqual(['/3', connections]);
  expect(await fetched('/other')).toEqual(['/3', 2]); // the same address, another host
  expect(await fetched('/loop')).toEqual(['refused', connections === 1 ? 1 : 4]);
});

/** The IPv4 addresses that a name has from one time to the next. */
const byTurn = (turns: readonly string[][]): Pick<Resolver, 'addresses'> => {
  let turn = 0;
  return { addresses: async (_host, family) => (family === 4 ? turns[turn++]! : []) };
};

it('a kept connection is not used once the name has another address', async () => {
  await using here = await listen(createServer(redirecting), '0.0.0.0');
  const { dialler, sockets } = recordingDialler();
  const resolver = byTurn([['127.0.0.1'], ['127.0.0.1'], ['127.0.0.2']]);
  const fetched = await get(`http://a.test:${here.port}/1`, { dialler, resolver, schemes: ['http:'] });
  expect(fetched).toMatchObject({ body: Buffer.from('/3'), remoteAddress: '127.0.0.2' });
  expect(sockets).toHaveLength(2);
});

it('a redirect within the host is refused once its name has an inner address, though a connection is kept', async () => {
  await using here = await listen(createServer(redirecting));
  const resolver = byTurn([['127.0.0.1'], ['10.0.0.1']]);
  await expect(get(`http://a.test:${here.port}/1`, { resolver, schemes: ['http:'] })).rejects.toMatchObject({
    code: 'blocked_private_address',
  });
});

it('a name that is denied meanwhile is not asked again', async () => {
  await using here = await listen(createServer(redirecting));
  let judged = 0;
  await expect(get(`http://a.test:${here.port}/1`, { isDenied: () => judged++ > 0, schemes: ['http:'] })).rejects.toMatchObject({
    code: 'blocked_policy',
  });
});

const REDIRECT = 'HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n';

it('a server that closes a kept connection without an answer is asked once more', async () => {
  let connections = 0;
  await using server = await rawServer((socket) => {
    const isFirst = ++connections === 1;
    socket.once('data', () => {
      socket.write(isFirst ? REDIRECT : 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfile');
      if (isFirst) socket.once('data', () => socket.destroy());
    });
  });
  const fetched = await get(`http://a.test:${server.port}/`, { schemes: ['http:'], resolver: hostsResolver(HOSTS) });
  expect(fetched).toMatchObject({ body: Buffer.from('file'), url: `http://a.test:${server.port}/next` });
  expect(server.received.map((text) => text.match(/^GET \S+/gm))).toEqual([['GET /', 'GET /next'], ['GET /next']]);
});

it('and not a third time', async () => {
  await using server = await rawServer((socket) => {
    socket.once('data', (chunk) => {
      if (!chunk.includes('GET /next')) socket.write(REDIRECT);
      else socket.destroy();
      socket.once('data', () => socket.destroy());
    });
  });
  await expect(get(`http://a.test:${server.port}/`, { schemes: ['http:'] })).rejects.toMatchObject({ code: 'http_protocol' });
  expect(server.received).toHaveLength(2);
});
