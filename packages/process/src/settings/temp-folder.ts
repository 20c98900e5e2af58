import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';

const OTHERS_ENTER = 0o001;
const OTHERS_WRITE = 0o003;

/** The folder for temporary files to which every user of this machine may write: what TMPDIR names, unless that is one user's alone, as libpam-tmpdir's are. */
export const sharedTemp = (): string => openOr('/tmp', OTHERS_WRITE);

/** The one that every user may enter, where only its owner need write. */
export const enterableTemp = (): string => openOr('/tmp', OTHERS_ENTER);

function openOr(other: string, bits: number): string {
  const folder = resolve(tmpdir());
  try {
    if ((statSync(folder).mode & bits) !== bits) return other;
    for (let path = folder; path !== dirname(path); path = dirname(path)) if ((statSync(path).mode & OTHERS_ENTER) === 0) return other;
    return folder;
  } catch {
    return other; // it is not there
  }
}
