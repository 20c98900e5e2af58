import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTlsServer } from 'node:tls';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type Behaviour, BEHAVIOURS, bomb, pour } from '../http/behaviours.ts';
import { makePki } from '../http/certificates.ts';
import { answering, listen, rawServer } from '../http/raw-server.ts';
import { getter, recordingDialler } from './getter.ts';
import {
  CANCEL,
  END_HEADERS,
  END_STREAM,
  frame,
  GOAWAY,
  HALF,
  HEADERS,
  INTERNAL_ERROR,
  RST_STREAM,
  serveFrames,
  STATUS_200,
  uint32s,
} from './http2-frames.ts';

const pki = makePki({ good: { names: 'DNS:a.test' }, other: { names: 'DNS:b.test' } });
bomb(); // packed here, at nobody's expense
afterAll(() => pki[Symbol.dispose]());
const credentials = (name: string) => ({
  key: readFileSync(join(pki.folder, `${name}.key`)),
  cert: readFileSync(join(pki.folder, `${name}.pem`)),
});
const get = getter([pki.root]);

/** Fetches, expects the failure, and that no socket is left. Returns the octets that were read. */
async function expectFailure(
  url: string,
  failure: { code: string; seen?: string },
  options: Parameters<typeof get>[1] = {},
): Promise<number> {
  const { dialler, sockets } = recordingDialler();
  const timeout_ms = failure.code === 'http_timeout' ? 2_000 : 10_000;
  await expect(get(url, { schemes: ['http:', 'https:'], timeout_ms, dialler, ...options })).rejects.toMatchObject(failure);
  await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]));
  return sockets[0]!.bytesRead;
}

const CODES: Record<Exclude<Behaviour, 'slow'>, string> = {
  never: 'http_timeout',
  close: 'http_protocol',
  'reset-at-once': 'http_protocol',
  garbage: 'http_protocol',
  ssh: 'http_protocol',
  'header-drip': 'http_timeout',
  'endless-phrase': 'too_large',
  'endless-headers': 'too_large',
  'endless-header-lines': 'too_large',
  'endless-interim': 'http_protocol',
  'two-lengths': 'http_protocol',
  'short-body': 'http_protocol',
  'body-drip': 'http_timeout',
  reset: 'http_protocol',
  endless: 'too_large',
  'endless-chunk-extension': 'too_large',
  'endless-small-chunks': 'too_large',
  'gzip-bomb': 'too_large',
};
/** Of a body of 1 KB: what may come beside it, and what was on its way. */
const READ_MAX_BYTES = 2 * 1024 * 1024;

describe('over HTTP/1.1', () => {
  it.each(Object.entries(CODES) as [Exclude<Behaviour, 'slow'>, string][])('%s ends as %s', async (behaviour, code) => {
    await using server = await rawServer((socket) => void socket.once('data', () => BEHAVIOURS[behaviour](socket)));
    // The bomb itself is small enough.
    const maxBytes = behaviour === 'gzip-bomb' ? 100_000 : 1_000;
    expect(await expectFailure(`http://a.test:${server.port}/`, { code }, { maxBytes })).toBeLessThan(READ_MAX_BYTES);
    expect(server.received).toHaveLength(1);
  });

  const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  it.each<[string, string, (socket: Socket) => void]>([
    [
      'trailers without end',
      'too_large',
      (socket) => {
        socket.write(`${CHUNKED}0\r\n`);
        pour(socket, 'a: b\r\n'.repeat(1000));
      },
    ],
    ['a protocol that nobody asked for', 'http_protocol', answering('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')],
    ['half of what is chunked', 'http_protocol', answering(`${CHUNKED}9\r\nhalf`)],
    ['no last chunk', 'http_protocol', answering(`${CHUNKED}4\r\nhalf\r\n`)],
    [
      'a reset before the end of a body without a length',
      'http_protocol',
      (socket) => {
        answering('HTTP/1.1 200 OK\r\n\r\nhalf', false)(socket);
        setTimeout(() => socket.resetAndDestroy(), 150);
      },
    ],
    ['a body without a length that does not end', 'http_timeout', answering('HTTP/1.1 200 OK\r\n\r\nhalf', false)],
    ['a chunk that is none', 'http_protocol', answering(`${CHUNKED}z\r\n`)],
    ['a connection closed before the request', 'http_protocol', (socket) => socket.destroy()],
  ])('%s ends as %s', async (_what, code, behave) => {
    await using server = await rawServer(behave);
    expect(await expectFailure(`http://a.test:${server.port}/`, { code })).toBeLessThan(READ_MAX_BYTES);
  });

  it('what follows an answer is not taken for another', async () => {
    const answer = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
    await using server = await rawServer(answering(answer('one') + answer('two')));
    expect(await get(`http://a.test:${server.port}/`, { schemes: ['http:'] })).toMatchObject({ body: Buffer.from('one') });
  });
});

