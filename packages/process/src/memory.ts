import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Time in which a process that runs has loaded and compiled the rest of its code. */
const SETTLED_MS = 10_000;

/**
 * Gives the memory of a start back to the system, once the start is over: V8 and glibc keep what was freed, half of what a process has then. One full
 * collection takes 0.1 s in the largest process. `onFailure` hears why it could not, such as a libc without malloc_trim(3).
 */
export function giveBackMemoryWhenSettled(onFailure: (error: unknown) => void): void {
  setTimeout(() => void giveBackMemory().catch(onFailure), SETTLED_MS).unref();
}

async function giveBackMemory(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', flavor: 'last-resort' });
  const { default: koffi } = await import('koffi');
  koffi.load(null).func('int malloc_trim(size_t)')(0);
}
