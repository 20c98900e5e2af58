import { hash } from 'node:crypto';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '@vedette/process/start-error';

const TRIES = 100;
const PAUSE_MS = 100;

/** The directory belongs to another living process. */
export class DirectoryHeldError extends StartError {
  override name = 'DirectoryHeldError';
}

/**
 * Takes a directory for this process alone, until `release` or the end of the process, however it ends: the lock is an
 * abstract Unix socket (unix(7)), which the kernel removes with its owner, so that no stale lock can be left behind.
 * Throws `DirectoryHeldError`, naming the holder, at once when it is taken.
 */
export async function lockDirectory(directory: string): Promise<{ release(): Promise<void> }> {
  await mkdir(directory, { recursive: true });
  const path = await realpath(directory);
  const holderFile = join(path, 'holder.pid');
  const server = createServer((socket) => socket.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(`\0vedette-${hash('sha256', path)}`, resolve);
    });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
    const holder = await readFile(holderFile, 'utf8').catch(() => 'unknown');
    throw new DirectoryHeldError(`${directory} is in use by process ${holder.trim()}`, { cause });
  }
  server.unref();
  // The directory may be another user's: made anew, the file is not what a link of his points to.
  await rm(holderFile, { force: true });
  await writeFile(holderFile, `${process.pid}\n`, { flag: 'wx' });
  return {
    release: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Does `work` while no other process holds the directory. Another holder gets ten seconds to finish; then throws `DirectoryHeldError`. */
export async function holdingDirectory<T>(directory: string, work: () => T | Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      const lock = await lockDirectory(directory);
      try {
        return await work();
      } finally {
        await lock.release();
      }
    } catch (error) {
      if (!(error instanceof DirectoryHeldError) || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
