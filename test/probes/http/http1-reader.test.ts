import { ProbeFailure } from '@vedette/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Http1Reader } from '../../../packages/probes/src/http/http1-reader.ts';
import type { HttpHead } from '../../../packages/probes/src/http/message.ts';

interface Read {
  head?: HttpHead;
  body: string;
  done: boolean;
  failure?: string;
}

/** Feeds the pieces one by one, then the end of the connection. */
function read(pieces: readonly string[]): Read {
  const result: Read = { body: '', done: false };
  const reader = new Http1Reader({
    firstByte() {},
    head(head) {
      result.head = head;
    },
    body(chunk) {
      result.body += Buffer.from(chunk).toString('latin1');
      return true;
    },
  });
  try {
    for (const piece of pieces) {
      result.done = reader.push(Buffer.from(piece, 'latin1'));
      if (result.done) return result;
    }
    reader.end();
    result.done = true;
  } catch (error) {
    if (!(error instanceof ProbeFailure)) throw error;
    result.failure = error.code;
  }
  return result;
}

const answer = (head: string, body = '') => `HTTP/1.1 200 OK\r\n${head}\r\n${body}`;

describe('a whole answer', () => {
  it('with a Content-Length', () => {
    expect(read([answer('Server: x\r\nContent-Length: 5\r\n', 'hello and more')])).toEqual({
      head: {
        version: 'HTTP/1.1',
        status: 200,
        statusMessage: 'OK',
        headers: [
          ['server', 'x'],
          ['content-length', '5'],
        ],
      },
      body: 'hello',
      done: true,
    });
  });

  it.each<[string, string, string]>([
    [
      'chunked, RFC 9112 §7.1',
      answer('Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n6;a="b"\r\n world\r\n0\r\nTrailer: x\r\n\r\n'),
      'hello world',
    ],
    ['until the connection closes, RFC 9112 §6.3', answer('', 'all of it'), 'all of it'],
    ['204 has no body whatever it says, RFC 9110 §8.6', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello', ''],
    ['304 has no body', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', ''],
    ['interim answers are passed over, RFC 9110 §15.2', `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${answer('', 'b')}`, 'b'],
    ['bare LF as line end, RFC 9112 §2.2', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nhi', 'hi'],
    ['no reason phrase and no space', 'HTTP/1.0 200\r\n\r\nx', 'x'],
    ['a status of no class, as sent against scrapers', 'HTTP/1.1 999 Denied\r\n\r\nx', 'x'],
  ])('%s', (_rule, wire, body) => {
    expect(read([wire])).toMatchObject({ body, done: true });
  });

  it.each<[string, string, [string, string][]]>([
    [
      'Set-Cookie stays apart',
      'Set-Cookie: a=1\r\nset-cookie: b=2\r\n',
      [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
    ],
    ['obs-fold becomes a space, RFC 9112 §5.2', 'X: a\r\n\t b\r\n', [['x', 'a b']]],
    ['NUL, bare CR and escapes become spaces, RFC 9110 §5.5', 'X: a\0b\rc\x1b[31md\r\n', [['x', 'a b c [31md']]],
    ['UTF-8 is read as such', `X: ${Buffer.from('Zürich').toString('latin1')}\r\n`, [['x', 'Zürich']]],
    ['other 8-bit text byte by byte', 'X: Z\xfcrich \x9b\r\n', [['x', 'Zürich']]],
    ['prototype names are names', '__proto__: x\r\n', [['__proto__', 'x']]],
  ])('%s', (_rule, fields, headers) => {
    expect(read([answer(fields)]).head?.headers).toEqual(headers);
  });
});

describe('refused', () => {
  it.each<[string, string, string]>([
    [
      'Content-Length with Transfer-Encoding, RFC 9112 §6.3',
      answer('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'),
      'http_protocol',
    ],
    ['two lengths', answer('Content-Length: 5\r\nContent-Length: 6\r\n'), 'http_protocol'],
    ['a list of lengths', answer('Content-Length: 5, 5\r\n'), 'http_protocol'],
    ['a negative length', answer('Content-Length: -1\r\n'), 'http_protocol'],
    ['a length of 2^63', answer('Content-Length: 9223372036854775808\r\n'), 'http_protocol'],
    ['an unknown coding', answer('Transfer-Encoding: gzip, chunked\r\n'), 'http_protocol'],
    ['Transfer-Encoding in HTTP/1.0, RFC 9112 §6.1', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', 'http_protocol'],
    ['a bad chunk size', answer('Transfer-Encoding: chunked\r\n', '0x5\r\nhello\r\n'), 'http_protocol'],
    ['a chunk longer than it says', answer('Transfer-Encoding: chunked\r\n', '4\r\nhello\r\n'), 'http_protocol'],
    ['a chunk extension without end', answer('Transfer-Encoding: chunked\r\n', `5;${'x'.repeat(5000)}`), 'http_protocol'],
    ['more chunk lines than body', answer('Transfer-Encoding: chunked\r\n', `1;${'x'.repeat(4000)}\r\na\r\n`.repeat(300)), 'too_large'],
    ['a body cut short', answer('Content-Length: 5\r\n', 'hell'), 'http_protocol'],
    ['chunks cut short', answer('Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n'), 'http_protocol'],
    ['a head cut short', 'HTTP/1.1 200 OK\r\nServer: x\r\n', 'http_protocol'],
    ['nothing at all', '', 'http_protocol'],
    ['HTTP/0.9', '<html>hello</html>\n', 'http_protocol'],
    ['an SSH banner', 'SSH-2.0-OpenSSH_9.2\r\n', 'http_protocol'],
    ['a status of two digits', 'HTTP/1.1 99 Low\r\n\r\n', 'http_protocol'],
    ['an HTTP/2 status line', 'HTTP/2 200 OK\r\n\r\n', 'http_protocol'],
    ['an upgrade nobody asked for, RFC 9110 §7.8', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 'http_protocol'],
    ['nine interim answers', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(9), 'http_protocol'],
    ['space before the colon, RFC 9112 §5.1', answer('Server : x\r\n'), 'http_protocol'],
    ['a fold before any header', answer(' x\r\n'), 'http_protocol'],
    ['a line without a colon', answer('server\r\n'), 'http_protocol'],
    ['64 KB of headers', answer(`X: ${'a'.repeat(66_000)}\r\n`), 'too_large'],
    ['64 KB of status line', `HTTP/1.1 200 ${'a'.repeat(66_000)}`, 'too_large'],
    ['201 header lines', answer('a: b\r\n'.repeat(201)), 'too_large'],
    ['endless trailers', answer('Transfer-Encoding: chunked\r\n', `0\r\n${'a: b\r\n'.repeat(201)}`), 'too_large'],
  ])('%s', (_form, wire, code) => {
    expect(read([wire]).failure).toBe(code);
  });
});

const part = fc.constantFrom(
  'HTTP/1.1 200 OK\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'Content-Length: 3\r\n',
  'Transfer-Encoding: chunked\r\n',
  'X: y\r\n',
  ' folded\r\n',
  '\r\n',
  '\n',
  '3\r\nabc\r\n',
  '0\r\n',
  'abc',
  '\0',
  '\r',
  ':',
);
const wire = fc.oneof(
  fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.array(part, { maxLength: 8 }).map((parts) => `HTTP/1.1 200 OK\r\n${parts.join('')}`),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);

describe('in pieces', () => {
  it('reads the same, however the bytes arrive', () => {
    fc.assert(
      fc.property(wire, fc.array(fc.nat(300), { maxLength: 10 }), (text, cuts) => {
        const edges = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
        const pieces = edges.slice(1).map((edge, i) => text.slice(edges[i], edge));
        expect(read(pieces)).toEqual(read([text]));
        expect(read(text.split(''))).toEqual(read([text]));
      }),
      { numRuns: 2000 },
    );
  });
});
