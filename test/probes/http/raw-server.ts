import { createServer, type Server, type Socket, type AddressInfo } from 'node:net';

export interface LocalServer extends AsyncDisposable {
  port: number;
  /** What clients sent, connection by connection. */
  received: string[];
}

/** A TCP server on loopback that does what `behave` does. Closes every connection when disposed. */
export async function rawServer(behave: (socket: Socket) => void, host = '127.0.0.1'): Promise<LocalServer> {
  const received: string[] = [];
  const server = createServer((socket) => {
    const index = received.push('') - 1;
    socket.on('error', () => {}); // the client may leave at any time
    socket.on('data', (chunk) => {
      received[index] += chunk.toString('latin1');
    });
    behave(socket);
  });
  return { ...(await listen(server, host)), received };
}

/** Starts any server on a free port; disposing closes its connections too. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends the text once the request's head has arrived. */
export const answering =
  (text: string, close = true) =>
  (socket: Socket) => {
    socket.once('data', () => {
      socket.write(text, 'latin1');
      if (close) socket.end();
    });
  };
