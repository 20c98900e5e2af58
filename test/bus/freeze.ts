import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Stops a process. Resolves when every thread of it has stopped: until then one of them may still pass a message on. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  while (!readdirSync(`/proc/${pid}/task`).every((task) => stateOf(pid, task) === 'T')) await sleep(1);
}

/** One letter, proc(5); it follows the name in parentheses, which may hold anything. */
function stateOf(pid: number, task: string): string | undefined {
  const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8');
  return stat[stat.lastIndexOf(')') + 2];
}
