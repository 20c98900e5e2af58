import { createServer } from 'node:net';

/** A name on this machine that nobody else has until it is given up, or the process has gone. */
export interface Seat {
  giveUp(): void;
}

/**
 * Takes a name, if nobody has it: a socket in Linux's abstract namespace, which is no file, lets nobody in and goes with the process. Elsewhere
 * it is impossible.
 */
export function takeSeat(name: string): Promise<Seat | 'taken' | 'impossible'> {
  const server = createServer((stranger) => stranger.destroy());
  server.unref();
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE' ? 'taken' : 'impossible'));
    server.listen(`\0vedette/${name}`, () => resolve({ giveUp: () => void server.close() }));
  });
}
