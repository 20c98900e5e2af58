import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { type Seat, takeSeat } from '@vedette/process/seat';

/** A name that no other agent has while this one lives. */
export interface AgentId extends Seat {
  id: string;
}

/** Agents of one location on one machine: so many have lasting names. */
const SEATS = 64;

/**
 * The name of an agent that was given none: the same after a restart, as each name makes metric series of its own, and another for each of
 * several agents of a location on one machine. It is made of the machine, the location and the first of the machine's seats that is free. Where there are
 * no seats the name is a random one.
 */
export async function ownAgentId(location: string, machine = thisMachine()): Promise<AgentId> {
  for (let seat = 1; seat <= SEATS; seat++) {
    const id = nameOf(
      createHash('sha256')
        .update(JSON.stringify([machine, location, seat]))
        .digest(),
    );
    const taken = await takeSeat(id);
    if (taken === 'impossible') break;
    if (taken !== 'taken') return { id, ...taken };
  }
  return { id: nameOf(randomBytes(5)), giveUp: () => {} };
}

const nameOf = (bytes: Buffer): string => `agent-${bytes.toString('hex', 0, 5)}`;

/** Containers on one machine may share a name, but not the address of the interface by which they reach others. */
const thisMachine = (): string => `${hostname()} ${networkInterfaces()[defaultInterface()]?.[0]?.mac ?? ''}`;

/** The interface of the IPv4 default route, as in /proc/net/route; empty without such a route. */
function defaultInterface(): string {
  try {
    return /^(\S+)\t00000000\t/m.exec(readFileSync('/proc/net/route', 'utf8'))?.[1] ?? '';
  } catch {
    return ''; // no Linux
  }
}
