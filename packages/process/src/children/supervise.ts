import { setTimeout as sleep } from 'node:timers/promises';
import type { Child, Ended } from './child.ts';

export interface Supervision {
  /** Starts it again; where it throws or rejects, `onFailure` is told, and it is tried again. */
  again: () => Child | Promise<Child>;
  /** How long to wait before that, after so many ends and failures without a steady minute between them. */
  delayMs: (failures: number) => number;
  onEnd: (ended: Ended, delayMs: number) => void;
  onFailure: (error: unknown, delayMs: number) => void;
}

export interface Supervised {
  /** Sends a signal that the child goes on after; nothing while there is none. */
  signal(name: NodeJS.Signals): void;
  /** Stops the child for good; resolves when it has gone. */
  stop(): Promise<void>;
}

const STEADY_MS = 60_000;

/** Twice as long each time, and half a minute at most. */
export const backOff =
  (firstMs: number) =>
  (failures: number): number =>
    Math.min(30_000, firstMs * 2 ** failures);

/** Keeps a child running: one that ends is started again, until `stop`. */
export function supervise(first: Child, { again, delayMs, onEnd, onFailure }: Supervision): Supervised {
  const stopped = new AbortController();
  const { signal } = stopped;
  let child = first;
  let failures = 0;

  const restart = async (firstDelay: number): Promise<void> => {
    for (let delay = firstDelay; ;) {
      await sleep(delay, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        child = await again();
        if (signal.aborted) await child.stop();
        return;
      } catch (error) {
        delay = delayMs(failures++);
        onFailure(error, delay);
      }
    }
  };
  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      const startedAt = performance.now();
      const ended = await child.gone;
      if (signal.aborted) return;
      if (performance.now() - startedAt > STEADY_MS) failures = 0;
      const delay = delayMs(failures++);
      onEnd(ended, delay);
      await restart(delay);
    }
  };
  const watching = watch();

  return {
    signal: (name) => void child.process.kill(name),
    async stop() {
      stopped.abort();
      await child.stop();
      await watching;
    },
  };
}
