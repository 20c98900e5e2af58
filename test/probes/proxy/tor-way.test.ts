import { createServer } from 'node:http';
import type { Endpoint } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import { isOnionService, type PageOptions, TorWay, visitPage } from '@vedette/probes/http';
import { createDialler, systemClock } from '@vedette/probes/net';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../free-ports.ts';
import { hostsResolver, loopbackPorts } from '../http/loopback-ports.ts';
import { listen, rawServer } from '../http/raw-server.ts';
import { EXIT, type FakeTor, onionOf, startFakeTor } from './fake-tor.ts';

const SERVICE = onionOf(7);
const HOSTS = {
  'a.test': ['127.0.0.1'],
  'twice.test': ['127.0.0.1', '127.0.0.2'],
  'six.test': ['::1'],
  'both.test': ['127.0.0.1', '::1'],
  'inner.test': ['10.0.0.1'],
  'two-faced.test': ['127.0.0.1', '10.0.0.1'],
};

function wayTo(port: number, clock = systemClock, witnesses: Endpoint[] = []): TorWay {
  const endpoint = { host: '127.0.0.1', port };
  const policy = createAddressPolicy({ allowNets: ['127.0.0.0/8', '::1/128'] });
  const dialler = createDialler({ policy, operator: { endpoints: [endpoint], resolver: hostsResolver({}) } });
  return new TorWay({ endpoint, dialler, clock, witnesses });
}

const visit = ({ port }: Pick<FakeTor, 'port'>, url: string, options: Partial<PageOptions> = {}) => {
  const { resolver, dialler, clock, signal } = loopbackPorts({ hosts: HOSTS });
  return visitPage({
    resolver, dialler, clock, signal, protocol: 'http/1.1', ca: [], userAgent: 'test', now: new Date(), url, maxBytes: 10_000, maxRedirects: 4, connect_ms: 30_000, hop_ms: 30_000, total_ms: 30_000, refuse: () => {}, isOptedOut: () => Promise.resolve(false),
    way: wayTo(port), ...options,
  }); // prettier-ignore
};
/** Says from where it is asked, and for which host; /to leads to the query. */
const site = () =>
  listen(
    createServer((request, response) => {
      const to = /^\/to\?(.*)/.exec(request.url ?? '')?.[1];
      if (to !== undefined) response.writeHead(302, { location: to });
      response.end(`${request.socket.remoteAddress} ${request.headers.host}`);
    }),
  );

