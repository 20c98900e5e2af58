import type { Socket } from 'node:net';
import { ProxyFault } from './proxy.ts';

/** The other side hung up, or the network did. */
export class ConnectionLost extends Error {}

/** Reads exactly so many bytes and leaves the rest in the socket. Rejects when the socket ends before. */
export const readBytes = (socket: Socket, count: number): Promise<Buffer> => readWhen(socket, () => socket.read(count) as Buffer | null);

/** Reads up to and with the delimiter, leaving the rest in the socket. Rejects when it does not come within `max` bytes. */
export function readUntil(socket: Socket, delimiter: string, max: number): Promise<Buffer> {
  let seen = Buffer.alloc(0);
  return readWhen(socket, () => {
    const chunk = socket.read() as Buffer | null;
    if (!chunk) return null;
    seen = Buffer.concat([seen, chunk]);
    const at = seen.indexOf(delimiter);
    if (at < 0 && seen.length > max) throw new ProxyFault(`no end within ${max} bytes`);
    if (at < 0) return null;
    const end = at + delimiter.length;
    if (seen.length > end) socket.unshift(seen.subarray(end));
    return seen.subarray(0, end);
  });
}

function readWhen(socket: Socket, take: () => Buffer | null): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd).off('error', onError);
      end();
    };
    const onReadable = () => {
      try {
        const bytes = take();
        if (bytes) settle(() => resolve(bytes));
      } catch (error) {
        settle(() => reject(error));
      }
    };
    const onEnd = () => settle(() => reject(new ConnectionLost('the connection was closed')));
    const onError = (cause: Error) => settle(() => reject(new ConnectionLost(cause.message, { cause })));
    if (socket.destroyed || socket.readableEnded) return onEnd();
    socket.on('readable', onReadable).on('end', onEnd).on('close', onEnd).on('error', onError);
    onReadable(); // what is there already announces itself no more
  });
}
