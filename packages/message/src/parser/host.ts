import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, shown } from '@vedette/contract';
import { askLine, lineOf, readLine, serveLines } from '@vedette/process/line-socket';
import type { Environment, Running } from '@vedette/process/run';
import { StartError } from '@vedette/process/start-error';
import { type ConfinementName, isAllowed, launch, PARSER_MAIN, type StartedParser, type Starter } from './launch.ts';

/**
 * The first line of a connection to the host: try a confinement; start a parser in one; pass frames to a parser and back. The connection that started a parser
 * carries no frame, so that its end is heard whatever the parser reads: it is the parser's end. It tells how a parser ended by itself.
 */
type HostRequest = { allows: ConfinementName } | { start: ConfinementName } | { passTo: number };

/** The first line of the answer. */
interface HostReply {
  allowed?: boolean;
  pid?: number;
  error?: string;
}

const END_MAX_CHARS = 200;
const POLL_MS = 25;
const systemClock: Clock = { now: () => performance.now(), sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }) };

/** Starts parsers for a gateway of another user, which connects to a socket in VEDETTE_PARSER_FOLDER: what breaks out of a parser has nothing of the gateway's. */
export async function runHost({ VEDETTE_PARSER_FOLDER: folder = '' }: Environment): Promise<Running> {
  if (folder === '') throw new StartError('VEDETTE_PARSER_FOLDER is missing: `npm start` says it');
  return await hostParsers(folder, PARSER_MAIN);
}

/** Starts parsers, which run `main`, for the processes that may enter a folder. */
export async function hostParsers(folder: string, main: string): Promise<Running> {
  const running = new Map<number, StartedParser>();
  const start = async (confinement: ConfinementName, leash: Socket): Promise<void> => {
    const parser = launch(main, confinement);
    const { pid, output, gone, kill } = parser;
    if (pid === undefined) throw new Error(await gone);
    running.set(pid, parser);
    const left = new Promise<void>((resolve) => leash.once('end', resolve).once('close', resolve).resume());
    void left.then(kill);
    leash.write(lineOf({ pid }));
    const ended = await gone;
    await Promise.race([finished(output).catch(() => undefined), left]); // its last words are passed on
    running.delete(pid);
    leash.end(`${ended}\n`);
  };
  const pass = (pid: number, socket: Socket): void => {
    const parser = running.get(pid);
    if (!parser) throw new Error('the parser has ended');
    socket.write(lineOf({}));
    socket.pipe(parser.input);
    parser.output.pipe(socket);
  };
  const server = await serveLines(folder, async (line, socket) => {
    const request = line as HostRequest;
    if ('allows' in request) socket.end(lineOf({ allowed: await isAllowed(request.allows, systemClock) }));
    else if ('start' in request) await start(request.start, socket);
    else pass(request.passTo, socket);
  });
  return {
    addresses: {},
    lost: new Promise(() => undefined),
    async stop() {
      // The gateway ends its parsers when its messages are read, and is given the same time for that.
      while (running.size > 0) await sleep(POLL_MS);
      server.close();
    },
  };
}

/** Has parsers started by the host that listens in a folder. */
export const startsAt = (folder: string, clock: Clock): Starter => {
  const ask = async (request: HostRequest): Promise<{ socket: Socket; reply: HostReply }> => await askLine(folder, request, clock);
  return {
    async isAllowed(confinement) {
      const { socket, reply } = await ask({ allows: confinement });
      socket.destroy();
      return reply.allowed === true;
    },
    async start(confinement) {
      const { socket: leash, reply } = await ask({ start: confinement });
      const ended = readLine(leash).catch(({ message }: Error) => `its host: ${message}`);
      try {
        const { pid } = reply;
        if (typeof pid !== 'number') throw new Error('the host of parsers does not say what it started');
        const { socket } = await ask({ passTo: pid });
        const heard = new Promise<void>((resolve) => socket.once('close', resolve));
        const gone = ended.then(async (how) => {
          await heard;
          return shown(how, END_MAX_CHARS);
        });
        return { pid, input: socket, output: socket, gone, kill: () => void leash.destroy() };
      } catch (error) {
        leash.destroy();
        throw error;
      }
    },
  };
};
