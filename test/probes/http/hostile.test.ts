import { readFileSync } from 'node:fs';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { ProbeFailure } from '@vedette/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { httpProbe, type HttpResult } from '../../../packages/probes/src/http/probe.ts';
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

const HEAD = 'HTTP/1.1 200 OK\r\nX: y\r\n';
/** Writes as fast as the client reads, until it leaves. */
const pour = (socket: Socket, chunk: string | Buffer) => {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
};
const drip = (socket: Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), 20);
  socket.once('close', () => clearInterval(timer));
};

describe('ends within the budget, with the reason and what was measured', () => {
  it.each<[string, (socket: Socket) => void, string, Partial<HttpResult>]>([
    ['never answers', () => {}, 'http_timeout', { status_code: 0, remote_addr: '127.0.0.1' }],
    ['closes at once', (socket) => socket.end(), 'http_protocol', { status_code: 0 }],
    ['resets', (socket) => socket.once('data', () => socket.resetAndDestroy()), 'http_protocol', { status_code: 0 }],
    ['header byte by byte', (socket) => drip(socket, 'H'), 'http_timeout', { status_code: 0 }],
    ['endless header', (socket) => pour(socket, 'x'.repeat(9000)), 'too_large', { status_code: 0 }],
    ['endless header lines', (socket) => pour(socket, `${HEAD}${'a: b\r\n'.repeat(1000)}`), 'too_large', { status_code: 0 }],
    ['endless interim answers', (socket) => pour(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20)), 'http_protocol', { status_code: 0 }],
    [
      'body drip',
      (socket) => {
        socket.write(`${HEAD}Content-Length: 99\r\n\r\n`);
        drip(socket, 'b');
      },
      'http_timeout',
      { status_code: 200, status_message: 'OK' },
    ],
    [
      'endless body',
      (socket) => {
        socket.write(`${HEAD}\r\n`);
        pour(socket, Buffer.alloc(65_536));
      },
      '',
      { status_code: 200, body_bytes: 5 * 1024 * 1024, body_truncated: true },
    ],
    [
      'endless chunks of one byte',
      (socket) => {
        socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
        pour(socket, '1\r\na\r\n'.repeat(1000));
      },
      'too_large',
      { status_code: 200 },
    ],
    [
      'reset mid-body',
      (socket) => {
        socket.write(`${HEAD}Content-Length: 99\r\n\r\nx`);
        setTimeout(() => socket.resetAndDestroy(), 20);
      },
      'http_protocol',
      { status_code: 200, body_bytes: 1 },
    ],
    ['short body', answering(`${HEAD}Content-Length: 99\r\n\r\nshort`), 'http_protocol', { status_code: 200, body_bytes: 5 }],
    [
      'Content-Length and chunked',
      answering(`${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`),
      'http_protocol',
      { status_code: 0 },
    ],
    ['an SSH banner', (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'), 'http_protocol', { status_code: 0 }],
    ['HTTP/0.9', answering('<html>'), 'http_protocol', { status_code: 0 }],
    [
      'an unrequested upgrade',
      answering('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n', false),
      'http_protocol',
      { status_code: 0 },
    ],
    [
      'a gzip bomb is only counted',
      (socket) => {
        socket.write(`${HEAD}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
        socket.end(bomb);
      },
      '',
      { status_code: 200, body_bytes: bomb.length, body_truncated: false },
    ],
  ])('%s', async (_behaviour, behave, code, result) => {
    await using server = await rawServer(behave);
    expect(await outcome(run(server.port, 'http', { budget_ms: budgetFor(code) }))).toMatchObject({ code, result });
  });
});
const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));

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
