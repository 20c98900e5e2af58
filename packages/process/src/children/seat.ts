import { createServer } from 'node:net';

/** A name on this machine that one process holds until it releases the name or ends. */
export interface Seat {
  giveUp(): void;
}

/**
 * Takes a free name: a socket in Linux's abstract namespace, which is not a file, accepts no connection, and ends with the process.
 * Elsewhere it is impossible.
 */
export function takeSeat(name: string): Promise<Seat | 'taken' | 'impossible'> {
  const server = createServer((stranger) => stranger.destroy());
  server.unref();
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE' ? 'taken' : 'impossible'));
    server.listen(`\0vedette/${name}`, () => resolve({ giveUp: () => void server.close() }));
  });
}
