import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { freePort } from '../probes/dns/free-port.ts';

/** Listens where nothing of a page may arrive: on one port of each address, over TCP and UDP. */
export interface Canary extends AsyncDisposable {
  port: number;
  /** What came, such as `tcp 127.0.0.1 GET /x` or `udp ::1 20 octets`. */
  arrivals: string[];
}

export async function startCanary(addresses: readonly string[], wanted = 0): Promise<Canary> {
  const arrivals: string[] = [];
  const sockets = new Set<Socket>();
  const closers: (() => Promise<unknown>)[] = [];
  const port = wanted || (await freePort());
  for (const address of addresses) {
    const server = createServer((socket) => {
      sockets.add(socket);
      const index = arrivals.push(`tcp ${address}`) - 1;
      socket.on('error', () => {}).once('close', () => sockets.delete(socket));
      socket.once('data', (chunk: Buffer) => {
        arrivals[index] += ` ${/^[A-Z]+ \S+/.exec(chunk.toString('latin1'))?.[0] ?? `${chunk.length} octets`}`;
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nAccess-Control-Allow-Origin: *\r\n\r\n');
      });
    });
    await once(server.listen(port, address), 'listening');
    const udp = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    udp.on('message', (message) => arrivals.push(`udp ${address} ${message.length} octets`));
    udp.bind(port, address);
    await once(udp, 'listening');
    closers.push(
      () => new Promise((resolve) => server.close(resolve)),
      () => new Promise<void>((resolve) => udp.close(resolve)),
    );
  }
  return {
    port,
    arrivals,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(closers.map((close) => close()));
    },
  };
}