describe('a visit through Tor', () => {
  it('tells Tor an address, and the site its name', async () => {
    await using server = await site();
    await using tor = await startFakeTor();
    const { end, page } = await visit(tor, `http://a.test:${server.port}/`);
    expect([end, page.text]).toEqual(['page', `${EXIT} a.test:${server.port}`]);
    expect(tor.requests).toMatchObject([{ host: '127.0.0.1', byName: false, port: server.port }]);
  });

  it('tells Tor the name of an onion service, for which nothing is looked up', async () => {
    await using server = await site();
    await using tor = await startFakeTor({ services: { [`www.${SERVICE}`]: server.port } });
    const { end, page } = await visit(tor, `http://www.${SERVICE}/`, { resolver: hostsResolver({}) });
    expect([end, page.text]).toEqual(['page', `${EXIT} www.${SERVICE}`]);
    expect(tor.requests).toMatchObject([{ host: `www.${SERVICE}`, byName: true, port: 80 }]);
  });

  it('has circuits of its own: one user name for all hops of a visit, another for the next visit', async () => {
    await using server = await site();
    await using tor = await startFakeTor();
    const url = `http://a.test:${server.port}/to?/end`;
    await visit(tor, url);
    await visit(tor, url);
    const users = tor.requests.map(({ user, password }) => `${user} ${password}`);
    expect(users).toHaveLength(4);
    expect(new Set(users).size).toBe(2);
    expect(users[0]).toBe(users[1]);
    expect(users[0]).toMatch(/^[0-9a-f]{24} [0-9a-f]{24}$/);
  });

  it.each([
    ['an inner address', 'http://inner.test/', 'blocked_private_address'],
    ['a name with an inner address, too', 'http://two-faced.test/', 'blocked_private_address'],
    ['a name of no host', 'http://none.test/', 'dns_nxdomain'],
    ['a name that is not that of an onion service', `http://${'a'.repeat(56)}.onion/`, 'connect_unreachable'],
    ['a port that is not for the web', 'http://a.test:25/', 'blocked_policy'],
  ])('%s is not asked of Tor', async (_, url, code) => {
    await using tor = await startFakeTor();
    const { hops } = await visit(tor, url);
    expect(hops[0]!.failure).toMatchObject({ code });
    expect(tor.requests).toEqual([]);
  });

  it.each([['http://inner.test/'], [`http://${'b'.repeat(56)}.onion/`]])('a redirect to %s is not followed into Tor', async (to) => {
    await using server = await site();
    await using tor = await startFakeTor();
    const { hops } = await visit(tor, `http://a.test:${server.port}/to?${to}`);
    expect(hops).toHaveLength(2);
    expect(hops[1]!.failure).toBeDefined();
    expect(tor.requests).toHaveLength(1);
  });

  it.each([
    [0x03, 'connect_unreachable'],
    [0x04, 'connect_unreachable'],
    [0x05, 'connect_refused'],
  ])('reply %i is what an exit says of the site', async (reply, code) => {
    await using tor = await startFakeTor({ reply: () => reply });
    const { end, hops } = await visit(tor, 'http://a.test/');
    expect([end, hops[0]!.failure?.code]).toEqual(['failed', code]);
  });

  it.each([0x04, 0x05, 0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xf6])('reply %i is about the onion service', async (reply) => {
    await using tor = await startFakeTor({ reply: () => reply });
    const { end, hops } = await visit(tor, `http://${SERVICE}/`);
    expect([end, hops[0]!.failure?.source]).toEqual(['failed', 'target']);
  });

  it.each([
    [`http://a.test/`, 0x01, 'a general failure'],
    [`http://a.test/`, 0x02, 'no exit of Tor'],
    [`http://a.test/`, 0x06, 'timed out'],
    [`http://a.test/`, 0xf2, 'reply 242'],
    [`http://${SERVICE}/`, 0x01, 'a general failure'],
    [`http://${SERVICE}/`, 0x06, 'timed out'],
    [`http://${SERVICE}/`, 0xf3, 'no rendezvous'],
    [`http://${SERVICE}/`, 0xf7, 'no introduction'],
  ])('to %s, reply %i tells nothing of the site', async (url, reply, seen) => {
    await using tor = await startFakeTor({ reply: () => reply });
    await expect(visit(tor, url)).rejects.toMatchObject({ name: 'TorFailure', seen: expect.stringContaining(seen) });
  });

  it.each([
    ['that hangs up', async () => startFakeTor({ reply: () => 'hang up' }), 'closed'],
    ['that asks for no user name: visits would share circuits', async () => startFakeTor({ method: 0 }), 'it takes no user name'],
    ['that takes no user name', async () => startFakeTor({ method: 0xff }), 'it takes no user name'],
    ['that is no SOCKS5 server', async () => rawServer((socket) => void socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))), 'not a SOCKS5 server'],
    ['that is dead', async () => ({ port: await freePort(), [Symbol.asyncDispose]: () => Promise.resolve() }), 'cannot be reached'],
    ['that accepts and is silent', async () => rawServer(() => {}), 'does not answer'],
  ])('a port %s is at fault, not the site', async (_, start, seen) => {
    await using tor = await start();
    await expect(visit(tor, 'http://a.test/')).rejects.toMatchObject({ name: 'TorFailure', seen: expect.stringContaining(seen) });
  }); // prettier-ignore

  it('a caller without patience has waited for Tor, not for the site', async () => {
    await using tor = await startFakeTor({ reply: () => 'silent' });
    await expect(visit(tor, 'http://a.test/', { hop_ms: 300 })).rejects.toMatchObject({ name: 'TorFailure', code: 'connect_timeout' });
  });

  it('no circuit in time is told as such', async () => {
    await using tor = await startFakeTor({ reply: () => 'silent' });
    const hasty = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal) };
    await expect(visit(tor, 'http://a.test/', { way: wayTo(tor.port, hasty) })).rejects.toMatchObject({
      name: 'TorFailure',
      seen: expect.stringContaining('no circuit'),
    });
  });

  it('asks a witness beside a silent site, on the same circuits', async () => {
    await using beside = await rawServer(() => {});
    await using tor = await startFakeTor({ reply: ({ port }) => (port === beside.port ? undefined : 'silent') });
    const hasty = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal) };
    const inner = { address: '10.0.0.1', port: 443 };
    const way = wayTo(tor.port, hasty, [inner, { address: '127.0.0.1', port: beside.port }]);
    const { end, hops } = await visit(tor, 'http://a.test/', { way });
    expect([end, hops[0]!.failure?.code, way.isWitnessed]).toEqual(['failed', 'connect_timeout', true]);
    expect(tor.requests.map(({ port }) => port)).toEqual([80, beside.port]);
    expect(new Set(tor.requests.map(({ user }) => user)).size).toBe(1);
  });

  it('closes the connections to other witnesses when one is reached', async () => {
    await using beside = await rawServer(() => {});
    await using tor = await startFakeTor({ reply: ({ port }) => (port === 80 ? 1 : port === beside.port ? undefined : 'silent') });
    const witnesses = [443, 8443, beside.port].map((port) => ({ address: '127.0.0.1', port }));
    const way = wayTo(tor.port, systemClock, witnesses);
    await visit(tor, 'http://a.test/', { way });
    expect([way.isWitnessed, tor.connections()]).toEqual([true, 4]);
    await expect.poll(() => tor.open(), { timeout: 30_000 }).toBe(0);
  });

  it('does not count a site as silent that answers at its other address', async () => {
    await using beside = await rawServer(() => {});
    await using server = await listen(
      createServer((_, response) => response.writeHead(503).end()),
      '127.0.0.2',
    );
    await using tor = await startFakeTor({ reply: ({ host, port }) => (host === '127.0.0.1' && port !== beside.port ? 1 : undefined) });
    const way = wayTo(tor.port, systemClock, [{ address: '127.0.0.1', port: beside.port }]);
    const { end, hops } = await visit(tor, `http://twice.test:${server.port}/`, { way });
    expect([end, hops[0]!.head?.status, way.isWitnessed]).toEqual(['page', 503, false]);
    expect(tor.requests.map(({ port }) => port)).toEqual([server.port, beside.port, server.port]);
  });

  it('takes no witness of IPv4 for one of a site that has IPv6 alone', async () => {
    await using beside = await rawServer(() => {});
    await using tor = await startFakeTor({ reply: ({ port }) => (port === beside.port ? undefined : 1) });
    const way = wayTo(tor.port, systemClock, [{ address: '127.0.0.1', port: beside.port }]);
    const { hops } = await visit(tor, 'http://six.test/', { way });
    expect([hops[0]!.failure?.code, way.isWitnessed]).toEqual(['connect_timeout', false]);
  });

  /** Whether Tor was asked for an address of IPv6, which the fake one writes as sixteen octets. */
  const isIpv6 = ({ host }: { host: string }) => host.split('.').length === 16;

  it('waits for a slow IPv4 address where no exit connects to that of IPv6', async () => {
    await using server = await site();
    const refused = Promise.withResolvers<void>();
    await using tor = await startFakeTor({
      reply: async (request) => {
        if (isIpv6(request)) {
          refused.resolve();
          return 2;
        }
        await refused.promise;
        return undefined;
      },
    });
    const way = Object.assign(wayTo(tor.port), { nextMs: 20 });
    const { end, page } = await visit(tor, `http://both.test:${server.port}/`, { way });
    expect([end, page.text]).toEqual(['page', `${EXIT} both.test:${server.port}`]);
    expect(tor.requests.map((request) => isIpv6(request))).toEqual([false, true]);
  });

  it('tells what an exit says of the IPv4 address where none connects to that of IPv6', async () => {
    await using tor = await startFakeTor({ reply: (request) => (isIpv6(request) ? 2 : 5) });
    const { end, hops } = await visit(tor, 'http://both.test/');
    expect([end, hops[0]!.failure?.code, tor.requests.length]).toEqual(['failed', 'connect_refused', 2]);
    expect(hops[0]!.failure?.seen).toContain('reply 2');
  });

  it('says of a site that has IPv6 alone that no exit connects there', async () => {
    await using tor = await startFakeTor({ reply: () => 2 });
    const { hops } = await visit(tor, 'http://six.test/');
    expect(hops[0]!.failure).toMatchObject({ code: 'no_ipv6', source: 'vantage', seen: expect.stringContaining('reply 2') });
  });

  it('asks no witness for an onion service', async () => {
    await using beside = await rawServer(() => {});
    await using tor = await startFakeTor({ reply: ({ byName }) => (byName ? 1 : undefined) });
    const way = wayTo(tor.port, systemClock, [{ address: '127.0.0.1', port: beside.port }]);
    await expect(visit(tor, `http://${SERVICE}/`, { way })).rejects.toMatchObject({ name: 'TorFailure' });
    expect([tor.requests.length, way.isWitnessed]).toEqual([1, false]);
  });

  it('a request that ends closes the connection', async () => {
    await using tor = await startFakeTor({ reply: () => 'silent' });
    const control = new AbortController();
    const gone = new Error('gone');
    const visiting = visit(tor, 'http://a.test/', { signal: control.signal });
    await expect.poll(() => tor.requests.length).toBe(1);
    control.abort(gone);
    await expect(visiting).rejects.toBe(gone);
  });
});

describe('the name of an onion service', () => {
  it.each([SERVICE, `a.b.${SERVICE}`, onionOf(0), onionOf(255)])('%s', (name) => expect(isOnionService(name)).toBe(true));
  it.each([
    'example.onion', 'facebookcorewwwi.onion', SERVICE.replace(/^./, (letter) => (letter === 'a' ? 'b' : 'a')), SERVICE.replace('.onion', ''), `${SERVICE}.example`, `x${SERVICE}`, 'onion',
  ])('%s is none', (name) => expect(isOnionService(name)).toBe(false)); // prettier-ignore
});
