import { statfsSync } from 'node:fs';

/** A browser with less may have no room for its pictures and what its processes share: with 24 MB its tabs crash, with less it opens no page. */
const LEAST_BYTES = 128 * 1024 ** 2;

/** The space that a browser lacks in this folder, as a sentence; empty when it has enough. */
export function roomMissing(folder: string): string {
  let free: number;
  try {
    const { bavail, bsize } = statfsSync(folder);
    free = bavail * bsize;
  } catch (error) {
    return `${folder}: ${(error as Error).message}`;
  }
  return free < LEAST_BYTES ? `${Math.floor(free / 1024 ** 2)} MB are free in ${folder}` : '';
}
