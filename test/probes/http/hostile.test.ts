import { readFileSync } from 'node:fs';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import type { ProbeFailure } from '@vedette/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { httpProbe } from '@vedette/probes/http';
import { type HttpResult } from '../../../packages/probes/src/http/probe.ts';
import { type Behaviour, BEHAVIOURS, bomb, pour } from './behaviours.ts';
import { makePki } from './certificates.ts';
import { loopbackPorts } from './loopback-ports.ts';
import { answering, listen, rawServer } from './raw-server.ts';

/** What is expected to end by itself may take its time on a busy machine. */
const budgetFor = (code: string): number => (code === 'http_timeout' ? 1_500 : 20_000);
const hosts = { 'a.test': ['127.0.0.1'] };
const run = (port: number, scheme = 'http', overrides = {}) =>
  httpProbe.run({ url: `${scheme}://a.test:${port}/`, family: 4 }, loopbackPorts({ hosts, ...overrides }));

/** How it ended: the reason, and what was measured all the same. */
async function outcome(probing: Promise<HttpResult>): Promise<{ code: string; result: HttpResult }> {
  try {
    return { code: '', result: await probing };
  } catch (error) {
    const { code, partial } = error as ProbeFailure;
    return { code, result: partial as HttpResult };
  }
}

/** What the probe says of each behaviour: the reason, none where the answer is read, and what was measured. */
const ENDS: Record<Behaviour, [code: string, result: Partial<HttpResult>]> = {
  never: ['http_timeout', { status_code: 0, remote_addr: '127.0.0.1' }],
  close: ['http_protocol', { status_code: 0 }],
  'reset-at-once': ['http_protocol', { status_code: 0 }],
  garbage: ['http_protocol', { status_code: 0 }],
  ssh: ['http_protocol', { status_code: 0 }],
  'header-drip': ['http_timeout', { status_code: 0 }],
  'endless-phrase': ['too_large', { status_code: 0 }],
  'endless-headers': ['too_large', { status_code: 0 }],
  'endless-header-lines': ['too_large', { status_code: 0 }],
  'endless-interim': ['http_protocol', { status_code: 0 }],
  'two-lengths': ['http_protocol', { status_code: 0 }],
  'short-body': ['http_protocol', { status_code: 200, body_bytes: 9 }],
  'body-drip': ['http_timeout', { status_code: 200, status_message: 'OK' }],
  reset: ['http_protocol', { status_code: 200, body_bytes: 4 }],
  endless: ['', { status_code: 200, body_bytes: 5 * 1024 * 1024, body_truncated: true }],
  'endless-chunk-extension': ['http_protocol', { status_code: 200 }],
  'endless-small-chunks': ['too_large', { status_code: 200 }],
  'gzip-bomb': ['', { status_code: 200, body_bytes: bomb().length, body_truncated: false }],
  slow: ['', { status_code: 200, body_bytes: 5 }],
};

describe('ends within the budget, with the reason and what was measured', () => {
  it.each(Object.entries(BEHAVIOURS))('%s', async (behaviour, behave) => {
    const [code, result] = ENDS[behaviour as Behaviour];
    await using server = await rawServer((socket) => socket.once('data', () => behave(socket)));
    expect(await outcome(run(server.port, 'http', { budget_ms: budgetFor(code) }))).toMatchObject({ code, result });
  });

  it('closed before the request', async () => {
    await using server = await rawServer((socket) => socket.end());
    expect(await outcome(run(server.port))).toMatchObject({ code: 'http_protocol', result: { status_code: 0 } });
  });

  it('an unrequested upgrade on a connection that stays open', async () => {
    await using server = await rawServer(answering('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n', false));
    expect(await outcome(run(server.port))).toMatchObject({ code: 'http_protocol', result: { status_code: 0 } });
  });
});

it('closes the connection as soon as nobody waits any more', async () => {
  const control = new AbortController();
  const closed = Promise.withResolvers<void>();
  await using server = await rawServer((socket) => {
    socket.once('close', () => closed.resolve());
    socket.once('data', () => control.abort());
  });
  await expect(run(server.port, 'http', { signal: control.signal })).rejects.toMatchObject({ code: 'cancelled' });
  await closed.promise;
});

