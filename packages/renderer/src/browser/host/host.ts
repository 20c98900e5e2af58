import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lineOf, serveLines } from '@vedette/process/line-socket';
import type { Environment, Running } from '@vedette/process/run';
import { StartError } from '@vedette/process/start-error';
import type { HostReply, HostRequest } from './host-protocol.ts';
import { membersOf } from '../process-group.ts';
import { makeRunFolder } from '../run-folder.ts';
import { type BrowserProcess, spawnBrowser } from '../spawn.ts';

const clock = { now: () => performance.now(), sleep: (ms: number) => sleep(ms) };
/** Browsers whose last lines are kept. */
const KEPT = 8;

/**
 * Runs browsers for a renderer of another user, which connects to a socket in VEDETTE_BROWSER_FOLDER: what breaks out of a browser is this user, and finds
 * neither the renderer's key for the bus nor its memory. One connection is one browser, and its end is the browser's.
 */
export async function runHost({ VEDETTE_BROWSER_FOLDER: folder = '' }: Environment): Promise<Running> {
  if (folder === '') throw new StartError('VEDETTE_BROWSER_FOLDER is missing: `npm start` says it');
  const files = makeRunFolder(tmpdir());
  const running = new Map<number, BrowserProcess>();
  const said = new Map<number, readonly string[]>();
  const answer = async (message: unknown, socket: Socket): Promise<void> => {
    const request = message as HostRequest;
    if ('lines' in request) return void socket.end(line({ lines: said.get(request.lines) ?? [] }));
    if ('killTab' in request) {
      const { killTab: tab } = request;
      for (const [group, browser] of running) if (membersOf(group).some(({ pid }) => pid === tab)) browser.killTab(tab);
      return void socket.end(line({}));
    }
    const trust = request.trust && keep(files.path, request.trust);
    const spawning = spawnBrowser({
      ...request.launch,
      ...(trust !== undefined && { trustStore: trust }),
      user: undefined,
      folder: files.path,
      clock,
    });
    const browser = await spawning.finally(() => trust !== undefined && rmSync(trust, { recursive: true, force: true }));
    running.set(browser.pid, browser);
    const lost = new Promise<void>((resolve) => socket.once('close', () => resolve()).once('end', () => resolve()));
    socket.write(line({ pid: browser.pid }));
    socket.pipe(browser.toBrowser).on('error', () => undefined);
    browser.fromBrowser.pipe(socket, { end: false });
    await Promise.race([browser.gone, lost]);
    said.set(browser.pid, await browser.lines());
    for (const old of [...said.keys()].slice(0, -KEPT)) said.delete(old);
    await browser.clean();
    running.delete(browser.pid);
    socket.end();
  };
  const server = await serveLines(folder, answer);
  return {
    addresses: {},
    lost: new Promise(() => undefined),
    async stop() {
      server.close();
      // The renderer ends its browsers when its pages are done, and is given the same time for that.
      await Promise.all([...running.values()].map(({ gone }) => gone));
      await Promise.all([...running.values()].map((browser) => browser.clean()));
      files.remove();
    },
  };
}

const line = (reply: HostReply): string => lineOf(reply);

/** Writes the files of a certificate database. */
function keep(folder: string, files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(folder, 'trust-'));
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o700);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, basename(name)), content, 'base64');
  return path;
}
