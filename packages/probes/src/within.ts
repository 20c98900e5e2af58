import type { Clock } from '@vedette/contract';

/** Given so that no DOMException with a stack is made for each run. */
const ENDED = 'ended';

/** Runs work under a signal that aborts with `reason()` after `ms` on the clock, or with the parent's reason; never once the work has ended. */
export async function within<T>(
  clock: Clock,
  ms: number,
  parent: AbortSignal,
  reason: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timer = new AbortController();
  const control = new AbortController();
  const onParent = () => control.abort(parent.reason);
  if (parent.aborted) onParent();
  else parent.addEventListener('abort', onParent);
  clock.sleep(ms, timer.signal).then(
    () => control.abort(reason()),
    () => {}, // the work ended before
  );
  try {
    return await work(control.signal);
  } finally {
    timer.abort(ENDED);
    parent.removeEventListener('abort', onParent);
  }
}
