import type { Readable, Writable } from 'node:stream';
import { type Clock, unlessAborted, within } from '@vedette/contract';
import { StartError } from '@vedette/process/start-error';
import puppeteer, { type Browser } from 'puppeteer-core';
import { pipeTransport } from './pipe.ts';
import { lacksSandbox, sandboxRemedy } from './sandbox.ts';
import type { BrowserProcess } from './spawn.ts';

export interface LaunchOptions {
  /** Starts its processes. */
  spawn: () => Promise<BrowserProcess>;
  clock: Clock;
}

/** A browser process under way. */
export interface LaunchedBrowser extends Pick<BrowserProcess, 'pid' | 'gone' | 'kill' | 'killTab'> {
  browser: Browser;
  /** Ends it in order, or by force when that takes too long; resolves when no process and no file of it is left. */
  close(): Promise<void>;
}

const START_MS = 30_000;
const CLOSE_MS = 2_000;
/** Longer than any job. */
const PROTOCOL_MS = 120_000;

/** Starts a browser with a profile of its own. Throws a `StartError` that says what an operator can do where it does not start. */
export async function launchBrowser({ spawn, clock }: LaunchOptions): Promise<LaunchedBrowser> {
  const running = await spawn().catch((cause: Error) => {
    throw new StartError(`the browser does not start: ${cause.message}`, { cause });
  });
  const { pid, gone, kill, killTab } = running;
  const late = () => new Error('it does not answer');
  const ended = gone.then(() => Promise.reject(new Error('it ended')));
  try {
    const browser = await within(clock, START_MS, undefined, late, (signal) =>
      unlessAborted(signal, Promise.race([connect(running.toBrowser, running.fromBrowser, kill), ended])),
    );
    return {
      browser,
      pid,
      gone,
      kill,
      killTab,
      async close() {
        await Promise.race([browser.close().then(() => gone), clock.sleep(CLOSE_MS)]).catch(() => undefined);
        await running.clean();
      },
    };
  } catch (cause) {
    await running.clean();
    const lines = await running.lines();
    throw new StartError(
      lacksSandbox(lines) ? sandboxRemedy() : `the browser does not start: ${lines.join('\n') || (cause as Error).message}`,
      { cause },
    );
  }
}

async function connect(toBrowser: Writable, fromBrowser: Readable, fail: () => void): Promise<Browser> {
  const transport = pipeTransport(toBrowser, fromBrowser, fail);
  return await puppeteer.connect({ transport, defaultViewport: null, protocolTimeout: PROTOCOL_MS });
}
