import { readdir, readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { type Clock, unlessAborted, within } from '@vedette/contract';
import { askLine } from '@vedette/process/line-socket';
import type { HostReply, HostRequest } from './host-protocol.ts';
import type { BrowserCommand, BrowserProcess } from '../spawn.ts';

/** The host ends a browser and removes its files in less. */
const CLEAN_MS = 5_000;

/** Has a browser started by the host that listens in a folder: by another user, who has nothing of ours. Rejects where it cannot be started. */
export async function spawnAtHost(folder: string, { trustStore, ...launch }: BrowserCommand, clock: Clock): Promise<BrowserProcess> {
  const trust = trustStore === undefined ? undefined : await filesOf(trustStore);
  const ask = async (request: HostRequest): Promise<{ socket: Socket; reply: HostReply }> => await askLine(folder, request, clock);
  const { socket, reply } = await ask({ launch, ...(trust && { trust }) });
  const { pid } = reply;
  if (pid === undefined) throw new Error('the host of browsers does not say what it started');
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const tell = async (request: HostRequest): Promise<HostReply> => {
    const answered = await ask(request);
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
