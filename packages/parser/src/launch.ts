import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasCapability } from '@vedette/process/capabilities';
import { type Child, type Rights, startChild } from '@vedette/process/child';
import { systemUser } from '@vedette/process/users';

/** How much a parser is kept from, beside what Node keeps it from (`--permission`): files, sockets, processes, threads, native code. */
export interface Confinement {
  /** Words for the log. */
  name: string;
  rights: Rights | undefined;
  /** Whether it is in a user namespace without rights, and in a network namespace without interfaces. */
  alone: boolean;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** What it may read: itself, and what reads messages. */
const CODE = ['node_modules', 'packages/contract', 'packages/intel', 'packages/parser'].map((folder) => `${ROOT}${folder}`);

/** What its objects may take, beyond which V8 ends it. What a message is, and what archives are unpacked into, is beside them. */
export const HEAP_BYTES = 256 * 1024 ** 2;
/**
 * Where the kernel shares the CPU among sessions first (autogroups, sched(7)), niceness is one's within one's own: each parser is one. Who has no rights
 * may set it once in a tenth of a second, on the whole machine.
 */
const LAST_OF_SESSIONS = 'auto=/proc/self/autogroup; [ ! -e $auto ] || echo 10 >$auto || { sleep 0.2; echo 10 >$auto; }';
/**
 * Where the kernel ends it, should nobody watch it any more: CPU time in its life, and private memory in KB, of which V8 reserves 600 MB that it does
 * not use. It writes no file, and no core. Of all processes the kernel takes it first where memory runs out, and it runs when others leave it time.
 */
const SEAT_BELTS = `${LAST_OF_SESSIONS}; echo 1000 >/proc/self/oom_score_adj; ulimit -c 0; ulimit -f 0; ulimit -t 80; ulimit -d 1258291`;

/** Nothing else runs as this user: who is not root cannot give it one. */
const USER = process.getuid?.() === 0 && hasCapability('kill') ? systemUser(`parsers of ${ROOT}`, 0) : undefined;

/** What can be had on this machine is seen when it is tried, the closest first. */
export const CONFINEMENTS: readonly Confinement[] = [
  { name: 'no rights and no network', rights: { user: USER, capabilities: [] }, alone: true },
  { name: 'no rights', rights: { user: USER, capabilities: [] }, alone: false },
  { name: 'the rights of this process', rights: undefined, alone: false },
];

/** Starts a parser. Neither our environment nor our files are its business, and what it writes beside its frames is for nobody. */
export function launch(main: string, { rights, alone }: Confinement): Child {
  const node = [
    process.execPath,
    '--permission',
    ...[...CODE, dirname(main)].map((folder) => `--allow-fs-read=${folder}`),
    `--max-old-space-size=${HEAP_BYTES / 1024 ** 2}`,
    '--disallow-code-generation-from-strings',
    main,
  ];
  const command = ['/bin/sh', '-c', `{ ${SEAT_BELTS}; exec nice -n 10 "$@"; } >/dev/null 2>&1`, 'sh', ...node];
  const [program = '', ...args] = alone ? ['unshare', '--user', '--net', '--', ...command] : command;
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', TZ: 'UTC' };
  return startChild({ command: program, args, env, cwd: '/', rights, endSignal: 'SIGKILL', pipes: true });
}
