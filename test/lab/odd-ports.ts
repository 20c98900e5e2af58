/** TCP servers that behave as their port says. `node odd-ports.ts ADDRESS`; prints the name of each that is spoken to. */
import { createServer, type Socket } from 'node:net';

export const ODD_PORTS = { greets: 7001, resets: 7002, late: 7003, tarpit: 7004, mute: 7005, closed: 7006, halfway: 7007 } as const;

const BEHAVIOURS: Partial<Record<keyof typeof ODD_PORTS, (socket: Socket) => void>> = {
  greets: (socket) => socket.end('220 hello\r\n'),
  resets: (socket) => socket.resetAndDestroy(),
  late: (socket) => void setTimeout(() => socket.end('220 at last\r\n'), 1_000),
  /** As endlessh: one octet now and then, and never a whole line. */
  tarpit: (socket) => {
    const drip = setInterval(() => socket.write('x'), 100);
    socket.on('close', () => clearInterval(drip));
  },
  mute: () => {},
  /** It answers a request, and comes to no end. */
  halfway: (socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 100\r\n\r\n<title>Half'));
  },
};

if (import.meta.main) {
  const address = process.argv[2]!;
  let waiting = Object.keys(BEHAVIOURS).length;
  for (const [name, behave] of Object.entries(BEHAVIOURS))
    createServer((socket) => {
      socket.on('error', () => {}).once('data', () => process.stdout.write(`${name}\n`));
      behave(socket);
    }).listen(ODD_PORTS[name as keyof typeof ODD_PORTS], address, () => --waiting === 0 && process.stdout.write('ready\n'));
}
