import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const BOMB_BYTES = 50 * 1024 * 1024;
const DRIP_MS = 200;

/** Repeats until the client is gone. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), DRIP_MS);
  socket.once('close', () => clearInterval(timer));
}

/** Writes as fast as the client reads, until it leaves. */
export function pour(socket: Socket, chunk: string | Buffer): void {
  const more = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

let packed: Buffer | undefined;
/** A gzip of which nearly nothing is left. */
export const bomb = (): Buffer => (packed ??= gzipSync(Buffer.alloc(BOMB_BYTES)));

/** What a web server can do to its client once the request has come. */
export const BEHAVIOURS = {
  never: () => undefined,
  close: (socket) => socket.end(),
  'reset-at-once': (socket) => socket.resetAndDestroy(),
  garbage: (socket) => socket.end('HTP/9.9 banana\r\n\r\nhello'),
  ssh: (socket) => socket.end('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n'),
  'header-drip': (socket) => {
    socket.write(OK);
    drip(socket, 'X-More: and more\r\n');
  },
  'endless-phrase': (socket) => {
    socket.write('HTTP/1.1 200 ');
    pour(socket, 'x'.repeat(65_536));
  },
  'endless-headers': (socket) => {
    socket.write(`${OK}X-Long: `);
    pour(socket, 'x'.repeat(65_536));
  },
  'endless-header-lines': (socket) => {
    socket.write(OK);
    pour(socket, 'a: b\r\n'.repeat(1000));
  },
  'endless-interim': (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20)),
  'two-lengths': (socket) => socket.end(`${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
  'short-body': (socket) => socket.end(`${OK}Content-Length: 100\r\n\r\nonly this`),
  'body-drip': (socket) => {
    socket.write(`${OK}Content-Length: 1000000\r\n\r\n`);
    drip(socket, '.');
  },
  reset: (socket) => {
    socket.write(`${OK}Content-Length: 100000\r\n\r\nhalf`);
    setTimeout(() => socket.resetAndDestroy(), 50);
  },
  endless: (socket) => {
    socket.write(`${OK}\r\n`);
    pour(socket, Buffer.alloc(65_536, 'x'));
  },
  'endless-chunk-extension': (socket) => {
    socket.write(`${CHUNKED}1;`);
    pour(socket, 'x'.repeat(65_536));
  },
  'endless-small-chunks': (socket) => {
    socket.write(CHUNKED);
    pour(socket, '1\r\na\r\n'.repeat(1000));
  },
  'gzip-bomb': (socket) => {
    socket.end(Buffer.concat([Buffer.from(`${OK}Content-Encoding: gzip\r\nContent-Length: ${bomb().length}\r\n\r\n`), bomb()]));
  },
  slow: (socket) => {
    setTimeout(() => socket.end(`${OK}Content-Length: 5\r\n\r\nslow\n`), 1500);
  },
} as const satisfies Record<string, (socket: Socket) => void>;
export type Behaviour = keyof typeof BEHAVIOURS;
