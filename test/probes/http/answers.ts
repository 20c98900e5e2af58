import type { HttpHead } from '@vedette/probes/http';

/** What a server sent, and what each reader makes of it, as `reading` writes it. */
export interface Answer {
  what: string;
  /** Octets as Latin-1. The server closes behind them. */
  wire: string;
  ours: string;
  /** Where the peer reads it differently. One that refuses what we refuse agrees, whatever its reason. */
  undici?: string;
  nodeHttp?: string;
  /** Why we want our reading, where a peer has another. */
  why?: string;
}

/** `200 OK [server: x] body`. The version is left out, since undici does not hand it over. */
export function reading(head: HttpHead | undefined, body: string): string {
  if (!head) return 'nothing';
  const fields = head.headers.map(([name, value]) => `${name}: ${value}`).join(', ');
  return `${head.status} ${head.statusMessage.slice(0, 20)} [${fields.slice(0, 60)}] ${body.slice(0, 20)}`;
}

const ok = (head: string, body = '') => `HTTP/1.1 200 OK\r\n${head}\r\n${body}`;
const chunked = (body: string) => ok('Transfer-Encoding: chunked\r\n', body);
const CHUNKED = '200 OK [transfer-encoding: chunked]';
const REFUSED = 'refused';
const PROTOCOL = 'refused: http_protocol';
const TOO_LARGE = 'refused: too_large';

// Why we differ, where more than one row does for the same reason.
const SLOPPY = 'RFC 9112 §2.2 lets a recipient take a bare LF; servers send it, and a report without an answer would be wrong';
const TEXT = 'a report shows each line as it came, less the control characters (RFC 9110 §5.5 lets a recipient replace them)';
const ONE_READING = 'two recipients could see two bodies (RFC 9112 §6.3, §11.2)';
const BOUND = 'what is not body is bounded too, not by the deadline alone';

