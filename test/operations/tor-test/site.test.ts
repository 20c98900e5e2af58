import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Endpoint } from '@vedette/contract';
import { operations } from '@vedette/operations';
import type { CentralOperation } from '@vedette/operations/kit';
import { createAddressPolicy } from '@vedette/probes/host';
import { createDialler, systemClock } from '@vedette/probes/net';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../free-ports.ts';
import { hostsResolver } from '../../probes/http/loopback-ports.ts';
import { listen } from '../../probes/http/raw-server.ts';
import { EXIT, onionOf, startFakeTor } from '../../probes/proxy/fake-tor.ts';
import { answer, type Opened, read } from '../answer.ts';
import { SHUT } from '../shut.ts';

const torTest = operations.find(({ name }) => name === 'tor-test') as CentralOperation<any, any, any, any>;
const SERVICE = onionOf(9);
const HOSTS = { 'a.test': ['127.0.0.1'], 'six.test': ['::1'], 'both.test': ['127.0.0.1', '::1'], 'inner.test': ['10.0.0.1'] };

function opened(tor: { port: number } | undefined, more: Partial<Opened> = {}, witnesses: Endpoint[] = []): Opened {
  const torSocks = tor && { host: '127.0.0.1', port: tor.port };
  const policy = createAddressPolicy({ allowNets: ['127.0.0.0/8', '::1/128'] });
  return {
    ...SHUT,
    clock: systemClock,
    resolver: hostsResolver(HOSTS),
    dialler: createDialler({ policy, operator: { endpoints: torSocks ? [torSocks] : [], resolver: hostsResolver({}) } }),
    tor: torSocks && { socks: torSocks, witnesses },
    ...more,
  };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const page =
  (status = 200, title = 'Bread', headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(`<title>${title}</title><p>Bread, rolls and cake.</p>`);
const hangUp: Answer = ({ socket }) => void socket.resetAndDestroy();
const CHALLENGE = page(403, 'Just a moment...', { 'cf-mitigated': 'challenge' });

interface Visits {
  /** By the number of the visit through Tor. */
  tor: readonly Answer[];
  direct: Answer;
}

/** Asks about a site that answers visitors from Tor and others each in its way. */
async function ask({ tor, direct }: Visits): Promise<any> {
  const asked: string[] = [];
  await using server = await listen(
    createServer((request, response) => {
      const from = request.socket.remoteAddress === EXIT ? 'tor' : 'direct';
      const nth = asked.filter((who) => who === from).length;
      asked.push(from);
      (from === 'tor' ? tor[nth]! : direct)(request, response);
    }),
  );
  await using client = await startFakeTor();
  const report = (await answer(torTest, { url: `http://a.test:${server.port}/` }, opened(client))) as object;
  return { ...report, asked };
}

describe('a site seen through Tor and without it', () => {
  it('that makes no difference', async () => {
    const report = await ask({ tor: [page()], direct: page() });
    expect(report).toMatchObject({
      is_onion: false,
      accessible: true,
      blocks_tor: 'no',
      circuits: 1,
      onion_location: '',
      through_tor: { status_code: 200, title: 'Bread', guard: '', error: '' },
      direct: { status_code: 200, title: 'Bread', bytes: report.through_tor.bytes },
      debug_message: '',
      asked: ['tor', 'direct'],
    });
    expect(report.through_tor.url_final).toBe(report.url);
  });

  it.each([
    ['challenges Tor', [CHALLENGE, CHALLENGE], page(), { blocks_tor: 'yes', accessible: false, circuits: 2, through_tor: { guard: 'Cloudflare' } }],
    ['refuses Tor by a status', [page(403), page(403)], page(), { blocks_tor: 'yes', accessible: false, through_tor: { status_code: 403, guard: '' } }],
    ['refuses one exit', [page(403), page()], page(), { blocks_tor: 'partly', accessible: true, circuits: 2, through_tor: { status_code: 200 } }],
    ['fails for a moment, then answers', [page(502), page()], page(), { blocks_tor: 'no', accessible: true, circuits: 2 }],
    ['refuses one exit and fails for the other', [page(502), page(403)], page(), { blocks_tor: 'unknown', debug_message: expect.stringContaining('only one circuit') }],
    ['challenges everyone', [CHALLENGE, CHALLENGE], CHALLENGE, { blocks_tor: 'unknown', accessible: false, debug_message: expect.stringContaining('without Tor') }],
    ['refuses everyone', [page(403), page(403)], page(403), { blocks_tor: 'unknown', accessible: false }],
    ['has no such page', [page(404), page(404)], page(404), { blocks_tor: 'no', accessible: false }],
    ['has the page for Tor alone', [page()], page(403), { blocks_tor: 'no', accessible: true }],
    ['fails for a moment', [page(503), page(502)], page(), { blocks_tor: 'unknown', accessible: false, debug_message: expect.stringContaining('would look the same') }],
    ['has a large page about challenges', [page(200, 'Just a moment...')], page(200, 'Just a moment...'), { blocks_tor: 'no', accessible: true }],
    ['resets connections from Tor', [hangUp, hangUp], page(), { accessible: false, circuits: 2, through_tor: { status_code: 0, title: '', bytes: 0 } }],
    ['tells its onion service', [page(200, 'Bread', { 'onion-location': `http://${SERVICE}/x` })], page(), { onion_location: `http://${SERVICE}/x` }],
    ['tells no onion service of its own', [page(200, 'Bread', { 'onion-location': 'http://evil.example/' })], page(), { onion_location: '' }],
  ] as const)('that %s', async (_, tor, direct, expected) => {
    expect(await ask({ tor, direct })).toMatchObject(expected);
  }); // prettier-ignore

  it('with exits that are refused by a firewall', async () => {
    await using server = await listen(createServer(page()));
    await using client = await startFakeTor({ reply: () => 5 });
    const report = await answer(torTest, { url: `http://a.test:${server.port}/` }, opened(client));
    expect(report).toMatchObject({ blocks_tor: 'yes', accessible: false, circuits: 2, direct: { status_code: 200 } });
    expect(new Set(client.requests.map(({ user }) => user)).size).toBe(2);
  });

  it('refuses exits at its IPv4 address, and none connects to that of IPv6', async () => {
    await using server = await listen(createServer(page()));
    await using client = await startFakeTor({ reply: ({ host }) => (host === '127.0.0.1' ? 5 : 2) });
    const report = await answer(torTest, { url: `http://both.test:${server.port}/` }, opened(client));
    expect(report).toMatchObject({ blocks_tor: 'yes', accessible: false, circuits: 2, direct: { status_code: 200 } });
  });

  it('is not told of a site with IPv6 alone, to which no exit connects', async () => {
    await using client = await startFakeTor({ reply: () => 2 });
    const asked = answer(torTest, { url: 'http://six.test/' }, opened(client));
    await expect(asked).rejects.toMatchObject({ code: 'no_tor', message: expect.stringContaining('reply 2') });
  });

  it('with one exit that is refused by a firewall', async () => {
    await using server = await listen(createServer(page()));
    await using client = await startFakeTor({ reply: (_request, nth) => (nth === 0 ? 5 : undefined) });
    const report = await answer(torTest, { url: `http://a.test:${server.port}/` }, opened(client));
    expect(report).toMatchObject({ blocks_tor: 'partly', accessible: true, circuits: 2 });
  });

  it('once, where Tor fails before the second visit', async () => {
    await using server = await listen(createServer(page()));
    await using client = await startFakeTor({ reply: (_request, nth) => (nth === 0 ? 5 : 1) });
    const report = await answer(torTest, { url: `http://a.test:${server.port}/` }, opened(client));
    expect(report).toMatchObject({ blocks_tor: 'unknown', circuits: 1, direct: { status_code: 200 } });
  });
});

describe('a firewall that drops what exits send', () => {
  /** A site, and what Tor replies for it in each visit; a server beside it that Tor reaches or does not. */
  const visit = async (replies: readonly (number | undefined)[], { reached = true, direct = page() } = {}) => {
    await using server = await listen(createServer(direct));
    await using beside = await listen(createServer());
    const users: string[] = [];
    await using client = await startFakeTor({
      reply({ user, port }) {
        if (port === beside.port) return reached ? undefined : 1;
        if (!users.includes(user)) users.push(user);
        return replies[users.indexOf(user)];
      },
    });
    const witnesses = [{ address: '127.0.0.1', port: beside.port }];
    const report = await answer(torTest, { url: `http://a.test:${server.port}/` }, opened(client, {}, witnesses));
    return { ...(report as object), asked: client.requests.map(({ port }) => (port === beside.port ? 'witness' : 'site')) };
  };

  it.each([1, 6])('is told by reply %i on two circuits that reach another server', async (reply) => {
    expect(await visit([reply, reply])).toMatchObject({
      accessible: false,
      blocks_tor: 'yes',
      circuits: 2,
      through_tor: { status_code: 0, error: expect.stringContaining('another server was reached meanwhile') },
      debug_message: '',
      asked: ['site', 'witness', 'site', 'witness'],
    });
  });
  it('drops some exits', async () => {
    expect(await visit([1, undefined])).toMatchObject({ accessible: true, blocks_tor: 'partly', asked: ['site', 'witness', 'site'] });
  });
  it('is not told of a site that has no page without Tor either', async () => {
    expect(await visit([1, 1], { direct: page(503) })).toMatchObject({ blocks_tor: 'unknown' });
  });
  it('is not told where Tor reaches no other server', async () => {
    await expect(visit([1, 1], { reached: false })).rejects.toMatchObject({ code: 'no_tor' });
  });
  it('is not told by the rules of the exits, for which no other server is asked', async () => {
    await expect(visit([2, 2])).rejects.toMatchObject({ code: 'no_tor', message: expect.stringContaining('reply 2') });
  });
});

describe('Tor that works, and fails at a later hop', () => {
  const visit = async (reply: (nth: number, isSecure: boolean) => number | undefined) => {
    await using secure = await listen(createServer(page()));
    await using server = await listen(
      createServer((_request, response) => response.writeHead(301, { location: `http://a.test:${secure.port}/` }).end()),
    );
    await using client = await startFakeTor({ reply: ({ port }, nth) => reply(nth, port === secure.port) });
    return (await answer(torTest, { url: `http://a.test:${server.port}/` }, opened(client))) as any;
  };
  it.each([1, 6])('is a failure of the visit: reply %i', async (reply) => {
    expect(await visit((_nth, isSecure) => (isSecure ? reply : undefined))).toMatchObject({
      accessible: false,
      blocks_tor: 'unknown',
      circuits: 2,
      through_tor: { status_code: 301, error: expect.stringContaining(`reply ${reply}`) },
      direct: { status_code: 200 },
    });
  });
  it('blames the site for nothing, if the next circuit brings the page', async () => {
    expect(await visit((nth) => (nth === 1 ? 1 : undefined))).toMatchObject({ accessible: true, blocks_tor: 'no', circuits: 2 });
  });
  it.each([403, 429])('is no proof after one refusal with %i', async (status) => {
    await using server = await listen(
      createServer(({ socket }, response) => page(socket.remoteAddress === EXIT ? status : 200)(undefined!, response)),
    );
    await using client = await startFakeTor({ reply: (_request, nth) => (nth === 0 ? undefined : 1) });
    const report = await answer(torTest, { url: `http://a.test:${server.port}/` }, opened(client));
    expect(report).toMatchObject({ blocks_tor: 'unknown', circuits: 1, through_tor: { status_code: status } });
  });
});

describe('an onion service', () => {
  it('is reached by Tor alone', async () => {
    await using server = await listen(createServer(page()));
    await using client = await startFakeTor({ services: { [SERVICE]: server.port } });
    const report: any = await answer(torTest, { url: `http://${SERVICE}/` }, opened(client));
    expect(report).toMatchObject({ is_onion: true, accessible: true, blocks_tor: 'no', through_tor: { title: 'Bread' } });
    expect(report).not.toHaveProperty('direct');
  });
  it('that is offline', async () => {
    await using client = await startFakeTor();
    const report = await answer(torTest, { url: `http://${SERVICE}/` }, opened(client));
    expect(report).toMatchObject({
      accessible: false,
      blocks_tor: 'unknown',
      through_tor: { error: expect.stringContaining('no descriptor') },
    });
  });
});

describe('Tor that does not work is a free error', () => {
  const url = 'http://a.test/';
  it('without the setting, which it names', async () => {
    await expect(answer(torTest, { url }, opened(undefined))).rejects.toMatchObject({
      code: 'no_tor',
      message: expect.stringContaining('VEDETTE_TOR_SOCKS'),
    });
  });
  it('with a dead port', async () => {
    await expect(answer(torTest, { url }, opened({ port: await freePort() }))).rejects.toMatchObject({ code: 'no_tor', retryAfterS: 60 });
  });
  it.each([1, 2, 6, 0xf7])('with reply %i, and the site is not asked without it', async (reply) => {
    let asked = 0;
    await using server = await listen(createServer(() => asked++));
    await using client = await startFakeTor({ reply: () => reply });
    await expect(answer(torTest, { url: `http://a.test:${server.port}/` }, opened(client))).rejects.toMatchObject({
      code: 'no_tor',
      message: expect.stringContaining(`reply ${reply}`),
    });
    expect(asked).toBe(0);
  });
});

it('an inner name is refused, and Tor hears nothing of it', async () => {
  await using client = await startFakeTor();
  await expect(answer(torTest, { url: 'http://inner.test/' }, opened(client))).rejects.toMatchObject({ code: 'private_address' });
  expect(client.connections()).toBe(0);
});

it.each(['denied', 'opted out'])('a redirect to a host that is %s is not followed, with or without Tor', async (how) => {
  const requests: string[] = [];
  await using server = await listen(
    createServer((request, response) => {
      requests.push(request.headers.host ?? '');
      response.writeHead(302, { location: `http://off.test:${request.socket.localPort}/` }).end();
    }),
  );
  await using client = await startFakeTor();
  const ports = opened(client, {
    resolver: hostsResolver({ ...HOSTS, 'off.test': ['127.0.0.1'] }),
    isDenied: (host) => how === 'denied' && host === 'off.test',
    isOptedOut: (host) => Promise.resolve(how === 'opted out' && host === 'off.test'),
  });
  const report: any = await answer(torTest, { url: `http://a.test:${server.port}/` }, ports);
  expect(report).toMatchObject({ accessible: false, blocks_tor: 'unknown' });
  expect(report.through_tor.error).toContain('off.test');
  expect(requests).toEqual([`a.test:${server.port}`, `a.test:${server.port}`]);
});

it('has its resolver for as long as it may take: the direct visit comes last', () => {
  expect(torTest.dns?.ms).toBe(torTest.deadline_ms);
});

describe('a request', () => {
  it.each([
    [{}, 'parameter_conflict'],
    [{ ip: '8.8.8.8', url: 'https://example.org/' }, 'parameter_conflict'],
    [{ url: 'ftp://example.org/' }, 'invalid_parameter'],
    [{ url: 'http://facebookcorewwwi.onion/' }, 'invalid_parameter'],
    [{ url: `http://${'a'.repeat(56)}.onion/` }, 'invalid_parameter'],
  ])('%j is refused', (request, code) => expect(() => read(torTest, request)).toThrow(expect.objectContaining({ code }) as Error));

  it.each([
    [{ ip: '8.8.8.8' }, 1],
    [{ url: 'https://example.org/' }, 10],
  ])('%j has its price', (request, cost) => expect((torTest.cost as { of(query: unknown): number }).of(read(torTest, request))).toBe(cost));
});
