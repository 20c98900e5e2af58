import { existsSync } from 'node:fs';
import { chown, cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type Clock, unlessAborted, within } from '@vedette/contract';
import { type Child, startChild } from '@vedette/process/child';
import { StartError } from '@vedette/process/start-error';
import type { User } from '@vedette/process/users';
import puppeteer, { type Browser } from 'puppeteer-core';
import type { InstalledBrowser } from './installed.ts';
import { pipeTransport } from './pipe.ts';
import { groupExists, killGroup } from './process-group.ts';
import { lacksSandbox, sandboxRemedy } from './sandbox.ts';

export interface LaunchOptions extends Pick<InstalledBrowser, 'executable' | 'libraries' | 'fonts'> {
  switches: readonly string[];
  /** Whom it runs as; undefined: as we do, who are not root. */
  user: User | undefined;
  /** False: pages that break out of V8 have what the browser has. */
  sandbox: boolean;
  /** Where its profile is made, which goes away with it. */
  folder: string;
  /** Certificate database with roots that it trusts beside its own. */
  trustStore?: string | undefined;
  clock: Clock;
}

/** A browser process under way. */
export interface LaunchedBrowser {
  browser: Browser;
  pid: number;
  /** Settles when its first process has gone; never rejects. */
  gone: Promise<unknown>;
  /** Ends every process of it at once. */
  kill(): void;
  /** Ends it in order, or by force when that takes too long; resolves when no process and no file of it is left. */
  close(): Promise<void>;
}

const START_MS = 30_000;
const CLOSE_MS = 2_000;
/** Longer than any job. */
const PROTOCOL_MS = 120_000;
/** What a browser orphans is the machine's first process to reap. */
const ORPHANS_MS = 1_000;
const POLL_MS = 10;
const LINES_KEPT = 20;

/** Starts a browser with a profile of its own. Throws a `StartError` that says what an operator can do where it does not start. */
export async function launchBrowser(options: LaunchOptions): Promise<LaunchedBrowser> {
  const { user, clock } = options;
  const home = await makeHome(options);
  const lines: string[] = [];
  const child = startChild({
    ...commandOf(options, home),
    endSignal: 'SIGKILL',
    env: environmentOf(options, home),
    cwd: home,
    rights: { user, capabilities: [] },
    onLine: (line) => {
      lines.push(line);
      if (lines.length > LINES_KEPT) lines.shift();
    },
    pipes: true,
  });
  const pid = child.process.pid;
  const kill = (): void => {
    if (pid !== undefined) killGroup(pid);
  };
  const clean = async (): Promise<void> => {
    kill(); // what outlived its first process
    await child.gone;
    if (pid !== undefined) await untilReaped(pid, clock);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  const late = () => new Error('it does not answer');
  const ended = child.gone.then(({ error }) => Promise.reject(error ?? new Error('it ended')));
  try {
    const browser = await within(clock, START_MS, undefined, late, (signal) =>
      unlessAborted(signal, Promise.race([connect(child, kill), ended])),
    );
    return {
      browser,
      pid: pid!,
      gone: child.gone,
      kill,
      async close() {
        await Promise.race([browser.close().then(() => child.gone), clock.sleep(CLOSE_MS)]).catch(() => undefined);
        await clean();
      },
    };
  } catch (cause) {
    await clean();
    throw new StartError(
      lacksSandbox(lines) ? sandboxRemedy() : `the browser does not start: ${lines.join('\n') || (cause as Error).message}`,
      { cause },
    );
  }
}

async function untilReaped(group: number, clock: Clock): Promise<void> {
  const until = clock.now() + ORPHANS_MS;
  while (groupExists(group) && clock.now() < until) await clock.sleep(POLL_MS);
}

async function connect({ process: { stdio } }: Child, fail: () => void): Promise<Browser> {
  const transport = pipeTransport(stdio[3] as Writable, stdio[4] as Readable, fail);
  return await puppeteer.connect({ transport, defaultViewport: null, protocolTimeout: PROTOCOL_MS });
}

/** A folder that the browser may write to, with all that it writes. */
async function makeHome({ folder, user, trustStore }: LaunchOptions): Promise<string> {
  const home = await mkdtemp(join(folder, 'browser-'));
  await mkdir(join(home, 'tmp'));
  if (trustStore !== undefined) await cp(trustStore, join(home, '.pki', 'nssdb'), { recursive: true });
  if (user) for (const path of ['', ...(await readdir(home, { recursive: true }))]) await chown(join(home, path), user.uid, user.gid);
  return home;
}

/** Most of its own that one of its processes may have: no page needs so much, and Chromium does not start with half of it. */
const DATA_BYTES = 6 * 1024 ** 3;
/** One file of a profile, or a download that got through. */
const FILE_BYTES = 1024 ** 3;
const PRLIMIT = '/usr/bin/prlimit';

function commandOf({ executable, switches, sandbox }: LaunchOptions, home: string): { command: string; args: string[] } {
  const args = [
    '--remote-debugging-pipe',
    `--user-data-dir=${join(home, 'profile')}`,
    sandbox ? '--disable-setuid-sandbox' : '--no-sandbox', // the one of namespaces or none: we may gain no privileges
    ...switches,
  ];
  if (!existsSync(PRLIMIT)) return { command: executable, args };
  return { command: PRLIMIT, args: [`--data=${DATA_BYTES}`, `--fsize=${FILE_BYTES}`, '--core=0', executable, ...args] };
}

/** Nothing of ours: what a page finds out of it says nothing about us. */
const environmentOf = ({ libraries, fonts }: LaunchOptions, home: string): NodeJS.ProcessEnv => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: home,
  TMPDIR: join(home, 'tmp'),
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  ...(libraries !== undefined && { LD_LIBRARY_PATH: libraries }),
  ...(fonts !== undefined && { FONTCONFIG_PATH: fonts }),
});
