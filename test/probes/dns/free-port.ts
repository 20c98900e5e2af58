import { createSocket } from 'node:dgram';
import { freePort as freeTcpPort } from '../../free-ports.ts';

/** A loopback port below the ephemeral range (so that no client socket takes it meanwhile) that nobody has bound for UDP or listens on for TCP. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await freeTcpPort();
    const socket = createSocket('udp4');
    const free = await new Promise<boolean>((resolve) => {
      socket.once('error', () => resolve(false));
      socket.bind(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise<void>((resolve) => socket.close(() => resolve()));
    if (free) return port;
  }
}
