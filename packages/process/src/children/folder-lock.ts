import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import koffi from 'koffi';

/** A lock that ends with its process (flock(2)). */
export interface FolderLock {
  release(): void;
}

const LOCK = { shared: 1, alone: 2 };
const WITHOUT_WAITING = 4;
const EWOULDBLOCK = 11;

/** Locks a folder together with others that share it, or alone. 'taken': another process holds it, or it is no longer there. 'impossible': by its file system. */
export function lockFolder(path: string, kind: keyof typeof LOCK): FolderLock | 'taken' | 'impossible' {
  let folder: number;
  try {
    folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'taken' : 'impossible';
  }
  const flock = koffi.load(null).func('int flock(int, int)');
  const isLocked = flock(folder, LOCK[kind] | WITHOUT_WAITING) === 0;
  const isTaken = isLocked ? statSync(path, { throwIfNoEntry: false })?.ino !== fstatSync(folder).ino : koffi.errno() === EWOULDBLOCK;
  if (isLocked && !isTaken) return { release: () => closeSync(folder) };
  closeSync(folder);
  return isTaken ? 'taken' : 'impossible';
}
