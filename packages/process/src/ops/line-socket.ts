import { closeSync, openSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '@vedette/contract';

/** Name of the socket in the folder of a process that works for one of another user. */
const NAME = 'socket';
const LINE_MAX_BYTES = 1024 * 1024;
/** How long that process may take to listen: both are started at once, and it may have to be started again. */
const LISTENS_MS = 20_000;
const POLL_MS = 50;

/** A request or reply: a line of JSON. */
export const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;

/**
 * Listens on a socket in a folder, for those who may enter the folder. A connection begins with a line of JSON, the request; `answer` has the rest, and where it
 * rejects, the reply is `{"error": …}`.
 */
export async function serveLines(folder: string, answer: (request: unknown, socket: Socket) => Promise<void>): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined); // its end is heard
    readLine(socket)
      .then((line) => answer(JSON.parse(line), socket))
      .catch((error: Error) => socket.end(lineOf({ error: error.message })));
  });
  process.chdir(folder); // a path may be longer than a socket's address
  rmSync(NAME, { force: true });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ path: NAME, writableAll: true }, resolve));
  return server;
}

/** Sends a request to the process that listens in a folder. Rejects where none does in time, and with the error that it replies. */
export async function askLine(
  folder: string,
  request: object,
  clock: Pick<Clock, 'now' | 'sleep'>,
): Promise<{ socket: Socket; reply: object }> {
  const socket = await connected(folder, clock);
  socket.write(lineOf(request));
  try {
    const reply = JSON.parse(await readLine(socket)) as { error?: string };
    if (reply.error !== undefined) throw new Error(reply.error);
    return { socket, reply };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function connected(folder: string, clock: Pick<Clock, 'now' | 'sleep'>): Promise<Socket> {
  for (const until = clock.now() + LISTENS_MS; ;) {
    const socket = await tryToConnect(folder);
    if (!(socket instanceof Error)) return socket;
    if (clock.now() >= until) throw new Error(`no process listens in ${folder}: ${socket.message}`);
    await clock.sleep(POLL_MS);
  }
}

function tryToConnect(folder: string): Promise<Socket | Error> {
  return new Promise((resolve) => {
    let opened: number;
    try {
      opened = openSync(folder, 'r'); // a path may be longer than a socket's address
    } catch (error) {
      return resolve(error as Error);
    }
    const socket = connect({ path: `/proc/self/fd/${opened}/${NAME}` });
    const settle = (outcome: Socket | Error): void => {
      closeSync(opened);
      socket.off('error', settle);
      if (!(outcome instanceof Error)) socket.on('error', () => undefined); // its end is heard
      resolve(outcome);
    };
    socket.once('error', settle).once('connect', () => settle(socket));
  });
}

/** Reads the next line of a connection, and leaves what follows. */
export function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = Buffer.alloc(0);
    const done = (error?: Error): void => {
      socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd).off('error', onError);
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
    socket.on('readable', onReadable).once('end', onEnd).once('close', onEnd).once('error', onError);
  });
}
