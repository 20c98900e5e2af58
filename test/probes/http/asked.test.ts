import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type DnsAnswer, ProbeFailure, type ProbePorts, type Resolver } from '@vedette/contract';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, describe, expect, it } from 'vitest';
import { httpProbe } from '@vedette/probes/http';
import { systemClock } from '@vedette/probes/net';
import { PatternMatcher } from '@vedette/probes/patterns';
import { BEHAVIOURS } from './behaviours.ts';
import { makePki } from './certificates.ts';
import { hostsResolver, loopbackPorts } from './loopback-ports.ts';
import { answering, listen, rawServer } from './raw-server.ts';

const pki = makePki({ good: { names: 'DNS:a.test,DNS:b.test' }, other: { names: 'DNS:other.test' } });
const patterns = new PatternMatcher(systemClock);
afterAll(async () => {
  pki[Symbol.dispose]();
  await patterns.close();
});
const credentialsOf = (leaf: string) => ({
  key: readFileSync(join(pki.folder, `${leaf}.key`)),
  cert: readFileSync(join(pki.folder, `${leaf}.pem`)),
});
const hosts = {
  'a.test': ['127.0.0.1'],
  'b.test': ['127.0.0.1'],
  'inner.test': ['10.0.0.1'],
  'army.mil': ['127.0.0.1'],
  'alias.test': ['127.0.0.1'],
};
const OPTED_OUT = 'v=optout1';

type HttpResult = Static<typeof httpProbe.result>;
type Job = Parameters<typeof httpProbe.run>[0];

/** Owners say nothing unless `owners` has a text of theirs. */
function portsWith({ owners = {}, ...overrides }: Partial<ProbePorts> & { owners?: Record<string, string> } = {}): ProbePorts {
  const resolver: Resolver = {
    ...hostsResolver(hosts),
    query(name): Promise<DnsAnswer> {
      const text = owners[name.replace('_probe-optout.', '')];
      const answers =
        text === undefined ? [] : [{ name, type: 'TXT' as const, ttl: 60, rdata: new Uint8Array(), data: [Buffer.from(text)] }];
      return Promise.resolve({
        rcode: 'NOERROR',
        cached: false,
        aa: false,
        ad: false,
        answers,
        authorities: [],
        additionals: [],
        server: '',
        tries: 1,
        rtt_ms: 1,
        transport: 'udp',
      });
    },
  };
  return loopbackPorts({ resolver, patterns, ca: [pki.root], ...overrides });
}

async function run(job: Partial<Job> & { url: string }, ports: ProbePorts = portsWith()): Promise<HttpResult & { code: string }> {
  const whole = { family: 4 as const, detail: true, ...job };
  expect(Value.Check(httpProbe.job, whole)).toBe(true);
  const ended = await httpProbe.run(whole, ports).then(
    (result) => ({ result, code: '' }),
    (error: unknown) => {
      if (!(error instanceof ProbeFailure) || error.partial === undefined) throw error;
      return { result: error.partial as HttpResult, code: error.code };
    },
  );
  expect(Value.Check(httpProbe.result, ended.result)).toBe(true);
  return { ...ended.result, code: ended.code };
}

interface Seen {
  line: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** What came in, and what is answered. */
function recording(answer: (request: IncomingMessage, response: ServerResponse) => unknown): { seen: Seen[]; listener: RequestListener } {
  const seen: Seen[] = [];
  return {
    seen,
    listener(request, response) {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        seen.push({ line: `${request.method} ${request.headers.host}${request.url}`, headers: request.headers, body });
        answer(request, response);
      });
    },
  };
}

