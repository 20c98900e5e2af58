import type { Socket } from 'node:net';
import { type Endpoint, parseIp, ProbeFailure, type Reason, type VpnExit } from '@vedette/contract';
import { ExitFailure } from './exits.ts';
import { readBytes } from './read.ts';

const VERSION = 5;
const NO_AUTHENTICATION = 0;
const USERNAME_PASSWORD = 2;
const CONNECT = 1;
const IPV4 = 1;
const DOMAIN_NAME = 3;
const IPV6 = 4;
const BOUND_OCTETS: Record<number, number> = { [IPV4]: 4, [IPV6]: 16 };
const PORT_OCTETS = 2;

/**
 * RFC 1928 §6: what the exit says of the target. The first two may be about the exit as well: like the others they are believed
 * of the target when the exit passes a check. What is not here is about the exit alone.
 */
const TARGET_REPLIES: Record<number, [Reason, string]> = {
  1: ['connect_unreachable', 'the exit answered "general failure" (reply 1)'],
  2: ['connect_unreachable', 'the exit refuses it by its rules (reply 2)'],
  3: ['connect_unreachable', 'network unreachable from the exit'],
  4: ['connect_unreachable', 'host unreachable from the exit'],
  5: ['connect_refused', 'as seen from the exit'],
  6: ['connect_timeout', 'as seen from the exit'],
};

/** Greets and signs in (RFC 1928 §3, RFC 1929). Rejects with `ExitFailure`. */
export async function greetSocks5(socket: Socket, exit: VpnExit): Promise<void> {
  const signIn = exit.username !== undefined;
  const methods = signIn ? [NO_AUTHENTICATION, USERNAME_PASSWORD] : [NO_AUTHENTICATION];
  socket.write(Uint8Array.of(VERSION, methods.length, ...methods));
  const [version, method] = await readBytes(socket, 2);
  if (version !== VERSION) throw new ExitFailure(exit.label, 'not a SOCKS5 server');
  if (method === USERNAME_PASSWORD && signIn) {
    const credentials = [exit.username ?? '', exit.password ?? ''].map((text) => Buffer.from(text));
    socket.write(Buffer.concat([Buffer.of(1), ...credentials.flatMap((text) => [Buffer.of(text.length), text])]));
    const [, status] = await readBytes(socket, 2);
    if (status !== 0) throw new ExitFailure(exit.label, 'the credentials were refused');
  } else if (method !== NO_AUTHENTICATION) throw new ExitFailure(exit.label, 'it wants credentials');
}

/** Asks for a connection to an address: a name would be resolved once more, by the exit, and lead elsewhere than we judged. */
export async function connectSocks5(socket: Socket, exit: VpnExit, { address, port }: Endpoint): Promise<void> {
  socket.write(Buffer.concat([Buffer.of(VERSION, CONNECT, 0), addressOf(address), Buffer.of(port >> 8, port & 0xff)]));
  const [version, reply, , type] = await readBytes(socket, 4);
  if (version !== VERSION) throw new ExitFailure(exit.label, 'not a SOCKS5 server');
  const targetReply = TARGET_REPLIES[reply!];
  if (targetReply) throw new ProbeFailure(...targetReply);
  if (reply !== 0) throw new ExitFailure(exit.label, `it refused the connection (reply ${reply})`);
  // From where it connected is the exit's own business; the octets have to go all the same.
  const bound = type === DOMAIN_NAME ? (await readBytes(socket, 1))[0] : BOUND_OCTETS[type!];
  if (bound === undefined) throw new ExitFailure(exit.label, 'not a SOCKS5 server');
  await readBytes(socket, bound + PORT_OCTETS);
}

function addressOf(address: string): Buffer {
  const { version, value } = parseIp(address)!;
  const octets = version === 4 ? 4 : 16;
  return Buffer.concat([Buffer.of(version === 4 ? IPV4 : IPV6), Buffer.from(value.toString(16).padStart(octets * 2, '0'), 'hex')]);
}
