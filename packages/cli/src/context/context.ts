import type { AdminClient } from './admin-client.ts';
import type { Log } from '@vedette/process/log';
import type { DoctorPorts } from '../doctor/ports.ts';

/** Where a gateway's database is. */
export interface Database {
  /** The operator's own; undefined: the one in `dataDir`. */
  url: string | undefined;
  dataDir: string;
  log: Log;
}

export interface CliPorts {
  admin: AdminClient;
  database: Database;
  doctor: DoctorPorts;
  print: (text: string) => void;
  /** Tells what is not the result, on stderr: how far a long work is, or what to do with a secret. */
  progress: (text: string) => void;
  today: () => Date;
  /** Monotonic ms. */
  now: () => number;
  sleep: (ms: number) => Promise<unknown>;
  /** Goes on as another program of ours, with these arguments: its signals and its exit status are ours then. */
  become: (main: string, args: readonly string[]) => void;
  /** Something is wrong although the command worked: exit with 1. */
  fail: () => void;
}

/** The parts that a command works with. */
export interface CliContext extends CliPorts {
  /** The version of this program. */
  version: string;
  /** Prints a result: as JSON with --json, else as `human` puts it. */
  show: <T>(result: T, human: (result: T) => string) => void;
}