describe('redirects', () => {
  it('are followed ten times, and no further', async () => {
    const { seen, listener } = recording((request, response) => {
      const step = Number(request.url!.slice(1));
      if (step === 0) response.end('there');
      else response.writeHead(302, { location: `/${step - 1}` }).end('on');
    });
    await using server = await listen(createServer(listener));
    const url = `http://a.test:${server.port}`;
    expect(await run({ url: `${url}/10`, follow_redirects: true })).toMatchObject({
      code: '',
      status_code: 200,
      detail: { redirects: 10, final_url: `${url}/0`, uncompressed_body_bytes: 5 },
    });
    expect(seen).toHaveLength(11);
    const failed = await run({ url: `${url}/11`, follow_redirects: true });
    expect(failed).toMatchObject({ code: 'http_protocol', status_code: 302, detail: { redirects: 10, final_url: `${url}/1` } });
    expect(seen).toHaveLength(22);
    // As it was: not without being asked.
    expect(await run({ url: `${url}/3` })).toMatchObject({ status_code: 302, body_bytes: 2, detail: { redirects: 0 } });
  });

  it('keep the secrets of an origin in it, cookies aside where they belong, and do not get them back', async () => {
    const away = recording((_request, response) =>
      response.writeHead(302, { location: `http://a.test:${home.port}/back`, 'set-cookie': 'theirs=1' }).end(),
    );
    await using other = await listen(createServer(away.listener));
    const { seen, listener } = recording((request, response) => {
      if (request.url === '/back') response.end('back');
      else if (request.url === '/') response.writeHead(301, { location: '/2', 'set-cookie': 'ours=1' }).end();
      else response.writeHead(302, { location: `http://b.test:${other.port}/` }).end();
    });
    await using home = await listen(createServer(listener));
    const headers = { Authorization: 'Bearer s', 'X-Key': 's', 'User-Agent': 'me', Accept: '*/*' };
    expect(await run({ url: `http://a.test:${home.port}/`, follow_redirects: true, headers })).toMatchObject({
      status_code: 200,
      detail: { redirects: 3 },
    });
    const shown = [...seen, ...away.seen].map(({ line, headers: { authorization, 'x-key': key, 'user-agent': agent, cookie } }) => [
      line.replace(/:\d+/, ''),
      authorization,
      key,
      agent,
      cookie,
    ]);
    expect(shown).toEqual([
      ['GET a.test/', 'Bearer s', 's', 'me', undefined],
      ['GET a.test/2', 'Bearer s', 's', 'me', 'ours=1'],
      ['GET a.test/back', undefined, undefined, 'me', 'ours=1'],
      ['GET b.test/', undefined, undefined, 'me', undefined],
    ]);
  });

  it('from https to http, or to another port, take no secret along', async () => {
    const plain = recording((_request, response) => response.end('plain'));
    await using http = await listen(createServer(plain.listener));
    const { listener } = recording((_request, response) => response.writeHead(302, { location: `http://a.test:${http.port}/` }).end());
    await using https = await listen(createHttpsServer(credentialsOf('good'), listener));
    const result = await run({ url: `https://a.test:${https.port}/`, follow_redirects: true, headers: { authorization: 's' } });
    expect(result).toMatchObject({ status_code: 200, tls_version: '', detail: { final_url: `http://a.test:${http.port}/` } });
    expect(result.detail!.tls).toBeUndefined();
    expect(plain.seen[0]!.headers.authorization).toBeUndefined();
  });

  it.each([
    [301, 'POST', 'GET a.test/to', ''],
    [302, 'POST', 'GET a.test/to', ''],
    [303, 'POST', 'GET a.test/to', ''],
    [307, 'POST', 'POST a.test/to', 'x=1'],
    [308, 'POST', 'POST a.test/to', 'x=1'],
    [302, 'HEAD', 'HEAD a.test/to', undefined],
  ] as const)('%i after %s becomes %s', async (status, method, line, body) => {
    const { seen, listener } = recording((request, response) =>
      request.url === '/to' ? response.end() : response.writeHead(status, { location: '/to' }).end(),
    );
    await using server = await listen(createServer(listener));
    await run({ url: `http://a.test:${server.port}/`, follow_redirects: true, method, ...(method === 'POST' && { body: 'x=1' }) });
    expect(seen.at(-1)!.line.replace(/:\d+/, '')).toBe(line);
    expect(seen.at(-1)!.body).toBe(body ?? '');
  });

  it('do not hand a body to another origin', async () => {
    const away = recording((_request, response) => response.end());
    await using other = await listen(createServer(away.listener));
    const { listener } = recording((_request, response) => response.writeHead(308, { location: `http://a.test:${other.port}/` }).end());
    await using server = await listen(createServer(listener));
    const job = { url: `http://a.test:${server.port}/`, follow_redirects: true, method: 'POST' as const, body: 'secret' };
    expect(await run(job)).toMatchObject({ code: 'blocked_policy', status_code: 308 });
    expect(away.seen).toEqual([]);
  });

  it.each([
    ['an inner address', 'http://169.254.169.254/latest/meta-data', 'blocked_private_address'],
    ['one that is written as IPv6', 'http://[::ffff:10.0.0.1]/', 'blocked_private_address'],
    ['one behind NAT64', 'http://[64:ff9b::a00:1]/', 'blocked_private_address'],
    ['one that is written as a number', 'http://2852039166/', 'blocked_private_address'],
    ['a name that leads to one', 'http://inner.test/', 'blocked_private_address'],
    ['a port of another service', 'http://a.test:25/', 'blocked_policy'],
    ['another scheme', 'ftp://a.test/', 'blocked_policy'],
    ['a file', 'file:///etc/passwd', 'blocked_policy'],
    ['a protected name behind a user name', 'http://a.test:x@army.mil/', 'blocked_policy'],
    ['a name that is denied behind a user name', 'http://a.test@denied.test/', 'blocked_policy'],
    ['a protected name', 'http://army.mil/', 'blocked_policy'],
    ['a name that the operator denies', 'http://denied.test/', 'blocked_policy'],
    ['a name whose owner has opted out', 'http://www.out.test/', 'blocked_policy'],
    ['a name that speaks for itself', 'http://www.hosts.test/', 'blocked_policy'],
    ['a name that is none', 'http://nowhere.test/', 'dns_nxdomain'],
  ])('lead to nobody: %s', async (_what, location, code) => {
    await using server = await listen(createServer((_request, response) => response.writeHead(302, { location }).end()));
    const owners = { 'out.test': OPTED_OUT, 'hosts.test': `${OPTED_OUT}; scope=hosts`, 'www.hosts.test': OPTED_OUT };
    const ports = portsWith({ owners, isDenied: (name) => name === 'denied.test' });
    const result = await run({ url: `http://a.test:${server.port}/`, follow_redirects: true }, ports);
    expect(result.code).toBe(code);
  });

  it('with a user name and a password are signed in to where they are asked for, and their password is shown to nobody', async () => {
    const { seen, listener } = recording((request, response) => {
      if (request.url === '/')
        response.writeHead(302, { location: 'http://user:secret@b.test:PORT/in'.replace('PORT', String(port())) }).end();
      else if (request.url === '/in' && request.headers.authorization === undefined)
        response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('who?');
      else response.writeHead(200).end('hello');
    });
    await using server = await listen(createServer(listener));
    const port = () => server.port;
    const result = await run({ url: `http://a.test:${server.port}/`, follow_redirects: true });
    expect(result).toMatchObject({
      status_code: 200,
      body_bytes: 5,
      detail: { redirects: 1, final_url: `http://b.test:${server.port}/in` },
    });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, `Basic ${btoa('user:secret')}`]);
    const shown = await run({ url: `http://a.test:${server.port}/` });
    expect(shown.redirects_to).toBe(`http://user:***@b.test:${server.port}/in`);
    expect(JSON.stringify([result, shown])).not.toContain('secret');
  });

  it('do not take the URL’s own user name to another origin', async () => {
    const asks: RequestListener = (request, response) =>
      request.headers.authorization === undefined
        ? response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
        : response.writeHead(302, { location: elsewhere() }).end();
    const there = recording((_request, response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end());
    await using other = await listen(createServer(there.listener));
    const elsewhere = () => `http://a.test:${other.port}/`;
    await using server = await listen(createServer(asks));
    const result = await run({ url: `http://a.test:${server.port}/`, basic: btoa('user:secret'), follow_redirects: true });
    expect(result).toMatchObject({ status_code: 401, detail: { redirects: 1 } });
    expect(there.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it('that never end are bounded by their number, each hop by the rates of its target', async () => {
    await using server = await listen(createServer((request, response) => response.writeHead(307, { location: `${request.url}x` }).end()));
    const limits = { ...portsWith().limits };
    let asked = 0;
    const http = (address: string, host?: string) => {
      asked += 1;
      if (asked > 4) throw new ProbeFailure('target_limited', host);
      return limits.http(address, host);
    };
    const result = await run({ url: `http://a.test:${server.port}/`, follow_redirects: true }, portsWith({ limits: { ...limits, http } }));
    expect(result).toMatchObject({ code: 'target_limited', detail: { redirects: 4 } });
  });

  it('whose bodies never end are not read', async () => {
    const { seen, listener } = recording((request, response) => {
      if (request.url === '/to') return response.end('there');
      response.writeHead(302, { location: '/to' }).write('no end');
      return undefined;
    });
    await using server = await listen(createServer(listener));
    const result = await run({ url: `http://a.test:${server.port}/`, follow_redirects: true });
    expect(result).toMatchObject({ code: '', status_code: 200, detail: { redirects: 1 } });
    expect(seen).toHaveLength(2);
  });
});

describe('a request', () => {
  it.each(['HTTP/1.1', 'HTTP/2'] as const)('has its method, fields and body over %s', async (version) => {
    const { seen, listener } = recording((request, response) =>
      response.writeHead(200, { 'x-authority': String(request.headers[':authority'] ?? '') }).end('1234'),
    );
    await using server = await listen(createSecureServer({ ...credentialsOf('good'), allowHTTP1: true }, listener as never));
    const url = `https://a.test:${server.port}/p?q`;
    const posted = await run({ url, http_versions: [version], method: 'POST', body: 'ü=1', headers: { 'Content-Type': 'text/x' } });
    expect(posted).toMatchObject({ code: '', http_version: version, body_bytes: 4 });
    expect(seen[0]).toMatchObject({
      body: 'ü=1',
      headers: { 'content-type': 'text/x', 'content-length': '4', 'accept-encoding': 'identity' },
    });
    const head = await run({ url, http_versions: [version], method: 'HEAD' });
    expect(head).toMatchObject({ code: '', http_version: version, status_code: 200, body_bytes: 0 });
    expect(seen[1]!.line).toMatch(/^HEAD /);
  });

  it('to a server without HTTP/2 fails where nothing else is to be spoken', async () => {
    const { seen, listener } = recording((_request, response) => response.end());
    await using https = await listen(createHttpsServer({ ...credentialsOf('good'), ALPNProtocols: ['http/1.1'] }, listener));
    await using http = await listen(createServer(listener));
    const only = { http_versions: ['HTTP/2' as const] };
    expect((await run({ url: `https://a.test:${https.port}/`, ...only })).code).toMatch(/^(tls_handshake|http_protocol)$/);
    expect((await run({ url: `http://a.test:${http.port}/`, ...only })).code).toBe('http_protocol');
    expect(seen).toEqual([]);
  });

  it('for another host of the server names it, and wants its certificate', async () => {
    const { seen, listener } = recording((_request, response) => response.end());
    await using server = await listen(createHttpsServer(credentialsOf('other'), listener));
    const url = `https://a.test:${server.port}/`;
    expect(await run({ url, headers: { Host: 'other.test:8443' } })).toMatchObject({ certificate: { valid: true } });
    expect(await run({ url, server_name: 'other.test' })).toMatchObject({ certificate: { valid: true } });
    expect(await run({ url })).toMatchObject({ certificate: { valid: false } });
    expect(seen.map(({ headers }) => headers.host)).toEqual(['other.test:8443', `a.test:${server.port}`, `a.test:${server.port}`]);
  });

  it.each([
    ['a protected host', { headers: { host: 'army.mil' } }],
    ['a denied host', { headers: { host: 'denied.test' } }],
    ['a protected name of a certificate', { server_name: 'www.army.mil' }],
    ['a host that opted out', { headers: { host: 'out.test' } }],
    ['a host that is none', { headers: { host: 'a b' } }],
    ['a host with a path', { headers: { host: 'b.test/x' } }],
  ])('does not reach %s by way of another', async (_what, job) => {
    const { seen, listener } = recording((_request, response) => response.end());
    await using server = await listen(createServer(listener));
    const ports = portsWith({ owners: { 'out.test': OPTED_OUT }, isDenied: (name) => name === 'denied.test' });
    expect((await run({ url: `http://a.test:${server.port}/`, ...job }, ports)).code).toBe('blocked_policy');
    expect(seen).toEqual([]);
  });

  it('is not sent over a certificate that is not valid, where it is to be verified', async () => {
    const { seen, listener } = recording((_request, response) => response.end());
    await using server = await listen(createHttpsServer(credentialsOf('other'), listener));
    const job = { url: `https://a.test:${server.port}/`, headers: { authorization: 's' } };
    const refused = await run({ ...job, verify_certificate: true });
    expect(refused).toMatchObject({ code: 'tls_cert_invalid', certificate: { valid: false }, detail: { tls: { subject: 'CN=other' } } });
    expect(refused.detail!.tls!.verified_not_after).toBeUndefined();
    expect(seen).toEqual([]);
    expect(await run(job)).toMatchObject({ code: '' });
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['a line break in a value', { headers: { 'x-a': 'b\r\nevil: 1' } }],
    ['a line break in a name', { headers: { 'x-a\r\nevil': 'b' } }],
    ['a pseudo field', { headers: { ':path': '/' } }],
    ['too many fields', { headers: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`x-${index}`, 'a'])) }],
    ['a long value', { headers: { 'x-a': 'b'.repeat(4097) } }],
    ['another method', { method: 'CONNECT' }],
    ['a long body', { body: 'b'.repeat(16 * 1024 + 1) }],
    ['too many patterns', { body_matches: Array.from({ length: 17 }, () => 'a') }],
    ['a long pattern', { body_matches: ['a'.repeat(1025)] }],
    ['a version that is none', { http_versions: ['HTTP/3'] }],
  ])('is no job with %s', (_what, job) => {
    expect(Value.Check(httpProbe.job, { url: 'http://a.test/', family: 4, ...job })).toBe(false);
  });

  it.each(['Transfer-Encoding', 'content-length', 'Connection', 'upgrade', 'TE', 'Expect'])('has no field %s', async (name) => {
    await using server = await rawServer(answering('HTTP/1.1 200 OK\r\n\r\n'));
    const code = (await run({ url: `http://a.test:${server.port}/`, headers: { [name]: 'x' } })).code;
    expect(code).toBe('unsupported');
    expect(server.received).toEqual([]);
  });
});

