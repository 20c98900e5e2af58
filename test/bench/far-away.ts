import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Endpoint } from '@vedette/contract';

/** Passes datagrams on to `server`, the answers `ms` later. Closed by the process's end. */
export async function farAway(server: Endpoint, ms: number, at: Endpoint = { address: '127.0.0.1', port: 0 }): Promise<Endpoint> {
  const front = createSocket('udp4').bind(at.port, at.address).unref();
  await once(front, 'listening');
  front.on('message', (query, client) => {
    const back = createSocket('udp4').unref();
    back.on('message', (answer) => {
      back.close();
      setTimeout(() => front.send(answer, client.port, client.address), ms);
    });
    back.send(query, server.port, server.address);
  });
  return { address: at.address, port: front.address().port };
}