describe('over HTTP/2', () => {
  const pki = makePki({ good: { names: 'DNS:a.test' } });
  afterAll(() => pki[Symbol.dispose]());
  const credentials = { key: readFileSync(join(pki.folder, 'good.key')), cert: readFileSync(join(pki.folder, 'good.pem')) };

  it.each<[string, (stream: ServerHttp2Stream) => void, string, Partial<HttpResult>]>([
    ['never answers', () => {}, 'http_timeout', { status_code: 0, tls_version: 'TLSv1.3' }],
    ['ends without an answer', (stream) => stream.close(0), 'http_protocol', { status_code: 0 }],
    ['reset before the head', (stream) => stream.close(2), 'http_protocol', { status_code: 0 }],
    [
      'session closed mid-body',
      (stream) => {
        stream.respond({ ':status': 200 });
        stream.write('x', () => stream.session!.destroy());
      },
      'http_protocol',
      { status_code: 200 },
    ],
    [
      'interim answers without end',
      (stream) => {
        for (let i = 0; i < 20; i++) stream.additionalHeaders({ ':status': 103 });
      },
      'http_protocol',
      { status_code: 0 },
    ],
    [
      '300 header lines',
      (stream) =>
        stream.respond(
          { ':status': 200, ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`x-${i}`, 'y'])) },
          { endStream: true },
        ),
      'http_protocol',
      { status_code: 0 },
    ],
    [
      '100 KB of headers',
      (stream) =>
        stream.respond(
          { ':status': 200, ...Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`x-${i}`, 'y'.repeat(1000)])) },
          { endStream: true },
        ),
      'too_large',
      { status_code: 0 },
    ],
    [
      'endless body',
      (stream) => {
        stream.respond({ ':status': 200 });
        pour(stream as unknown as Socket, Buffer.alloc(65_536));
      },
      '',
      { status_code: 200, body_bytes: 5 * 1024 * 1024, body_truncated: true },
    ],
    [
      'a header with 8-bit text',
      (stream) => stream.respond({ ':status': 200, 'x-a': 'Z\xfcrich' }, { endStream: true }),
      '',
      { status_code: 200, status_message: 'OK', http_version: 'HTTP/2' },
    ],
  ])('%s', async (_behaviour, behave, code, result) => {
    const server = createSecureServer({ ...credentials, settings: { maxHeaderListSize: 1_000_000 }, maxSendHeaderBlockLength: 1_000_000 });
    server.on('stream', (stream: ServerHttp2Stream) => {
      stream.on('error', () => {}); // the client may leave at any time
      behave(stream);
    });
    server.on('sessionError', () => {});
    await using listening = await listen(server);
    expect(await outcome(run(listening.port, 'https', { ca: [pki.root], budget_ms: budgetFor(code) }))).toMatchObject({ code, result });
  });

  it('refuses a server that chooses h2 and speaks something else', async () => {
    const server = createTlsServer({ ...credentials, ALPNProtocols: ['h2'] }, (socket) => {
      socket.on('error', () => {});
      socket.end('HTTP/1.1 200 OK\r\n\r\n');
    });
    await using listening = await listen(server);
    await expect(run(listening.port, 'https')).rejects.toMatchObject({ code: 'http_protocol', partial: { status_code: 0 } });
  });

  it.each([
    ['a million SETTINGS', Buffer.from('000000040000000000', 'hex')],
    ['a flood of PING', Buffer.from('0000080600000000000000000000000000', 'hex')],
    ['a flood of empty DATA', Buffer.from('000000000000000001', 'hex')],
    ['CONTINUATION without end', Buffer.from('000000090000000001', 'hex')],
  ])('gives up on %s', async (_attack, frame) => {
    const settings = Buffer.from('000000040000000000', 'hex');
    const opening = Buffer.from('00000101000000000182', 'hex'); // HEADERS without END_HEADERS
    const server = createTlsServer({ ...credentials, ALPNProtocols: ['h2'] }, (socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(frame[3] === 9 ? Buffer.concat([settings, opening]) : settings);
        pour(socket, Buffer.concat(Array<Buffer>(1000).fill(frame)));
      });
    });
    await using listening = await listen(server);
    const { code } = await outcome(run(listening.port, 'https'));
    expect(['http_protocol', 'http_timeout']).toContain(code);
  });
});
