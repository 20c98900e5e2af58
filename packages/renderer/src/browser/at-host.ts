import { closeSync, openSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Clock, unlessAborted, within } from '@vedette/contract';
import { type HostReply, type HostRequest, readLine, SOCKET } from './host-protocol.ts';
import type { BrowserCommand, BrowserProcess } from './spawn.ts';

/** How long the host of browsers may take to be there: it is started when we are. */
const HOST_MS = 20_000;
const POLL_MS = 50;
/** The host ends a browser and removes its files in less. */
const CLEAN_MS = 5_000;

/** Has a browser started by the host that listens in a folder: by another user, who has nothing of ours. Rejects where it cannot be started. */
export async function spawnAtHost(folder: string, { trustStore, ...launch }: BrowserCommand, clock: Clock): Promise<BrowserProcess> {
  const trust = trustStore === undefined ? undefined : await filesOf(trustStore);
  const { socket, reply } = await ask(folder, { launch, ...(trust && { trust }) }, clock);
  const { pid } = reply;
  if (pid === undefined) throw new Error(reply.error ?? 'the host of browsers does not say what it started');
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const tell = async (request: HostRequest): Promise<HostReply> => {
    const answered = await ask(folder, request, clock);
    answered.socket.destroy();
    return answered.reply;
  };
  return {
    pid,
    toBrowser: socket,
    fromBrowser: socket,
    gone,
    lines: async () => (await tell({ lines: pid })).lines ?? [],
    kill: () => void socket.end(),
    killTab: (tab) => void tell({ killTab: tab }).catch(() => undefined),
    async clean() {
      // The host hears the end, cleans, and then ends the connection, too.
      socket.end().resume();
      await within(
        clock,
        CLEAN_MS,
        undefined,
        () => new Error('late'),
        (late) => unlessAborted(late, gone),
      ).catch(() => undefined);
      socket.destroy();
    },
  };
}

const filesOf = async (folder: string): Promise<Record<string, string>> =>
  Object.fromEntries(await Promise.all((await readdir(folder)).map(async (name) => [name, await readFile(join(folder, name), 'base64')])));

async function ask(folder: string, request: HostRequest, clock: Clock): Promise<{ socket: Socket; reply: HostReply }> {
  const socket = await connected(folder, clock);
  socket.write(`${JSON.stringify(request)}\n`);
  try {
    return { socket, reply: JSON.parse(await readLine(socket)) as HostReply };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function connected(folder: string, clock: Clock): Promise<Socket> {
  for (const until = clock.now() + HOST_MS; ;) {
    const socket = await tryToConnect(folder);
    if (!(socket instanceof Error)) return socket;
    if (clock.now() >= until) throw new Error(`there is no host of browsers in ${folder}: ${socket.message}`);
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
    const socket = connect({ path: `/proc/self/fd/${opened}/${SOCKET}` });
    const settle = (outcome: Socket | Error): void => {
      closeSync(opened);
      socket.off('error', settle);
      if (!(outcome instanceof Error)) socket.on('error', () => undefined); // its end is heard
      resolve(outcome);
    };
    socket.once('error', settle).once('connect', () => settle(socket));
  });
}