describe('over HTTP/2', () => {
  const serve = (behave: (stream: ServerHttp2Stream) => void): Http2SecureServer => {
    const server = createSecureServer(credentials('good'));
    server.on('stream', (stream: ServerHttp2Stream) => {
      stream.on('error', () => {}); // the client may leave at any time
      behave(stream);
    });
    server.on('sessionError', () => {});
    return server;
  };
  const many = (count: number, bytes: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, 'x'.repeat(bytes)]));

  it.each<[string, string, (stream: ServerHttp2Stream) => void]>([
    ['no answer', 'http_timeout', () => {}],
    [
      'a body without end',
      'too_large',
      (stream) => {
        stream.respond({ ':status': 200 });
        const more = () => {
          while (!stream.destroyed && stream.write(Buffer.alloc(16_384)));
        };
        stream.on('drain', more);
        more();
      },
    ],
    [
      'a body in drops',
      'http_timeout',
      (stream) => {
        stream.respond({ ':status': 200 });
        const timer = setInterval(() => stream.write('.'), 100);
        stream.once('close', () => clearInterval(timer));
      },
    ],
    [
      'nine interim answers',
      'http_protocol',
      (stream) => {
        for (let i = 0; i < 9; i++) stream.additionalHeaders({ ':status': 103 });
      },
    ],
    [
      'more header lines than we take',
      'http_protocol',
      (stream) => stream.respond({ ':status': 200, ...many(250, 1) }, { endStream: true }),
    ],
    ['a reset', 'http_protocol', (stream) => stream.close(2)],
    [
      'half a body',
      'http_protocol',
      (stream) => {
        stream.respond({ ':status': 200, 'content-length': '100' });
        stream.end('half');
      },
    ],
    ['GOAWAY', 'http_protocol', (stream) => stream.session!.goaway(11)],
    ['a closed connection', 'http_protocol', (stream) => stream.session!.destroy()],
  ])('%s ends as %s', async (_what, code, behave) => {
    await using here = await listen(serve(behave));
    expect(await expectFailure(`https://a.test:${here.port}/`, { code })).toBeLessThan(READ_MAX_BYTES);
  });

  it.each([
    ['RST_STREAM with INTERNAL_ERROR', frame(RST_STREAM, 1, uint32s(INTERNAL_ERROR))],
    ['GOAWAY with an error', frame(GOAWAY, 0, uint32s(1, INTERNAL_ERROR))],
    ['RST_STREAM with CANCEL', frame(RST_STREAM, 1, uint32s(CANCEL))],
    ['GOAWAY without an error, which lets a stream end', frame(GOAWAY, 0, uint32s(1, 0)), 'http_timeout'],
  ])('half a body and %s is not a whole body', async (_what, end, code = 'http_protocol') => {
    await using here = await listen(serveFrames(credentials('good'), Buffer.concat([HALF, end])));
    await expectFailure(`https://a.test:${here.port}/`, { code });
  });

  // A field that the table has is one octet each time (RFC 7541 §6.1, §7.3).
  it('fields that unpack to more than a head may have are refused', async () => {
    const value = Buffer.alloc(3_000, 'x');
    const literal = Buffer.concat([Buffer.from([0x40, 1, 0x78, 0x7f, 0xb9, 0x16]), value]); // `x`, indexed, 3,000 octets
    const block = Buffer.concat([STATUS_200, literal, Buffer.alloc(60, 0xbe)]);
    await using here = await listen(serveFrames(credentials('good'), frame(HEADERS, 1, block, END_HEADERS | END_STREAM)));
    expect(await expectFailure(`https://a.test:${here.port}/`, { code: 'too_large' })).toBeLessThan(20_000);
  });
});

describe('over TLS', () => {
  it('nothing is asked of a server with the certificate of another', async () => {
    let asked = 0;
    await using here = await listen(createHttpsServer(credentials('other'), (_request, response) => response.end(String(asked++))));
    await expectFailure(`https://a.test:${here.port}/`, { code: 'tls_cert_invalid' });
    expect(asked).toBe(0);
  });

  it('a server that wants a certificate of us is named as such', async () => {
    await using here = await listen(createTlsServer({ ...credentials('good'), requestCert: true, rejectUnauthorized: true }));
    await expectFailure(`https://a.test:${here.port}/`, { code: 'tls_handshake', seen: 'the server wants a client certificate' });
  });

  it('a server that never finishes the handshake costs the time of the fetch', async () => {
    await using server = await rawServer(() => {});
    await expectFailure(`https://a.test:${server.port}/`, { code: 'tls_handshake' }, { timeout_ms: 300 });
  });
});

describe('a fetch that is given up', () => {
  it.each(['body-drip', 'header-drip'] as const)('closes its connection, during a %s', async (behaviour) => {
    await using server = await rawServer((socket) => void socket.once('data', () => BEHAVIOURS[behaviour](socket)));
    const control = new AbortController();
    setTimeout(() => control.abort(), 150);
    await expectFailure(`http://a.test:${server.port}/`, { code: 'cancelled' }, { signal: control.signal });
  });

  it('sends nothing when it was given up before', async () => {
    const { dialler, sockets } = recordingDialler();
    await expect(get('http://a.test/', { schemes: ['http:'], dialler, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(sockets).toEqual([]);
  });
});
