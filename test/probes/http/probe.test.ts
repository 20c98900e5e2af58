import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createSecureServer as createHttp2Server } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { createAddressPolicy } from '@vedette/probes/host';
import type { ProbeFailure } from '@vedette/contract';
import { Value } from 'typebox/value';
import { afterAll, describe, expect, it } from 'vitest';
import { httpProbe } from '@vedette/probes/http';
import { type HttpResult } from '../../../packages/probes/src/http/probe.ts';
import { createTargetLimits } from '@vedette/probes/target-limits';
import { createDialler, systemClock } from '@vedette/probes/net';
import { makePki } from './certificates.ts';
import { hostsResolver, loopbackPorts } from './loopback-ports.ts';
import { listen, rawServer } from './raw-server.ts';

const pki = makePki({ good: { names: 'DNS:a.test,IP:127.0.0.1' } });
afterAll(() => pki[Symbol.dispose]());
const credentials = { key: readFileSync(join(pki.folder, 'good.key')), cert: readFileSync(join(pki.folder, 'good.pem')) };
const ca = [pki.root];
const hosts = { 'a.test': ['127.0.0.1', '::1'], 'six.test': ['::1'], 'four.test': ['127.0.0.1'] };

const page: RequestListener = (request, response) => {
  response.setHeader('Set-Cookie', ['a=1; Path=/', 'b=2']);
  response.setHeader('Date', 'Thu, 01 Jan 2026 00:00:00 GMT');
  response.setHeader('X-Path', request.url ?? '');
  response.statusCode = 301;
  response.setHeader('Location', '../there');
  response.end('moved');
};

const whole = (port: number, result: Partial<HttpResult>): HttpResult => ({
  status_code: 301,
  status_message: 'Moved Permanently',
  response_headers: {
    'set-cookie': ['a=1; Path=/', 'b=2'],
    date: ['Thu, 01 Jan 2026 00:00:00 GMT'],
    'x-path': ['/here/x?y=%C3%BC'],
    location: ['../there'],
  },
  redirects_to: `https://a.test:${port}/there`,
  timings: {
    dns_ms: expect.any(Number),
    connect_ms: expect.any(Number),
    tls_ms: expect.any(Number),
    ttfb_ms: expect.any(Number),
    total_ms: expect.any(Number),
  },
  remote_addr: '127.0.0.1',
  attempts: [{ ip_address: '127.0.0.1', outcome: 'connected', began_ms: expect.any(Number), ms: expect.any(Number) }],
  network: 'tcp4',
  http_version: 'HTTP/1.1',
  tls_version: 'TLSv1.3',
  cipher_suite: 'TLS_AES_256_GCM_SHA384',
  error_message: '',
  elapsed_ms: expect.any(Number),
  body_bytes: 5,
  body_truncated: false,
  tls_warnings: [],
  certificate: { valid: true, error: '', not_before: '2025-01-01T00:00:00.000Z', not_after: '2049-12-31T00:00:00.000Z' },
  ...result,
});

const framing = { connection: ['close'], 'content-length': ['5'] };

describe('a whole result', () => {
  it('over http', async () => {
    await using server = await listen(createHttpServer(page));
    const result = await httpProbe.run({ url: `http://a.test:${server.port}/here/x?y=ü#z`, family: 4 }, loopbackPorts({ hosts }));
    const {
      certificate: _,
      tls_warnings: __,
      ...expected
    } = whole(server.port, {
      redirects_to: `http://a.test:${server.port}/there`,
      tls_version: '',
      cipher_suite: '',
    });
    expect(result).toEqual({ ...expected, response_headers: { ...expected.response_headers, ...framing } });
    expect(Value.Check(httpProbe.result, result)).toBe(true);
  });

  it('over https with HTTP/1.1', async () => {
    await using server = await listen(createHttpsServer(credentials, page));
    const result = await httpProbe.run({ url: `https://a.test:${server.port}/here/x?y=ü`, family: 4 }, loopbackPorts({ hosts, ca }));
    const expected = whole(server.port, {});
    expect(result).toEqual({ ...expected, response_headers: { ...expected.response_headers, ...framing } });
  });

  it('over https with HTTP/2', async () => {
    await using server = await listen(createHttp2Server(credentials, page as never));
    const result = await httpProbe.run({ url: `https://a.test:${server.port}/here/x?y=ü`, family: 4 }, loopbackPorts({ hosts, ca }));
    expect(result).toEqual(whole(server.port, { http_version: 'HTTP/2' }));
  });

  it('over IPv6, by name and by literal address', async () => {
    await using server = await listen(createHttpServer(page), '::1');
    for (const host of ['six.test', '[::1]']) {
      const result = await httpProbe.run({ url: `http://${host}:${server.port}/`, family: 6 }, loopbackPorts({ hosts }));
      expect(result).toMatchObject({ status_code: 301, remote_addr: '::1', network: 'tcp6' });
    }
  });
});

it.each([
  ['six.test', '::1', 'tcp6'],
  ['four.test', '127.0.0.1', 'tcp4'],
  ['a.test', '127.0.0.1', 'tcp4'],
])('takes IPv4 where %s has it, else IPv6, unless it is told', async (host, remote_addr, network) => {
  await using server = await listen(createHttpServer(page), remote_addr);
  const result = await httpProbe.run({ url: `http://${host}:${server.port}/`, family: 0 }, loopbackPorts({ hosts }));
  expect(result).toMatchObject({ status_code: 301, remote_addr, network });
});

