import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline';
import { hasCapability } from './capabilities.ts';
import { plainEnvironment } from '../settings/environment.ts';

/** The rights of a child. */
export interface Rights {
  /** The user that it runs as, in no other group. Unset: as we do. */
  user?: { uid: number; gid: number } | undefined;
  /** The capabilities that it keeps, as setpriv(1) writes them (`net_raw`), of those that we have. */
  capabilities: readonly string[];
}

export interface ChildOptions {
  command: string;
  args: readonly string[];
  /** The signal that asks it to end. The kernel sends it too, should we die without a word, where setpriv(1) is installed. */
  endSignal: NodeJS.Signals;
  /** How long it may take to end before it is killed; unset = as long as it wants. */
  graceMs?: number;
  /** Unset: of ours what holds no secret. Its PATH is where `command` is looked for, and setpriv(1). */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Unset: what we may. Without setpriv(1) only its user counts. */
  rights?: Rights | undefined;
  /** Hears what it writes to stderr, by the line; unset = that is ours too. */
  onLine?: (line: string) => void;
  /** It gets a pipe to read from as its descriptor 3, and one to write to as 4. */
  pipes?: boolean;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not even be started. */
  error?: Error;
}

export interface Child {
  process: ChildProcess;
  /** Whether it ends when we are killed. */
  endsWithUs: boolean;
  /** Settles when it has gone; never rejects. */
  gone: Promise<Ended>;
  /** Asks it to end; resolves when it has gone. */
  stop(): Promise<void>;
}

/** Starts a child in a session of its own: Ctrl-C in a terminal reaches us alone, and we stop things in order. */
export function startChild(options: ChildOptions): Child {
  const { command, args, endSignal, graceMs, env = plainEnvironment(process.env), cwd, rights, onLine, pipes = false } = options;
  const setpriv = findSetpriv(env);
  const [program, ...before] = setpriv === undefined ? [command] : [setpriv, ...setprivFlags(endSignal, rights), '--', command];
  const child = spawn(program, [...before, ...args], {
    env,
    ...(cwd !== undefined && { cwd }),
    ...(setpriv === undefined && rights?.user),
    detached: true,
    stdio: ['ignore', onLine ? 'ignore' : 2, onLine ? 'pipe' : 2, ...(pipes ? (['pipe', 'pipe'] as const) : [])],
  });
  if (onLine && child.stderr) createInterface({ input: child.stderr }).on('line', onLine);
  const gone = new Promise<Ended>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
  });
  return {
    process: child,
    endsWithUs: setpriv !== undefined,
    gone,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(endSignal);
      const timer = graceMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), graceMs);
      await gone;
      clearTimeout(timer);
    },
  };
}

/** No program that it runs, set-user-ID or not, gives it a right beyond these. */
function setprivFlags(endSignal: NodeJS.Signals, rights: Rights | undefined): string[] {
  const flags = ['--pdeathsig', endSignal.slice('SIG'.length), '--no-new-privs'];
  if (rights === undefined) return flags;
  const kept = ['-all', ...rights.capabilities.map((name) => `+${name}`)].join(',');
  flags.push(`--inh-caps=${kept}`, `--ambient-caps=${kept}`);
  if (rights.user === undefined) return flags;
  const { uid, gid } = rights.user;
  // Without the secure bit access(2) would answer as if it could read no more than its user (capabilities(7)), and Node asks by it.
  if (rights.capabilities.includes('dac_read_search')) flags.push('--securebits=+no_setuid_fixup');
  // A container may leave its root without the right to lower it. Capabilities in the bounding set alone cannot be gained: the child has no
  // new privileges.
  if (hasCapability('setpcap')) flags.push(`--bounding-set=${kept}`);
  return [...flags, `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
}

/** setpriv(1) of util-linux, which has the kernel signal a child at its parent's death (PR_SET_PDEATHSIG). */
const findSetpriv = (env: NodeJS.ProcessEnv): string | undefined =>
  [...(env['PATH'] ?? '').split(delimiter), '/usr/bin']
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, 'setpriv'))
    .find((path) => existsSync(path));
