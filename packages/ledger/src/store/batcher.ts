import { ApiError } from '@vedette/contract';

export interface BatcherOptions {
  maxBatch: number;
  /** Items that may wait; more are refused as overloaded. */
  maxQueue: number;
}

/**
 * Group commit: items that arrive while a batch runs go into the next one together, so that one commit serves many. Opened at once when
 * idle; one batch at a time. `run` answers item by item, in order: a value, or an Error for that item alone. When it rejects, all waiting
 * callers are rejected too, so that none waits for a second timeout of an unavailable store.
 */
export function createBatcher<I, O>(run: (items: I[]) => Promise<(O | Error)[]>, { maxBatch, maxQueue }: BatcherOptions) {
  interface Waiting {
    item: I;
    resolve: (value: O) => void;
    reject: (reason: unknown) => void;
  }
  let queue: Waiting[] = [];
  let running = false;

  const drain = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.slice(0, maxBatch);
      queue = queue.slice(maxBatch);
      try {
        const outcomes = await run(batch.map(({ item }) => item));
        for (const [i, { resolve, reject }] of batch.entries()) {
          const outcome = outcomes[i];
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome as O);
        }
      } catch (reason) {
        const waiting = [...batch, ...queue];
        queue = [];
        for (const { reject } of waiting) reject(reason);
      }
    }
    running = false;
  };

  return (item: I): Promise<O> =>
    new Promise<O>((resolve, reject) => {
      if (queue.length >= maxQueue) {
        reject(new ApiError('overloaded', '', { retryAfterS: 1 }));
        return;
      }
      queue.push({ item, resolve, reject });
      if (running) return;
      running = true;
      // Items that arrive in the same turn of the event loop share the first batch.
      setImmediate(() => void drain());
    });
}
