/** A web server that behaves as badly as the path asked for says (`BEHAVIOURS`). `node hostile-http.ts ADDRESS`; prints who asked for what. */
import { createServer, type Socket } from 'node:net';
import { BEHAVIOURS } from '../probes/http/behaviours.ts';

const address = process.argv[2]!;
const say = (line: string) => process.stdout.write(`${line}\n`);

createServer((socket) => {
  socket.on('error', () => undefined); // clients leave as they please
  socket.once('data', (head) => {
    const path = head.toString('latin1').split(' ')[1] ?? '';
    say(`${socket.remoteAddress} ${path}`);
    const behave = new Map<string, (socket: Socket) => void>(Object.entries(BEHAVIOURS)).get(path.slice(1));
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
