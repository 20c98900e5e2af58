import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserEgress, openEgress } from '../../../packages/renderer/src/egress/index.ts';
import type { SpareEgress } from '../../../packages/renderer/src/jobs/render.ts';
import { answering, rawServer } from '../../probes/http/raw-server.ts';
import { until } from '../until.ts';
import { reaching, serveSites, type SiteServer } from '../sites/serve.ts';
import { connectTo, get, say, saying } from './raw-proxy.ts';

let sites: SiteServer;
let egress: BrowserEgress;
const { signal } = new AbortController();
beforeAll(async () => {
  sites = await serveSites({
    'shop.test': {
      '/': '<h1>Shoes</h1>',
      '/echo': (request, response) => void response.end(JSON.stringify(request.headers)),
      '/post': (request, response) => void request.pipe(response),
    },
  });
  egress = await openEgress(reaching(sites, { 'away.test': { A: ['127.0.0.1'] } }));
});
afterAll(async () => {
  await egress.close();
  await sites.close();
});
const begun = async (options?: Parameters<typeof openEgress>[0]): Promise<SpareEgress & AsyncDisposable> => {
  const own = options && (await openEgress(options));
  const proxy = await (own ?? egress).open();
  proxy.begin({ signal });
  return Object.assign(proxy, { [Symbol.asyncDispose]: () => own?.close() ?? proxy.close() });
};
const refusal = async (request: string, zone = {}) => {
  await using proxy = await begun(reaching(sites, zone));
  const arrived = sites.requests.length;
  const heard = await say(proxy.port, request);
  expect(sites.requests).toHaveLength(arrived);
  return { heard: heard.split('\r\n')[0], refused: proxy.records[0]?.refused };
};

