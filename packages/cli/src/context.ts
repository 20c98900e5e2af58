import type { AdminClient } from './admin-client.ts';
import type { DoctorPorts } from './doctor/ports.ts';

export interface CliPorts {
  admin: AdminClient;
  doctor: DoctorPorts;
  print: (text: string) => void;
  /** Tells how far a long work is. */
  progress: (text: string) => void;
  /** Monotonic ms. */
  now: () => number;
  sleep: (ms: number) => Promise<unknown>;
  /** Something is wrong although the command worked: exit with 1. */
  fail: () => void;
}

/** What a command works with. */
export interface CliContext extends CliPorts {
  /** Prints a result: as JSON with --json, else as `human` puts it. */
  show: <T>(result: T, human: (result: T) => string) => void;
}
