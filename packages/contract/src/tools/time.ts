import type { Clock } from '../ports/ports.ts';

/** The reason of an abort that ends an unneeded wait: without one, a DOMException with a stack is made each time. */
export const ENDED = 'ended';

/**
 * Runs work under a signal that aborts with `reason()` after `ms` on the clock, or with the parent's reason; never once the work
 * has ended. The work has to heed the signal, if only by `unlessAborted`: nothing else ends it.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  parent: AbortSignal | undefined,
  reason: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timer = new AbortController();
  const control = new AbortController();
  const onParent = () => control.abort(parent!.reason);
  if (parent?.aborted) onParent();
  else parent?.addEventListener('abort', onParent);
  clock.sleep(ms, timer.signal).then(
    () => control.abort(reason()),
    () => {}, // the work ended before
  );
  try {
    return await work(control.signal);
  } finally {
    timer.abort(ENDED);
    parent?.removeEventListener('abort', onParent);
  }
}

/** Settles as the work does, or rejects with the signal's reason as soon as it aborts: for work that takes no signal, which then goes on unheard. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
    void work.then(resolve, reject).then(() => signal.removeEventListener('abort', onAbort));
  });
}
