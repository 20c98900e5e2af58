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
/** The kernel lets processes without privileges set it once in a tenth of a second, counted for the whole machine. */
const AGAIN_MS = 200;
/** The niceness of the process within its session stays as it is after that. */
const TRIES = 3;

/** Reads a frame, which gives whatever JSON can say. */
export interface Reader {
  read(frame: Uint8Array): Promise<unknown>;
  /** Whether what it has just read has spoilt it for others. */
  isSpoilt(): boolean;
}

/** A reply of a parser: an empty object when it is ready, then the reading of each message, or an error. */
export interface ParserReply {
  reading?: unknown;
  error?: string;
}

/**
 * Makes this process a parser: it reads one frame after the other, and exits when the parent has gone. It blocks between messages, so no
 * timer of a reader runs on after its message. A reader that fails is a defect: the parser replies with the error and exits.
 */
export async function serve(load: () => Promise<Reader>): Promise<void> {
  try {
    const reader = await load();
    await letOthersGoFirst();
    say({});
    while (!reader.isSpoilt()) {
      const frame = readFrame(IN);
      if (!frame) break;
      say({ reading: await reader.read(frame) });
    }
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
