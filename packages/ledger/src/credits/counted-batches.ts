import type { Clock } from '@vedette/contract';
import type { Lane, LedgerEvents } from '../store/events.ts';

/** The work of a lane, with its batches counted. */
export const countedBatches =
  <I, O>(lane: Lane, { clock, events }: { clock: Clock; events: LedgerEvents }, run: (items: I[]) => Promise<O[]>) =>
  async (items: I[]): Promise<O[]> => {
    const started = clock.now();
    let outcome: 'ok' | 'failed' = 'failed';
    try {
      const outcomes = await run(items);
      outcome = 'ok';
      return outcomes;
    } finally {
      events.committed(lane, items.length, clock.now() - started, outcome);
    }
  };
