import { existsSync } from 'node:fs';
import { chown, cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@vedette/contract';
import { startChild } from '@vedette/process/child';
import type { User } from '@vedette/process/users';
import type { InstalledBrowser } from './installed.ts';
import { groupExists, killGroup } from './process-group.ts';

/** Starts a browser. */
export interface BrowserCommand extends Pick<InstalledBrowser, 'executable' | 'libraries' | 'fonts'> {
  switches: readonly string[];
  /** False: pages that break out of V8 have what the browser has. */
  sandbox: boolean;
  /** Certificate database with roots that it trusts beside its own. */
  trustStore?: string | undefined;
}

export interface SpawnOptions extends BrowserCommand {
  /** The user that it runs as; undefined: our own, which is not root. */
  user: User | undefined;
  /** Where its profile is made, which goes away with it. */
  folder: string;
  clock: Pick<Clock, 'now' | 'sleep'>;
}

/** The processes of a browser, and the pipes over which it is told what to do. */
export interface BrowserProcess {
  /** Its first process, and the group of all. */
  pid: number;
  toBrowser: Writable;
  fromBrowser: Readable;
  /** Settles when its first process has gone; never rejects. */
  gone: Promise<unknown>;
  /** Its last lines of output. */
  lines(): Promise<readonly string[]>;
  /** Ends every process of it at once. */
  kill(): void;
  /** Ends one of them. */
  killTab(pid: number): void;
  /** Ends what is left; resolves when no process and no file of it is there. */
  clean(): Promise<void>;
}

/** Another process must collect the orphans of a browser. */
const ORPHANS_MS = 1_000;
const POLL_MS = 10;
const LINES_KEPT = 20;

/** Starts a browser with a profile of its own. Rejects where it cannot even be started. */
export async function spawnBrowser(options: SpawnOptions): Promise<BrowserProcess> {
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
  const { pid, stdio } = child.process;
  const kill = (): void => {
    if (pid !== undefined) killGroup(pid);
  };
  const clean = async (): Promise<void> => {
    kill(); // what outlived its first process
    await child.gone;
    if (pid !== undefined) await untilReaped(pid, clock);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  if (pid === undefined) {
    const { error } = await child.gone;
    await clean();
    throw error ?? new Error('it cannot be started');
  }
  return {
    pid,
    toBrowser: stdio[3] as Writable,
    fromBrowser: stdio[4] as Readable,
    gone: child.gone,
    lines: async () => lines,
    kill,
    killTab(tab) {
      try {
        process.kill(tab, 'SIGKILL');
      } catch {
        // It ended by itself.
      }
    },
    clean,
  };
}

async function untilReaped(group: number, clock: SpawnOptions['clock']): Promise<void> {
  const until = clock.now() + ORPHANS_MS;
  while (groupExists(group) && clock.now() < until) await clock.sleep(POLL_MS);
}

/** A folder that the browser may write to, with all that it writes. */
async function makeHome({ folder, user, trustStore }: SpawnOptions): Promise<string> {
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

function commandOf({ executable, switches, sandbox }: SpawnOptions, home: string): { command: string; args: string[] } {
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
const environmentOf = ({ libraries, fonts }: SpawnOptions, home: string): NodeJS.ProcessEnv => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: home,
  TMPDIR: join(home, 'tmp'),
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  ...(libraries !== undefined && { LD_LIBRARY_PATH: libraries }),
  ...(fonts !== undefined && { FONTCONFIG_PATH: fonts }),
});
