import type { Socket } from 'node:net';
import type { BrowserCommand } from './spawn.ts';

/** Name of the socket in VEDETTE_BROWSER_FOLDER. */
export const SOCKET = 'browsers';

/** The first line of a connection: start a browser, whose protocol follows; end a tab; say what a browser that ended wrote last. */
export type HostRequest =
  | { launch: Omit<BrowserCommand, 'trustStore'>; trust?: Record<string, string> }
  | { killTab: number }
  | { lines: number };

/** The first line of the answer. */
export interface HostReply {
  pid?: number;
  lines?: readonly string[];
  error?: string;
}

const LINE_MAX_BYTES = 1024 * 1024;

/** Reads the first line of a connection, and leaves what follows. */
export function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = Buffer.alloc(0);
    const done = (error?: Error): void => {
      socket.off('readable', onReadable).off('end', onEnd).off('error', onError);
      if (error) reject(error);
    };
    const onReadable = (): void => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) {
        const end = chunk.indexOf(0x0a);
        read = Buffer.concat([read, end === -1 ? chunk : chunk.subarray(0, end)]);
        if (read.length > LINE_MAX_BYTES) return done(new Error('the line is too long'));
        if (end === -1) continue;
        done();
        if (end + 1 < chunk.length) socket.unshift(chunk.subarray(end + 1));
        return resolve(read.toString());
      }
    };
    const onEnd = (): void => done(new Error('the connection ended'));
    const onError = (error: Error): void => done(error);
    socket.on('readable', onReadable).once('end', onEnd).once('error', onError);
  });
}
