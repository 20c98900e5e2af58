import { execFile } from 'node:child_process';
import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StartError } from '@vedette/process/start-error';
import type { User } from '@vedette/process/users';

const run = promisify(execFile);

/** A browser on this machine, and what it needs that the system lacks. */
export interface InstalledBrowser {
  executable: string;
  libraries: string | undefined;
  fonts: string | undefined;
}

export interface BrowserChoice {
  /** VEDETTE_CHROMIUM. */
  chosen: string | undefined;
  /** A folder of ours, where npm's browser is unpacked if the set-up has not. */
  folder: string;
  /** Who is going to run it. */
  user: User | undefined;
}

const UNPACK = fileURLToPath(new URL('unpack.ts', import.meta.url));

/** Finds the browser to start: the operator's, else npm's. Throws a `StartError` where there is none that runs. */
export async function installedBrowser({ chosen, folder, user }: BrowserChoice): Promise<InstalledBrowser> {
  if (chosen !== undefined) {
    await access(chosen, constants.X_OK).catch((cause: Error) => {
      throw new StartError(`VEDETTE_CHROMIUM: ${cause.message}`, { cause });
    });
    return { executable: chosen, libraries: undefined, fonts: undefined };
  }
  const unpacked = await unpackedFolder(folder);
  const executable = join(unpacked, 'chromium');
  return {
    executable,
    libraries: await librariesFor(executable, join(unpacked, 'al2023', 'lib'), user),
    fonts: existsSync('/etc/fonts/fonts.conf') ? undefined : join(unpacked, 'fonts'),
  };
}

/** Where the set-up has unpacked npm's browser; else it is unpacked to `folder` now. */
async function unpackedFolder(folder: string): Promise<string> {
  const packageFolder = dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))));
  const { version } = createRequire(import.meta.url)(join(packageFolder, 'package.json')) as { version: string };
  const bySetUp = join(packageFolder, '..', '..', '.vedette-chromium', version);
  if (existsSync(bySetUp)) return bySetUp;
  const own = join(folder, `chromium-${version}`);
  await run(process.execPath, ['--disable-warning=ExperimentalWarning', UNPACK, own]).catch((cause: Error) => {
    throw new StartError(`npm's browser cannot be unpacked: ${cause.message}`, { cause });
  });
  return own;
}

/** Those of the system are used where it has them: it is the system that keeps them up to date. */
async function librariesFor(executable: string, bundled: string, user: User | undefined): Promise<string | undefined> {
  try {
    await run(executable, ['--version'], { env: {}, timeout: 10_000, ...user });
    return undefined;
  } catch (error) {
    if (/shared librar/.test((error as Error).message)) return bundled;
    throw new StartError(`the browser does not run: ${(error as Error).message}`, { cause: error });
  }
}