describe('what a client may not send', () => {
  it.each([
    ['a path alone', 'GET / HTTP/1.1\r\nHost: shop.test\r\n\r\n'],
    ['another scheme', 'GET ftp://shop.test/ HTTP/1.1\r\nHost: shop.test\r\n\r\n'],
    ['https in the open', 'GET https://shop.test/ HTTP/1.1\r\nHost: shop.test\r\n\r\n'],
    ['a file', 'GET file:///etc/passwd HTTP/1.1\r\nHost: shop.test\r\n\r\n'],
    ['credentials', 'GET http://a:b@shop.test/ HTTP/1.1\r\nHost: shop.test\r\n\r\n'],
    ['a backslash', 'GET http://shop.test\\@127.0.0.1/ HTTP/1.1\r\nHost: shop.test\r\n\r\n'],
    ['port 0', 'GET http://shop.test:0/ HTTP/1.1\r\nHost: shop.test:0\r\n\r\n'],
    ['port 65536', 'GET http://shop.test:65536/ HTTP/1.1\r\nHost: shop.test:65536\r\n\r\n'],
    ['a tunnel without port', 'CONNECT shop.test HTTP/1.1\r\nHost: shop.test\r\n\r\n'],
    ['a tunnel to a URL', 'CONNECT http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\n\r\n'],
    ['a tunnel that is spoken in at once', `${connectTo('shop.test:80')}GET / HTTP/1.1\r\nHost: shop.test\r\n\r\n`],
    ['a folded field', 'GET http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\nX: a\r\n b\r\n\r\n'],
    ['a field with a space before its colon', 'GET http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\nX : a\r\n\r\n'],
    ['a bare CR', 'GET http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\nX: a\rY: b\r\n\r\n'],
    ['lines that end in LF alone', 'GET http://shop.test/ HTTP/1.1\nHost: shop.test\n\n'],
    ['two lengths', 'POST http://shop.test/post HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc'],
    [
      'a length and chunks',
      'POST http://shop.test/post HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a signed length', 'POST http://shop.test/post HTTP/1.1\r\nHost: shop.test\r\nContent-Length: +3\r\n\r\nabc'],
    ['a head of more than 64 KB', get('http://shop.test/', `X: ${'a'.repeat(70_000)}\r\n`)],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('%s', async (_what, request) => {
    const { heard } = await refusal(request);
    expect(heard).toBe('');
  });

  it.each([
    ['HTTP/0.9', 'GET http://shop.test/\r\n\r\n', 'http_protocol'],
    ['HTTP/1.0 without Host', 'GET http://shop.test/ HTTP/1.0\r\n\r\n', 'http_protocol'],
    ['another Host than its URL', 'GET http://shop.test/ HTTP/1.1\r\nHost: other.test\r\n\r\n', 'http_protocol'],
    ['another port in Host', 'GET http://shop.test/ HTTP/1.1\r\nHost: shop.test:81\r\n\r\n', 'http_protocol'],
    ['two Hosts', 'GET http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\nHost: shop.test\r\n\r\n', 'http_protocol'],
    ['a body with GET', 'GET http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 3\r\n\r\nabc', 'http_protocol'],
    [
      'an unknown coding',
      'POST http://shop.test/post HTTP/1.1\r\nHost: shop.test\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      'http_protocol',
    ],
    ['more than 200 fields', get('http://shop.test/', 'X: a\r\n'.repeat(201)), 'too_large'],
  ])('%s: refused, and said so', async (_what, request, refused) => {
    expect(await refusal(request)).toEqual({ heard: 'HTTP/1.1 502 Refused', refused });
  });
});

describe('where nobody gets to', () => {
  const zone = {
    'inside.test': { A: ['10.0.0.1'] },
    'both.test': { A: ['127.0.0.1', '169.254.169.254'] },
    'six.test': { AAAA: ['::1'] },
    'mapped.test': { AAAA: ['64:ff9b::a00:1'] },
    'alias.test': { CNAME: ['metadata.google.internal'] },
    'school.test': { CNAME: ['www.example.edu'] },
    'other.test': { CNAME: ['cdn.denied.test'] },
    'nothing.test': { TXT: ['x'] },
    'broken.test': 'SERVFAIL',
    'silent.test': 'TIMEOUT',
    '_probe-optout.quiet.test': { TXT: ['v=optout1'] },
    '_probe-optout.asks.test': { TXT: ['v=optout1; scope=hosts'] },
    '_probe-optout.no.asks.test': { TXT: ['v=optout1'] },
    '*.quiet.test': { A: ['127.0.0.1'] },
    'no.asks.test': { A: ['127.0.0.1'] },
  } as const;
  it.each([
    ['169.254.169.254', 'blocked_private_address'],
    ['10.1.2.3', 'blocked_private_address'],
    ['127.0.0.2', 'blocked_private_address'],
    ['127.2', 'blocked_private_address'],
    ['2852039166', 'blocked_private_address'],
    ['0xa9fea9fe', 'blocked_private_address'],
    ['0251.0376.0251.0376', 'blocked_private_address'],
    ['[::1]', 'blocked_private_address'],
    ['[::ffff:169.254.169.254]', 'blocked_private_address'],
    ['[64:ff9b::a9fe:a9fe]', 'blocked_private_address'],
    ['[2002:a9fe:a9fe::]', 'blocked_private_address'],
    ['[fd00:ec2::254]', 'blocked_private_address'],
    ['[fe80::1]', 'blocked_private_address'],
    ['0.0.0.0', 'blocked_private_address'],
    ['localhost', 'blocked_policy'],
    ['a.localhost', 'blocked_policy'],
    ['printer.local', 'blocked_policy'],
    ['metadata.google.internal', 'blocked_policy'],
    ['router', 'blocked_policy'],
    ['x.invalid', 'blocked_policy'],
    ['inside.test', 'blocked_private_address'],
    ['both.test', 'blocked_private_address'],
    ['six.test', 'blocked_private_address'],
    ['mapped.test', 'blocked_private_address'],
    ['alias.test', 'blocked_policy'],
    ['www.irs.gov', 'blocked_policy'],
    ['WWW.Example.EDU', 'blocked_policy'],
    ['school.test', 'blocked_policy'],
    ['x.ac.uk', 'blocked_policy'],
    ['denied.test', 'blocked_policy'],
    ['www.Denied.test', 'blocked_policy'],
    ['other.test', 'blocked_policy'],
    ['missing.example', 'dns_nxdomain'],
    ['nothing.test', 'dns_no_address'],
    ['broken.test', 'dns_servfail'],
    ['silent.test', 'dns_timeout'],
    ['www.quiet.test', 'blocked_policy'],
    ['no.asks.test', 'blocked_policy'],
  ])('%s: %s', async (host, refused) => {
    expect(await refusal(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`, zone)).toEqual({
      heard: 'HTTP/1.1 502 Refused',
      refused,
    });
    expect(await refusal(connectTo(`${host}:443`), zone)).toEqual({ heard: 'HTTP/1.1 502 Refused', refused });
  });

  it.each([22, 25, 53, 6000, 10_080])('port %d', async (port) => {
    expect(await refusal(connectTo(`shop.test:${port}`))).toMatchObject({ refused: 'blocked_policy' });
  });

  it('a name that turned inwards since it was judged leads to where it was then', async () => {
    const addresses = [['127.0.0.1'], ['127.0.0.66']];
    const options = reaching(sites);
    const resolver = {
      ...options.resolver,
      addresses: (host: string, family: 4 | 6) =>
        family === 4 ? Promise.resolve(addresses.shift()!) : options.resolver.addresses(host, 6),
    };
    await using proxy = await begun({ ...options, resolver });
    for (let i = 0; i < 3; i++) expect(await say(proxy.port, get('http://rebind.test/', 'Connection: close\r\n'))).toContain('404');
    expect(proxy.records.map(({ address }) => address)).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
    // Another port is another question, and another answer.
    await say(proxy.port, connectTo('rebind.test:443'));
    expect(proxy.failureOf('rebind.test', 443)).toMatchObject({ reason: 'blocked_private_address' });
  });

  it('our own proxies, though loopback is allowed', async () => {
    await using proxy = await begun();
    for (const port of [egress.deniedPort, proxy.port]) {
      await say(proxy.port, connectTo(`127.0.0.1:${port}`));
      expect(proxy.failureOf('127.0.0.1', port)).toMatchObject({ reason: 'blocked_policy' });
    }
  });

  it('says whether a port is closed', async () => {
    await using proxy = await begun();
    await say(proxy.port, connectTo('shop.test:1024'));
    expect(proxy.failureOf('shop.test', 1024)).toMatchObject({ reason: 'connect_refused' });
  });
});

describe('what goes on', () => {
  it('is what the browser said, without what is between it and us, and without a word of us', async () => {
    await using proxy = await begun();
    const heard = await say(
      proxy.port,
      get(
        'http://shop.test/echo',
        'Proxy-Connection: keep-alive\r\nProxy-Authorization: Basic eA==\r\nConnection: keep-alive, X-Mine\r\nX-Mine: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\nUpgrade: h2c\r\nUser-Agent: Browser\r\nCookie: a=1\r\n',
      ),
      '}',
    );
    expect(JSON.parse(heard.slice(heard.indexOf('{'), heard.indexOf('}') + 1))).toEqual({
      host: 'shop.test',
      'user-agent': 'Browser',
      cookie: 'a=1',
      connection: 'close',
    });
  });

  it.each([
    ['with a length', 'Content-Length: 5\r\n\r\nhello'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
  ])('a body %s', async (_how, rest) => {
    await using proxy = await begun();
    const heard = await say(proxy.port, `POST http://shop.test/post HTTP/1.1\r\nHost: shop.test\r\n${rest}`, 'hello');
    expect(heard).toContain('hello');
    expect(sites.requests.at(-1)).toMatchObject({ method: 'POST', path: '/post' });
  });

  it('a tunnel both ways, counted both ways', async () => {
    await using proxy = await begun();
    const { socket } = await saying(proxy.port, connectTo('shop.test:80'), '\r\n\r\n');
    const request = 'GET / HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n';
    let came = '';
    socket.on('data', (chunk: Buffer) => (came += chunk.toString('latin1')));
    socket.write(request);
    await once(socket, 'close');
    expect(came).toContain('<h1>Shoes</h1>');
    expect(proxy.records[0]).toMatchObject({ sent_bytes: request.length, received_bytes: came.length, refused: '' });
  });
});

/** A server that says what it likes, at `odd.test`. */
async function fromServer(answer: string, close = true) {
  await using server = await rawServer(answering(answer, close));
  await using proxy = await begun(reaching({ ...sites, httpPort: server.port }));
  const heard = await say(proxy.port, get('http://odd.test/', 'Connection: close\r\n'));
  return { heard, record: proxy.records[0]! };
}

describe('what a server may not answer', () => {
  it.each([
    ['nothing', '', 'http_protocol'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'http_protocol'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 'http_protocol'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 'http_protocol'],
    ['a head of more than 64 KB', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`, 'too_large'],
    ['more than 200 fields', `HTTP/1.1 200 OK\r\n${'X: a\r\n'.repeat(201)}\r\n`, 'too_large'],
    ['as a proxy', 'HTTP/1.1 407 Log in\r\nProxy-Authenticate: Basic realm="mine"\r\nContent-Length: 0\r\n\r\n', 'http_protocol'],
    ['an upgrade that nobody asked for', 'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', 'http_protocol'],
    ['interim answers without end', 'HTTP/1.1 102 Wait\r\n\r\n'.repeat(50), 'http_protocol'],
    ['a NUL in a field', 'HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n', 'http_protocol'],
  ])('%s', async (_what, answer, refused) => {
    const { heard, record } = await fromServer(answer);
    expect([heard.split('\r\n')[0], record.refused]).toEqual(['HTTP/1.1 502 Refused', refused]);
  });

  it('hands on what is a page, without what is between it and us', async () => {
    const { heard } = await fromServer(
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nProxy-Authenticate: Basic\r\nKeep-Alive: timeout=5\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n\r\nhi',
    );
    expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Type: text\/html\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n/);
    expect(heard).not.toMatch(/proxy|keep-alive|x-hop/i);
  });

  it('lets a body that breaks off be seen to', async () => {
    const { heard, record } = await fromServer('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    expect(heard).toContain('half');
    expect(record.refused).toBe('http_protocol');
  });

  it('unpacks nothing, so that nothing explodes here', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    const { record } = await fromServer(
      `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n${bomb.toString('latin1')}`,
    );
    expect(record.received_bytes).toBeLessThan(10_000);
  });
});

describe('budgets of a job', () => {
  it('requests in all, and to one site of strangers', async () => {
    await using proxy = await begun({ ...reaching(sites), jobLimits: { requests: 8, strangerRequests: 3 } });
    const ask = (url: string) => say(proxy.port, get(url, 'Connection: close\r\n'));
    for (let i = 0; i < 4; i++) await ask('http://shop.test/');
    for (let i = 0; i < 4; i++) await ask(`http://${i}.stranger.test/`);
    expect(proxy.records.map(({ refused }) => refused)).toEqual(['', '', '', '', '', '', '', 'too_large']);
    proxy.isDocument('www.stranger.test');
    await ask('http://stranger.test/');
    await ask('http://shop.test/');
    expect(proxy.records.slice(8).map(({ refused }) => refused)).toEqual(['', 'too_large']);
  });

  it('bytes', async () => {
    sites.add({ 'shop.test': { '/large': (_request, response) => void response.end('x'.repeat(300_000)) } });
    await using proxy = await begun({ ...reaching(sites), jobLimits: { receivedBytes: 200_000 } });
    expect((await say(proxy.port, get('http://shop.test/large'))).length).toBeLessThan(300_000);
    expect(proxy.records[0]).toMatchObject({ refused: 'too_large' });
    await say(proxy.port, connectTo('shop.test:443'));
    expect(proxy.records[1]).toMatchObject({ refused: 'too_large', address: '' });
  });

  it('connections at a time, and hosts', async () => {
    await using proxy = await begun({ ...reaching(sites), jobLimits: { connections: 2, hosts: 2 } });
    const first = await saying(proxy.port, connectTo('one.test:443'), '\r\n\r\n');
    await saying(proxy.port, connectTo('two.test:443'), '\r\n\r\n');
    await say(proxy.port, connectTo('two.test:443'));
    expect(proxy.records.map(({ refused }) => refused)).toEqual(['', '', 'too_large']);
    first.socket.destroy();
    await until(async () => (await say(proxy.port, connectTo('two.test:443'), '\r\n\r\n')).includes('200'));
    await say(proxy.port, connectTo('three.test:443'));
    expect(proxy.failureOf('three.test', 443)).toMatchObject({ reason: 'too_large' });
  });

  it.each([
    ['of one site of strangers', (n: number) => `host${n}.victim.test`],
    ["of a document's own site", (n: number) => `host${n}.shop.test`],
    ['of one address, whatever its names', (n: number) => `victim${n}.test`],
  ])('ports %s: a page tried a hundred', async (_whose, hostOf) => {
    await using proxy = await begun(reaching(sites));
    await say(proxy.port, get('http://shop.test/', 'Connection: close\r\n'));
    for (let n = 0; n < 8; n++) await say(proxy.port, connectTo(`${hostOf(n)}:${1_024 + n}`));
    const refused = ['', ...Array(4).fill('connect_refused'), ...Array(4).fill('too_large')];
    expect(proxy.records.map((record) => record.refused)).toEqual(refused);
    expect(proxy.records.slice(5).map(({ address }) => address)).toEqual(['', '', '', '']);
    // Those again, and the web's own.
    for (const port of [1_024, 80, 443]) await say(proxy.port, connectTo(`${hostOf(0)}:${port}`), '\r\n\r\n');
    expect(proxy.records.slice(9).map((record) => record.refused)).toEqual(['connect_refused', '', '']);
  });

  it('ports that are refused in any case do not count', async () => {
    await using proxy = await begun(reaching(sites));
    for (let n = 0; n < 8; n++) await say(proxy.port, connectTo(`10.0.0.1:${1_024 + n}`));
    expect(new Set(proxy.records.map((record) => record.refused))).toEqual(new Set(['blocked_private_address']));
  });

  it('what may be requests in a tunnel', async () => {
    await using proxy = await begun({ ...reaching(sites), jobLimits: { records: 20 } });
    const { socket } = await saying(proxy.port, connectTo('shop.test:443'), '\r\n\r\n');
    const record = Buffer.concat([Buffer.from([23, 3, 3, 0, 4]), Buffer.alloc(4)]);
    socket.write(Buffer.concat(Array.from({ length: 40 }, () => record)));
    await once(socket, 'close');
    expect(proxy.records[0]).toMatchObject({ refused: 'too_large' });
  });

  it('attempts: what is beyond is dropped and leaves no record', async () => {
    await using proxy = await begun({ ...reaching(sites), jobLimits: { attempts: 3 } });
    const { port } = proxy;
    for (let i = 0; i < 4; i++) await say(port, get('http://10.0.0.1/'));
    expect(proxy.records).toHaveLength(3);
    await expect(say(port, get('http://10.0.0.1/'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

it('ends every connection of a job with the job', async () => {
  const job = new AbortController();
  const proxy = await egress.open();
  proxy.begin({ signal: job.signal });
  const { socket } = await saying(proxy.port, connectTo('shop.test:443'), '\r\n\r\n');
  job.abort();
  await once(socket, 'close');
  expect(await say(proxy.port, get('http://shop.test/'))).toBe('');
  await proxy.close();
});

it('lets no slow client hold the port against the job', async () => {
  await using proxy = await begun();
  const idle = Array.from({ length: 30 }, () => connect(proxy.port, '127.0.0.1'));
  for (const socket of idle) socket.on('error', () => {}).write('GET http://shop.test/ HT');
  expect(await say(proxy.port, get('http://shop.test/'), '</h1>')).toContain('200 OK');
  for (const socket of idle) socket.destroy();
});
