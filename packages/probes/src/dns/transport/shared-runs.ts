import { Stop } from './stop.ts';

interface Waiter<T> {
  resolve(result: T): void;
  reject(reason: unknown): void;
  signal: AbortSignal | undefined;
  leave: () => void;
}

interface Run<T> {
  waiters: Set<Waiter<T>>;
  stop: Stop;
}

/** Work under way by key. Callers with the same question meanwhile share the run; it stops when the last of them leaves. */
export class SharedRuns<T> {
  readonly #runs = new Map<string, Run<T>>();

  has(key: string): boolean {
    return this.#runs.has(key);
  }

  /** Waits for the run of this key, and starts it if it is missing. Rejects with the signal's reason as soon as it aborts. */
  join(key: string, signal: AbortSignal | undefined, start: (stop: Stop) => Promise<T>): Promise<T> {
    const run = this.#runs.get(key) ?? this.#start(key, start);
    return new Promise((resolve, reject) => {
      const leave = () => {
        run.waiters.delete(waiter);
        reject(signal!.reason as Error);
        if (run.waiters.size === 0) this.#stop(key, run, signal!.reason);
      };
      const waiter: Waiter<T> = { resolve, reject, signal, leave };
      run.waiters.add(waiter);
      signal?.addEventListener('abort', leave);
    });
  }

  stopAll(reason: Error): void {
    for (const [key, run] of this.#runs) {
      this.#stop(key, run, reason);
      settle(run, (waiter) => waiter.reject(reason));
    }
  }

  #start(key: string, start: (stop: Stop) => Promise<T>): Run<T> {
    const run: Run<T> = { waiters: new Set(), stop: new Stop() };
    this.#runs.set(key, run);
    void this.#finish(key, run, start(run.stop));
    return run;
  }

  async #finish(key: string, run: Run<T>, work: Promise<T>): Promise<void> {
    try {
      const result = await work;
      this.#forget(key, run);
      settle(run, (waiter) => waiter.resolve(result));
    } catch (error) {
      this.#forget(key, run);
      settle(run, (waiter) => waiter.reject(error));
    }
  }

  #stop(key: string, run: Run<T>, reason: unknown): void {
    this.#forget(key, run);
    run.stop.stop(reason);
  }

  /** A run that was left may end after another of the same key began. */
  #forget(key: string, run: Run<T>): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key);
  }
}

function settle<T>({ waiters }: Run<T>, how: (waiter: Waiter<T>) => void): void {
  for (const waiter of waiters) {
    waiter.signal?.removeEventListener('abort', waiter.leave);
    how(waiter);
  }
  waiters.clear();
}
