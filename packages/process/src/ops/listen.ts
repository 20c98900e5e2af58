import { createServer, type AddressInfo, type Server } from 'node:net';
import { StartError } from '../settings/start-error.ts';

/** Where to listen. Port 0 is any free one; `setting` is the name of the port's setting. */
export interface ListenAt {
  host: string;
  port: number;
  setting: string;
}

/** The message for a port that cannot be opened. */
export const cannotListen = ({ host, port, setting }: ListenAt, cause: NodeJS.ErrnoException): StartError =>
  new StartError(
    cause.code === 'EADDRINUSE' ? `port ${port} on ${host} is taken; set ${setting} to another one` : `${setting}: ${cause.message}`,
    { cause },
  );

/** Listens; throws a `StartError` that names the setting. */
export async function listen(server: Server, at: ListenAt): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(cannotListen(at, cause)));
    server.listen(at.port, at.host, resolve);
  });
  return server.address() as AddressInfo;
}

/** Finds out whether a port can be listened on, for a process that is started later; port 0 gives a free one. */
export async function freePort(at: ListenAt): Promise<number> {
  const server = createServer();
  const { port } = await listen(server, at);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
