import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startChild } from '@vedette/process/child';
import type { FolderLock } from '@vedette/process/folder-lock';
import { StartError } from '@vedette/process/start-error';
import type { User } from '@vedette/process/users';
import { keepBrowser, keptFolder } from './kept.ts';

const run = promisify(execFile);

/** A browser on this machine, and what it needs that the system lacks. */
export interface InstalledBrowser {
  executable: string;
  /** Folder of libraries. */
  libraries: string | undefined;
  /** Folder with a fonts.conf. */
  fonts: string | undefined;
  /** When its package was made, as the files say that came in it. */
  madeAt: Date;
  /** Keeps other renderers from removing it. */
  lock?: FolderLock | undefined;
}

export interface BrowserChoice {
  /** VEDETTE_CHROMIUM. */
  chosen: string | undefined;
  /** The renderer's folder, where npm's browser is unpacked once if the set-up has not; undefined: it has none. */
  kept: string | undefined;
  /** The folder of this run, where it is unpacked if no other can be used. */
  folder: string;
  /** The user that will run it. */
  user: User | undefined;
}

const UNPACK = fileURLToPath(new URL('unpack.ts', import.meta.url));
/** Where other machines than those that npm's package is for have Debian's. */
const DEBIANS = '/usr/bin/chromium';

/** Finds the browser to start: the operator's, else npm's. Throws a `StartError` when no browser can run. */
export async function installedBrowser({ chosen, kept, folder, user }: BrowserChoice): Promise<InstalledBrowser> {
  const executable = chosen ?? (process.arch === 'x64' ? undefined : DEBIANS);
  if (executable !== undefined) {
    const refusal = await refusalOf(executable, user);
    if (refusal === undefined) return { executable, libraries: undefined, fonts: undefined, madeAt: statSync(executable).mtime };
    throw new StartError(
      `${chosen === undefined ? "npm's browser is for x64 only, and " : 'VEDETTE_CHROMIUM: '}${executable} does not run: ${refusal}`,
    );
  }
  const bySetUp = unpackedBySetUp();
  if (existsSync(bySetUp)) {
    const found = await tryUnpacked(bySetUp, user);
    if (typeof found !== 'string') return found;
  }
  const mayEnter = async (parent: string) => (await refusalOf('/usr/bin/test', user, undefined, ['-x', parent])) === undefined;
  const own = (await keptFolder(bySetUp, kept, mayEnter)) ?? join(folder, 'chromium');
  const lock = await keepBrowser(own, unpackBrowser).catch((cause: Error) => {
    throw new StartError(`npm's browser cannot be unpacked: ${cause.message}`, { cause });
  });
  const found = await tryUnpacked(own, user);
  if (typeof found !== 'string') return { ...found, lock };
  lock?.release();
  throw new StartError(`npm's browser does not run: ${found}`);
}

/** Unpacks npm's browser to a folder, unless that is there. */
export const unpackBrowser = (folder: string): Promise<unknown> =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', UNPACK, folder]);

/** Where the set-up unpacks npm's browser: named by its version, so that another one is not taken for it. */
export function unpackedBySetUp(): string {
  const packageFolder = dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))));
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  return join(packageFolder, '..', '..', `.vedette-chromium-${version}`);
}

/** The browser, or why it does not run. Libraries of the system are used where it has them: it is the system that keeps them up to date. */
async function tryUnpacked(folder: string, user: User | undefined): Promise<InstalledBrowser | string> {
  const executable = join(folder, 'chromium');
  const fonts = existsSync('/etc/fonts/fonts.conf') ? undefined : join(folder, 'fonts');
  const madeAt = statSync(join(folder, 'libGLESv2.so')).mtime;
  let refusal: string | undefined;
  for (const libraries of [undefined, join(folder, 'al2023', 'lib')]) {
    refusal = await refusalOf(executable, user, libraries);
    if (refusal === undefined) return { executable, libraries, fonts, madeAt };
  }
  return refusal!;
}

/** Why this user cannot run the program; undefined where it can. */
async function refusalOf(
  executable: string,
  user: User | undefined,
  libraries?: string,
  args = ['--version'],
): Promise<string | undefined> {
  const lines: string[] = [];
  const child = startChild({
    command: executable,
    args,
    endSignal: 'SIGKILL',
    graceMs: 0,
    env: { PATH: '/usr/bin:/bin', ...(libraries !== undefined && { LD_LIBRARY_PATH: libraries }) },
    rights: { user, capabilities: [] },
    onLine: (line) => lines.push(line),
  });
  const { code, error } = await child.gone;
  return code === 0 ? undefined : (error?.message ?? (lines.join('; ') || `it ended with status ${code}`));
}