export const ANSWERS: Answer[] = [
  // A whole answer.
  {
    what: 'a Content-Length',
    wire: ok('Server: x\r\nContent-Length: 5\r\n', 'hello'),
    ours: '200 OK [server: x, content-length: 5] hello',
  },
  { what: 'more than its Content-Length', wire: ok('Content-Length: 5\r\n', 'hello and more'), ours: '200 OK [content-length: 5] hello' },
  {
    what: 'chunks, RFC 9112 §7.1',
    wire: chunked('5\r\nhello\r\n6;a="b"\r\n world\r\n0\r\nTrailer: x\r\n\r\n'),
    ours: `${CHUNKED} hello world`,
  },
  { what: 'a body until the connection closes, RFC 9112 §6.3', wire: ok('', 'all of it'), ours: '200 OK [] all of it' },
  {
    what: '204 has no body whatever it says, RFC 9110 §8.6',
    wire: 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello',
    ours: '204 No Content [content-length: 5] ',
  },
  {
    what: '304 has no body',
    wire: 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n',
    ours: '304 Not Modified [content-length: 5] ',
  },
  { what: '103 is passed over, RFC 9110 §15.2', wire: `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${ok('', 'b')}`, ours: '200 OK [] b' },
  {
    what: '100 is passed over',
    wire: `HTTP/1.1 100 Continue\r\n\r\n${ok('', 'b')}`,
    ours: '200 OK [] b',
    undici: REFUSED,
    why: 'RFC 9110 §15.2: a client must be able to parse interim answers that it does not expect',
  },
  { what: 'no reason phrase and no space', wire: 'HTTP/1.0 200\r\n\r\nx', ours: '200  [] x' },
  { what: 'a status of no class, as sent against scrapers', wire: 'HTTP/1.1 999 Denied\r\n\r\nx', ours: '999 Denied [] x' },
  {
    what: 'bare LF as line end, RFC 9112 §2.2',
    wire: 'HTTP/1.1 200 OK\nContent-Length: 2\n\nhi',
    ours: '200 OK [content-length: 2] hi',
    undici: REFUSED,
    nodeHttp: REFUSED,
    why: SLOPPY,
  },
  {
    what: 'one bare LF among CRLFs',
    wire: 'HTTP/1.1 200 OK\r\nX: y\nContent-Length: 2\r\n\r\nhi',
    ours: '200 OK [x: y, content-length: 2] hi',
    undici: REFUSED,
    nodeHttp: REFUSED,
    why: SLOPPY,
  },
  {
    what: 'bare LF around chunks',
    wire: chunked('1\na\n0\n\n'),
    ours: `${CHUNKED} a`,
    undici: REFUSED,
    nodeHttp: REFUSED,
    why: `${SLOPPY}; no other answer follows on a connection of ours`,
  },
  {
    what: 'space behind a chunk size (BWS, RFC 9112 §7.1.1)',
    wire: chunked('1 \r\na\r\n0\r\n\r\n'),
    ours: `${CHUNKED} a`,
    undici: REFUSED,
    nodeHttp: REFUSED,
    why: 'old servers pad their chunk sizes',
  },

  // Header lines as they came.
  {
    what: 'Set-Cookie stays apart',
    wire: ok('Set-Cookie: a=1\r\nset-cookie: b=2\r\n'),
    ours: '200 OK [set-cookie: a=1, set-cookie: b=2] ',
  },
  { what: 'prototype names are names', wire: ok('__proto__: x\r\n'), ours: '200 OK [__proto__: x] ' },
  { what: 'UTF-8 is read as such', wire: ok(`X: ${Buffer.from('Zürich').toString('latin1')}\r\n`), ours: '200 OK [x: Zürich] ' },
  { what: 'other 8-bit text byte by byte', wire: ok('X: Z\xfcrich \x9b\r\n'), ours: '200 OK [x: Zürich] ' },
  {
    what: 'an 8-bit reason phrase',
    wire: 'HTTP/1.1 200 Z\xfcrich\r\n\r\n',
    ours: '200 Zürich [] ',
    undici: '200 Z\ufffdrich [] ',
    why: 'undici hands the phrase over decoded, and what it was is lost',
  },
  {
    what: 'obs-fold becomes a space, RFC 9112 §5.2',
    wire: ok('X: a\r\n\t b\r\n'),
    ours: '200 OK [x: a b] ',
    undici: REFUSED,
    nodeHttp: REFUSED,
    why: 'a user agent must replace it by a space (RFC 9112 §5.2)',
  },
  { what: 'NUL becomes a space', wire: ok('X: a\0b\r\n'), ours: '200 OK [x: a b] ', undici: REFUSED, nodeHttp: REFUSED, why: TEXT },
  { what: 'a bare CR becomes a space', wire: ok('X: a\rb\r\n'), ours: '200 OK [x: a b] ', undici: REFUSED, nodeHttp: REFUSED, why: TEXT },
  {
    what: 'ESC becomes a space',
    wire: ok('X: a\x1b[31mb\r\n'),
    ours: '200 OK [x: a [31mb] ',
    undici: REFUSED,
    nodeHttp: REFUSED,
    why: TEXT,
  },

  // How long the body is, in forms that two recipients could read differently.
  {
    what: 'Content-Length, then Transfer-Encoding',
    wire: ok('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    ours: PROTOCOL,
  },
  {
    what: 'Transfer-Encoding, then Content-Length',
    wire: ok('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', '0\r\n\r\n'),
    ours: PROTOCOL,
  },
  { what: 'two lengths', wire: ok('Content-Length: 5\r\nContent-Length: 6\r\n', 'hello!'), ours: PROTOCOL },
  { what: 'the same length twice', wire: ok('Content-Length: 5\r\nContent-Length: 5\r\n', 'hello'), ours: PROTOCOL },
  { what: 'a list of lengths', wire: ok('Content-Length: 5, 5\r\n', 'hello'), ours: PROTOCOL },
  { what: 'a negative length', wire: ok('Content-Length: -1\r\n'), ours: PROTOCOL },
  { what: 'a length with a sign', wire: ok('Content-Length: +1\r\n', 'x'), ours: PROTOCOL },
  { what: 'a length of 2^63', wire: ok('Content-Length: 9223372036854775808\r\n'), ours: PROTOCOL },
  { what: 'a folded length', wire: ok('Content-Length:\r\n 1\r\n', 'x'), ours: PROTOCOL },
  { what: 'a folded Transfer-Encoding', wire: ok('Transfer-Encoding:\r\n chunked\r\n', '1\r\na\r\n0\r\n\r\n'), ours: PROTOCOL },
  { what: 'a vertical tab before the coding', wire: ok('Transfer-Encoding:\x0bchunked\r\n', '1\r\na\r\n0\r\n\r\n'), ours: PROTOCOL },
  { what: 'a no-break space before the length', wire: ok('Content-Length:\xa01\r\n', 'x'), ours: PROTOCOL },
  ...(
    [
      ['gzip, chunked', 'a'],
      ['chunked, chunked', 'a'],
      ['chunked, gzip', '1\r\na\r\n0\r\n\r\n'],
      ['xchunked', '1\r\na\r\n0\r\n\r\n'],
      ['identity', '1\r\na\r\n0\r\n\r\n'],
    ] as const
  ).map(([coding, body]) => {
    const read = `200 OK [transfer-encoding: ${coding}] ${body}`;
    return {
      what: `Transfer-Encoding: ${coding}`,
      wire: ok(`Transfer-Encoding: ${coding}\r\n`, '1\r\na\r\n0\r\n\r\n'),
      ours: PROTOCOL,
      undici: read,
      nodeHttp: read,
      why: ONE_READING,
    };
  }),
  {
    what: 'Transfer-Encoding in HTTP/1.0, RFC 9112 §6.1',
    wire: 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
    ours: PROTOCOL,
    undici: `${CHUNKED} a`,
    nodeHttp: `${CHUNKED} a`,
    why: `${ONE_READING}: RFC 9112 §6.1 calls its framing faulty`,
  },
  { what: 'a hexadecimal prefix on a chunk size', wire: chunked('0x5\r\nhello\r\n'), ours: PROTOCOL },
  { what: 'a chunk longer than it says', wire: chunked('4\r\nhello\r\n'), ours: PROTOCOL },
  { what: 'a chunk size of 17 digits', wire: chunked('fffffffffffffffff\r\na\r\n0\r\n\r\n'), ours: PROTOCOL },
  { what: 'a bare LF in a chunk extension', wire: chunked('1;a\nb\r\na\r\n0\r\n\r\n'), ours: PROTOCOL },
  { what: 'a bare CR in a chunk extension', wire: chunked('1;a\rb\r\na\r\n0\r\n\r\n'), ours: PROTOCOL },

  // Cut short.
  { what: 'a body cut short', wire: ok('Content-Length: 5\r\n', 'hell'), ours: PROTOCOL },
  { what: 'chunks cut short', wire: chunked('5\r\nhello\r\n'), ours: PROTOCOL },
  { what: 'a head cut short', wire: 'HTTP/1.1 200 OK\r\nServer: x\r\n', ours: PROTOCOL },
  { what: 'nothing at all', wire: '', ours: PROTOCOL },

  // Not HTTP/1.
  { what: 'HTTP/0.9', wire: '<html>hello</html>\n', ours: PROTOCOL },
  { what: 'an SSH banner', wire: 'SSH-2.0-OpenSSH_9.2\r\n', ours: PROTOCOL },
  { what: 'a status of two digits', wire: 'HTTP/1.1 99 Low\r\n\r\n', ours: PROTOCOL },
  {
    what: 'a status below 100',
    wire: 'HTTP/1.1 099 Low\r\n\r\n',
    ours: PROTOCOL,
    nodeHttp: '99 Low [] ',
    why: 'RFC 9110 §15: outside 100 to 599 it is invalid, and 99 is not what was sent',
  },
  { what: 'a status of four digits', wire: 'HTTP/1.1 1000 High\r\n\r\n', ours: PROTOCOL },
  { what: 'an HTTP/2 status line', wire: 'HTTP/2 200 OK\r\n\r\n', ours: PROTOCOL },
  ...['HTTP/2.0', 'HTTP/0.9'].map((version) => ({
    what: `a status line of ${version}`,
    wire: `${version} 200 OK\r\n\r\nx`,
    ours: PROTOCOL,
    undici: '200 OK [] x',
    nodeHttp: '200 OK [] x',
    why: 'no such version has a status line, so what follows is not known to be HTTP/1 (RFC 9112 §2.3)',
  })),
  {
    what: 'an empty line before the status line',
    wire: `\r\n${ok('', 'x')}`,
    ours: PROTOCOL,
    undici: '200 OK [] x',
    nodeHttp: '200 OK [] x',
    why: 'RFC 9112 §2.2 grants it to requests, not to answers',
  },
  {
    what: 'an upgrade nobody asked for, RFC 9110 §7.8',
    wire: 'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    ours: PROTOCOL,
    nodeHttp: '101 Switching Protocols [] ',
    why: 'it is no final answer',
  },
  {
    what: 'an upgrade nobody asked for, with its fields',
    wire: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
    ours: PROTOCOL,
  },
  { what: 'space before the colon, RFC 9112 §5.1', wire: ok('Server : x\r\n'), ours: PROTOCOL },
  { what: 'a fold before any header', wire: ok(' x\r\n'), ours: PROTOCOL },
  { what: 'a line without a colon', wire: ok('server\r\n'), ours: PROTOCOL },
  { what: 'a line without a name', wire: ok(': x\r\n'), ours: PROTOCOL },

  // Too much.
  { what: 'nine interim answers', wire: 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(9) + ok(''), ours: PROTOCOL },
  { what: '64 KB of headers', wire: ok(`X: ${'a'.repeat(66_000)}\r\n`), ours: TOO_LARGE },
  { what: '201 header lines', wire: ok('a: b\r\n'.repeat(201)), ours: TOO_LARGE },
  {
    what: '80 KB of interim answers',
    wire: `HTTP/1.1 103 Early Hints\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`.repeat(4) + ok('', 'x'),
    ours: TOO_LARGE,
    undici: '200 OK [] x',
    nodeHttp: '200 OK [] x',
    why: BOUND,
  },
  {
    what: 'a megabyte of reason phrase',
    wire: `HTTP/1.1 200 ${'a'.repeat(1_000_000)}\r\n\r\n`,
    ours: TOO_LARGE,
    undici: `200 ${'a'.repeat(20)} [] `,
    why: BOUND,
  },
  {
    what: 'a megabyte of chunk extension',
    wire: chunked(`1;${'x'.repeat(1_000_000)}\r\na\r\n0\r\n\r\n`),
    ours: PROTOCOL,
    undici: `${CHUNKED} a`,
    why: BOUND,
  },
  {
    what: 'more chunk lines than body',
    wire: chunked(`${`1;${'x'.repeat(4000)}\r\na\r\n`.repeat(300)}0\r\n\r\n`),
    ours: TOO_LARGE,
    undici: `${CHUNKED} ${'a'.repeat(20)}`,
    nodeHttp: `${CHUNKED} ${'a'.repeat(20)}`,
    why: BOUND,
  },
  {
    what: '201 trailer lines',
    wire: chunked(`0\r\n${'a: b\r\n'.repeat(201)}\r\n`),
    ours: TOO_LARGE,
    undici: `${CHUNKED} `,
    nodeHttp: `${CHUNKED} `,
    why: `${BOUND}; 64 KB of them are refused by all three`,
  },
  { what: '64 KB of trailers', wire: chunked(`0\r\n${'abc: def\r\n'.repeat(20_000)}\r\n`), ours: TOO_LARGE },
];
