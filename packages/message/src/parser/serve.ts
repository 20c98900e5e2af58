import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFrame, writeFrame } from './frames.ts';

/** Where a parser reads frames, and where it writes them: stdout is for whatever a library has to say. */
const IN = 3;
const OUT = 4;

/** Where a process says how nice its session is to others: the kernel shares the CPU among sessions first, where it has autogroups (sched(7)). */
export const AUTOGROUP = '/proc/self/autogroup';
const NICENESS = 10;
/** Who has no rights may say so once in a tenth of a second, on the whole machine. */
const AGAIN_MS = 200;
/** Then it reads as nice as it is within its session. */
const TRIES = 3;

/** Reads a message, which gives whatever JSON can say. */
export type Read = (message: Uint8Array) => Promise<unknown>;

/** What a parser says: first nothing in particular, when it is ready; then the reading of each message, or what went wrong. */
export interface ParserReply {
  reading?: unknown;
  error?: string;
}

/**
 * Makes this process a parser: it reads one message after the other, and ends when whoever asks has gone. In between it stands still, as there is
 * nothing else for it to do: no timer of a reader goes on beyond its message. A reader that fails is a defect, and whoever asked ends us.
 */
export async function serve(load: () => Promise<Read>): Promise<void> {
  try {
    const read = await load();
    await letOthersGoFirst();
    say({});
    for (let message = readFrame(IN); message; message = readFrame(IN)) say({ reading: await read(message) });
  } catch (error) {
    say({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  process.exit();
}

/** Reading is for when others leave it time. Starting is not: a parser that never got there would be started for ever. */
async function letOthersGoFirst(): Promise<void> {
  setPriority(NICENESS);
  const tell = () => writeFileSync(AUTOGROUP, String(NICENESS));
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      return tell();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return; // this kernel has none
      await sleep(AGAIN_MS * tries);
    }
  }
}

const say = (reply: ParserReply): void => writeFrame(OUT, Buffer.from(JSON.stringify(reply)));
