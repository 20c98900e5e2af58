import { link, mkdir, open, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@vedette/contract';

const CLOCKS_APART = 4;
const NAME = /^lock-(\d{1,15})$/;
/** A holder changes the time of its lock this often. */
export const BEAT_MS = 10_000;
/** A lock without a beat for so long has a dead holder. Clients of NFS may see an attribute for 60 s after it has changed (acregmax). */
const DEAD_MS = 120_000;
/** A waiting process that was stopped itself, with the holder perhaps, has to see the lock unchanged so often. */
const DEAD_LOOKS = 6;
/** Ends the content of a lock that has beats. Locks of earlier releases have none, and hold until they expire. */
const BEATS = '\n';

/** The right to change a folder: held by one of several processes, which may be on several machines. */
export interface Held {
  /** Whether it is held still: one that came too late has lost it. */
  isHeld(): Promise<boolean>;
  /** Tells waiting processes that the holder is alive. */
  beat(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Tells a dead holder by its lock, which does not change any more. It goes by the clock of the waiting process alone: the clocks of several machines and of a file server
 * differ, and a process number says nothing on another machine or in another container.
 */
export class HolderWatch {
  readonly #clock: Pick<Clock, 'now'>;
  #seen = '';
  #since = 0;
  #looks = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Whether the lock has stayed the same for too long. To be asked at each try. */
  isDead(lock: string): boolean {
    const now = this.#clock.now();
    if (lock !== this.#seen) [this.#seen, this.#since, this.#looks] = [lock, now, 0];
    this.#looks += 1;
    return now - this.#since >= DEAD_MS && this.#looks > DEAD_LOOKS;
  }
}

/**
 * Takes the lock of a folder until the time given (epoch ms), or tells that another has it. Locks are numbered files, and the highest
 * number counts. A process that finds it expired or released, or its holder dead, creates the next number, which only one process can. The locks of dead
 * processes need no clean-up, and a process that was stopped for long can see that it has lost its lock.
 */
export async function takeLock(
  folder: string,
  { now, until, random, watch }: { now: number; until: number; random: number; watch?: HolderWatch },
): Promise<Held | undefined> {
  await mkdir(folder, { recursive: true });
  const before = await highest(folder);
  const { expiry, hasBeats, changedAt } = before > 0 ? await read(folder, before) : FREE;
  // An expiry far beyond the usual duration was written by a wrong clock.
  const isHeldNow = expiry > now && expiry < now + CLOCKS_APART * (until - now);
  if (isHeldNow && !(hasBeats && watch?.isDead(`${before} ${changedAt}`))) return undefined;
  const number = before + 1;
  const draft = join(folder, `lock-draft-${process.pid}-${String(random).slice(2)}.new`);
  await writeFile(draft, `${until}${BEATS}`, { flush: true });
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
  let beats = 0;
  return {
    isHeld,
    async beat() {
      beats += 1;
      // A time that no beat before had, whatever the clock does. A removed file is another one's lock by now.
      const time = (now + beats * BEAT_MS) / 1000;
      await utimes(pathOf(folder, number), time, time).catch(() => undefined);
    },
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

const FREE = { expiry: 0, hasBeats: false, changedAt: 0 };

/** The end of a lock, and when it was changed. One that is empty or gone by now is being released: it was whole from the beginning. Opened, for NFS to ask its server. */
async function read(folder: string, number: number): Promise<typeof FREE> {
  try {
    await using file = await open(pathOf(folder, number));
    const text = await file.readFile('utf8');
    const { mtimeMs } = await file.stat();
    return { expiry: Number(text), hasBeats: text.endsWith(BEATS), changedAt: mtimeMs };
  } catch {
    return FREE;
  }
}