describe('what is looked for', () => {
  const seeking = {
    body_matches: ['(?i)HELLO', 'absent'],
    header_matches: [
      { header: 'X-A', regexp: '^1$' },
      { header: 'x-b', regexp: '.' },
    ],
  };

  it.each([
    ['as it is', {}, (text: string) => Buffer.from(text), 'identity'],
    ['packed', { 'accept-encoding': 'gzip' }, (text: string) => gzipSync(text), 'gzip'],
  ])('is found in a page %s', async (_what, headers, pack, coding) => {
    const text = `hello ${'.'.repeat(5000)}`;
    const packed = pack(text);
    const last_modified = 'Wed, 21 Oct 2015 07:28:00 GMT';
    await using server = await listen(
      createServer((_request, response) =>
        response
          .writeHead(200, {
            'x-a': ['0', '1'],
            'content-length': packed.length,
            'last-modified': last_modified,
            ...(coding !== 'identity' && { 'content-encoding': coding }),
          })
          .end(packed),
      ),
    );
    expect(await run({ url: `http://a.test:${server.port}/`, headers, ...seeking })).toMatchObject({
      code: '',
      body_bytes: packed.length,
      detail: {
        content_length: packed.length,
        uncompressed_body_bytes: text.length,
        last_modified: Date.parse(last_modified) / 1000,
        body_matches: [true, false],
        header_matches: [true, false],
      },
    });
  });

  it('is not known where a pattern takes years in what a stranger made for it', async () => {
    await using server = await listen(createServer((_request, response) => response.end(`${'a'.repeat(40)}!`)));
    const result = await run({ url: `http://a.test:${server.port}/`, body_matches: ['^(a+)+$', 'a'] });
    expect(result).toMatchObject({ code: '', status_code: 200, detail: { body_matches: [], header_matches: [] } });
  });

  it('is looked for in the first 2 MB of a bomb', async () => {
    await using server = await rawServer((socket) => socket.once('data', () => BEHAVIOURS['gzip-bomb'](socket)));
    const result = await run({
      url: `http://a.test:${server.port}/`,
      headers: { 'accept-encoding': 'gzip' },
      body_matches: ['^.', 'absent'],
    });
    expect(result.detail!.uncompressed_body_bytes).toBeLessThanOrEqual(2 * 1024 * 1024);
    expect(result.detail!.body_matches).toHaveLength(2);
  });

  it('is no pattern where RE2 knows none', async () => {
    expect((await run({ url: 'http://a.test/', body_matches: ['('] })).code).toBe('unsupported');
  });
});

