import type { Readable } from 'node:stream';
import type { Profile, Profiles } from '../profile/profiles.ts';
import type { Terminal } from '../show/live.ts';

/** The parts that measuring commands work with. */
export interface Desk {
  env: Readonly<Record<string, string | undefined>>;
  /** Standard input. */
  input: Readable;
  out: Terminal;
  /** Standard error. */
  err: Terminal;
  /** Tells what is not the result, on stderr. */
  progress: (text: string) => void;
  profiles: Profiles;
  /** The gateway to ask. Throws an Error that says what to do. */
  profile: (named: string | undefined) => Profile;
  fetch: typeof fetch;
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** A signal that Ctrl-C aborts from now on. */
  interrupted: () => AbortSignal;
  /** A line that the user types and that is not shown, or else a line of standard input. */
  secret: (question: string) => Promise<string>;
  /** Ends the process with this code, once all is written. */
  exit: (code: number) => void;
  /** Folder of what may be lost. */
  cacheDir: string;
}
