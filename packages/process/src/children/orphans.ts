import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Option of prctl(2). */
const PR_SET_CHILD_SUBREAPER = 36;
/** Flag of waitpid(2). */
const WNOHANG = 1;
/** Time in which Node has collected the children that it started itself: those must not be collected here, since it would miss how they ended. */
const OWN_MS = 500;

/**
 * Makes processes below this one whose parent ended its children, and collects them when they end: the first process of a container may collect none, and
 * they stay as zombies. Throws where the system does not let it.
 */
export async function adoptOrphans(): Promise<Disposable> {
  const { default: koffi } = await import('koffi');
  const libc = koffi.load(null); // the process itself has libc linked
  const prctl = libc.func('int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)');
  const waitpid = libc.func('int waitpid(int, void *, int)');
  if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) !== 0) throw new Error(`prctl(PR_SET_CHILD_SUBREAPER) failed: errno ${koffi.errno()}`);
  const stopped = new AbortController();
  const { signal } = stopped;
  let collecting = false;
  const collect = async (): Promise<void> => {
    if (collecting) return;
    collecting = true;
    for (let left = zombies(); left.size > 0 && !signal.aborted;) {
      await sleep(OWN_MS, undefined, { signal, ref: false }).catch(() => undefined);
      const now = zombies();
      for (const pid of now.intersection(left)) waitpid(pid, null, WNOHANG);
      left = now.difference(left);
    }
    collecting = false;
  };
  const onChild = (): void => void collect();
  process.on('SIGCHLD', onChild);
  return {
    [Symbol.dispose]() {
      stopped.abort();
      process.off('SIGCHLD', onChild);
    },
  };
}

/** Ended children of this process that have not been collected. */
function zombies(): Set<number> {
  const found = new Set<number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const { state, parent } = processState(Number(name)) ?? {};
    if (state === 'Z' && parent === process.pid) found.add(Number(name));
  }
  return found;
}

/** State and parent of a process, as in proc_pid_stat(5); undefined when the process does not exist. */
export function processState(pid: number): { state: string; parent: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command may hold blanks and brackets.
    const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 2);
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
