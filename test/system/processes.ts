import { readdirSync, readFileSync } from 'node:fs';

/** A file of /proc about a process; empty where that has ended meanwhile, as on a busy machine any may between two looks. */
export function told(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** Its state, one letter, and its parent, proc(5); they follow the name in parentheses, which may hold anything. */
const stateOf = (pid: number): string[] => {
  const stat = told(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** Pids of every process below one, itself excluded. */
export const descendants = (pid: number): number[] => {
  const rows = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(stateOf(Number(name))[1])] as const);
  const below = (parent: number): number[] => rows.filter(([, ppid]) => ppid === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
};
export const parentOf = (pid: number): number => Number(stateOf(pid)[1]);
/** The command with its arguments; empty for a process that has ended. */
export const commandOf = (pid: number): string => told(pid, 'cmdline').replaceAll('\0', ' ').trim();
/**
 * Whether a process has not ended. One that nobody has collected yet has: children of the browser that end with it are left to the machine's first
 * process, which comes to it in its own time.
 */
export const isAlive = (pid: number): boolean => /^[^ZX]/.test(stateOf(pid)[0]!);

/** The process below one whose command has a text. Throws where none has. */
export function processOf(pid: number, command: string): number {
  const found = descendants(pid).find((each) => commandOf(each).includes(command));
  if (found === undefined) throw new Error(`no process below ${pid} is ${command}`);
  return found;
}
