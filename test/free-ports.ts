import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ephemeral range, so that no client socket takes one before it is used. */
const [FROM, TO] = [10_000, 30_000] as const;
/** A process of tests has a part of them, and goes through it: what it, or another one, has been given and has yet to open is not given again. */
const PART = 500;
const first = FROM + (process.pid % ((TO - FROM) / PART)) * PART;
let turn = randomInt(PART);

/** Different TCP ports that nothing listens on now. */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = first + (turn++ % PART);
    const server = createServer().listen(port, '0.0.0.0');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) held.set(port, server);
  }
  for (const server of held.values()) await new Promise((resolve) => server.close(resolve));
  return [...held.keys()];
}

export const freePort = async (): Promise<number> => (await freePorts(1))[0]!;
