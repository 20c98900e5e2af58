import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;
/** A folder with the process that made it. */
const OWNED = /^vedette-[a-z]+-(\d{1,10})-\w{6}$/;

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}

/** The folder for data directories of tests. In memory where there is room: on a busy disk one fsync of PostgreSQL takes up to a second. */
const SCRATCH = hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir();

/** Removes what processes have left that have ended: one that is killed removes nothing, and Vitest kills its workers. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const owner = OWNED.exec(name)?.[1];
    if (owner === undefined || existsSync(`/proc/${owner}`)) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // Another user's, or another process removes it too.
    }
  }
}

/** A new folder for data of this process. Who makes it removes it. */
export function scratchFolder(name: string, parent = SCRATCH): string {
  sweep(parent);
  return mkdtempSync(join(parent, `vedette-${name}-${process.pid}-`));
}
