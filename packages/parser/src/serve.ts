import { readFrame, writeFrame } from './frames.ts';

/** Where a parser reads frames, and where it writes them: stdout is for whatever a library has to say. */
const IN = 3;
const OUT = 4;

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
    say({});
    for (let message = readFrame(IN); message; message = readFrame(IN)) say({ reading: await read(message) });
  } catch (error) {
    say({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  process.exit();
}

const say = (reply: ParserReply): void => writeFrame(OUT, Buffer.from(JSON.stringify(reply)));
