import { type ChildProcess, spawn } from 'node:child_process';

export interface Child {
  name: string;
  process: ChildProcess;
  /** Settles when it has gone; never rejects. */
  gone: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/**
 * Starts a child that logs to our stderr, in a process group of its own (Ctrl-C reaches us alone, and we stop things in
 * order). The kernel ends it should we die without a word: a `kill -9` of ours leaves nothing behind.
 */
export function startChild(name: string, command: string, args: string[], env: NodeJS.ProcessEnv): Child {
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', '--', command, ...args], { env, stdio: ['ignore', 2, 2], detached: true });
  const gone = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: 1, signal: null }));
  });
  return { name, process: child, gone };
}

/** Asks a child to stop, and ends it when it has not after `graceMs`. */
export async function stopChild(child: Child, graceMs: number): Promise<void> {
  if (child.process.exitCode !== null || child.process.signalCode !== null) return;
  child.process.kill('SIGTERM');
  const timer = setTimeout(() => child.process.kill('SIGKILL'), graceMs);
  await child.gone;
  clearTimeout(timer);
}
