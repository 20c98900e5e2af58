import type { Clock } from '@vedette/contract';

/** Time that moves only when told to. */
export function handClock() {
  let now = 0;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason as Error);
        });
      }),
  };
  return {
    clock,
    sleeping: () => sleepers.size,
    async advance(ms: number) {
      now += ms;
      for (const sleeper of sleepers)
        if (sleeper.at <= now) {
          sleepers.delete(sleeper);
          sleeper.wake();
        }
      await settle();
    },
  };
}

/** Whatever needs no time has happened. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));
