import { createServer } from 'node:net';

/** Finds out whether a port can be listened on; 0 gives a free one. Throws naming the setting when it is taken. */
export function freePort(host: string, port: number, setting: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE' ? `port ${port} on ${host} is taken; set ${setting} to another one` : `${setting}: ${cause.message}`;
      reject(new Error(why, { cause }));
    });
    server.listen(port, host, () => {
      const { port: found } = server.address() as { port: number };
      server.close(() => resolve(found));
    });
  });
}
