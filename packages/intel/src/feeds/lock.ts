import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const CLOCKS_APART = 4;
const NAME = /^lock-(\d{1,15})$/;

/** The right to change a folder: held by one of several processes, which may be on several machines. */
export interface Held {
  /** Whether it is held still: one that came too late has lost it. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Takes the lock of a folder until the time given (epoch ms), or tells that another has it. Locks are numbered files, and the highest
 * number counts. A process that finds it expired or released creates the next number, which only one process can. The locks of dead
 * processes need no clean-up, and a process that was stopped for long can see that it has lost its lock.
 */
export async function takeLock(
  folder: string,
  { now, until, random }: { now: number; until: number; random: number },
): Promise<Held | undefined> {
  await mkdir(folder, { recursive: true });
  const before = await highest(folder);
  const expiry = before > 0 ? await expiryOf(folder, before) : 0;
  // An expiry far beyond the usual duration was written by a wrong clock.
  if (expiry > now && expiry < now + CLOCKS_APART * (until - now)) return undefined;
  const number = before + 1;
  const draft = join(folder, `lock-draft-${process.pid}-${String(random).slice(2)}.new`);
  await writeFile(draft, String(until), { flush: true });
  try {
    // A link is made whole or not at all, and never over what is there.
    await link(draft, pathOf(folder, number));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const isHeld = async (): Promise<boolean> => (await highest(folder)) === number;
  // One who was slow may have made a number that others have passed and removed.
  if (!(await isHeld())) {
    await rm(pathOf(folder, number), { force: true });
    return undefined;
  }
  if (before > 0) await rm(pathOf(folder, before), { force: true });
  return {
    isHeld,
    async release() {
      // Only its holder writes it; it stays as the number that the next one counts from.
      if (await isHeld()) await writeFile(pathOf(folder, number), '0', { flush: true });
    },
  };
}

const pathOf = (folder: string, number: number): string => join(folder, `lock-${number}`);

async function highest(folder: string): Promise<number> {
  const names = await readdir(folder);
  return Math.max(0, ...names.map((name) => Number(NAME.exec(name)?.[1] ?? 0)));
}

/** When a lock ends. One that is empty or gone by now is being released: it was whole from the beginning. */
async function expiryOf(folder: string, number: number): Promise<number> {
  return Number(await readFile(pathOf(folder, number), 'utf8').catch(() => ''));
}