describe('hostile servers', () => {
  it.each(['endless-headers', 'endless-header-lines', 'header-drip', 'body-drip', 'endless', 'endless-small-chunks', 'never'] as const)(
    '%s: ends in time, with what was measured',
    async (behaviour) => {
      await using server = await rawServer((socket) => socket.once('data', () => BEHAVIOURS[behaviour](socket)));
      const { code, detail } = await run(
        { url: `http://a.test:${server.port}/`, follow_redirects: true, body_matches: ['never'] },
        portsWith({ budget_ms: 700 }),
      );
      expect(code).toMatch(/^(|http_timeout|http_protocol|too_large)$/);
      expect(detail!.redirects).toBe(0);
      const { resolve_ms, connect_ms, processing_ms, transfer_ms } = detail!.phases;
      expect(resolve_ms + connect_ms + processing_ms + transfer_ms).toBeLessThan(5_000);
    },
  );
});

it('the phases of all hops are summed, each in its place', async () => {
  // As the server saw it: timers are early or late, and a busy client reads later.
  const served = { untilHead: 0, untilEnd: 0 };
  const { listener } = recording(async (request, response) => {
    const begun = systemClock.now();
    await sleep(60);
    served.untilHead += systemClock.now() - begun;
    if (request.url === '/') response.writeHead(302, { location: '/to' });
    else {
      response.writeHead(200).write('a');
      await sleep(60);
    }
    served.untilEnd += systemClock.now() - begun;
    response.end('b');
  });
  await using server = await listen(createHttpsServer(credentialsOf('good'), listener));
  const begun = systemClock.now();
  const { detail, timings } = await run({ url: `https://a.test:${server.port}/`, follow_redirects: true });
  const took = systemClock.now() - begun;
  const { phases } = detail!;
  expect(phases.processing_ms).toBeGreaterThanOrEqual(served.untilHead);
  expect(phases.transfer_ms).toBeGreaterThan(0);
  expect(phases.processing_ms + phases.transfer_ms).toBeGreaterThanOrEqual(served.untilEnd);
  expect(phases.resolve_ms + phases.connect_ms + phases.tls_ms + phases.processing_ms + phases.transfer_ms).toBeLessThanOrEqual(took);
  expect(phases.tls_ms).toBeGreaterThan(timings.tls_ms); // of both
  expect(Number.isInteger(phases.connect_ms)).toBe(false);
});

