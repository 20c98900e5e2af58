import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Clock, unlessAborted, within } from '@vedette/contract';
import { hasCapability } from '@vedette/process/capabilities';
import { type Rights, startChild } from '@vedette/process/child';
import { systemUser } from '@vedette/process/users';
import { AUTOGROUP } from './serve.ts';

/** Names of the confinements, the closest first: words for the log, and a metric's label. */
export const CONFINEMENTS = ['all', 'no_rights', 'node_alone'] as const;
export type ConfinementName = (typeof CONFINEMENTS)[number];

/** How much a parser is kept from, beside what Node keeps it from (`--permission`): files, sockets, processes, threads, native code. */
interface Confinement {
  rights: Rights | undefined;
  /** Whether it is in a user namespace without rights, and in a network namespace without interfaces. */
  alone: boolean;
}

/** The process of a parser, and the pipes for its frames. */
export interface StartedParser {
  /** Undefined where it could not be started. */
  pid: number | undefined;
  input: Duplex;
  output: Duplex;
  /** Settles, with how it ended, when it has gone; never rejects. */
  gone: Promise<string>;
  kill(): void;
}

/** Starts parsers: in this process, or through a host. */
export interface Starter {
  /** Whether this machine allows a confinement. Rejects where that is not known. */
  isAllowed(confinement: ConfinementName): Promise<boolean>;
  start(confinement: ConfinementName): Promise<StartedParser>;
}

/** The script that a parser runs. */
export const PARSER_MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** The code that a parser may read: its own, and the packages that read messages. */
const CODE = ['node_modules', 'packages/contract', 'packages/intel', 'packages/mail', 'packages/message', 'packages/web'].map(
  (folder) => `${ROOT}${folder}`,
);

/** The size of its heap, beyond which V8 ends it. The bytes of the message and of unpacked archives are outside the heap. */
export const HEAP_BYTES = 256 * 1024 ** 2;
/**
 * Limits by which the kernel ends it, in case its parent no longer watches it: CPU time in its life, and private memory in KB, of which V8
 * reserves 600 MB that it does not use. It can write no file, and no core. The kernel kills it before all other processes when memory runs
 * out.
 */
const SEAT_BELTS = `echo 1000 >/proc/self/oom_score_adj; ulimit -c 0; ulimit -f 0; ulimit -t 80; ulimit -d 1258291`;

/** Nothing else runs as this user. Only root can assign one. */
const USER = process.getuid?.() === 0 && hasCapability('kill') ? systemUser(`parsers of ${ROOT}`, 0) : undefined;

const CONFINEMENT_BY_NAME: Readonly<Record<ConfinementName, Confinement>> = {
  all: { rights: { user: USER, capabilities: [] }, alone: true },
  no_rights: { rights: { user: USER, capabilities: [] }, alone: false },
  node_alone: { rights: undefined, alone: false },
};

/** The command, environment and user that start a program in a confinement. */
const inside = (confinement: ConfinementName, command: readonly string[]) => {
  const { rights, alone } = CONFINEMENT_BY_NAME[confinement];
  const [program = '', ...args] = alone ? ['unshare', '--user', '--net', '--', ...command] : command;
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', TZ: 'UTC' };
  return { command: program, args, env, cwd: '/', rights, endSignal: 'SIGKILL' as const };
};

/** A program that only ends is given as long as this: a machine that is that busy says nothing of what it allows. */
const TRIAL_MS = 30_000;

/**
 * Whether this machine allows a confinement: whether a program that does nothing ends well in it. Rejects when the answer is unknown: the
 * program took too long, or was killed.
 */
export async function isAllowed(confinement: ConfinementName, clock: Clock): Promise<boolean> {
  const trial = startChild({ ...inside(confinement, ['true']), onLine() {} });
  const late = () => new Error('whether this machine allows the sandbox of parsers was not found out in time');
  try {
    const { code, signal, error } = await within(clock, TRIAL_MS, undefined, late, (out) => unlessAborted(out, trial.gone));
    if (signal !== null) throw new Error(`whether this machine allows the sandbox of parsers is not known: ${signal}`);
    return error === undefined && code === 0;
  } finally {
    trial.process.kill('SIGKILL');
  }
}

/** Starts a parser. It receives neither our environment nor our files, and its output other than frames is discarded. */
export function launch(main: string, confinement: ConfinementName): StartedParser {
  const node = [
    process.execPath,
    '--permission',
    ...[...CODE, dirname(main)].map((folder) => `--allow-fs-read=${folder}`),
    `--allow-fs-write=${AUTOGROUP}`,
    `--max-old-space-size=${HEAP_BYTES / 1024 ** 2}`,
    '--disallow-code-generation-from-strings',
    main,
  ];
  const command = ['/bin/sh', '-c', `{ ${SEAT_BELTS}; exec "$@"; } >/dev/null 2>&1`, 'sh', ...node];
  const child = startChild({ ...inside(confinement, command), pipes: true });
  const [, , , input, output] = child.process.stdio;
  const pipes = { input: input as Duplex, output: output as Duplex };
  for (const pipe of Object.values(pipes)) pipe.on('error', () => undefined); // it has ended, which its exit tells
  return {
    pid: child.process.pid,
    ...pipes,
    gone: child.gone.then(({ code, signal, error }) => error?.message ?? String(signal ?? code)),
    kill: () => void child.process.kill('SIGKILL'),
  };
}

/** Starts parsers as children of this process. */
export const startsHere = (main: string, clock: Clock): Starter => ({
  isAllowed: (confinement) => isAllowed(confinement, clock),
  start: async (confinement) => launch(main, confinement),
});
