/** A web server that behaves as badly as the path asked for says. `node hostile-http.ts ADDRESS`; prints who asked for what. */
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const BOMB_BYTES = 200 * 1024 * 1024;
const DRIP_MS = 200;

/** Repeats until the client is gone. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), DRIP_MS);
  socket.once('close', () => clearInterval(timer));
}

function flood(socket: Socket): void {
  const more = () => {
    while (socket.writable && socket.write(CHUNK));
  };
  socket.on('drain', more);
  more();
}

let bomb: Buffer | undefined;

const BEHAVIOURS: Record<string, (socket: Socket) => void> = {
  '/never': () => undefined,
  '/header-drip': (socket) => {
    socket.write(OK);
    drip(socket, 'X-More: and more\r\n');
  },
  '/body-drip': (socket) => {
    socket.write(`${OK}Content-Length: 1000000\r\n\r\n`);
    drip(socket, '.');
  },
  '/endless': (socket) => {
    socket.write(`${OK}\r\n`);
    flood(socket);
  },
  '/endless-headers': (socket) => {
    socket.write(`${OK}X-Long: `);
    flood(socket);
  },
  '/gzip-bomb': (socket) => {
    bomb ??= gzipSync(Buffer.alloc(BOMB_BYTES));
    socket.end(Buffer.concat([Buffer.from(`${OK}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`), bomb]));
  },
  '/garbage': (socket) => socket.end('HTP/9.9 banana\r\n\r\nhello'),
  '/ssh': (socket) => socket.end('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n'),
  '/close': (socket) => socket.end(),
  '/short-body': (socket) => socket.end(`${OK}Content-Length: 100\r\n\r\nonly this`),
  '/reset': (socket) => {
    socket.write(`${OK}Content-Length: 100000\r\n\r\nhalf`);
    setTimeout(() => socket.resetAndDestroy(), 50);
  },
  '/two-lengths': (socket) => socket.end(`${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
  '/slow': (socket) => void setTimeout(() => socket.end(`${OK}Content-Length: 5\r\n\r\nslow\n`), 1500),
};

const address = process.argv[2]!;
const say = (line: string) => process.stdout.write(`${line}\n`);

createServer((socket) => {
  socket.on('error', () => undefined); // clients leave as they please
  socket.once('data', (head) => {
    const path = head.toString('latin1').split(' ')[1] ?? '';
    say(`${socket.remoteAddress} ${path}`);
    const behave = BEHAVIOURS[path];
    if (behave) behave(socket);
    else socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
  });
}).listen(80, address, () => {
  // What listens on 443 is no TLS server at all.
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n');
  }).listen(443, address, () => say('ready'));
});
