import type { Socket } from 'node:net';
import { type Endpoint, parseIp, ProbeFailure, type Reason } from '@vedette/contract';
import { type ProxyPeer, ProxyFault } from './proxy.ts';
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
 * RFC 1928 §6: what a proxy says of the target. The first two may be about the proxy as well. Other codes are about the proxy alone.
 */
const TARGET_REPLIES: Record<number, (called: string) => [Reason, string]> = {
  1: (called) => ['connect_unreachable', `${called} answered "general failure" (reply 1)`],
  2: (called) => ['connect_unreachable', `${called} refuses it by its rules (reply 2)`],
  3: (called) => ['connect_unreachable', `network unreachable from ${called}`],
  4: (called) => ['connect_unreachable', `host unreachable from ${called}`],
  5: (called) => ['connect_refused', `as seen from ${called}`],
  6: (called) => ['connect_timeout', `as seen from ${called}`],
};

/** Greets and signs in (RFC 1928 §3, RFC 1929). Rejects with `ProxyFault` or `ConnectionLost`. */
export async function greetSocks5(socket: Socket, peer: ProxyPeer): Promise<void> {
  const signIn = peer.username !== undefined;
  const methods = [...(peer.mustSignIn ? [] : [NO_AUTHENTICATION]), ...(signIn ? [USERNAME_PASSWORD] : [])];
  socket.write(Uint8Array.of(VERSION, methods.length, ...methods));
  const [version, method] = await readBytes(socket, 2);
  if (version !== VERSION) throw new ProxyFault('not a SOCKS5 server');
  if (method === USERNAME_PASSWORD && signIn) {
    const credentials = [peer.username ?? '', peer.password ?? ''].map((text) => Buffer.from(text));
    socket.write(Buffer.concat([Buffer.of(1), ...credentials.flatMap((text) => [Buffer.of(text.length), text])]));
    const [, status] = await readBytes(socket, 2);
    if (status !== 0) throw new ProxyFault('the credentials were refused');
  } else if (method !== NO_AUTHENTICATION || peer.mustSignIn)
    throw new ProxyFault(peer.mustSignIn ? 'it takes no user name' : 'it wants credentials');
}

/** Asks for a connection to an address: a name would be resolved once more, by the proxy, and lead elsewhere than we judged. */
export async function connectSocks5(socket: Socket, peer: ProxyPeer, { address, port }: Endpoint): Promise<void> {
  const reply = await requestSocks5(socket, addressOf(address), port);
  const targetReply = TARGET_REPLIES[reply]?.(peer.called);
  if (targetReply) throw new ProbeFailure(...targetReply);
  if (reply !== 0) throw new ProxyFault(`it refused the connection (reply ${reply})`);
}

/** Asks for a connection, and returns the reply's code (RFC 1928 §6): 0 with the connection. Rejects with `ProxyFault` or `ConnectionLost`. */
export async function requestSocks5(socket: Socket, destination: Buffer, port: number): Promise<number> {
  socket.write(Buffer.concat([Buffer.of(VERSION, CONNECT, 0), destination, Buffer.of(port >> 8, port & 0xff)]));
  const [version, reply, , type] = await readBytes(socket, 4);
  if (version !== VERSION) throw new ProxyFault('not a SOCKS5 server');
  if (reply !== 0) return reply!;
  // From where it connected is the exit's own business; the octets have to go all the same.
  const bound = type === DOMAIN_NAME ? (await readBytes(socket, 1))[0] : BOUND_OCTETS[type!];
  if (bound === undefined) throw new ProxyFault('not a SOCKS5 server');
  await readBytes(socket, bound + PORT_OCTETS);
  return reply;
}

/** A name of at most 255 octets as a destination: only for those that no DNS knows. */
export const nameOf = (name: string): Buffer => Buffer.concat([Buffer.of(DOMAIN_NAME, name.length), Buffer.from(name, 'latin1')]);

/** A judged address as a destination. */
export function addressOf(address: string): Buffer {
  const { version, value } = parseIp(address)!;
  const octets = version === 4 ? 4 : 16;
  return Buffer.concat([Buffer.of(version === 4 ? IPV4 : IPV6), Buffer.from(value.toString(16).padStart(octets * 2, '0'), 'hex')]);
}
