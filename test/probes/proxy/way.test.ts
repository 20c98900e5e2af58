import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createAddressPolicy } from '@vedette/probes/host';
import { ProbeFailure } from '@vedette/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { type PageOptions, parseProxyUrl, type Proxy, ProxyFailure, visitPage } from '@vedette/probes/http';
import { createDialler } from '@vedette/probes/net';
import { makePki } from '../http/certificates.ts';
import { hostsResolver, loopbackPorts } from '../http/loopback-ports.ts';
import { listen, rawServer } from '../http/raw-server.ts';
import { microsocks, tinyproxy } from '../vpn/exit-server.ts';
import { type FakeProxy, startFakeProxy } from './fake-proxy.ts';

const pki = makePki({ site: { names: 'DNS:a.test' }, proxy: { names: 'DNS:proxy.test' }, other: { names: 'DNS:other.test' } });
afterAll(() => pki[Symbol.dispose]());
const credentials = (name: string) => ({
  key: readFileSync(join(pki.folder, `${name}.key`)),
  cert: readFileSync(join(pki.folder, `${name}.pem`)),
});

const HOSTS = {
  'a.test': ['127.0.0.1'],
  'proxy.test': ['127.0.0.1'],
  'inner.test': ['10.0.0.1'],
  'two-faced.test': ['127.0.0.1', '10.0.0.1'],
};
const through = (proxy: Proxy | string, url: string, options: Partial<PageOptions> = {}) => {
  const { resolver, dialler, clock, signal } = loopbackPorts({ hosts: HOSTS });
  return visitPage({
    resolver, dialler, clock, signal, protocol: 'http/1.1', ca: [pki.root], userAgent: 'test', now: new Date(), url, maxBytes: 10_000, maxRedirects: 4, connect_ms: 1_500, hop_ms: 2_000, total_ms: 5_000, refuse: () => {}, isOptedOut: () => Promise.resolve(false),
    proxy: typeof proxy === 'string' ? parseProxyUrl(proxy)! : proxy, ...options,
  }); // prettier-ignore
};
/** Says from where it is asked, and for which host. */
const site = () => listen(createHttpServer((request, response) => response.end(`${request.socket.remoteAddress} ${request.headers.host}`)));
const secureSite = () =>
  listen(
    createHttpsServer(credentials('site'), (request, response) => response.end(`${request.socket.remoteAddress} ${request.headers.host}`)),
  );

describe('the URL of a proxy', () => {
  it.each([
    ['http://proxy.test', { kind: 'http', host: 'proxy.test', port: 8080 }],
    ['HTTPS://Proxy.test/', { kind: 'https', host: 'proxy.test', port: 443 }],
    ['socks5://u%40:p%3A@[2001:db8::1]:99', { kind: 'socks5', host: '2001:db8::1', port: 99, username: 'u@', password: 'p:' }],
    ['http://proxy.test:80', { kind: 'http', host: 'proxy.test', port: 80 }],
  ])('%s', (text, proxy) => expect(parseProxyUrl(text)).toEqual({ called: 'the proxy', ...proxy }));

  it.each([
    'file://x', 'socks4://proxy.test', 'proxy.test:1080', 'http://', 'http://proxy.test:0', 'http://proxy.test:70000', 'http://proxy.test/path',
    'http://user@proxy.test', `socks5://u:${'p'.repeat(256)}@proxy.test`, 'http://%:p@proxy.test', 'http://a b', 'javascript:1', 'http://u:p@q@proxy.test',
  ])('none is %s', (text) => expect(parseProxyUrl(text)).toBeUndefined()); // prettier-ignore
});

