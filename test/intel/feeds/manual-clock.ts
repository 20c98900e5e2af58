import type { Clock } from '@vedette/contract';

/** A clock whose sleeper is woken by hand. */
export interface ManualClock extends Clock {
  /** How long was slept, each time, ms. */
  readonly slept: number[];
  /** Wakes who sleeps, now or soon, and waits until he sleeps again. */
  due(): Promise<void>;
  /** Wakes all who sleep. */
  wake(): void;
  /** Until somebody sleeps. */
  asleep(): Promise<void>;
}

export function manualClock(): ManualClock {
  const slept: number[] = [];
  const sleepers = new Set<() => void>();
  const wake = (): void => {
    for (const end of sleepers) end();
    sleepers.clear();
  };
  let sleeping = Promise.withResolvers<void>();
  return {
    slept,
    now: () => 0,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        slept.push(ms);
        sleepers.add(resolve);
        if (signal?.aborted) reject(signal.reason as Error);
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
        sleeping.resolve();
      }),
    async due() {
      await sleeping.promise;
      sleeping = Promise.withResolvers<void>();
      wake();
      await sleeping.promise;
    },
    wake,
    asleep: () => sleeping.promise,
  };
}