it('says who it is and asks for the host it was given', async () => {
  const userAgent = 'Mozilla/5.0 (compatible; Vedette/1.0; +https://probes.example.org)';
  await using server = await rawServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n')));
  await httpProbe.run({ url: `http://four.test:${server.port}/a?b`, family: 4 }, loopbackPorts({ hosts, userAgent }));
  expect(server.received).toEqual([
    `GET /a?b HTTP/1.1\r\nhost: four.test:${server.port}\r\nuser-agent: ${userAgent}\r\n` +
      'accept: text/html,application/xhtml+xml,*/*;q=0.8\r\naccept-language: en\r\naccept-encoding: gzip, deflate, br\r\nconnection: close\r\n\r\n',
  ]);
});

const NOTHING: HttpResult = {
  status_code: 0,
  status_message: '',
  response_headers: {},
  redirects_to: '',
  timings: { dns_ms: 0, connect_ms: 0, tls_ms: 0, ttfb_ms: 0, total_ms: 0 },
  remote_addr: '',
  attempts: [],
  network: '',
  http_version: '',
  tls_version: '',
  cipher_suite: '',
  error_message: '',
  elapsed_ms: 0,
  body_bytes: 0,
  body_truncated: false,
};

const stopped = { ...systemClock, now: () => 0 }; // so that a partial result can be compared whole

describe('what must not be contacted', () => {
  it.each([
    ['a name that is not there', 'http://none.test/', 4, 'dns_nxdomain'],
    ['a name without the family', 'http://four.test/', 6, 'dns_no_address'],
    ['a name without the family', 'http://six.test/', 4, 'dns_no_address'],
    ['a name of which neither is known', 'http://none.test/', 0, 'dns_nxdomain'],
    ['a literal of the other family', 'http://[2001:db8::1]/', 4, 'dns_no_address'],
    ['a literal of the other family', 'http://192.0.2.1/', 6, 'dns_no_address'],
    ['a government name', 'http://WWW.example.GOV./', 4, 'blocked_policy'],
    ['an educational name', 'http://x.ac.uk/', 4, 'blocked_policy'],
    ['another scheme', 'file:///etc/passwd', 4, 'blocked_policy'],
    ['a government name behind a user name', 'http://a.test@example.gov/', 4, 'blocked_policy'],
    ['metadata behind a user name', 'http://a.test:80@169.254.169.254/', 4, 'blocked_private_address'],
    ['metadata', 'http://169.254.169.254/', 4, 'blocked_private_address'],
    ['metadata in decimal', 'http://2852039166/', 4, 'blocked_private_address'],
    ['metadata in octal', 'http://0251.0376.0251.0376/', 4, 'blocked_private_address'],
    ['metadata in hexadecimal', 'http://0xa9.0xfe.0xa9.0xfe/', 4, 'blocked_private_address'],
    ['metadata, mapped', 'http://[::ffff:a9fe:a9fe]/', 6, 'blocked_private_address'],
    ['metadata behind NAT64', 'http://[64:ff9b::a9fe:a9fe]/', 6, 'blocked_private_address'],
    ['metadata behind 6to4', 'http://[2002:a9fe:a9fe::]/', 6, 'blocked_private_address'],
    ['a name that points inside', 'http://inside.test/', 4, 'blocked_private_address'],
    ['a name that also points inside', 'http://both.test/', 4, 'blocked_private_address'],
    ['a mail port', 'http://four.test:25/', 4, 'blocked_policy'],
  ] as const)('%s: %s', async (_what, url, family, code) => {
    const ports = loopbackPorts({
      hosts: { ...hosts, 'inside.test': ['10.0.0.1'], 'both.test': ['127.0.0.1', '10.0.0.1'] },
      clock: stopped,
    });
    await expect(httpProbe.run({ url, family }, ports)).rejects.toMatchObject({ code, partial: NOTHING });
  });

  it('a name that changes its mind after it was judged', async () => {
    await using inside = await rawServer(() => {});
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    const rebinding = { ...hostsResolver({}), addresses: async () => answers.shift()! };
    const dialler = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.2/32'] }) });
    const run = () =>
      httpProbe.run({ url: `http://rebind.test:${inside.port}/`, family: 4 }, loopbackPorts({ resolver: rebinding, dialler }));
    await expect(run()).rejects.toMatchObject({ code: 'connect_refused', seen: '127.0.0.2 ECONNREFUSED' });
    await expect(run()).rejects.toMatchObject({ code: 'blocked_private_address' });
    expect(inside.received).toEqual([]);
  });

  it('a sixth time at once', async () => {
    await using server = await rawServer(() => {});
    const control = new AbortController();
    const limits = createTargetLimits({ clock: systemClock, enabled: true, spares: [] });
    const ports = loopbackPorts({ hosts, limits, signal: control.signal });
    const job = { url: `http://four.test:${server.port}/`, family: 4 as const };
    const held = Array.from({ length: 5 }, () => httpProbe.run(job, ports).catch((error: ProbeFailure) => error.code));
    await expect(httpProbe.run(job, ports)).rejects.toMatchObject({ code: 'target_limited' });
    control.abort();
    expect(await Promise.all(held)).toEqual(Array(5).fill('cancelled'));
    // The places are free again.
    await expect(httpProbe.run(job, loopbackPorts({ hosts, limits, budget_ms: 1_500 }))).rejects.toMatchObject({ code: 'http_timeout' });
  });
});

it('names the refused connection and keeps what was measured', async () => {
  const server = await rawServer(() => {});
  await server[Symbol.asyncDispose]();
  const run = httpProbe.run({ url: `http://four.test:${server.port}/`, family: 4 }, loopbackPorts({ hosts, clock: stopped }));
  await expect(run).rejects.toMatchObject({
    code: 'connect_refused',
    source: 'target',
    partial: {
      ...NOTHING,
      remote_addr: '127.0.0.1',
      attempts: [{ ip_address: '127.0.0.1', outcome: 'connect_refused', began_ms: 0, ms: 0 }],
    },
  });
});