describe('a visit through a proxy', () => {
  it.each([
    [
      'socks5 with credentials',
      async () => ({ server: await microsocks({ user: 'u', password: 'p@ss' }), url: 'socks5://u:p%40ss@proxy.test' }),
    ],
    ['socks5', async () => ({ server: await microsocks(), url: 'socks5://proxy.test' })],
    ['http with credentials', async () => ({ server: await tinyproxy({ user: 'u', password: 'p' }), url: 'http://u:p@proxy.test' })],
    ['http', async () => ({ server: await tinyproxy(), url: 'http://proxy.test' })],
  ])('%s reaches http and https, Host and SNI keep the name, and the target sees the proxy', async (_kind, start) => {
    const started = await start();
    await using server = started.server;
    const { url } = started;
    await using plain = await site();
    await using secure = await secureSite();
    const proxy = `${url}:${server.port}`;
    for (const target of [`http://a.test:${plain.port}/`, `https://a.test:${secure.port}/`]) {
      const { end, hops, page } = await through(proxy, target);
      expect([end, page.text]).toEqual(['page', `${server.leavesFrom} ${new URL(target).host}`]);
      expect(hops[0]).toMatchObject({ remoteAddress: '127.0.0.1', failure: undefined });
      expect(hops[0]!.tls?.certificate.valid).toBe(target.startsWith('https') ? true : undefined);
    }
  });

  it('https: the proxy is asked over TLS for an address, and every connection is closed afterwards', async () => {
    await using proxy = await startFakeProxy({ tls: credentials('proxy') });
    await using secure = await secureSite();
    await using plain = await site();
    const url = `https://u:p@proxy.test:${proxy.port}`;
    expect((await through(url, `https://a.test:${secure.port}/`)).page.text).toBe(`127.0.0.1 a.test:${secure.port}`);
    expect((await through(url, `http://a.test:${plain.port}/`)).page.text).toBe(`127.0.0.1 a.test:${plain.port}`);
    expect(proxy.heads[0]).toBe(
      `CONNECT 127.0.0.1:${secure.port} HTTP/1.1\r\nHost: 127.0.0.1:${secure.port}\r\nProxy-Authorization: Basic dTpw\r\n\r\n`,
    );
    await closed(proxy);
  });

  it('https: dates of its certificate are judged by the clock that is given', async () => {
    await using proxy = await startFakeProxy({ tls: credentials('proxy') });
    await using plain = await site();
    const clock = { ...loopbackPorts().clock, today: () => new Date(Date.now() + 10_000 * 86_400_000) };
    const visit = through(`https://u:p@proxy.test:${proxy.port}`, `http://a.test:${plain.port}/`, { clock });
    await expect(visit).rejects.toMatchObject({ message: expect.stringContaining('expired') });
    expect(proxy.heads).toEqual([]);
  });

  it('gives the proxy its credentials, and the targets of all hops none of them', async () => {
    const heads: string[] = [];
    await using target = await rawServer((socket) =>
      socket.once('data', (head: Buffer) => {
        heads.push(head.toString());
        const onward = heads.length === 1 ? '302 Found\r\nLocation: /next' : '200 OK';
        socket.end(`HTTP/1.1 ${onward}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      }),
    );
    await using proxy = await startFakeProxy();
    const { hops } = await through(`http://user:secret@proxy.test:${proxy.port}`, `http://a.test:${target.port}/`);
    expect(hops).toHaveLength(2);
    expect(proxy.heads).toHaveLength(2);
    expect(heads.join('')).not.toMatch(/proxy-auth|secret|dXNlcjpzZWNyZXQ/i);
  });

  it('counts the target as contacted, not only the proxy', async () => {
    await using proxy = await startFakeProxy();
    await using plain = await site();
    const { dialler } = loopbackPorts();
    const dialled: unknown[] = [];
    const watching: PageOptions['dialler'] = {
      ...dialler,
      tcp({ signal, ...to }) {
        dialled.push(to);
        return dialler.tcp({ ...to, signal });
      },
    };
    await through(`http://proxy.test:${proxy.port}`, `http://a.test:${plain.port}/`, {
      dialler: watching,
      resolver: hostsResolver({ ...HOSTS, 'a.test': ['127.0.0.3'] }),
    });
    expect(dialled).toEqual([{ address: '127.0.0.1', port: proxy.port, beyond: '127.0.0.3' }]);
  });

  it('looks the proxy up once: one that rebinds is not followed', async () => {
    await using proxy = await startFakeProxy();
    await using target = await rawServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 302 Found\r\nLocation: /\r\nSet-Cookie: a=1\r\nContent-Length: 0\r\n\r\n')),
    );
    const asked: string[] = [];
    const { addresses, ...resolver } = hostsResolver(HOSTS);
    const { hops } = await through(`http://proxy.test:${proxy.port}`, `http://a.test:${target.port}/`, {
      resolver: {
        ...resolver,
        async addresses(host, ...how) {
          asked.push(host);
          return host === 'proxy.test' && asked.filter((name) => name === host).length > 1 ? ['10.0.0.1'] : addresses(host, ...how);
        },
      },
    });
    expect(hops.length).toBeGreaterThan(1);
    expect(asked.filter((name) => name === 'proxy.test')).toEqual(['proxy.test']);
  });
});

describe('what must not be reached', () => {
  it.each([
    ['a target inside', `http://10.0.0.1/`, 'blocked_private_address'],
    ['a target whose name leads inside', 'http://inner.test/', 'blocked_private_address'],
    ['a target with one address inside', 'http://two-faced.test/', 'blocked_private_address'],
    ['a target at a port that is none of HTTP', 'http://a.test:25/', 'blocked_policy'],
  ])('%s is not asked of a proxy', async (_what, url, code) => {
    await using proxy = await startFakeProxy();
    const { end, hops } = await through(`http://proxy.test:${proxy.port}`, url);
    expect([end, hops[0]!.failure?.code, proxy.heads]).toEqual(['failed', code, []]);
  });

  it('a redirect inside is not asked of a proxy either', async () => {
    await using proxy = await startFakeProxy();
    await using target = await listen(
      createHttpServer((_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end()),
    );
    const { hops } = await through(`http://proxy.test:${proxy.port}`, `http://a.test:${target.port}/`);
    expect([hops[1]!.failure?.code, proxy.heads.length]).toEqual(['blocked_private_address', 1]);
  });

  it.each([
    ['inside', 'http://10.0.0.1:3128', 'blocked_private_address'],
    ['by a name that leads inside', 'http://inner.test:3128', 'blocked_private_address'],
    ['at a port of mail', 'http://a.test:25', 'blocked_policy'],
    ['of an owner who does not want it', 'http://quiet.test:3128', 'blocked_policy'],
    ['of a name that is refused', 'http://refused.test:3128', 'blocked_policy'],
  ])('a proxy %s', async (_what, proxy, code) => {
    const refuse = (name: string) => {
      if (name === 'refused.test') throw new ProbeFailure('blocked_policy', name);
    };
    const visit = through(proxy, 'http://a.test:81/', { refuse, isOptedOut: (name) => Promise.resolve(name === 'quiet.test') });
    await expect(visit).rejects.toBeInstanceOf(ProxyFailure);
    await expect(visit).rejects.toMatchObject({ code });
  });

  it('loopback is no proxy where the operator has not allowed it', async () => {
    await using proxy = await startFakeProxy();
    const dialler = createDialler({ policy: createAddressPolicy({}) });
    const visit = through(`http://127.0.0.1:${proxy.port}`, 'http://192.0.2.1/', { dialler, resolver: hostsResolver({}) });
    // The target of TEST-NET is refused as well; a public one is enough for the proxy to be judged.
    expect((await visit).hops[0]!.failure?.code).toBe('blocked_private_address');
    await expect(through(`http://127.0.0.1:${proxy.port}`, 'http://1.1.1.1/', { dialler })).rejects.toMatchObject({
      code: 'blocked_private_address',
    });
    expect(proxy.heads).toEqual([]);
  });
});

describe('whose fault it is', () => {
  const answering = (answer: string) => startFakeProxy({ answer });

  it.each([
    ['502', 'HTTP/1.1 502 Bad Gateway\r\n\r\n', 'connect_unreachable', 'the proxy answered 502'],
    ['504', 'HTTP/1.1 504 Gateway Timeout\r\n\r\n', 'connect_timeout', 'as seen from the proxy'],
    ['403', 'HTTP/1.1 403 Forbidden\r\n\r\n', 'connect_unreachable', 'the proxy answered 403'],
    ['no word', '', 'connect_unreachable', 'the proxy hung up (the connection was closed)'],
  ])('the target: the proxy says %s', async (_what, answer, code, seen) => {
    await using proxy = await answering(answer);
    const { end, hops } = await through(`http://proxy.test:${proxy.port}`, 'http://a.test:81/');
    expect([end, hops[0]!.failure?.code, hops[0]!.failure?.seen]).toEqual(['failed', code, seen]);
  });

  it.each([
    ['407', 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', 'the credentials were refused'],
    ['404', 'HTTP/1.1 404 Not Found\r\n\r\n', 'it answered 404'],
    ['something else', 'SSH-2.0-OpenSSH\r\n\r\n', 'not an HTTP proxy'],
    ['a head without end', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(20_000)}`, 'no end within 65536 bytes'],
  ])('the proxy: it says %s', async (_what, answer, seen) => {
    await using proxy = await answering(answer);
    const visit = through(`http://user:secret@proxy.test:${proxy.port}`, 'http://a.test:81/');
    await expect(visit).rejects.toThrow(new ProxyFailure('connect_unreachable', seen));
    await expect(visit).rejects.toThrow(/^(?!.*secret)/);
    await closed(proxy);
  });

  it('the proxy: nobody is there, or its name is not, or it is silent', async () => {
    const gone = await startFakeProxy();
    await gone[Symbol.asyncDispose]();
    await expect(through(`http://proxy.test:${gone.port}`, 'http://a.test:81/')).rejects.toMatchObject({
      code: 'connect_refused',
      message: expect.stringContaining('The proxy refused the connection'),
    });
    await expect(through('http://nosuch.test', 'http://a.test:81/')).rejects.toMatchObject({ name: 'ProxyFailure', code: 'dns_nxdomain' });
    await using silent = await rawServer(() => {});
    const impatient = through(`socks5://proxy.test:${silent.port}`, 'http://a.test:81/', { connect_ms: 200 });
    await expect(impatient).rejects.toMatchObject({ name: 'ProxyFailure', code: 'connect_timeout', seen: 'it does not answer' });
  });

  it('the proxy: its certificate is for another, so it is given nothing', async () => {
    await using proxy = await startFakeProxy({ tls: credentials('other') });
    const visit = through(`https://u:p@proxy.test:${proxy.port}`, 'http://a.test:81/');
    await expect(visit).rejects.toMatchObject({ name: 'ProxyFailure', code: 'tls_cert_invalid' });
    expect(proxy.heads).toEqual([]);
  });

  it('the target: it is silent behind a proxy that works', async () => {
    await using silent = await rawServer(() => {});
    await using proxy = await startFakeProxy();
    const { hops } = await through(`http://proxy.test:${proxy.port}`, `http://a.test:${silent.port}/`, { hop_ms: 300 });
    expect(hops[0]).toMatchObject({ failure: { code: 'http_timeout' }, remoteAddress: '127.0.0.1' });
    await closed(proxy);
  });

  it('the client: it leaves, and everything closes', async () => {
    let met = (_socket: Socket) => {};
    const asked = new Promise<Socket>((resolve) => (met = resolve));
    await using silent = await rawServer((socket) => met(socket));
    await using proxy = await startFakeProxy({ tls: credentials('proxy') });
    const client = new AbortController();
    const visit = through(`https://proxy.test:${proxy.port}`, `http://a.test:${silent.port}/`, { signal: client.signal });
    void asked.then(() => client.abort(new Error('gone')));
    await expect(visit).rejects.toThrow('gone');
    await closed(proxy);
  });
});

/** Rejects where connections to the proxy are still open. */
async function closed(proxy: FakeProxy): Promise<void> {
  for (let tries = 0; proxy.open() > 0 && tries < 200; tries++) await setTimeout(10);
  expect(proxy.open()).toBe(0);
}
