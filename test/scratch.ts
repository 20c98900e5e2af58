import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}

/** The folder for data directories of tests. In memory where there is room: on a busy disk one fsync of PostgreSQL takes up to a second. */
export const SCRATCH = hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir();
