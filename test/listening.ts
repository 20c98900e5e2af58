import type { Server, Socket } from 'node:net';

/** Has servers listen at an address, each on its port, 0 for any. Closing ends their connections first, which clients may keep open. */
export async function listening(
  servers: readonly Server[],
  address: string,
  ports: readonly number[],
): Promise<{ ports: number[]; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  for (const server of servers)
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    });
  const listen = (server: Server, index: number) =>
    new Promise<number>((resolve, reject) =>
      server.once('error', reject).listen(ports[index], address, () => resolve((server.address() as { port: number }).port)),
    );
  return {
    ports: await Promise.all(servers.map(listen)),
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