it('without any of it, what is sent and what is answered is as it was', async () => {
  await using server = await rawServer(answering('HTTP/1.1 302 Found\r\nLocation: /to\r\nContent-Length: 0\r\n\r\n'));
  const result = await httpProbe.run({ url: `http://a.test:${server.port}/`, family: 4 }, loopbackPorts({ hosts }));
  expect(Object.keys(result)).not.toContain('detail');
  expect(server.received).toHaveLength(1);
  expect(server.received[0]).toContain('accept-encoding: gzip, deflate, br\r\n');
});

describe('what a report shows', () => {
  const shown = async (job: Partial<Job>, answer: (request: IncomingMessage, response: ServerResponse) => unknown) => {
    const { seen, listener } = recording(answer);
    await using server = await listen(createServer(listener));
    const result = await run({ url: `http://a.test:${server.port}/0`, detail: false, ...job });
    return { ...result, lines: seen.map(({ line }) => line.replace(/ .*\//, ' /')) };
  };
  const step = (request: IncomingMessage, response: ServerResponse) => {
    const at = Number(request.url!.slice(1));
    if (at === 3) response.end('there');
    else response.writeHead(302, { location: `/${at + 1}` }).end(`on ${at}`);
  };

  it('stops at the last redirect that it may follow, and says so without a failure', async () => {
    const job = { follow_redirects: true, max_redirects: 2, show_body: 'text' as const };
    const stopped = await shown(job, step);
    expect(stopped).toMatchObject({ code: '', status_code: 302, body: { text: 'on 2', truncated: false } });
    expect(stopped.redirects_to).toMatch(/\/3$/);
    expect(stopped.final_url).toMatch(/\/2$/);
    expect(stopped.redirects!.map(({ url, status_code, remote_addr }) => [url.slice(-2), status_code, remote_addr])).toEqual([
      ['/0', 302, '127.0.0.1'],
      ['/1', 302, '127.0.0.1'],
    ]);
    expect(stopped.lines).toEqual(['GET /0', 'GET /1', 'GET /2']);
    const arrived = await shown({ ...job, max_redirects: 3 }, step);
    expect(arrived).toMatchObject({ status_code: 200, redirects_to: '', body: { text: 'there', truncated: false } });
    expect(arrived.lines).toHaveLength(4);
  });
  it('follows none unless asked, and tells of none', async () => {
    const result = await shown({}, step);
    expect(result.lines).toEqual(['GET /0']);
    expect([result.redirects, result.final_url, result.body, result.certificates]).toEqual([undefined, undefined, undefined, undefined]);
  });
  it('asks with OPTIONS', async () => {
    const result = await shown({ method: 'OPTIONS' }, (_request, response) => response.writeHead(204, { allow: 'GET' }).end());
    expect([result.status_code, result.response_headers['allow'], result.lines]).toEqual([204, ['GET'], ['OPTIONS /0']]);
  });
  it.each([
    ['text', 'text/plain; charset=iso-8859-1', Buffer.from('caf\xe9', 'latin1'), { text: 'café', truncated: false }],
    ['text', 'text/plain', Buffer.from('\u2028é'), { text: '\u2028é', truncated: false }],
    ['base64', 'image/png', Buffer.from([0, 1, 255]), { base64: 'AAH/', truncated: false }],
    ['text', 'text/plain', Buffer.alloc(10_000, 'a'), { text: 'a'.repeat(10_000), truncated: false }],
    ['text', 'text/plain', Buffer.alloc(10_001, 'a'), { text: 'a'.repeat(10_000), truncated: true }],
    ['base64', 'text/plain', Buffer.alloc(300_000, 'a'), { base64: Buffer.alloc(10_000, 'a').toString('base64'), truncated: true }],
    ['text', 'text/plain', Buffer.alloc(0), { text: '', truncated: false }],
  ] as const)('the body as %s, of %s', async (show_body, type, body, expected) => {
    const result = await shown({ show_body }, (_request, response) => response.writeHead(200, { 'content-type': type }).end(body));
    expect(result.body).toEqual(expected);
  });
  it('the body unpacked, and no more of it than ten thousand bytes: a bomb costs nothing', async () => {
    const result = await shown({ show_body: 'text' }, (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000, 'b'))),
    );
    expect([result.body!.text!.length, result.body!.truncated]).toEqual([10_000, true]);
  });
  it('a body that does not unpack as cut', async () => {
    const result = await shown({ show_body: 'text' }, (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not packed'),
    );
    expect(result.body).toEqual({ text: '', truncated: true });
  });
  it('the certificates as the server sent them', async () => {
    const { listener } = recording((_request, response) => response.end());
    await using server = await listen(createHttpsServer(credentialsOf('good'), listener));
    const url = `https://a.test:${server.port}/`;
    const { certificates } = await run({ url, detail: false, show_certificates: true });
    expect(certificates![0]).toMatchObject({ names: ['a.test', 'b.test'], is_ca: false, key: expect.stringMatching(/^(rsa \d+|ec .+)$/) });
    expect(certificates![0]!.fingerprint_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(certificates![0]!.signature_algorithm).not.toBe('');
  });
  it.each([
    [{}, undefined],
    [{ detail: true, headers: { a: 'b' } }, undefined],
    [{ headers: { a: 'b' } }, '1.2'],
    [{ method: 'HEAD' as const }, '1.2'],
    [{ method: 'OPTIONS' as const }, '1.3'],
    [{ max_redirects: 1 }, '1.3'],
    [{ show_body: 'text' as const }, '1.3'],
    [{ show_certificates: true }, '1.3'],
  ])('a job with %j needs agents of %s', (job, since) => {
    expect(httpProbe.since!({ url: 'http://a.test/', family: 0, ...job })).toBe(since);
  });
});
