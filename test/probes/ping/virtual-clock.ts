import type { Clock } from '@vedette/contract';

/** A clock that jumps to the next sleeper when nothing else is left to do. */
export function virtualClock(): Clock {
  const sleepers: { at: number; wake: () => void }[] = [];
  let now = 0;
  let jumping = false;
  // Two turns of the event loop let fakes that answer in the next one go first.
  const jump = () => setImmediate(() => setImmediate(() => setImmediate(wakeNext)));
  const wakeNext = () => {
    sleepers.sort((a, b) => a.at - b.at);
    const sleeper = sleepers.shift();
    if (sleeper) {
      now = Math.max(now, sleeper.at);
      sleeper.wake();
    }
    jumping = sleepers.length > 0;
    if (jumping) jump();
  };
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          const index = sleepers.indexOf(sleeper);
          if (index >= 0) sleepers.splice(index, 1);
          reject(signal.reason as Error);
        });
        if (!jumping) jump();
        jumping = true;
      }),
  };
}
