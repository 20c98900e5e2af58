import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freeze } from './freeze.ts';

export interface AgentProcess {
  signal(name: 'SIGKILL' | 'SIGTERM'): void;
  freeze(): Promise<void>;
  thaw(): void;
  /** Runs that it began. */
  started(): Promise<number>;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | string>;
}

const children = new Set<ChildProcess>();
process.once('exit', () => killAll());

/** Starts test/bus/agent-process.ts, and waits until it serves. */
export async function spawnAgent(url: string, location: string, agent: string): Promise<AgentProcess> {
  const child = fork(new URL('agent-process.ts', import.meta.url), [url, location, agent], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  children.add(child);
  const ended = once(child, 'exit').then(([code, signal]) => {
    children.delete(child);
    return (code ?? signal) as number | string;
  });
  await Promise.race([once(child, 'message'), ended.then((how) => Promise.reject(new Error(`the agent ended: ${how}`)))]);
  return {
    signal: (name) => void child.kill(name),
    freeze: () => freeze(child.pid!),
    thaw: () => void child.kill('SIGCONT'),
    async started() {
      child.send('how many');
      const [count] = (await once(child, 'message')) as [number];
      return count;
    },
    ended,
  };
}

export function killAll(): void {
  for (const child of children) child.kill('SIGKILL');
}
