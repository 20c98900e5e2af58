import { connect, type Socket } from 'node:net';
import type { Endpoint } from '@vedette/contract';

const LENGTH_OCTETS = 2;
const MAX_MESSAGE_OCTETS = 0xffff;

/** A connection to one of the servers that the operator configured; what is written before it is there waits for it. */
export const connectDns = ({ address, port }: Endpoint): Socket => connect({ host: address, port, noDelay: true });

/**
 * One DNS message over a TCP connection of its own, with the two-octet length of RFC 7766 §8; resolves with the first
 * message that comes back. Rejects with the signal's reason or the socket's error. Holds at most one message (64 KiB).
 */
export function exchangeTcp(socket: Socket, query: Uint8Array, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      settle();
    };
    const onAbort = () => end(() => reject(signal.reason as Error));
    if (signal.aborted) return onAbort();
    if (socket.destroyed) return reject(new Error('the connection was closed before the question'));
    signal.addEventListener('abort', onAbort, { once: true });

    const frame = Buffer.allocUnsafe(LENGTH_OCTETS + query.length);
    frame.writeUInt16BE(query.length);
    frame.set(query, LENGTH_OCTETS);
    socket.write(frame);

    const received = Buffer.allocUnsafe(LENGTH_OCTETS + MAX_MESSAGE_OCTETS);
    let size = 0;
    socket.on('data', (chunk: Buffer) => {
      size += chunk.copy(received, size);
      const length = size < LENGTH_OCTETS ? MAX_MESSAGE_OCTETS : received.readUInt16BE();
      if (size >= LENGTH_OCTETS + length) end(() => resolve(received.subarray(LENGTH_OCTETS, LENGTH_OCTETS + length)));
    });
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('close', () => end(() => reject(new Error('the connection was closed before the answer'))));
  });
}
